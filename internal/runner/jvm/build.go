package jvm

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fettle/internal/proc"
)

// builder is machines that keep a compiler warm: one, until more are allowed for. It may be used by many, who wait for one that is free.
type builder struct {
	lab  *lab
	java string
	dir  string // the folder for plans

	free  chan *process // those that nobody uses; nil: one that is not started yet
	plans atomic.Int64
	once  sync.Once
}

// compilers is how many machines compile at most: each may want as much memory as a whole build.
func compilers() int { return min(cores(), 4) }

func newBuilder(l *lab, java string) *builder {
	b := &builder{lab: l, java: java, dir: l.dir, free: make(chan *process, compilers())}
	b.free <- nil
	return b
}

// grow lets there be as many machines from now on as there are to be at most.
func (b *builder) grow() {
	b.once.Do(func() {
		for range cap(b.free) - 1 {
			b.free <- nil
		}
	})
}

// unit is a source to compile: by its package and name, as a compiler wants it.
type unit struct{ key, text string }

// task is sources that are compiled together and apart from other tasks.
type task struct {
	label string
	units []unit
}

// complaint is what the compiler says against a source. Its place counts units of UTF-16; negative: none.
type complaint struct {
	key  string
	at   int
	text string
}

// built is how a task came out.
type built struct {
	ok   bool
	said []complaint
}

// first is the first complaint's text.
func (b *built) first() string {
	if b == nil || len(b.said) == 0 {
		return "the compiler gives no reason"
	}
	return b.said[0].text
}

// class is a class of the project as it was compiled.
type class struct {
	root, name, source string // name: "com/x/Calc$Inner"; source: "Calc.java"
	version            int
	preview, params    bool
}

// plan is tasks with how to compile them, and where to.
type plan struct {
	classPath []string
	options   []string
	tasks     []task
	bundle    string // a file for all classes; empty: none
	folder    string // a folder for all classes; empty: none
}

// buildTime bounds how long nothing may be heard of a build.
const buildTime = 2 * time.Minute

// machineFlags are what our own machines run with: no helpers for many processors, and only the quick one of the two just-in-time compilers.
// Hardly any of the code that they run lives so long that the thorough one pays: with it, 4,000 candidates cost twice the processor time.
var machineFlags = []string{"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+IgnoreUnrecognizedVMOptions", "-Xshare:auto"}

func (b *builder) start(ctx context.Context) (*process, error) {
	p, err := start(ctx, b.lab.job.Place, proc.Cmd{
		Argv: append([]string{b.java}, append(machineFlags, "-Xmx1g", "-Xss8m", "-cp", b.lab.served, "fettle_jvm.Build")...),
		Dir:  b.lab.dir,
		Env:  proc.Environ(b.lab.job.Check.Env),
	})
	if err != nil {
		return nil, err
	}
	w, err := p.receive(ctx, buildTime)
	if err == nil && w[0] != "ready" {
		err = errors.New(w[len(w)-1])
	}
	if err != nil {
		p.close()
		return nil, fmt.Errorf("start a compiler with %s: %w", b.java, err)
	}
	return p, nil
}

// ask says a line to a machine that is free, and hands on what is answered until that is done.
func (b *builder) ask(ctx context.Context, each func([]string), words ...string) (err error) {
	var p *process
	select {
	case p = <-b.free:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { b.free <- p }()
	if p == nil {
		p, err = b.start(ctx)
	}
	if err == nil {
		err = p.send(words...)
	}
	for err == nil {
		var w []string
		if w, err = p.receive(ctx, buildTime); err == nil && w[0] == "done" {
			return nil
		}
		if err == nil {
			each(w)
		}
	}
	if p != nil {
		p.close() // what it would still say belongs to no question
		if errors.Is(err, errGone) {
			err = fmt.Errorf("%w: %s", err, p.why())
		}
		p = nil
	}
	return fmt.Errorf("compile: %w", err)
}

// close ends the machines. Nobody may use them any more.
func (b *builder) close() {
	for range len(b.free) {
		if p := <-b.free; p != nil {
			p.close()
		}
		b.free <- nil
	}
}

// classes lists the classes of folders and archives.
func (b *builder) classes(ctx context.Context, roots []string) ([]class, error) {
	var out []class
	err := b.ask(ctx, func(w []string) {
		if w[0] == "class" && len(w) == 7 {
			version, _ := strconv.Atoi(w[4])
			out = append(out, class{root: w[1], name: w[2], source: w[3], version: version, preview: w[5] != "", params: w[6] != ""})
		}
	}, append([]string{"classes"}, roots...)...)
	return out, err
}

// build compiles. What the compiler refuses is no error.
func (b *builder) build(ctx context.Context, p plan) (map[string]*built, error) {
	name := filepath.Join(b.dir, "plan-"+strconv.FormatInt(b.plans.Add(1), 10))
	defer os.Remove(name)
	if err := p.write(name); err != nil {
		return nil, fmt.Errorf("scratch: %w", err)
	}
	out := map[string]*built{}
	of := func(label string) *built {
		if out[label] == nil {
			out[label] = &built{}
		}
		return out[label]
	}
	err := b.ask(ctx, func(w []string) {
		switch {
		case w[0] == "error" && len(w) == 5:
			at, _ := strconv.Atoi(w[3])
			of(w[1]).said = append(of(w[1]).said, complaint{key: w[2], at: at, text: w[4]})
		case w[0] == "built" && len(w) == 3:
			of(w[1]).ok = w[2] == "yes"
		}
	}, "build", name)
	return out, err
}

func (p *plan) write(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	say := func(words ...string) { fmt.Fprintln(w, line(words...)) }
	say("classpath", strings.Join(p.classPath, string(filepath.ListSeparator)))
	for _, o := range p.options {
		say("option", o)
	}
	if p.bundle != "" {
		say("bundle", p.bundle)
	}
	if p.folder != "" {
		say("folder", p.folder)
	}
	for _, t := range p.tasks {
		say("task", t.label)
		for _, u := range t.units {
			say("source", u.key, asText(u.text))
		}
		say("end")
	}
	return errors.Join(w.Flush(), f.Close())
}
