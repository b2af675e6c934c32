package edit_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/testenv"

	"gotest.tools/v3/golden"
	"pgregory.net/rapid"
)

func TestUnifiedGolden(t *testing.T) {
	before := of("a.go", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18", "old", "x\n", "run.sh", "#!\n", "bin", "a\x00", "crlf", "a\r\nb\r\n", "a b", "1")
	after := of("a.go", "1\ntwo\n3\n4\n5\n6\n7\n8\n9\n9a\n10\n11\n12\n13\n14\n15\n16\n17\n18\n", "new", "n", "run.sh", "#!\n", "bin", "b\x00", "crlf", "a\r\nB\r\n", "a b", "2", "empty", "", "t\tab\"", "1\n")
	sh := after["run.sh"]
	sh.Mode = 0o755
	after["run.sh"] = sh
	got, err := edit.Between(before, after).Unified(before.Source)
	if err != nil {
		t.Fatal(err)
	}
	golden.Assert(t, got, "unified.golden")
}

// TestUnifiedReadsBack: what Unified writes, ReadUnified reads to a patch with the same effect, and without a note.
func TestUnifiedReadsBack(t *testing.T) {
	check(t, func(t *rapid.T) {
		before := texts.Draw(t, "before")
		after := texts.Near(t, before)
		p := edit.Between(before, after)
		if len(p) == 0 {
			return
		}
		diff, err := p.Unified(before.Source)
		if err != nil {
			t.Fatal(err)
		}
		back, notes, err := edit.ReadUnified([]byte(diff), before.Source)
		if err != nil {
			t.Fatalf("%v\n%s", err, diff)
		}
		if got := before.After(t, back); !got.Equal(after) || len(notes) > 0 {
			t.Fatalf("got %v, want %v, notes %v\n%s", got, after, notes, diff)
		}
	})
}

// TestGitAcceptsUnified: git apply makes of the tree what the patch makes of it.
func TestGitAcceptsUnified(t *testing.T) {
	git := testenv.NeedTool(t, "git")
	root := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		before := texts.Draw(t, "before")
		for p, f := range before { // git knows only these
			f.Mode = f.Mode&0o100>>6*0o111 | 0o644
			before[p] = f
		}
		p := edit.Between(before, texts.Near(t, before))
		if len(p) == 0 {
			return
		}
		diff, err := p.Unified(before.Source)
		if err != nil {
			t.Fatal(err)
		}
		dir, err := os.MkdirTemp(root, "") //nolint:usetesting // one for each draw
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		for path, f := range before {
			write(t, filepath.Join(dir, path), f)
		}
		cmd := exec.Command(git, "apply", "-p1", "--whitespace=nowarn", "-")
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(diff)
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+root, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git apply: %v\n%s\n%s", err, out, diff)
		}
		want := before.After(t, p)
		for path, f := range want {
			got, err := os.ReadFile(filepath.Join(dir, path))
			if err != nil || !bytes.Equal(got, f.Data) {
				t.Fatalf("%s: got %q, want %q, %v\n%s", path, got, f.Data, err, diff)
			}
			info, err := os.Stat(filepath.Join(dir, path))
			if err != nil || info.Mode()&0o100 != f.Mode&0o100 {
				t.Fatalf("%s: mode %v, want %v, %v", path, info.Mode(), f.Mode, err)
			}
		}
		for path := range before {
			if info, err := os.Lstat(filepath.Join(dir, path)); !want[path].Exists && err == nil && !info.IsDir() {
				t.Fatalf("%s is still there", path)
			}
		}
	})
}

func write(t rapid.TB, name string, f edit.File) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, f.Data, f.Mode|0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, f.Mode); err != nil {
		t.Fatal(err)
	}
}
