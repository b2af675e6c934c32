package audit_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fettle/internal/audit"
	"fettle/internal/edit"
	"fettle/internal/journal"
	"fettle/internal/store"
	"fettle/internal/testenv"
	"fettle/internal/verdict"
	"fettle/internal/workspace"
)

// attackFiles hold the attacks, by what they attack: what a name does not show, and names.
var attackFiles = []string{"../workspace/testdata/paths.jsonl", "../policy/path/testdata/names.jsonl"}

// attack is one row of these: what somebody tries to have written, and what must come of it.
type attack struct {
	ID    string  `json:"id"`
	Op    string  `json:"op"`
	Path  string  `json:"path"`
	Want  string  `json:"want"`
	Why   string  `json:"why"`
	Setup [][]any `json:"setup"`
}

// elsewhere are rows about what fettle does not do, or what other tests hold.
var elsewhere = map[string]string{
	"path-0245": "fettle unpacks no archives, and no patch can make a hard link",
	"path-0256": "fettle unpacks no archives; names that differ in case only are two files here",
	"path-0210": "`TestCorpus` reads fifos",
	// The dynamic ones: package workspace swaps files while it writes (`TestRaces`), and has faults at every step (`TestFaults`).
	"path-0222": "`TestRaces`", "path-0223": "`TestRaces`", "path-0224": "`TestEditInTheMeantime`", "path-0226": "`TestRacesForTemporaryFiles`",
	"path-0235": "`TestFaults`, `TestFileSizeLimitOfTheSystem`", "path-0236": "`TestFaults`", "path-0238": "`TestLock`, `TestRaces`",
}

// Every attack by a path is refused by the tree or asked about by the audit, and nothing outside changes; every harmless name
// that looks like one is written.
func TestPathAttacks(t *testing.T) {
	rows, tried := 0, 0
	for _, file := range attackFiles {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			var a attack
			if err := json.Unmarshal(line, &a); err != nil {
				t.Fatal(err)
			}
			rows++
			if elsewhere[a.ID] == "" && a.Want != "allow" {
				tried++
			}
			t.Run(a.ID+" "+a.Why, func(t *testing.T) {
				if where, ok := elsewhere[a.ID]; ok {
					t.Log("held by another test, or not for fettle:", where)
					return
				}
				a.run(t)
			})
		}
	}
	if rows != 80 || tried != 61 { // docs/guarantees.md says how many attacks there are
		t.Errorf("%d rows, %d attacks", rows, tried)
	}
}

// An ordinary user may not write everywhere, which root may.
func TestOrdinaryUsersPathAttacks(t *testing.T) {
	testenv.AsOrdinaryUser(t, "TestPathAttacks/path-0217", "^TestPathAttacks$", attackFiles, nil)
}

func (a attack) run(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "repo")
	a.lay(t, base, root)
	outside := contents(t, filepath.Join(base, "O"))
	state := filepath.Join(base, "state")
	db, err := store.Open(t.Context(), state)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	j, err := journal.Open(db, state)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	tree, err := workspace.OpenTree(root, j, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	got := a.attempt(t, tree)
	if info, err := os.Lstat(filepath.Join(root, "suid")); err == nil && got == "allow" && info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) == 0 {
		return // written, and nobody's rights go with it any more
	}
	if want := strings.ReplaceAll(a.Want, "deny", "denied"); got != want && (want != "ask" || got != "denied") {
		t.Errorf("%s %q: %s, want %s", a.Op, a.Path, got, a.Want)
	}
	if now := contents(t, filepath.Join(base, "O")); now != outside {
		t.Errorf("outside is now\n%s\nand was\n%s", now, outside)
	}
	if a.ID == "path-0219" && got == "allow" {
		info, err := os.Lstat(filepath.Join(root, a.Path))
		if err != nil || info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0 || info.Mode().Perm() != 0o755 {
			t.Errorf("the mode is %v, %v", info.Mode(), err)
		}
	}
}

// attempt does what the row says, through the doors that every patch goes through.
func (a attack) attempt(t *testing.T, tree *workspace.Tree) string {
	source := tree.Source()
	if a.Op == "read" {
		if f, err := source(a.Path); err != nil || !f.Exists {
			return "denied"
		}
		return "allow"
	}
	path := a.Path
	if a.Op == "mkdir" {
		path += "/x"
	}
	before, err := source(path)
	if err != nil {
		return "denied"
	}
	after := edit.File{Data: []byte("# written\n"), Mode: before.Mode, Exists: true}
	if !before.Exists {
		after.Mode = 0o644
	}
	change, _ := edit.Compare(path, before, after)
	patch := edit.Patch{change}
	report := audit.Audit(t.Context(), audit.Input{Patch: patch, Source: source})
	if _, err := tree.Apply(t.Context(), patch, workspace.Why{}); err != nil {
		return "denied"
	}
	switch report.Decision() {
	case verdict.Approve:
		return "allow"
	case verdict.Ask:
		return "ask"
	default:
		return "denied"
	}
}

// lay makes what the row sets up: O stands beside the repository, everything else in it.
func (a attack) lay(t *testing.T, base, root string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	at := func(name any) string {
		s := strings.ReplaceAll(name.(string), "{O}", filepath.Join(base, "O"))
		if s == "O" || strings.HasPrefix(s, "O/") {
			return filepath.Join(base, s)
		}
		if filepath.IsAbs(s) {
			return s
		}
		return filepath.Join(root, s)
	}
	must(os.MkdirAll(filepath.Join(root, "tests"), 0o755))
	for name, text := range map[string]string{"src/app.py": "x", ".git/config": "[core]", "README.md": "r", "O/secret.txt": "s3cret"} {
		must(os.MkdirAll(filepath.Dir(at(name)), 0o755))
		must(os.WriteFile(at(name), []byte(text), 0o644))
	}
	for _, s := range a.Setup {
		full := at(s[1])
		must(os.MkdirAll(filepath.Dir(full), 0o755))
		switch s[0] {
		case "file":
			must(os.WriteFile(full, []byte(s[2].(string)), 0o644))
		case "dir":
			must(os.MkdirAll(full, 0o755))
		case "symlink":
			to := strings.ReplaceAll(s[2].(string), "{O}", filepath.Join(base, "O"))
			must(os.Symlink(to, full))
		case "hardlink":
			must(os.Link(at(s[2]), full))
		case "fifo":
			must(syscall.Mkfifo(full, 0o644))
		case "chmod":
			must(syscall.Chmod(full, uint32(s[2].(float64))))
		default:
			t.Fatalf("unknown set-up %v", s)
		}
	}
	if strings.HasPrefix(a.Path, "ro/") {
		if os.Getuid() == 0 {
			t.Skip("root may write anywhere; runs in TestOrdinaryUsersPathAttacks")
		}
		must(os.Chmod(filepath.Join(root, "ro"), 0o555))
	}
}

// contents is a folder with everything in it, as text.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil {
			return err
		}
		b.WriteString(p + " " + d.Type().String())
		if d.Type().IsRegular() {
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			b.WriteString(" " + string(text))
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
