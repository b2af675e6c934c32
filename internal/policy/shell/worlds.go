package shell

import (
	"cmp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Behind a command that may fail, or a branch that may not be taken, a shell is in one of several states, and what follows is
// interpreted in each. Such a state is a world: the shell itself is one, and also holds the others. Worlds that have become the
// same are one again, and more than a few are melded: what they tell otherwise is unknown from then on.
const maxWorlds = 8

// flow says what a shell does next.
type flow uint8

const (
	running flow = iota
	broken
	continued
	returned
	exited
)

// status is how a command ended, where that can be known.
type status uint8

const (
	unsure status = iota
	succeeded
	failed
)

func (s status) not() status {
	switch s {
	case succeeded:
		return failed
	case failed:
		return succeeded
	default:
		return unsure
	}
}

// fork is a process of its own: what happens to it does not happen to the first.
func (s *shell) fork() *shell {
	c := s.branch()
	c.flow, c.levels, c.loops, c.status, c.luck, c.traps = running, 0, 0, unsure, nil, nil
	c.outs.drop("1") // it goes to whoever forks
	return c
}

// branch is another world of the same shell.
func (s *shell) branch() *shell {
	c := *s
	c.vars, c.lists, c.funcs, c.names, c.files = s.vars.fork(), s.lists.fork(), s.funcs.fork(), s.names.fork(), s.files.fork()
	c.outs, c.local, c.attrs, c.also, c.said = s.outs.fork(), s.local.fork(), s.attrs.fork(), nil, value{}
	return &c
}

// worlds are all states in which the shell may be.
func (s *shell) worlds() []*shell {
	if s.also == nil {
		return []*shell{s}
	}
	return append([]*shell{s}, s.also...)
}

// every does the same in all worlds.
func (s *shell) every(f func(*shell)) {
	f(s)
	for _, w := range s.also {
		f(w)
	}
}

// then goes on with f in every world that still runs, and returns what was printed: out, and then what f prints. What stands
// where no world comes to is interpreted all the same, for its facts: it may stand there because something was not understood.
func (s *shell) then(out value, f func(*shell) value) value {
	if s.also == nil && s.flow == running { // as it mostly is
		now := f(s)
		if s.also == nil {
			s.said = out.plus(now)
			return s.said
		}
		for _, w := range s.also {
			w.said = out.plus(w.said)
		}
		s.said = out.plus(now)
		s.settle()
		return s.said
	}
	all := s.worlds()
	s.said, s.also = out, nil
	reached := false
	aside := s.aside
	defer func() { s.aside = aside }()
	for i, w := range all {
		if w.flow != running {
			continue
		}
		reached = true
		s.aside = aside || i > 0
		before := w.said
		now := f(w)
		for _, other := range w.also {
			other.said = before.plus(other.said)
		}
		w.said = before.plus(now)
	}
	if !reached {
		for _, w := range all {
			w.unreached(f)
		}
	}
	if len(all) == 1 && s.also == nil {
		return s.said
	}
	var next []*shell
	for _, w := range all {
		next = append(append(next, w), w.also...)
		w.also = nil
	}
	s.also = next[1:]
	s.settle()
	return s.said
}

// unreached interprets for its facts alone what is never run.
func (s *shell) unreached(f func(*shell) value) {
	w := s.branch()
	w.flow, w.levels = running, 0
	f(w)
}

// settle makes one of the worlds that are the same, and of more than a few.
func (s *shell) settle() {
	kept := []*shell{s}
	for _, w := range s.also {
		if i := slices.IndexFunc(kept, w.same); i >= 0 {
			kept[i].meld(w)
		} else {
			kept = append(kept, w)
		}
	}
	for len(kept) > maxWorlds {
		last := kept[len(kept)-1]
		i := len(kept) - 2
		for i > 0 && (kept[i].flow != last.flow || kept[i].levels != last.levels) {
			i--
		}
		if i == 0 && s.flow != last.flow {
			s.flow, s.levels = running, 0 // it may go on
		}
		kept[i].meld(last)
		kept = kept[:len(kept)-1]
	}
	s.also = kept[1:]
	if len(s.also) == 0 {
		s.also = nil
	}
}

// become makes s what it is in the worlds of a list.
func (s *shell) become(list []*shell) value {
	first := list[0]
	rest := slices.Clone(list[1:])
	for _, w := range rest {
		w.also = nil
	}
	*s = *first
	s.also = rest
	s.settle()
	return s.said
}

func equalValues(a, b value) bool        { return a == b }
func equalLists(a, b []value) bool       { return slices.Equal(a, b) }
func equalBodies(a, b *syntax.Stmt) bool { return a == b }
func equalSinks(a, b sink) bool {
	return slices.Equal(a.paths, b.paths) && a.held == b.held && a.out == b.out
}
func equalLocals(a, b saved) bool {
	return a.value == b.value && a.set == b.set && a.isList == b.isList && slices.Equal(a.list, b.list)
}
func equalAttributes(a, b attribute) bool { return a == b }

// same reports whether two worlds are the same in all that counts for what follows.
func (s *shell) same(t *shell) bool {
	return s.flow == t.flow && s.levels == t.levels && s.cwd == t.cwd && s.in == t.in && s.zero == t.zero && s.modes == t.modes && s.moved == t.moved &&
		(!s.heard || s.said == t.said) && s.more == t.more && slices.Equal(s.args, t.args) && slices.Equal(s.traps, t.traps) &&
		s.vars.same(&t.vars, equalValues) && s.lists.same(&t.lists, equalLists) && s.funcs.same(&t.funcs, equalBodies) &&
		s.names.same(&t.names, equalValues) && s.files.same(&t.files, equalValues) && s.outs.same(&t.outs, equalSinks) &&
		s.local.same(&t.local, equalLocals) && s.attrs.same(&t.attrs, equalAttributes)
}

// meld makes of s what holds in both worlds: what they tell otherwise is not known.
func (s *shell) meld(t *shell) {
	s.cwd, s.in, s.zero, s.said = join(s.cwd, t.cwd), join(s.in, t.in), join(s.zero, t.zero), s.blend(s.said, t.said)
	if s.status != t.status {
		s.status = unsure
	}
	s.strict, s.exporting, s.lastpipe = s.strict && t.strict, s.exporting || t.exporting, s.lastpipe || t.lastpipe
	s.moved = s.moved || t.moved
	if !slices.Equal(s.args, t.args) || s.more != t.more {
		s.args, s.more = meldLists(s.args, t.args, s.blend), true
	}
	for _, trap := range t.traps {
		if !slices.Contains(s.traps, trap) {
			s.traps = append(slices.Clip(s.traps), trap)
		}
	}
	s.vars.meld(&t.vars, equalValues, func(a, b value) value {
		if a.empty() || b.empty() { // one of them may stand for none at all
			return unknown(s.blend(a, b).from)
		}
		return s.blend(a, b)
	})
	s.lists.meld(&t.lists, equalLists, func(a, b []value) []value { return meldLists(a, b, s.blend) })
	s.funcs.meld(&t.funcs, equalBodies, func(_, _ *syntax.Stmt) *syntax.Stmt { return nil })
	s.names.meld(&t.names, equalValues, join)
	s.files.meld(&t.files, equalValues, join)
	s.outs.meld(&t.outs, equalSinks, func(a, b sink) sink {
		return sink{paths: append(slices.Clip(a.paths), b.paths...), held: cmp.Or(a.held, b.held), out: a.out || b.out}
	})
	s.local.meld(&t.local, equalLocals, func(_, _ saved) saved { return saved{value: anything, set: true} })
	s.attrs.meld(&t.attrs, equalAttributes, func(_, _ attribute) attribute { return attribute{melded: true} })
}

// blend is what two values may both be. That one of them names a file with secrets stays known.
func (s *shell) blend(a, b value) value {
	if a == b {
		return a
	}
	out := join(a, b)
	for _, v := range []value{a, b} {
		if text, ok := v.exact(); ok && out.text != text && strings.Contains(text, "/") && len(text) < 4096 && s.locate(v, s.cwd).zone == Secrets {
			out.from |= toSecret
		}
	}
	return out
}

// meldLists is what two lists may both be: their elements where they agree, and anything where they do not.
func meldLists(a, b []value, join func(a, b value) value) []value {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := slices.Clone(a)
	for i := range out {
		if i >= len(b) {
			out[i] = unknown(join(a[i], value{}).from)
		} else {
			out[i] = join(a[i], b[i])
		}
	}
	return out
}

// outcomes are the different texts that a process may print, of which out is the first.
func (s *shell) outcomes(out value) []value {
	list := []value{out}
	for _, w := range s.also {
		if !slices.Contains(list, w.said) {
			list = append(list, w.said)
		}
	}
	return list
}

// ended are the outcomes of a process that has come to its end, where its traps run and print what they do.
func (s *shell) ended(out value) []value {
	s.said = out
	s.finally()
	return s.outcomes(s.said)
}

// hear takes over what a process printed. Where somebody listens, every text that it may be is a world of its own.
func (s *shell) hear(texts []value) value {
	if !s.heard {
		return s.joined(texts)
	}
	for _, text := range texts[1:] {
		if !slices.ContainsFunc(s.also, func(w *shell) bool { return w.said == text }) {
			w := s.branch()
			w.said = text
			s.also = append(s.also, w)
		}
	}
	return texts[0]
}

func (s *shell) joined(texts []value) value {
	out := texts[0]
	for _, t := range texts[1:] {
		out = s.blend(out, t)
	}
	return out
}

// agree makes the worlds print the same, for whoever can only go on with one text.
func (s *shell) agree(out value) value {
	if s.also == nil {
		return out
	}
	out = s.joined(s.outcomes(out))
	s.every(func(w *shell) { w.said = out })
	return out
}
