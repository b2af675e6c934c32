package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// stmts interprets statements one after the other, and returns what they print.
func (s *shell) stmts(list []*syntax.Stmt) value {
	var out value
	for _, st := range list {
		if !s.step() {
			break
		}
		out = out.plus(s.stmt(st))
	}
	return out
}

// stmt interprets a statement: its redirections, and its command with them.
func (s *shell) stmt(st *syntax.Stmt) value {
	if st.Background || st.Coprocess {
		s = s.fork()
	}
	if st.Cmd == nil && len(st.Redirs) > 0 {
		s.redirect(st.Redirs).close(value{})
		return value{}
	}
	saved := s.in
	files := s.files.fork()
	to := s.redirect(st.Redirs)
	out := s.command(st.Cmd)
	if isExec(st.Cmd) {
		return value{} // its redirections are the shell's from here on
	}
	if len(st.Redirs) > 0 {
		s.in, s.files = saved, files
	}
	return to.close(out)
}

// isExec reports the command that keeps its redirections for the shell itself.
func isExec(cmd syntax.Command) bool {
	call, ok := cmd.(*syntax.CallExpr)
	return ok && len(call.Args) == 1 && call.Args[0].Lit() == "exec"
}

// outlet is where the standard output of a statement goes.
type outlet struct {
	shell *shell
	paths []located // files; none if it goes on to the next in the pipe
	away  bool      // it goes elsewhere than to standard output
	keep  bool      // what the files held stays
}

// close says what was printed, writes it to the files, and returns what is left for the pipe.
func (o outlet) close(out value) value {
	for _, at := range o.paths {
		if at.zone == Network && out.from&fromSecret != 0 {
			o.shell.fact(Fact{Kind: Send, Target: at.path, Traits: []Trait{Secret}})
		}
		if out.empty() && !o.keep && at.zone != Nowhere {
			o.shell.fact(at.fact(Empty, ">"))
		}
		o.shell.remember(at, out, o.keep)
	}
	if o.away {
		return value{}
	}
	return out
}

// redirect opens what the redirections name.
func (s *shell) redirect(list []*syntax.Redirect) outlet {
	o := outlet{shell: s}
	for _, r := range list {
		s.direct(r, &o)
	}
	return o
}

func (s *shell) direct(r *syntax.Redirect, o *outlet) {
	fd := ""
	if r.N != nil {
		fd = r.N.Value
	}
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		s.feed(fd, s.hereDoc(r))
	case syntax.WordHdoc:
		s.feed(fd, s.word(r.Word).literal().plus(known("\n")))
	case syntax.RdrIn:
		s.feed(fd, s.readFile(s.word(r.Word), "<"))
	case syntax.RdrInOut:
		name := s.word(r.Word)
		s.writeFile(name, "<>")
		s.feed(fd, s.readFile(name, "<>"))
	case syntax.DplIn:
		if v, ok := s.files.get(s.word(r.Word).text); ok {
			s.feed(fd, v)
		}
	case syntax.DplOut:
		if target, ok := s.word(r.Word).exact(); ok && strings.Trim(target, "0123456789-") == "" {
			o.away = o.away || target == "2" && (fd == "" || fd == "1")
			return
		}
		s.direct(&syntax.Redirect{Op: syntax.RdrAll, Word: r.Word}, o)
	default: // > >> >| &> &>>
		s.outputTo(r, fd, o)
	}
}

// outputTo opens a file for writing.
func (s *shell) outputTo(r *syntax.Redirect, fd string, o *outlet) {
	if r.Op == syntax.AppOut || r.Op == syntax.AppAll {
		o.keep = true
	}
	at := s.writeFile(s.word(r.Word), ">")
	if fd == "" || fd == "1" || r.Op == syntax.RdrAll || r.Op == syntax.AppAll {
		o.away = true
		o.paths = append(o.paths, at)
	}
}

// feed sets what a descriptor holds that is read from.
func (s *shell) feed(fd string, v value) {
	if fd == "" || fd == "0" {
		s.in = v
		return
	}
	if name := strings.Trim(fd, "{}"); name != fd { // {name}<file opens a new descriptor, and keeps its number
		fd = name
		s.vars.set(name, known(name))
	}
	s.files.set(fd, v)
}

// hereDoc is the text of a here document.
func (s *shell) hereDoc(r *syntax.Redirect) value {
	if r.Hdoc == nil {
		return value{}
	}
	text := s.hereText(r)
	if r.Op == syntax.DashHdoc {
		lines := strings.Split(text.text, "\n")
		for i := range lines {
			lines[i] = strings.TrimLeft(lines[i], "\t")
		}
		text.text = strings.Join(lines, "\n")
	}
	return text
}

// hereText expands a here document, unless its mark is quoted.
func (s *shell) hereText(r *syntax.Redirect) value {
	for _, p := range r.Word.Parts {
		lit, plain := p.(*syntax.Lit)
		if plain && !strings.Contains(lit.Value, `\`) {
			continue
		}
		var raw strings.Builder
		for _, p := range r.Hdoc.Parts {
			if lit, ok := p.(*syntax.Lit); ok {
				raw.WriteString(lit.Value)
			}
		}
		return known(raw.String())
	}
	var out value
	for _, piece := range s.quoted(&syntax.DblQuoted{Parts: r.Hdoc.Parts}) {
		out = out.plus(piece.value)
	}
	return out
}

// command interprets a command and returns what it prints.
func (s *shell) command(cmd syntax.Command) value {
	switch c := cmd.(type) {
	case *syntax.CallExpr:
		return s.call(c)
	case *syntax.BinaryCmd:
		return s.binary(c)
	case *syntax.Block:
		return s.stmts(c.Stmts)
	case *syntax.Subshell:
		return s.fork().stmts(c.Stmts)
	case *syntax.IfClause:
		return s.conditional(c)
	case *syntax.WhileClause:
		before := s.fork()
		out := s.stmts(c.Cond).plus(s.stmts(c.Do))
		s.rejoin(before)
		return out
	case *syntax.ForClause:
		return s.loop(c)
	case *syntax.CaseClause:
		return s.choice(c)
	case *syntax.FuncDecl:
		s.define(c)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			return s.stmt(c.Stmt)
		}
	case *syntax.CoprocClause:
		return s.fork().stmt(c.Stmt)
	case *syntax.DeclClause:
		s.declare(c)
	case *syntax.ArithmCmd, *syntax.TestClause, *syntax.LetClause:
		s.substitutions(c)
	case nil:
	default:
		s.opaque("a form of command that is not known here")
	}
	return value{}
}

// binary interprets pipes and lists.
func (s *shell) binary(c *syntax.BinaryCmd) value {
	switch c.Op {
	case syntax.Pipe, syntax.PipeAll:
		left := s.fork()
		out := left.stmt(c.X)
		right := s.fork()
		right.in = out
		return right.stmt(c.Y)
	default:
	}
	out := s.stmt(c.X)
	before := s.fork()
	out = out.plus(s.stmt(c.Y))
	if c.Op == syntax.OrStmt {
		s.rejoin(before)
	}
	return out
}

func (s *shell) conditional(c *syntax.IfClause) value {
	out := s.stmts(c.Cond)
	before := s.fork()
	out = out.plus(s.stmts(c.Then))
	if c.Else != nil {
		other := before.fork()
		out = out.plus(other.conditional(c.Else))
		s.rejoin(other)
		return out
	}
	if len(c.Cond) > 0 { // an else has none
		s.rejoin(before)
	}
	return out
}

// loop interprets a for loop: its body once for each item that is known, or once for all of them.
func (s *shell) loop(c *syntax.ForClause) value {
	iter, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		s.substitutions(c.Loop)
		before := s.fork()
		out := s.stmts(c.Do)
		s.rejoin(before)
		return out
	}
	items := s.args
	if iter.InPos.IsValid() {
		items = s.fields(iter.Items)
	}
	const most = 32
	if len(items) > most || len(items) == 0 {
		var from taint
		for _, v := range items {
			from |= v.from
		}
		items = append(slices.Clone(items[:min(len(items), most)]), unknown(from))
	}
	before := s.fork()
	var out value
	for _, v := range items {
		if !s.step() {
			break
		}
		s.vars.set(iter.Name.Value, v)
		out = out.plus(s.stmts(c.Do))
	}
	s.rejoin(before)
	return out
}

func (s *shell) choice(c *syntax.CaseClause) value {
	s.word(c.Word)
	before := s.fork()
	var out value
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			s.word(p)
		}
		out = out.plus(s.stmts(item.Stmts))
		s.rejoin(before)
	}
	return out
}

// define keeps a function. One without a name is no bash, and what it would do is judged at once.
func (s *shell) define(c *syntax.FuncDecl) {
	if c.Name == nil {
		s.fork().stmt(c.Body)
		return
	}
	s.funcs.set(c.Name.Value, c.Body)
}

// declare interprets declare, local, export, readonly, typeset and nameref.
func (s *shell) declare(c *syntax.DeclClause) {
	given := s.fork() // what is assigned here is not yet seen in the values beside it
	for _, a := range c.Args {
		if a.Naked && a.Name == nil {
			given.word(a.Value)
			continue
		}
		if c.Variant.Value != "export" && c.Variant.Value != "readonly" && s.local != nil {
			s.local[a.Name.Value] = true
		}
		s.assignFrom(given, a, c.Variant.Value)
	}
}

// substitutions runs what stands in substitutions somewhere within a node that is not followed otherwise: in arithmetic, in
// subscripts, in tests.
func (s *shell) substitutions(n syntax.Node) {
	if n == nil {
		return
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			s.fork().stmts(n.Stmts)
			return false
		case *syntax.ProcSubst:
			s.fork().stmts(n.Stmts)
			return false
		case *syntax.ParamExp:
			if n.Param != nil {
				s.arithmetic(n.Param.Value)
			}
		case *syntax.Lit:
			s.arithmetic(n.Value)
		case *syntax.SglQuoted:
			s.prompt(known(n.Value))
		}
		return true
	})
}

// arithmetic notes a variable whose value bash would evaluate as an expression, and with it a substitution in a subscript:
// x='a[$(cmd)]'; (( x )).
func (s *shell) arithmetic(name string) {
	if v, ok := s.vars.get(name); ok && strings.ContainsAny(v.text, "$`") {
		s.prompt(v)
	}
}

// prompt runs the substitutions in a text that bash expands once more: a prompt, a subscript, a variable's @P. Quotation marks
// mean nothing in it, but within the substitutions, as in a here document.
func (s *shell) prompt(v value) {
	if !strings.ContainsAny(v.text, "$`\x00") {
		return
	}
	text, all := v.literal().exact()
	if !all {
		s.unseen(v)
		return
	}
	if s.depth >= maxDepth {
		s.opaque("shells within shells, too deep to be followed")
		return
	}
	sub := s.fork()
	sub.depth++
	parser := parsers.Get().(*syntax.Parser)
	word, err := parser.Document(strings.NewReader(strings.ToValidUTF8(text, "\ufffd")))
	parsers.Put(parser)
	if err != nil {
		s.opaque("this is no valid text for a shell to expand: " + complaint(err))
		return
	}
	sub.quoted(&syntax.DblQuoted{Parts: word.Parts})
}
