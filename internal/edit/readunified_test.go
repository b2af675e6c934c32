package edit_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/testenv"
)

func diffOf(hunks string) string { return "--- a/f\n+++ b/f\n" + hunks }

func TestReadUnified(t *testing.T) {
	const five = "1\n2\n3\n4\n5\n"
	runAll(t, edit.ReadUnified, []reading{
		{name: "plain", base: five, proposal: diffOf("@@ -2,3 +2,3 @@\n 2\n-3\n+three\n 4\n"), want: "1\n2\nthree\n4\n5\n"},
		{name: "without prefixes", base: five, proposal: "--- f\n+++ f\n@@ -3 +3 @@\n-3\n+three\n", want: "1\n2\nthree\n4\n5\n"},
		{name: "as diff -r ./a ./b names files", base: five, proposal: "--- ./f\n+++ .//f\n@@ -3 +3 @@\n-3\n+three\n", want: "1\n2\nthree\n4\n5\n"},
		{name: "time stamps", base: five, proposal: "--- f\t2026-01-02 03:04:05.0 +0000\n+++ f\t2026-01-02 03:04:06.0 +0000\n@@ -3 +3 @@\n-3\n+three\n", want: "1\n2\nthree\n4\n5\n"},
		{name: "fenced, with prose above", base: five, proposal: "```diff\nHere:\n" + diffOf("@@ -3 +3 @@\n-3\n+three\n") + "```\n", want: "1\n2\nthree\n4\n5\n"},
		{name: "a mail", base: five, proposal: "From abc\nSubject: x\n\n---\n f | 2 +-\n\ndiff --git a/f b/f\nindex 1..2 100644\n" + diffOf("@@ -3 +3 @@\n-3\n+three\n") + "-- \n2.39.2\n\n", want: "1\n2\nthree\n4\n5\n"},
		{name: "moved", base: "0\n" + five, proposal: diffOf("@@ -2,3 +2,3 @@\n 2\n-3\n+three\n 4\n"), want: "0\n1\n2\nthree\n4\n5\n", note: "f:3: the hunk for line 2 was found at line 3"},
		{name: "moved, to two places", base: "0\n2\n3\n4\n2\n3\n4\n", proposal: diffOf("@@ -1,3 +1,3 @@\n 2\n-3\n+three\n 4\n"), refused: "stand in 2 other places"},
		{name: "in two places, but named", base: "2\n3\n4\n2\n3\n4\n", proposal: diffOf("@@ -4,3 +4,3 @@\n 2\n-3\n+three\n 4\n"), want: "2\n3\n4\n2\nthree\n4\n"},
		{name: "does not fit", base: five, proposal: diffOf("@@ -2,3 +2,3 @@\n 2\n-x\n+three\n 4\n"), refused: "f:3: the hunk does not fit here nor anywhere else\n  expected: \"x\"\n  found:    \"3\""},
		{name: "context differs by a blank", base: five, proposal: diffOf("@@ -2,3 +2,3 @@\n  2\n-3\n+three\n 4\n"), refused: "f:2: the hunk does not fit"},
		{name: "one hunk of two fits", base: five, proposal: diffOf("@@ -1 +1 @@\n-1\n+one\n@@ -5 +5 @@\n-6\n+six\n"), refused: "f:5:"},
		{name: "counts too small", base: five, proposal: diffOf("@@ -2,1 +2,1 @@\n 2\n-3\n+three\n 4\n"), want: "1\n2\nthree\n4\n5\n", note: "says 1 lines before"},
		{name: "counts too large", base: five, proposal: diffOf("@@ -2,9 +2,9 @@\n 2\n-3\n+three\n 4\n"), want: "1\n2\nthree\n4\n5\n", note: "its lines were taken"},
		{name: "counts wrong, another file behind", base: five, proposal: diffOf("@@ -2,9 +2,9 @@\n 2\n-3\n+three\n 4\n") + "--- /dev/null\n+++ b/g\n@@ -0,0 +1 @@\n+g\n", want: "1\n2\nthree\n4\n5\n", note: "its lines were taken"},
		{name: "a removed line that looks like a header", base: "-- x\ny\n", proposal: diffOf("@@ -1,2 +1,2 @@\n--- x\n+++ x\n y\n"), want: "++ x\ny\n"},
		{name: "empty context lost its blank", base: "1\n\n3\n", proposal: diffOf("@@ -1,3 +1,3 @@\n 1\n\n-3\n+three\n"), want: "1\n\nthree\n"},
		{name: "CRLF base, LF diff", base: "1\r\n2\r\n3\r\n", proposal: diffOf("@@ -1,3 +1,4 @@\n 1\n-2\n+two\n+more\n 3\n"), want: "1\r\ntwo\r\nmore\r\n3\r\n", note: "CRLF"},
		{name: "CRLF diff, LF base", base: "1\n2\n", proposal: strings.ReplaceAll(diffOf("@@ -1,2 +1,2 @@\n 1\n-2\n+two\n"), "\n", "\r\n"), want: "1\ntwo\n", note: "LF"},
		{name: "endings are the matter", base: "1\r\n2\r\n", proposal: diffOf("@@ -1,2 +1,2 @@\n-1\r\n+1\n 2\r\n"), want: "1\n2\r\n"},
		{name: "byte order mark not shown", base: "\ufeff1\n2\n", proposal: diffOf("@@ -1,2 +1,2 @@\n-1\n+one\n 2\n"), want: "\ufeffone\n2\n", note: "byte order mark"},
		{name: "byte order mark removed", base: "\ufeff1\n2\n", proposal: diffOf("@@ -1,2 +1,2 @@\n-\ufeff1\n+1\n 2\n"), want: "1\n2\n"},
		{name: "open end not shown", base: "1\n2", proposal: diffOf("@@ -1,2 +1,2 @@\n 1\n-2\n+two\n"), want: "1\ntwo", note: "newline at the end"},
		{name: "newline added at the end", base: "1\n2", proposal: diffOf("@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+2\n"), want: "1\n2\n"},
		{name: "newline taken from the end", base: "1\n2\n", proposal: diffOf("@@ -1,2 +1,2 @@\n 1\n-2\n+2\n\\ No newline at end of file\n"), want: "1\n2"},
		{name: "open line in the middle", base: "1\n2\n3\n", proposal: diffOf("@@ -1,3 +1,3 @@\n 1\n-2\n+2\n\\ No newline at end of file\n 3\n"), refused: "not the last of the file"},
		{name: "new", base: "-", proposal: "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+1\n+2\n", want: "1\n2\n"},
		{name: "new, empty", base: "-", proposal: "diff --git a/f b/f\nnew file mode 100644\nindex 0000000..e69de29\n", want: ""},
		{name: "new, but there", base: "1\n", proposal: "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+1\n+2\n", refused: "exists already"},
		{name: "deleted", base: "1\n2\n", proposal: "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n", want: "-"},
		{name: "deleted, but there is more", base: "1\n2\n3\n", proposal: "--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n", refused: "does not show all of its content"},
		{name: "deleted unseen", base: "1\n", proposal: "diff --git a/f b/f\ndeleted file mode 100644\nindex 1..0\n", refused: "does not show all"},
		{name: "not there", base: "-", proposal: diffOf("@@ -1 +1 @@\n-1\n+2\n"), refused: "does not exist"},
		{name: "twice", base: five, proposal: diffOf("@@ -1 +1 @@\n-1\n+one\n") + diffOf("@@ -2 +2 @@\n-2\n+two\n"), refused: "twice"},
		{name: "two hunks, one place", base: five, proposal: diffOf("@@ -1 +1 @@\n-1\n+one\n@@ -1 +1 @@\n-1\n+eins\n"), refused: "same place"},
		{name: "no context", base: five, proposal: diffOf("@@ -2,0 +3 @@\n+x\n"), refused: "with context"},
		{name: "text between", base: five, proposal: diffOf("@@ -1 +1 @@\n-1\n+one\n") + "and now the next\n", refused: "line 6 of the proposal: this line belongs to no part of a diff"},
		{name: "no header", base: five, proposal: "@@ -1 +1 @@\n-1\n+one\n", refused: "without a file header"},
		{name: "no hunk", base: five, proposal: "--- a/f\n+++ /dev/null\n", refused: "no hunk follows"},
		{name: "no numbers", base: "a\nb\nc\n", proposal: diffOf("@@ ... @@\n a\n-b\n+B\n"), want: "a\nB\nc\n", note: "names no line; its lines were found at line 1"},
		{name: "no numbers, two hunks, a name behind", base: "a\nb\nc\nd\n", proposal: diffOf("@@\n-a\n+A\n@@ def c():\n c\n-d\n+D\n"), want: "A\nb\nc\nD\n", note: "found at line 3"},
		{name: "no numbers, two places", base: "a\nb\na\n", proposal: diffOf("@@ ... @@\n-a\n+A\n"), refused: "names no line, and its lines stand in 2 places"},
		{name: "no numbers, no place", base: "a\nb\na\n", proposal: diffOf("@@ ... @@\n-x\n+A\n"), refused: "are not in the file"},
		{name: "no numbers, two files", base: "a\n", proposal: "--- g\n+++ g\n@@ ... @@\n-x\n+y\n--- f\n+++ f\n@@ ... @@\n-a\n+A\n", refused: "g: the file does not exist"},
		{name: "half of the numbers", base: "a\nb\na\n", proposal: diffOf("@@ -1 @@\n-b\n+A\n"), refused: "cannot be read"},
		{name: "link", base: "-", proposal: "diff --git a/f b/f\nnew file mode 120000\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n", refused: "not that of a regular file"},
		{name: "escape", base: five, proposal: "--- /dev/null\n+++ b/../../etc/x\n@@ -0,0 +1 @@\n+x\n", refused: "out of the workspace"},
		{name: "no prefixes in git's form", base: five, proposal: "diff --git src/f src/f\n--- src/f\n+++ src/f\n@@ -1 +1 @@\n-1\n+one\n", refused: "--default-prefix"},
		{name: "binary without data", base: "\x001", proposal: "diff --git a/f b/f\nindex 1..2 100644\nBinary files a/f and b/f differ\n", refused: "git diff --binary"},
	})
}

func TestReadUnifiedModes(t *testing.T) {
	base := tree{}
	const executable = "diff --git a/f b/f\nold mode 100644\nnew mode 100755\n"
	for have, want := range map[fs.FileMode]fs.FileMode{0o644: 0o755, 0o600: 0o700, 0o664: 0o775} {
		base["f"] = edit.File{Data: []byte("1\n"), Mode: have, Exists: true}
		p, _, err := edit.ReadUnified([]byte(executable), base.Source)
		if err != nil {
			t.Fatal(err)
		}
		if got := base.After(t, p)["f"].Mode; got != want {
			t.Errorf("%o becomes %o, want %o", have, got, want)
		}
	}
}

// TestReadUnifiedOfGit reads what git itself writes: renames with changes, modes, binaries, odd names.
func TestReadUnifiedOfGit(t *testing.T) {
	git := testenv.NeedTool(t, "git")
	before := of("keep.txt", strings.Repeat("line\n", 20)+"end\n", "bin", "a\x00b\x01", "gone", "x\n", "sp ace", "1\n", "ü", "1\n", "sh", "#!\n", "empty", "")
	after := of("moved.txt", strings.Repeat("line\n", 20)+"the end\n", "bin", "a\x00c\x02\xff", "sp ace", "2", "ü", "2\n", "sh", "#!\n", "new empty", "")
	sh := after["sh"]
	sh.Mode = 0o755
	after["sh"] = sh
	dir := t.TempDir()
	run := func(args ...string) string {
		cmd := exec.Command(git, append([]string{"-c", "user.name=t", "-c", "user.email=t@t"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(args, err)
		}
		return string(out)
	}
	run("init", "-q")
	for path, f := range before {
		write(t, filepath.Join(dir, path), f)
	}
	run("add", ".")
	run("commit", "-qm", "x")
	for path := range before {
		if err := os.Remove(filepath.Join(dir, path)); err != nil {
			t.Fatal(err)
		}
	}
	for path, f := range after {
		write(t, filepath.Join(dir, path), f)
	}
	run("add", ".")
	diff := run("diff", "--cached", "--binary", "-M")
	if !strings.Contains(diff, "rename from keep.txt") || !strings.Contains(diff, "GIT binary patch") {
		t.Fatalf("the diff lacks what should be read:\n%s", diff)
	}
	p, notes, err := edit.Read([]byte(diff), before.Source)
	if err != nil || len(notes) > 0 {
		t.Fatalf("%v %v\n%s", err, notes, diff)
	}
	if got := before.After(t, p); !got.Equal(after) {
		t.Errorf("got %v, want %v", got, after)
	}
	other := of("bin", "another\x00")
	for path, f := range before {
		if path != "bin" {
			other[path] = f
		}
	}
	if _, _, err := edit.Read([]byte(diff), other.Source); err == nil || !strings.Contains(err.Error(), "other content") {
		t.Errorf("a binary change for other content: %v", err)
	}
}
