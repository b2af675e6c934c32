package golang

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"fettle/internal/edit"
	"fettle/internal/pattern"
	"fettle/internal/proc"
	"fettle/internal/verdict"
)

//go:embed overlay/mutant.go.txt
var mutantSource []byte

//go:embed overlay/driver.go.txt
var driverSource []byte

//go:embed overlay/replay.go.txt
var replaySource []byte

// Names of the files that are laid over packages for a build; nobody has files of these names.
const (
	mutantFile = "zz_fettle_mutant.go"
	driverFile = "zz_fettle_driver_test.go"
	replayFile = "zz_fettle_replay_test.go"
)

// maxCopied bounds the source that a bundle's copies add: beyond it, compiling takes longer than it saves.
const maxCopied = 1 << 20

// bundle is a batch of candidates that has been built: most of them into one binary, the rest to be tried alone.
type bundle struct {
	oracle  *Oracle
	dir     string
	paths   map[string]string // what the files that were written for the build stand for
	binary  string            // empty: none could be built
	members map[int]candidate
	order   []int // the members' numbers, in order of the sequence
	alone   []candidate
	refused []verdict.Trial // what never gets as far as a build

	unfaithful bool // it does not behave like the user's own

	plans    atomic.Int64 // how many drivers were started
	replayed bool         // its binary can run the failing tests for one candidate after the other in one process
}

func (b *bundle) close() { _ = os.RemoveAll(b.dir) }

// bundle builds a batch. A candidate's number in the binary is its index plus one.
func (o *Oracle) bundle(ctx context.Context, batch []candidate) (*bundle, error) {
	dir, err := o.folder("bundle-")
	if err != nil {
		return nil, err
	}
	b := &bundle{oracle: o, dir: dir, members: map[int]candidate{}}
	if len(batch) < 3 || o.Batch == 1 {
		b.alone = batch // two builds cost as much as one
		return b, nil
	}
	f := &fitting{source: o.source(), schemata: map[string]*schema{}, unfit: map[string]bool{}}
	for _, c := range batch {
		if f.add(c) {
			b.members[c.Index+1] = c
		} else {
			b.alone = append(b.alone, c)
		}
	}
	if err := b.compile(ctx, f); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// fitting puts candidates into schemata.
type fitting struct {
	source   edit.Source
	schemata map[string]*schema // by path
	unfit    map[string]bool    // files that cannot hold candidates
	copied   int
}

func (f *fitting) add(c candidate) bool {
	if f.copied > maxCopied || len(c.Patch) == 0 || c.Patch.Validate() != nil {
		return false
	}
	id := c.Index + 1
	for i, ch := range c.Patch {
		s := f.schema(ch)
		n, ok := 0, false
		if s != nil {
			n, ok = s.add(id, ch.Edits)
		}
		if !ok {
			for _, before := range c.Patch[:i] {
				f.schemata[before.Path].drop(id)
			}
			return false
		}
		f.copied += n
	}
	return true
}

func (f *fitting) schema(c edit.Change) *schema {
	if c.Op != edit.Modify || !strings.HasSuffix(c.Path, ".go") || strings.HasSuffix(c.Path, "_test.go") || f.unfit[c.Path] {
		return nil
	}
	s := f.schemata[c.Path]
	if s == nil {
		file, err := f.source(c.Path)
		if err == nil && file.Exists {
			s, err = newSchema(c.Path, file.Data)
		}
		if err != nil || s == nil {
			f.unfit[c.Path] = true
			return nil
		}
		f.schemata[c.Path] = s
	}
	if edit.Sum(s.src) != c.Base {
		return nil
	}
	return s
}

// only reports whether all that is changed belongs to the package in that folder, whose tests can then say which candidate is meant.
func (f *fitting) only(dir string) bool {
	for name := range f.schemata {
		if path.Dir(name) != path.Clean(dir) {
			return false
		}
	}
	return true
}

// compile builds the binary. Candidates that the compiler refuses are taken out; when that does not help, all are tried
// alone.
func (b *bundle) compile(ctx context.Context, f *fitting) error {
	const attempts = 4
	for range attempts {
		if len(b.members) < 3 {
			break
		}
		said, err := b.attempt(ctx, f)
		if err != nil {
			return err
		}
		if said == "" {
			b.order = slices.Sorted(maps.Keys(b.members))
			return nil
		}
		if !b.weed(f, said) {
			break
		}
	}
	b.binary = ""
	for _, id := range slices.Sorted(maps.Keys(b.members)) {
		b.alone = append(b.alone, b.members[id])
	}
	clear(b.members)
	return nil
}

// attempt builds once and returns what the compiler said against it.
func (b *bundle) attempt(ctx context.Context, f *fitting) (said string, err error) {
	o := b.oracle
	files := map[string][]byte{}
	for name, s := range f.schemata {
		files[name] = s.write()
		files[path.Join(path.Dir(name), mutantFile)] = packaged(mutantSource, packageName(s.src))
	}
	files[o.Suite.file(driverFile)] = packaged(driverSource, o.baseline.name)
	if b.replayed = o.Replay && f.only(o.Suite.Dir); b.replayed {
		files[o.Suite.file(replayFile)] = packaged(replaySource, o.baseline.name)
	}
	overlay, paths, err := o.writeOverlay(b.dir, files)
	if err != nil {
		return "", err
	}
	b.paths = paths
	b.binary = filepath.Join(b.dir, "bundle.test")
	// -e: all that is wrong, not the first ten errors, so that what is refused is taken out at once.
	cmd := o.Suite.testBinary(b.binary, "-overlay="+overlay, "-gcflags=-e")
	cmd.Limits.Time = buildTime
	var r proc.Result
	err = o.guard.Sure(ctx, func() (err error) {
		r, err = o.Suite.Place.Run(ctx, cmd)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("build candidates: %w", err)
	}
	switch {
	case r.Ended == proc.Cancelled:
		return "", context.Cause(ctx)
	case !r.OK():
		return r.Stderr.String() + r.Stdout.String() + " ", nil
	}
	return "", nil
}

// complaint is a compiler's line: file, line, column, what is wrong.
var complaint = pattern.New(`(?m)^(\S[^:\n]*\.go):(\d+):(?:\d+:)? (.+)$`)

// weed takes out the candidates that the compiler complains about, and reports whether there were any.
func (b *bundle) weed(f *fitting, said string) bool {
	found := false
	for _, m := range complaint.FindAllStringSubmatch(said, -1) {
		line, _ := strconv.Atoi(m[2])
		s := f.schemata[b.paths[filepath.Base(m[1])]]
		if s == nil {
			continue
		}
		id, ok := s.candidateAt(line)
		if !ok || b.members[id].Patch == nil {
			continue
		}
		found = true
		b.refused = append(b.refused, verdict.Trial{Index: id - 1, Patch: b.members[id].Patch, Note: "does not compile: " + m[3]})
		delete(b.members, id)
		for _, s := range f.schemata {
			s.drop(id)
		}
	}
	return found
}

func packageName(src []byte) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly)
	if err != nil {
		return ""
	}
	return f.Name.Name
}

func packaged(src []byte, name string) []byte {
	return bytes.Replace(src, []byte("package PACKAGE"), []byte("package "+name), 1)
}

// run tries every candidate of the bundle.
func (b *bundle) run(ctx context.Context, emit func(verdict.Trial)) error {
	for _, t := range b.refused {
		emit(t)
	}
	o := b.oracle
	if b.binary != "" {
		if err := b.drive(ctx, emit); err != nil {
			return err
		}
	}
	if b.binary == "" || b.unfaithful { // there is nothing faster to be done meanwhile
		return o.plainly(ctx, b.alone, emit)
	}
	o.backlog.Put(b.alone...)
	return o.afterwards(ctx, o.backlog.InTurn, emit)
}

// plainly tries candidates in the plain way, several at a time.
func (o *Oracle) plainly(ctx context.Context, all []candidate, emit func(verdict.Trial)) error {
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(o.workers())
	for _, c := range all {
		if gctx.Err() != nil {
			break
		}
		g.Go(func() error {
			t, err := o.plain(gctx, c)
			if err == nil {
				emit(t)
			}
			return err
		})
	}
	return g.Wait()
}
