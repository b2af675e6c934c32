package shell

import (
	"mvdan.cc/sh/v3/syntax"
)

// stmts interprets statements one after the other, and returns what they print.
func (s *shell) stmts(list []*syntax.Stmt) value {
	var out value
	for i, st := range list {
		if !s.step() {
			break
		}
		out = s.then(out, func(w *shell) value {
			if i < len(list)-1 && !w.strict {
				defer w.ends(Hushed)()
			}
			return w.stmt(st)
		})
	}
	return out
}

// stmt interprets a statement. What runs in the background is a process of its own.
func (s *shell) stmt(st *syntax.Stmt) value {
	if st.Background || st.Coprocess || st.Negated {
		defer s.ends(Hushed)()
	}
	if st.Background || st.Coprocess {
		if s.endless > 0 {
			s.note(Bomb, "a loop", "")
		}
		sub := s.fork()
		sub.apart = len(s.within)
		return s.hear(sub.ended(sub.chosen(st)))
	}
	return s.chosen(st)
}

// chosen interprets a statement once for each of the texts that what is substituted in it may be.
func (s *shell) chosen(st *syntax.Stmt) value {
	if s.several || choosy(st) {
		return s.guess(func(w *shell) value { return w.redirected(st) })
	}
	return s.redirected(st)
}

// redirected interprets a statement's redirections, and its command with them.
func (s *shell) redirected(st *syntax.Stmt) value {
	s.status = unsure
	if s.depth == 1 {
		s.line = int(st.Pos().Line())
	}
	var out value
	if len(st.Redirs) == 0 {
		out = s.command(st.Cmd)
	} else {
		in, files, outs, heard := s.in, s.files.fork(), s.outs.fork(), s.heard
		fds := descriptors(st.Redirs)
		o := s.redirect(st.Redirs)
		s.heard = heard || o.listens()
		if s.isExec(st.Cmd) {
			s.keep(o)
			s.heard = heard
			return value{}
		}
		if !o.keep {
			s.restores(st.Cmd, o.paths)
		}
		s.said = s.command(st.Cmd)
		s.every(func(w *shell) {
			w.said = o.close(w, w.said)
			for _, fd := range fds {
				restoreIn(&w.files, &files, fd)
				restoreIn(&w.outs, &outs, fd)
				if fd == "0" {
					w.in = in
				}
			}
			w.heard = heard
			if w.status == succeeded && !neverFails(st.Redirs) {
				w.status = unsure // the redirection may have failed
			}
		})
		out = s.said
	}
	s.said = out
	_, simple := st.Cmd.(*syntax.CallExpr)
	s.every(func(w *shell) {
		if k, ok := w.outs.get("1"); ok {
			w.said = w.take(k, w.said)
		}
		switch {
		case st.Negated:
			w.status = w.status.not()
		case simple && w.status == failed && w.strict && !w.tested && w.flow == running:
			w.flow = exited // set -e
		}
	})
	return s.said
}

// command interprets a command and returns what it prints.
func (s *shell) command(cmd syntax.Command) value {
	switch c := cmd.(type) {
	case *syntax.CallExpr:
		return s.call(c)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			return s.pipe(c)
		}
		return s.sequence(c)
	case *syntax.Block:
		return s.stmts(c.Stmts)
	case *syntax.Subshell:
		sub := s.fork()
		out := sub.stmts(c.Stmts)
		return s.hear(sub.ended(out))
	case *syntax.IfClause:
		return s.conditional(c)
	case *syntax.WhileClause:
		return s.while(c)
	case *syntax.ForClause:
		return s.loop(c)
	case *syntax.CaseClause:
		return s.choice(c)
	case *syntax.FuncDecl:
		s.define(c)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			return s.stmt(timed(c.Stmt))
		}
	case *syntax.CoprocClause:
		sub := s.fork()
		sub.apart = len(s.within)
		return s.hear(sub.ended(sub.stmt(unnamedCoproc(c))))
	case *syntax.DeclClause:
		return s.declare(c)
	case *syntax.ArithmCmd, *syntax.TestClause, *syntax.LetClause:
		s.substitutions(c)
	case nil:
	default:
		s.opaque("a form of command that is not known here")
	}
	return value{}
}

// unnamedCoproc is what a coprocess runs. Only before a compound command does a name stand: before the simple command that begins a pipe it is that command's own.
func unnamedCoproc(c *syntax.CoprocClause) *syntax.Stmt {
	if c.Name == nil {
		return c.Stmt
	}
	return begun(c.Stmt, func(words []*syntax.Word) []*syntax.Word { return append([]*syntax.Word{c.Name}, words...) })
}

// timed is what stands behind the word time, whose options may end with two dashes.
func timed(st *syntax.Stmt) *syntax.Stmt {
	return begun(st, func(words []*syntax.Word) []*syntax.Word {
		if len(words) > 1 && words[0].Lit() == "--" {
			words = words[1:]
			for len(words) > 1 && words[0].Lit() == "!" {
				words = words[1:]
			}
		}
		return words
	})
}

// begun is a statement with other words in the simple command that begins it, if one does.
func begun(st *syntax.Stmt, change func([]*syntax.Word) []*syntax.Word) *syntax.Stmt {
	changed := *st
	switch cmd := st.Cmd.(type) {
	case *syntax.CallExpr:
		call := *cmd
		call.Args = change(cmd.Args)
		changed.Cmd = &call
	case *syntax.BinaryCmd:
		both := *cmd
		both.X = begun(cmd.X, change)
		changed.Cmd = &both
	case nil: // nothing but redirections
		changed.Cmd = &syntax.CallExpr{Args: change(nil)}
	}
	return &changed
}

// pipe interprets a pipe: the right side once for every text that the left side may print.
func (s *shell) pipe(c *syntax.BinaryCmd) value {
	both := &siblings{outer: s.beside, within: len(s.within)}
	left := s.fork()
	left.heard, left.beside = true, both
	restore := func() {}
	if !s.pipefail {
		restore = s.ends(Piped)
	}
	var held value
	if c.Op == syntax.PipeAll {
		left.outs.set("2", sink{held: &held})
	}
	var printed value
	if picks(c) {
		printed = left.picked(c.X)
	} else {
		printed = left.stmt(c.X)
	}
	texts := left.ended(printed)
	restore()
	both.right = true
	if s.lastpipe {
		in := s.in
		s.in = s.joined(texts)
		s.said = s.stmt(c.Y)
		s.every(func(w *shell) { w.in = in })
		return s.said
	}
	var out []value
	for _, text := range texts {
		right := s.fork()
		right.in, right.beside = text.plus(held), both
		out = append(out, right.ended(right.stmt(c.Y))...)
	}
	return s.hear(out)
}

// sequence interprets && and ||: the second command is reached by the worlds in which the first has ended so, or may have.
func (s *shell) sequence(c *syntax.BinaryCmd) value {
	past := failed // how the first ends if the second is passed by
	if c.Op == syntax.OrStmt {
		past = succeeded
		defer s.ends(Hushed)()
	}
	second := func(w *shell) value { return w.stmt(c.Y) }
	out := s.condition(func(w *shell) value { return w.stmt(c.X) })
	out, entered, _ := s.both(out, past, second, func(*shell) value { return value{} })
	if !entered {
		s.unreached(second)
	}
	return out
}

// condition interprets what is only asked how it ends: set -e does not count in it.
func (s *shell) condition(f func(*shell) value) value {
	was := s.tested
	s.tested = true
	s.said = f(s)
	s.every(func(w *shell) { w.tested = was })
	return s.said
}

// both goes on in every world by how it has ended so far: those that ended as past go on with other, the rest with then, and
// where that is not known there are two worlds from here on. It reports which of the two was come to.
func (s *shell) both(out value, past status, then, other func(*shell) value) (all value, entered, passed bool) {
	all = s.then(out, func(w *shell) value {
		if w.status == past {
			passed = true
			return other(w)
		}
		entered = true
		var aside *shell
		if w.status == unsure {
			passed = true
			aside = w.branch()
			aside.status = past
			aside.said = other(aside)
		}
		w.status = past.not()
		now := then(w)
		if aside != nil {
			w.also = append(append(w.also, aside), aside.also...)
			aside.also = nil
		}
		return now
	})
	return all, entered, passed
}

func (s *shell) conditional(c *syntax.IfClause) value {
	if len(c.Cond) == 0 { // an else has none
		return s.stmts(c.Then)
	}
	defer s.ends(Hushed)()
	out := s.condition(func(w *shell) value { return w.stmts(c.Cond) })
	other := func(w *shell) value {
		w.status = succeeded
		return value{}
	}
	if c.Else != nil {
		other = func(w *shell) value { return w.conditional(c.Else) }
	}
	then := func(w *shell) value { return w.stmts(c.Then) }
	out, entered, passed := s.both(out, failed, then, other)
	if !entered {
		s.unreached(then)
	}
	if !passed {
		s.unreached(other)
	}
	return out
}

// choice interprets case: each of its branches may be the one, or none of them.
func (s *shell) choice(c *syntax.CaseClause) value {
	s.word(c.Word)
	defer s.ends(Hushed)()
	start, all := s.branch(), false
	var ends, through []*shell
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			s.word(p)
			all = all || p.Lit() == "*"
		}
		from := append([]*shell{start.branch()}, through...)
		through = nil
		for _, w := range from {
			before := w.said
			w.said = before.plus(w.stmts(item.Stmts))
			for _, other := range w.also {
				other.said = before.plus(other.said)
			}
			ends = append(ends, w.worlds()...)
			if item.Op != syntax.Break {
				for _, other := range w.worlds() {
					next := other.branch()
					next.said = other.said
					through = append(through, next)
				}
			}
		}
		for _, w := range ends {
			w.also = nil
		}
	}
	if !all || len(ends) == 0 {
		start.status = succeeded
		ends = append(ends, start)
	}
	return s.become(ends)
}

// define keeps a function. One without a name is no bash, and what it would do is judged at once.
func (s *shell) define(c *syntax.FuncDecl) {
	if c.Name == nil {
		s.fork().stmt(c.Body)
		return
	}
	s.funcs.set(c.Name.Value, c.Body)
	if s.runsItself(c.Name.Value) {
		s.fork().invoke(c.Name.Value, c.Body, nil)
	}
	if s.lent {
		if s.fromFile == nil {
			s.fromFile = map[*syntax.Stmt]bool{}
		}
		s.fromFile[c.Body] = true
	}
}
