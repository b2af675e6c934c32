package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The limits of loops: how often a body is interpreted before what changes in it counts as unknown, how often after that, how
// many lines are read one by one, and how many items are told apart.
const (
	precise  = 3
	vague    = 16
	mostRead = 512
	mostItem = 256
)

// turns is one loop that is being followed.
type turns struct {
	shell *shell
	cond  func(*shell) value // nil: it may end at any turn
	past  status             // how cond ends when the loop does
	body  func(*shell) value
	begun bool     // the body was come to
	left  []*shell // the worlds in which the loop is over
	seen  []*shell // those in which a turn began
}

// follow follows the loop until nothing new comes of another turn, and returns the worlds in which a turn ended, and there may
// be another. What prepare does comes first in every turn.
func (t *turns) follow(heads []*shell, prepare func(*shell)) []*shell {
	var ends []*shell
	t.seen = nil
	ready := func(list []*shell) []*shell {
		for _, w := range list {
			prepare(w)
		}
		return slices.DeleteFunc(settled(list), func(w *shell) bool { return slices.ContainsFunc(t.seen, w.same) })
	}
	heads = ready(heads)
	for turn, read := 0, 0; len(heads) > 0 && t.shell.step(); turn++ {
		if reads(heads, t.seen) {
			if read++; read <= mostRead {
				turn--
			} else {
				t.shell.opaque("more lines are read than can be followed")
			}
		}
		if turn >= precise {
			if heads = t.widen(heads, turn > vague); heads == nil {
				break
			}
		}
		t.seen = append(t.seen, copies(heads)...) // with what they have printed: where somebody listens, it tells them apart
		var next []*shell
		for _, h := range heads {
			next = append(next, t.once(h)...)
		}
		ends = settled(append(ends, copies(next)...))
		heads = ready(next)
	}
	return ends
}

// over makes the shell what it may be when the loop is over.
func (t *turns) over() value {
	if !t.begun {
		t.shell.unreached(t.body)
	}
	if len(t.left) == 0 { // it seems to have no end; what stands behind it is looked at all the same
		for _, w := range t.seen {
			w.flow, w.levels = running, 0
			t.left = append(t.left, w)
		}
	}
	if len(t.left) == 0 {
		t.left = append(t.left, t.shell.branch())
	}
	return t.shell.become(settled(t.left))
}

// once follows one turn of the loop, and returns the worlds in which there is another.
func (t *turns) once(w *shell) []*shell {
	out := w.said
	if t.cond != nil {
		out = w.then(out, func(w *shell) value { return w.condition(t.cond) })
	}
	enter := func(w *shell) value {
		w.loops++
		v := t.body(w)
		w.every(func(w *shell) { w.loops-- })
		return v
	}
	// Who passes the body by has left the loop.
	leave := func(w *shell) value {
		w.flow, w.levels, w.status = broken, 1, succeeded
		return value{}
	}
	out, entered, _ := w.both(out, t.past, enter, leave)
	w.said, t.begun = out, t.begun || entered
	var next []*shell
	for _, end := range w.worlds() {
		end.also = nil
		if t.goesOn(end) {
			next = append(next, end)
		} else {
			t.left = append(t.left, end)
		}
	}
	t.left = settled(t.left)
	return next
}

// goesOn takes back one level of break and continue, and reports whether the loop has another turn.
func (t *turns) goesOn(w *shell) bool {
	was := w.flow
	if was == broken || was == continued {
		if w.levels--; w.levels <= 0 {
			w.flow, w.levels = running, 0
		} else {
			return false
		}
	}
	return was == running || was == continued
}

// widen makes one world of all in which a turn began: what changes is unknown in it. It is nil if that is nothing new.
func (t *turns) widen(heads []*shell, all bool) []*shell {
	w := heads[0].branch()
	w.said = heads[0].said
	for _, other := range append(slices.Clone(heads[1:]), t.seen...) {
		w.meld(other)
	}
	if all {
		w.forget()
	}
	if slices.ContainsFunc(t.seen, w.same) {
		return nil
	}
	return []*shell{w}
}

// reads reports a turn that came to read another line of a known text.
func reads(heads, seen []*shell) bool {
	if len(seen) == 0 {
		return false
	}
	was, is := seen[len(seen)-1].in, heads[0].in
	return len(is.text) < len(was.text) && strings.HasSuffix(was.text, is.text) &&
		!slices.ContainsFunc(heads, func(w *shell) bool { return w.in != is })
}

// settled is a list of worlds in which each stands once, and not too many.
func settled(list []*shell) []*shell {
	if len(list) < 2 {
		return list
	}
	s := list[0]
	s.also = slices.Clone(list[1:])
	s.settle()
	out := s.worlds()
	s.also = nil
	return out
}

// while is while and until.
func (s *shell) while(c *syntax.WhileClause) value {
	defer s.ends(Hushed)()
	t := &turns{shell: s, past: failed,
		cond: func(w *shell) value { return w.stmts(c.Cond) },
		body: func(w *shell) value { return w.stmts(c.Do) },
	}
	if c.Until {
		t.past = succeeded
	}
	s.in = chosen(s.in, c.Do)
	return s.without(endless(c.Cond, c.Do), func() value {
		t.follow([]*shell{s.branch()}, func(*shell) {})
		return t.over()
	})
}

// chosen is what a loop goes through, as far as its body takes all of it: of a listing of the project it may choose what is to go. What lies elsewhere is too dear for that.
func chosen(v value, body []*syntax.Stmt) value {
	if !v.lists() || v.from&(toSecret|fromHome) != 0 {
		return v
	}
	for _, st := range body {
		syntax.Walk(st, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.IfClause, *syntax.CaseClause:
				v = unknown(v.from)
			case *syntax.BinaryCmd:
				if n.Op == syntax.AndStmt || n.Op == syntax.OrStmt {
					v = unknown(v.from)
				}
			}
			return v.lists()
		})
	}
	return v
}

// loop is for and select: the body once for each item that is known, and for one that stands for many, again and again.
func (s *shell) loop(c *syntax.ForClause) value {
	defer s.ends(Hushed)()
	t := &turns{shell: s, past: failed, body: func(w *shell) value { return w.stmts(c.Do) }}
	iter, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		s.substitutions(c.Loop)
		t.cond = func(*shell) value { return value{} }
		arithmetic, _ := c.Loop.(*syntax.CStyleLoop)
		return s.without(arithmetic != nil && arithmetic.Cond == nil && endless(nil, c.Do), func() value {
			t.follow([]*shell{s.branch()}, func(*shell) {})
			return t.over()
		})
	}
	items, open := s.args, s.args == nil || s.more
	if iter.InPos.IsValid() {
		items, open = s.fields(iter.Items), c.Select
	}
	if open || len(items) > mostItem || len(items) == 0 {
		var from taint
		for _, v := range items {
			from |= v.from
		}
		if len(items) > mostItem {
			s.opaque("a loop has more items than can be followed")
		}
		items = append(slices.Clone(items[:min(len(items), mostItem)]), unknown(from))
	}
	t.past = unsure // each item has its turn
	heads := []*shell{s.branch()}
	for _, v := range items {
		v = chosen(v, c.Do)
		prepare := func(w *shell) {
			w.assignTo(iter.Name.Value, v)
			w.status = succeeded
		}
		if v.holed() || v.globbed() {
			before := copies(heads)
			heads = t.follow(heads, prepare)
			if v.holed() { // it may be nothing
				heads = append(heads, before...)
			}
			heads = settled(heads)
			continue
		}
		var next []*shell
		for _, h := range heads {
			if !s.step() {
				break
			}
			prepare(h)
			next = append(next, t.once(h)...)
		}
		heads = settled(next)
	}
	t.left = append(t.left, heads...)
	return t.over()
}

// copies are other worlds that are the same.
func copies(list []*shell) []*shell {
	out := make([]*shell, len(list))
	for i, w := range list {
		out[i] = w.branch()
		out[i].said = w.said
	}
	return out
}
