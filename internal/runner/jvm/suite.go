package jvm

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"fettle/internal/lang"
	"fettle/internal/phrase"
	"fettle/internal/runner"
)

// suite is the tests that one machine of the build ran. It implements [runner.Suite].
type suite struct {
	lab     *lab
	tree    *tree
	group   group
	builder *builder
	dir     string // for what is made, in the scratch folder

	guard    runner.Guard
	once     sync.Once
	err      error
	project  project
	baseline baseline
	alone    []test     // those that pass in a machine of their own; nil: not known yet
	trying   sync.Mutex // of plain trials: they come one by one
	slow     string
	spare    *tester // which ran the tests as they are: it is there, and warm
	closers  []func()
}

var _ runner.Suite = (*suite)(nil)

func newSuite(l *lab, t *tree, g group) *suite {
	return &suite{lab: l, tree: t, group: g, builder: newBuilder(l, g.machine.java())}
}

// Name implements [runner.Suite].
func (s *suite) Name() string {
	if s.group.program {
		return s.group.machine.mainClass()
	}
	if dir, ok := s.lab.rel(s.group.machine.dir()); ok && dir != "." {
		return dir
	}
	return filepath.Base(s.lab.job.Place.Root())
}

// Failing implements [runner.Suite].
func (s *suite) Failing() []string { return s.group.failing }

// Owns implements [runner.Suite].
func (s *suite) Owns(file string) bool {
	if path.Ext(file) != ".java" || lang.IsTest(file) || path.Base(file) == "module-info.java" || path.Base(file) == "package-info.java" {
		return false
	}
	if s.group.program && file == s.tree.ofClass(s.group.machine.mainClass()) {
		return false
	}
	if s.project.sources != nil {
		return s.project.sources[file] != nil
	}
	return slices.ContainsFunc(s.tree.keys(), func(k string) bool { return slices.Contains(s.tree.paths[k], file) })
}

// Slow implements [runner.Suite].
func (s *suite) Slow() string { return s.slow }

// Close implements [runner.Suite].
func (s *suite) Close() error {
	for _, c := range s.closers {
		c()
	}
	s.closers = nil
	if s.spare != nil {
		s.spare.close()
	}
	s.builder.close()
	if s.dir == "" {
		return nil
	}
	if err := os.RemoveAll(s.dir); err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	return nil
}

// project is the project's own part of the class path, and what it is made from.
type project struct {
	classPath []string // all of it, in order
	roots     []string // folders and archives with the project's own classes
	libraries []string // the rest
	sources   map[string]*source
	byKey     map[string]*source
	options   []string          // for the compiler
	process   bool              // annotations have to be processed
	refused   map[string]string // sources that do not compile apart from the build, by key, and why
	adapters  string            // a folder with our classes that need JUnit
}

// learn finds out what the project is made of.
func (s *suite) learn(ctx context.Context) error {
	p := &s.project
	var err error
	if p.classPath, err = s.libraries(); err != nil {
		return err
	}
	classes, err := s.builder.classes(ctx, s.ownEntries(p.classPath))
	if err != nil {
		return err
	}
	p.sources, p.byKey = map[string]*source{}, map[string]*source{}
	own := map[string]bool{}
	version, preview, params := 0, false, false
	for _, c := range classes {
		if c.source == "" || c.source == "module-info.java" || c.source == "package-info.java" {
			continue
		}
		near, _ := s.lab.rel(c.root)
		key := path.Join(path.Dir(c.name), c.source)
		file := s.tree.find(key, near)
		if file == "" {
			continue
		}
		own[c.root] = true
		version, preview, params = max(version, c.version), preview || c.preview, params || c.params
		if p.byKey[key] != nil {
			continue
		}
		data, err := s.lab.read(file)
		if err != nil {
			return err
		}
		src, err := readSource(ctx, file, key, data)
		if err != nil {
			return err
		}
		src.test = !s.ownsSource(file)
		p.sources[file], p.byKey[key] = src, src
	}
	for _, e := range p.classPath {
		info, err := s.lab.stat(e)
		_, in := s.lab.rel(e)
		if own[e] || in && err == nil && info.IsDir() {
			p.roots = append(p.roots, e)
		} else {
			p.libraries = append(p.libraries, e)
		}
	}
	if len(p.sources) == 0 {
		return fmt.Errorf("no source was found for the classes that %s runs", s.Name())
	}
	p.options = compilerOptions(version, preview, params)
	return nil
}

// libraries are the machine's class path. What the build fetched in a private copy must have stayed.
func (s *suite) libraries() ([]string, error) {
	m := s.group.machine
	if gone := m.gone(s.lab.stat); len(gone) > 0 {
		return nil, fmt.Errorf("what the build fetched in a private copy is gone with it (%s): run it once yourself, and it stays: %s",
			phrase.Some(gone, 1), strings.Join(s.lab.job.Check.Run, " "))
	}
	return m.classPath(s.lab.stat), nil
}

// ownEntries are the entries of a class path that lie in the root.
func (s *suite) ownEntries(list []string) (out []string) {
	for _, e := range list {
		if _, ok := s.lab.rel(e); ok {
			out = append(out, e)
		}
	}
	return out
}

func (s *suite) ownsSource(file string) bool {
	return !lang.IsTest(file) && (!s.group.program || file != s.tree.ofClass(s.group.machine.mainClass()))
}

// judges are the sources, by their keys, that may say of a program that all is well, by ending it.
func (s *suite) judges() []string {
	var out []string
	for key, src := range s.project.byKey {
		if src.test || key == s.baseline.ender {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

// compilerOptions are those that make classes of the kind that the build made. Source and target are set apart from the library: code
// that uses what no release of it documents compiles too.
func compilerOptions(version int, preview, params bool) []string {
	out := []string{"-g", "-nowarn", "-Xlint:none", "-Xmaxerrs", "100000", "-implicit:none", "-XDshould-stop.ifError=FLOW"}
	if java := version - 44; java >= 8 { // class files count from Java 1.0 as 45
		out = append(out, "-source", itoa(java), "-target", itoa(java))
	}
	if preview {
		out = append(out, "--enable-preview")
	}
	if params {
		out = append(out, "-parameters")
	}
	return out
}

// flags are the compiler's options.
func (p *project) flags() []string {
	if p.process {
		return p.options
	}
	return append(slices.Clone(p.options), "-proc:none")
}

// wovenPath is the class path on which woven sources are compiled.
func (s *suite) wovenPath() []string { return append([]string{s.lab.served}, s.project.classPath...) }

// keys are the keys of all sources.
func (t *tree) keys() []string {
	out := make([]string, 0, len(t.paths))
	for k := range t.paths {
		out = append(out, k)
	}
	return out
}
