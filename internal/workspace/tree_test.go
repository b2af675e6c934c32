package workspace_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/policy/path"
	"fettle/internal/store"
	"fettle/internal/testenv"
	"fettle/internal/workspace"
)

// place is a working tree with its state beside it, and a folder outside that nothing may reach.
type place struct {
	t       testing.TB
	root    string
	state   string
	outside string
}

func newPlace(t testing.TB) place {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := place{t, filepath.Join(base, "tree"), filepath.Join(base, "state"), filepath.Join(base, "O")}
	for _, d := range []string{p.root, p.outside} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// open opens the tree as a new process would.
func (p place) open(o workspace.Options) (*workspace.Tree, *journal.Journal) {
	p.t.Helper()
	db, err := store.Open(p.t.Context(), p.state)
	if err != nil {
		p.t.Fatal(err)
	}
	j, err := journal.Open(db, p.state)
	if err != nil {
		p.t.Fatal(err)
	}
	tree, err := workspace.OpenTree(p.root, j, o)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { tree.Close(); db.Close() })
	return tree, j
}

func (p place) put(name, content string) {
	p.t.Helper()
	file := filepath.Join(p.root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p place) get(name string) string {
	b, err := os.ReadFile(filepath.Join(p.root, name))
	if errors.Is(err, fs.ErrNotExist) {
		return "(none)"
	}
	if err != nil {
		p.t.Error(err)
	}
	return string(b)
}

// want checks contents; "(none)" is no file. Nothing temporary may be left anywhere.
func (p place) want(files map[string]string) {
	p.t.Helper()
	for name, content := range files {
		if got := p.get(name); got != content {
			p.t.Errorf("%s holds %.60q, want %.60q", name, got, content)
		}
	}
	err := filepath.WalkDir(p.root, func(file string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), ".fettle-") {
			p.t.Errorf("left behind: %s", file)
		}
		return err
	})
	if err != nil {
		p.t.Error(err)
	}
}

func (p place) setup(items [][]any) {
	p.t.Helper()
	at := func(v any) string {
		s := v.(string)
		if rest, ok := strings.CutPrefix(s, "O/"); ok {
			return filepath.Join(p.outside, rest)
		}
		return filepath.Join(p.root, s)
	}
	for _, item := range items {
		var err error
		switch name := at(item[1]); item[0] {
		case "dir":
			err = os.MkdirAll(name, 0o755)
		case "file":
			err = errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(item[2].(string)), 0o644))
		case "symlink":
			err = os.Symlink(strings.ReplaceAll(item[2].(string), "{O}", p.outside), name)
		case "hardlink":
			err = os.Link(at(item[2]), name)
		case "fifo":
			err = syscall.Mkfifo(name, 0o644)
		case "chmod":
			err = syscall.Chmod(name, uint32(item[2].(float64)))
		default:
			p.t.Fatalf("setup: %v", item)
		}
		if err != nil {
			p.t.Fatal(err)
		}
	}
}

func modify(name, before, after string) edit.Change {
	c := edit.Change{Path: name, Op: edit.Modify, Base: edit.Sum([]byte(before))}
	c.Edits = []edit.Edit{{Start: 0, End: len(before), New: []byte(after)}}
	return c
}

func create(name, content string) edit.Change {
	c := edit.Change{Path: name, Op: edit.Create}
	if content != "" {
		c.Edits = []edit.Edit{{New: []byte(content)}}
	}
	return c
}

func erase(name, before string) edit.Change {
	return edit.Change{Path: name, Op: edit.Delete, Base: edit.Sum([]byte(before))}
}

// attacks holds the attacks that no name gives away.
const attacks = "testdata/paths.jsonl"

// TestOrdinaryUsersCorpus has those against an ordinary user, who may not write everywhere.
func TestOrdinaryUsersCorpus(t *testing.T) {
	testenv.AsOrdinaryUser(t, "TestCorpus/path-0217", "^TestCorpus$", []string{attacks}, nil)
}

// The attacks that no name gives away. Rows about races and failing disks are those of TestRaces, TestFaults and TestLock.
func TestCorpus(t *testing.T) {
	file, err := os.Open(attacks)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	tried := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var r struct {
			ID, Op, Path, Want, Why string
			Setup                   [][]any
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if r.Op == "toctou" || r.Op == "extract" || strings.HasPrefix(r.Path, "ro/") && os.Geteuid() == 0 {
			continue // root may write anywhere: TestOrdinaryUsersCorpus tries the last
		}
		tried++
		t.Run(r.ID, func(t *testing.T) {
			p := newPlace(t)
			p.setup([][]any{{"file", "src/app.py", "x"}, {"dir", "tests"}, {"file", ".git/config", "[core]"}, {"file", "O/secret.txt", "s3cret"}})
			p.setup(r.Setup)
			if strings.HasPrefix(r.Path, "ro/") {
				if err := os.Chmod(filepath.Join(p.root, "ro"), 0o555); err != nil {
					t.Fatal(err)
				}
			}
			attack(t, p, r.Op, r.Path, r.Want)
		})
	}
	if tried < 11 {
		t.Errorf("only %d rows", tried)
	}
}

func attack(t *testing.T, p place, op, name, want string) {
	tree, _ := p.open(workspace.Options{})
	var err error
	if op == "read" {
		_, err = tree.Source()(name)
	} else {
		info, statErr := os.Stat(filepath.Join(p.root, name))
		c := create(name, "attack")
		if statErr == nil && info.Mode().IsRegular() {
			c = modify(name, p.get(name), "attack")
		}
		_, err = tree.Apply(t.Context(), edit.Patch{c}, workspace.Why{})
		if err == nil && statErr == nil {
			now, statErr := os.Stat(filepath.Join(p.root, name))
			if statErr != nil || now.Mode() != info.Mode().Perm() {
				t.Errorf("mode %v became %v, %v", info.Mode(), now.Mode(), statErr)
			}
		}
	}
	if denied := err != nil; denied != (want == "deny") && name != "suid" { // suid: denied, or the bit is cleared
		t.Errorf("%v, want %s", err, want)
	}
	if b, err := os.ReadFile(filepath.Join(p.outside, "secret.txt")); string(b) != "s3cret" || err != nil {
		t.Errorf("outside: %q, %v", b, err)
	}
	p.want(map[string]string{".git/config": "[core]"})
}

func TestRefusals(t *testing.T) {
	p := newPlace(t)
	p.setup([][]any{
		{"file", "a.txt", "one\n"}, {"file", "big", strings.Repeat("x", 101)}, {"file", "ro.txt", "r"}, {"chmod", "ro.txt", float64(0o444)},
		{"dir", "d"}, {"symlink", "link.txt", "a.txt"}, {"symlink", "dangling", "nowhere"}, {"symlink", "dl", "d"}, {"symlink", "out", "{O}"},
		{"file", "two", "2"}, {"hardlink", "two-b", "two"}, {"fifo", "pipe"}, {"file", "scope/x", "x"},
	})
	tree, j := p.open(workspace.Options{MaxFile: 100, MaxEdits: 2, InScope: func(s string) bool { return !strings.HasPrefix(s, "scope/") }})
	many := edit.Change{Path: "a.txt", Op: edit.Modify, Base: edit.Sum([]byte("one\n")), Edits: []edit.Edit{
		{Start: 0, End: 0, New: []byte("x")}, {Start: 1, End: 1, New: []byte("y")}, {Start: 2, End: 2, New: []byte("z")},
	}}
	for _, c := range []struct {
		name  string
		patch edit.Patch
		want  string // the error
		kind  any
	}{
		{"not there", edit.Patch{modify("no.txt", "x", "y")}, "File does not exist: no.txt: no.txt: does not exist any more", new(*edit.MismatchError)},
		{"not there to delete", edit.Patch{erase("no/no.txt", "x")}, "File does not exist: no/no.txt: no/no.txt: does not exist any more", new(*edit.MismatchError)},
		{"another content", edit.Patch{modify("a.txt", "two\n", "y")}, "a.txt: has changed since the edit was made", new(*edit.MismatchError)},
		{"already there", edit.Patch{create("a.txt", "y")}, "a.txt: already exists", new(*edit.MismatchError)},
		{"a link", edit.Patch{modify("link.txt", "one\n", "y")}, "Symlinks are not allowed for security reasons: link.txt", new(*workspace.Refused)},
		{"a dangling link", edit.Patch{create("dangling", "y")}, "Symlinks are not allowed for security reasons: dangling", new(*workspace.Refused)},
		{"through a link", edit.Patch{create("dl/new", "y")}, "Symlink in path chain not allowed: dl/new", new(*workspace.Refused)},
		{"through a link, deep", edit.Patch{create("dl/a/b/new", "y")}, "Symlink in path chain not allowed: dl/a/b/new", new(*workspace.Refused)},
		{"out through a link", edit.Patch{create("out/new", "y")}, "Symlink in path chain not allowed: out/new", new(*workspace.Refused)},
		{"a folder", edit.Patch{modify("d", "", "y")}, "Path is not a file: d", new(*workspace.Refused)},
		{"a pipe", edit.Patch{modify("pipe", "", "y")}, "Path is not a file: pipe", new(*workspace.Refused)},
		{"below a file", edit.Patch{create("a.txt/b", "y")}, "A folder in the path is not a folder: a.txt/b", new(*workspace.Refused)},
		{"two names", edit.Patch{modify("two", "2", "y")}, "File has 2 hard links: two", new(*workspace.Refused)},
		{"too large", edit.Patch{modify("big", strings.Repeat("x", 101), "y")}, "File size 101 exceeds limit 100: big", new(*workspace.Refused)},
		{"too large afterwards", edit.Patch{modify("a.txt", "one\n", strings.Repeat("y", 101))}, "Content size 101 exceeds limit 100: a.txt", new(*workspace.Refused)},
		{"too many edits", edit.Patch{many}, "Edit count 3 exceeds limit 2: a.txt", new(*workspace.Refused)},
		{"read-only", edit.Patch{modify("ro.txt", "r", "y")}, "File is not writable: ro.txt", new(*workspace.Refused)},
		{"out of scope", edit.Patch{modify("scope/x", "x", "y")}, "File is out of scope: scope/x", new(*workspace.Refused)},
		{"one file twice, by case", edit.Patch{create("New", "y"), create("new", "z")}, "File is the same as New where letter case does not count: new", new(*workspace.Refused)},
		{"forbidden", edit.Patch{create(".env", "y")}, "File matches forbidden pattern '.env*': .env", new(*path.Denied)},
		{"git's", edit.Patch{create(".git/hooks/x", "y")}, "File matches forbidden pattern '.git/*': .git/hooks/x", new(*path.Denied)},
		{"outside", edit.Patch{create("../x", "y")}, "File path outside project directory: ../x", new(*path.Denied)},
		{"absolute", edit.Patch{create("/tmp/x", "y")}, "File path outside project directory: /tmp/x", new(*path.Denied)},
		{"the good with the bad", edit.Patch{modify("a.txt", "one\n", "y"), create("out/new", "y")}, "Symlink in path chain", new(*workspace.Refused)},
	} {
		t.Run(c.name, func(t *testing.T) {
			check := tree.Check(c.patch)
			_, apply := tree.Apply(t.Context(), c.patch, workspace.Why{})
			for _, err := range []error{check, apply} {
				if err == nil || !strings.HasPrefix(err.Error(), c.want) || !errors.As(err, c.kind) {
					t.Errorf("%v (%T), want %s (%T)", err, err, c.want, c.kind)
				}
			}
			p.want(map[string]string{"a.txt": "one\n", "d/new": "(none)", "New": "(none)", "two": "2"})
		})
	}
	if _, err := tree.Apply(t.Context(), edit.Patch{modify("a.txt", "one\n", "one\n")}, workspace.Why{}); !errors.Is(err, workspace.ErrNoChange) {
		t.Errorf("a patch without effect: %v", err)
	}
	if _, err := tree.Apply(t.Context(), edit.Patch{modify("a.txt", "one\n", "two\n")}, workspace.Why{Kind: journal.Undo}); err == nil {
		t.Error("an apply that calls itself an undo")
	}
	if sets, err := j.List(t.Context(), journal.Filter{}); len(sets) != 0 || err != nil {
		t.Errorf("refusals in the journal: %v, %v", sets, err)
	}
}

func TestSource(t *testing.T) {
	p := newPlace(t)
	p.put("sub/a.sh", "\xef\xbb\xbfx\r\n")
	if err := os.Chmod(filepath.Join(p.root, "sub/a.sh"), 0o750); err != nil {
		t.Fatal(err)
	}
	tree, _ := p.open(workspace.Options{})
	read := tree.Source()
	f, err := read("sub/a.sh")
	if err != nil || string(f.Data) != "\xef\xbb\xbfx\r\n" || f.Mode != 0o750 || !f.Exists {
		t.Errorf("%+v, %v", f, err)
	}
	for _, missing := range []string{"no", "no/no", "sub/no"} {
		if f, err := read(missing); err != nil || f.Exists || f.Data != nil {
			t.Errorf("%s: %+v, %v", missing, f, err)
		}
	}
	for _, bad := range []string{"../O/x", "/etc/passwd", "sub", "sub/../../O"} {
		if f, err := read(bad); err == nil && f.Exists {
			t.Errorf("%s was read", bad)
		}
	}
}
