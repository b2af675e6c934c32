package jvm

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/runner"
	"fettle/internal/verdict"
)

type candidate = runner.Candidate

// maxCopied bounds the source that a bundle's copies add: a class has room for so many constants, and compiling takes time.
const maxCopied = 2 << 20

// member is a candidate that has been compiled.
type member struct {
	candidate
	task  string // which of the bundle's tasks made its classes
	funcs []int  // which functions have copies of it; none: its classes are its own
}

// words are those of a request about a candidate.
func (m member) words(do string, more ...string) []string {
	out := append([]string{do, itoa(m.Index + 1), m.task}, more...)
	for _, f := range m.funcs {
		out = append(out, itoa(f))
	}
	return out
}

// bundle is a batch of candidates that has been compiled: most of them in schemata, the others each by itself.
type bundle struct {
	suite    *suite
	first    int // index of its first candidate
	file     string
	schemata map[string]*schema // by path
	copied   int
	numbers  int // of functions
	members  []member
	fitted   map[int]candidate // those in the schemata, by number
	alone    []candidate
	plain    []candidate // tried as the user's build would
	refused  []verdict.Trial
	asked    bool // functions tell what they are called with, and can be called from outside
}

func (b *bundle) close() {
	if b.file != "" {
		_ = os.Remove(b.file) // it goes with the folder at the latest
	}
}

// bundle compiles a batch. A candidate's number is its index plus one.
func (s *suite) bundle(ctx context.Context, batch []candidate) (*bundle, error) {
	b := &bundle{suite: s, first: batch[0].Index, schemata: map[string]*schema{}, fitted: map[int]candidate{}}
	b.file = filepath.Join(s.dir, "bundle-"+itoa(b.first))
	if b.first >= builders {
		s.builder.grow()
	}
	for _, c := range batch {
		if why := s.unfit(c.Patch); why != "" {
			b.refused = append(b.refused, verdict.Trial{Index: c.Index, Patch: c.Patch, Note: why})
			continue
		}
		if s.slow != "" {
			b.plain = append(b.plain, c)
			continue
		}
		ok, err := b.add(ctx, c)
		if err != nil {
			return nil, err
		}
		if ok {
			b.fitted[c.Index+1] = c
		} else {
			b.alone = append(b.alone, c)
		}
	}
	if err := b.compile(ctx); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// unfit says why a patch cannot be tried at all.
func (s *suite) unfit(p edit.Patch) string {
	if len(p) == 0 {
		return "the patch is empty"
	}
	if err := p.Validate(); err != nil {
		return err.Error()
	}
	for _, c := range p {
		src := s.project.sources[c.Path]
		switch {
		case path.Ext(c.Path) != ".java":
			return c.Path + " is no Java source: the fast trial cannot lay it over"
		case c.Op == edit.Delete:
			return c.Path + " is deleted: the fast trial cannot take classes away"
		case c.Op == edit.Modify && src == nil:
			return c.Path + " is no source of what these tests run"
		case c.Op == edit.Modify && s.project.refused[src.key] != "":
			return c.Path + " does not compile apart from its build: " + s.project.refused[src.key]
		case c.Op == edit.Modify && edit.Sum(src.data) != c.Base:
			return (&edit.MismatchError{Path: c.Path, Want: c.Base, Have: edit.Sum(src.data)}).Error()
		}
	}
	return ""
}

// add puts a candidate into the schemata of its files, if they can hold it.
func (b *bundle) add(ctx context.Context, c candidate) (bool, error) {
	if b.copied > maxCopied {
		return false, nil
	}
	id := c.Index + 1
	prepared := map[*function]string{}
	for _, ch := range c.Patch {
		src := b.suite.project.sources[ch.Path]
		if ch.Op != edit.Modify || len(ch.Edits) == 0 || src == nil || !src.whole {
			return false, nil
		}
		s := b.schemata[ch.Path]
		if s == nil {
			s = newSchema(src)
			s.asked = b.asked
			b.schemata[ch.Path] = s
		}
		copies, ok, err := s.prepare(ctx, id, ch.Edits)
		if err != nil || !ok {
			return false, err
		}
		maps.Copy(prepared, copies)
	}
	for f, text := range prepared {
		if f.number < 0 {
			f.number = b.numbers
			b.numbers++
		}
		f.copies = append(f.copies, fork{id, text})
		b.copied += len(text)
	}
	return true, nil
}

const schemaTask = "schema"

// compile compiles the schemata together, without the candidates that the compiler refuses, and then all others. When it refuses them for a
// reason that is no candidate's, all are compiled by themselves.
func (b *bundle) compile(ctx context.Context) error {
	tasks, err := b.compileSchemata(ctx)
	if err != nil {
		return err
	}
	return b.compileAlone(ctx, tasks)
}

// compileSchemata compiles the candidates that are in schemata, and gives what made their classes. Where that cannot be done, they are in none any more.
func (b *bundle) compileSchemata(ctx context.Context) ([]task, error) {
	const attempts = 6
	for n := 0; n < attempts && len(b.fitted) > 0; n++ {
		t := b.schemaTask()
		out, err := b.suite.builder.build(ctx, b.plan(t))
		if err != nil {
			return nil, err
		}
		switch r := out[schemaTask]; {
		case r != nil && r.ok:
			return []task{t}, nil
		case r == nil || !b.weed(r):
			n = attempts
		}
	}
	for _, id := range slices.Sorted(maps.Keys(b.fitted)) {
		b.alone = append(b.alone, b.fitted[id])
	}
	clear(b.fitted)
	return nil, nil
}

func (b *bundle) plan(tasks ...task) plan {
	return plan{classPath: b.suite.wovenPath(), options: b.suite.project.flags(), tasks: tasks, bundle: b.file}
}

func (b *bundle) schemaTask() task {
	t := task{label: schemaTask}
	for _, name := range slices.Sorted(maps.Keys(b.schemata)) {
		s := b.schemata[name]
		s.write()
		if len(s.written) > 0 {
			t.units = append(t.units, unit{s.source.key, s.text})
		}
	}
	return t
}

// weed takes out the candidates that the compiler complains about, and reports whether there were any.
func (b *bundle) weed(r *built) bool {
	found := false
	for _, c := range r.said {
		for _, s := range b.schemata {
			if s.source.key != c.key || c.at < 0 {
				continue
			}
			id, ok := s.candidateAt(byteOf(s.text, c.at))
			if _, in := b.fitted[id]; !ok || !in {
				continue
			}
			found = true
			b.refuse(b.fitted[id], c.text)
			delete(b.fitted, id)
			for _, s := range b.schemata {
				s.drop(id)
			}
		}
	}
	return found
}

func (b *bundle) refuse(c candidate, said string) {
	b.refused = append(b.refused, verdict.Trial{Index: c.Index, Patch: c.Patch, Note: "does not compile: " + said})
}

// compileAlone compiles the candidates that are in no schema, and puts all classes into the bundle's file.
func (b *bundle) compileAlone(ctx context.Context, tasks []task) error {
	again := len(b.alone) > 0 || len(tasks) == 0 && len(b.plain) == 0 // else the file holds the schemata's classes already
	for _, c := range b.alone {
		t, err := b.suite.aloneTask(ctx, c, true)
		if err != nil {
			return err
		}
		tasks = append(tasks, t)
	}
	if again {
		out, err := b.suite.builder.build(ctx, b.plan(tasks...))
		if err != nil {
			return err
		}
		for _, c := range b.alone {
			if r := out[aloneLabel(c)]; r == nil || !r.ok {
				b.refuse(c, r.first())
			} else {
				b.members = append(b.members, member{candidate: c, task: aloneLabel(c)})
			}
		}
	}
	b.members = append(b.members, b.fittedMembers()...)
	slices.SortFunc(b.members, func(x, y member) int { return x.Index - y.Index })
	return nil
}

// fittedMembers are the candidates in the schemata, in order.
func (b *bundle) fittedMembers() (out []member) {
	funcs := map[int][]int{}
	for _, s := range b.schemata {
		for _, f := range s.funcs {
			for _, c := range f.copies {
				funcs[c.id] = append(funcs[c.id], f.number)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(b.fitted)) {
		out = append(out, member{candidate: b.fitted[id], task: schemaTask, funcs: funcs[id]})
	}
	return out
}

func aloneLabel(c candidate) string { return "alone-" + itoa(c.Index) }

// aloneTask compiles a candidate's files by themselves, and with them, when more than bodies of functions change, all files that mention
// their classes: constants are copied into those that use them.
func (s *suite) aloneTask(ctx context.Context, c candidate, woven bool) (task, error) {
	t := task{label: aloneLabel(c)}
	after, err := c.Patch.Apply(runner.Source(s.lab.job.Place))
	if err != nil {
		return t, fmt.Errorf("candidate %d: %w", c.Index, err)
	}
	changed := map[string]bool{}
	var names []string
	for _, ch := range c.Patch {
		key, src := path.Base(ch.Path), s.project.sources[ch.Path]
		text := after[ch.Path].Data
		if src != nil {
			key = src.key
		} else if m := packageLine.FindSubmatch(text); m != nil {
			key = path.Join(strings.ReplaceAll(string(m[1]), ".", "/"), key)
		}
		changed[key] = true
		u := unit{key, string(text)}
		if woven {
			if u.text, err = wovenAfter(ctx, text); err != nil {
				return t, err
			}
		}
		t.units = append(t.units, u)
		if src == nil || src.tree == nil || !src.bodies(ch.Edits) {
			names = append(names, regexp.QuoteMeta(strings.TrimSuffix(path.Base(ch.Path), ".java")))
		}
	}
	if len(names) == 0 {
		return t, nil
	}
	mentions := regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`)
	for _, key := range slices.Sorted(maps.Keys(s.project.byKey)) {
		src := s.project.byKey[key]
		if !changed[key] && mentions.Match(src.data) {
			u := unit{key, string(src.data)}
			if woven {
				u.text = src.woven()
			}
			t.units = append(t.units, u)
		}
	}
	return t, nil
}
