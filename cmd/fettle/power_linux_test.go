package main

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fettle/internal/journal"
	"fettle/internal/testenv/disk"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestPowerLoss lets fettle work on a disk that records everything, and cuts the power at random moments of it: what the disk may
// hold then is laid out in its place, by each of the rules of package disk. It demands each time what TestKilledAnywhere does; that
// everything which fettle had told the user is true; and that it can be undone.
//
// FETTLE_POWER says how many states are looked at: 12, in continuous integration 50, in make soak 2000 and 400 of a recording in
// which a sample repository is healed that takes its time.
func TestPowerLoss(t *testing.T) {
	states, seed := soak(t, "FETTLE_POWER", 12, 50)
	bin := build(t)
	small, err := txtar.ParseFile(filepath.Join("testdata", "small.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	story := smallStory
	if states < 50 { // on a developer's machine
		story = story[:6]
	}
	cut(t, bin, "small", small, story, states, seed)
	if states >= 1000 {
		cut(t, bin, "go", sample(t, "go"), goStory, states/5, seed)
	}
}

// smallStory and goStory are what is done while it is recorded: fettle's commands, and what a person does in between.
var (
	smallStory = []string{
		"fix --commit", "apply ../more.diff", "undo", "redo", "undo --steps 2", "redo",
		"break", "fix", "run", "undo a.go", "redo", "rollback", "fix --dry-run", "accept", "undo",
		"break", "fix --approve format", "approve", "break", "fix --approve format", "reject",
		"break", "killed fix", "resume", "undo", "fix --dry-run", "discard",
		"break", "fix", "gc", "undo", "fix", "gc --older-than 1ns",
	}
	goStory = []string{"fix --commit", "undo", "redo", "rollback"}
)

// power is a recorded disk, and what was known at each time.
type power struct {
	*yard
	at    string // where the disk is seen
	rec   disk.Recording
	known []known // by command
	seen  map[[sha256.Size]byte]bool
}

// known is what was true when a command began or ended.
type known struct {
	command  string
	edits    []personal            // of the person, when it began
	sets     map[int64]journal.Set // that were done, when it ended
	branches string                // when it ended
}

// cut records a story and looks at what power cuts in it leave.
func cut(t *testing.T, bin, name string, files *txtar.Archive, story []string, states int, seed uint64) {
	p := &power{at: folder(t), seen: map[[sha256.Size]byte]bool{}}
	d := disk.Mount(t, p.at)
	dice := rand.New(rand.NewPCG(seed, uint64(len(name))))
	p.yard = newYard(t, bin, p.at, name, files, dice)
	diff, err := os.ReadFile(filepath.Join("testdata", "more.diff"))
	p.must(err)
	p.must(os.WriteFile(filepath.Join(p.at, "more.diff"), diff, 0o600))
	p.rec.Base = d.Begin()
	for _, command := range story {
		p.tell(d, command)
	}
	p.rec.Ops = d.Ops()
	d.Unmount()
	disk.Memory(t, p.at)
	moments := p.moments()
	for n := 0; n < states && !t.Failed(); n++ {
		c := disk.Crash{At: moments[dice.IntN(len(moments))], Rule: disk.Rules[n%len(disk.Rules)], Seed: dice.Uint64(), Journalled: p.ofGit}
		p.crash(c, n%8 == 0)
	}
	t.Logf("%s: %d operations in %d commands; %d states looked at, %d of them different", name, len(p.rec.Ops), len(p.known), states, len(p.seen))
}

// tell does one thing of the story, and notes what is known after it.
func (p *power) tell(d *disk.Disk, command string) {
	p.t.Helper()
	switch command {
	case "break":
		p.write("a.go", "package small\n\nvar  a=2\n", p.last())
		p.saved("a.go")
		return
	case "killed fix":
		p.interrupted()
		return
	case "gc --older-than 1ns":
		p.forget()
	}
	k := known{command: command, edits: slices.Clone(p.edits), sets: map[int64]journal.Set{}}
	d.Mark("begin " + strconv.Itoa(len(p.known)))
	if code, said := p.fettle(strings.Fields(command)...); !slices.Contains([]int{0, 3, 5, 7}, code) { // healed, turned down, stuck, or waiting
		p.t.Fatalf("fettle %s: exit code %d\n%s", command, code, said)
	}
	d.Mark("end " + strconv.Itoa(len(p.known)))
	sets, _ := p.journal()
	for _, s := range sets {
		if s.State == journal.Done {
			k.sets[s.ID] = s
		}
	}
	k.branches = p.git("for-each-ref")
	p.known = append(p.known, k)
	p.exact()
	if p.t.Failed() {
		p.t.Fatal("without any power cut, after ", p.said)
	}
}

// saved syncs a file of the person's: what they wrote is theirs to keep.
func (p *power) saved(path string) {
	for at := filepath.Join(p.root, path); at != filepath.Dir(p.root); at = filepath.Dir(at) {
		f, err := os.Open(at)
		p.must(err)
		p.must(f.Sync())
		p.must(f.Close())
	}
}

// ofGit names what git writes, and builds on the order of the file system's journal for.
func (p *power) ofGit(path string) bool {
	return strings.HasPrefix(path, "repo/.git/") && !strings.HasPrefix(path, "repo/.git/fettle")
}

// moments are those to cut the power at: after each operation of a command, and once more where the tree or the journal is
// written, so that half of all cuts fall there.
func (p *power) moments() []int {
	var all, narrow []int
	working := false
	for i, o := range p.rec.Ops {
		if o.Kind == disk.Mark {
			working = strings.HasPrefix(o.Path, "begin")
		}
		if !working {
			continue
		}
		all = append(all, i+1)
		inside := strings.TrimPrefix(o.Path, "repo/")
		if !strings.HasPrefix(inside, ".git/") && inside != o.Path || strings.Contains(inside, "/blobs") || strings.HasSuffix(inside, "journal.log") {
			narrow = append(narrow, i, i+1)
		}
	}
	for n := len(narrow); n > 0 && len(narrow) < len(all); {
		narrow = append(narrow, narrow[:n]...)
	}
	return append(all, narrow...)
}

// crash looks at what one power cut leaves.
func (p *power) crash(c disk.Crash, thoroughly bool) {
	p.t.Helper()
	im := p.rec.After(c)
	sum := digest(im)
	if p.seen[sum] {
		return
	}
	p.seen[sum] = true
	p.said = []string{fmt.Sprintf("the power went at %+v", c)}
	during, told := -1, known{branches: ""}
	for _, o := range p.rec.Ops[:c.At] {
		var n int
		if _, err := fmt.Sscanf(o.Path, "begin %d", &n); err == nil && o.Kind == disk.Mark {
			during = n
		}
		if _, err := fmt.Sscanf(o.Path, "end %d", &n); err == nil && o.Kind == disk.Mark {
			told = p.known[n]
		}
	}
	p.said = append(p.said, "during fettle "+p.known[during].command)
	p.edits = p.known[during].edits
	p.lay(im)
	p.nothingForeign()
	p.settle()
	p.exact()
	p.kept(told, p.known[during].command)
	p.takeBack()
	if thoroughly {
		if code, said := p.fettle("fix"); code != 0 && code != 5 {
			p.t.Errorf("fettle fix: exit code %d\n%s", code, said)
		}
		p.exact()
	}
	if p.t.Failed() {
		for i := max(0, c.At-12); i < min(len(p.rec.Ops), c.At+3); i++ {
			o := p.rec.Ops[i]
			p.said = append(p.said, fmt.Sprintf("  %d %s %s %s", i, o.Kind, o.Path, o.To))
		}
		p.t.Fatal(strings.Join(p.said, "\n"))
	}
}

// lay lays an image out where the disk was seen.
func (p *power) lay(im disk.Image) {
	p.t.Helper()
	left, err := os.ReadDir(p.at)
	p.must(err)
	for _, e := range left {
		p.must(os.RemoveAll(filepath.Join(p.at, e.Name())))
	}
	p.must(im.Store(p.at))
	p.must(os.MkdirAll(p.tmp, 0o700)) // every system has one after a start
}

func digest(im disk.Image) [sha256.Size]byte {
	h := sha256.New()
	files := im.Files()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%q %q\n", path, files[path])
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// kept demands that what fettle had told the user is still so.
func (p *power) kept(told known, during string) {
	p.t.Helper()
	if strings.HasPrefix(during, "gc --older-than") {
		return // which forgets it
	}
	now := map[int64]journal.Set{}
	sets, _ := p.journal()
	for _, s := range sets {
		now[s.ID] = s
	}
	for id, was := range told.sets {
		if !reflect.DeepEqual(now[id].Entries, was.Entries) || now[id].State != journal.Done {
			p.t.Errorf("change %d was %+v and is %+v", id, was, now[id])
		}
	}
	branches := p.git("for-each-ref")
	for line := range strings.Lines(told.branches) {
		if !strings.Contains(branches, strings.TrimSpace(line)) {
			p.t.Errorf("the branch %s is gone; there are:\n%s", line, branches)
		}
	}
}

// takeBack undoes the last change that stands, if a person has not edited its files since.
func (p *power) takeBack() {
	p.t.Helper()
	standing := p.stack()
	if len(standing) == 0 {
		return
	}
	last, files := standing[0], p.files()
	_, image := p.journal()
	for _, e := range last.Entries {
		if holds, ok := files[e.Path]; ok != e.After.Exists || ok && holds != image(e.After) {
			return
		}
	}
	if code, said := p.fettle("undo"); code != 0 {
		p.t.Errorf("fettle undo: exit code %d\n%s", code, said)
	}
	p.exact()
}
