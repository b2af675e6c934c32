package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// fields expands words into arguments, as bash does before it runs a command: braces, then everything else, and what stood
// outside quotation marks is divided at blanks.
func (s *shell) fields(words []*syntax.Word) []value {
	out := make([]value, 0, len(words))
	for _, w := range words {
		if lit, ok := s.simple(w); ok {
			out = append(out, lit)
			continue
		}
		for _, w := range s.braces(w) {
			out = append(out, s.divide(w)...)
		}
	}
	return out
}

// simple is the value of a word that is plain text, which most are.
func (s *shell) simple(w *syntax.Word) (value, bool) {
	switch len(w.Parts) {
	case 0:
		return value{}, false
	case 1:
		text, ok := plainPart(w.Parts[0])
		return known(text), ok
	}
	var b strings.Builder // of a text within several quotation marks there may be ten thousand parts
	for _, p := range w.Parts {
		text, ok := plainPart(p)
		if q, quoted := p.(*syntax.DblQuoted); quoted && len(q.Parts) == 1 && !q.Dollar {
			if lit, is := q.Parts[0].(*syntax.Lit); is && !strings.Contains(lit.Value, `\`) {
				text, ok = lit.Value, true
			}
		}
		if !ok {
			return value{}, false
		}
		b.WriteString(text)
	}
	return known(b.String()), true
}

// plainPart is a part of a word in which nothing is expanded.
func plainPart(p syntax.WordPart) (string, bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		return p.Value, !strings.ContainsAny(p.Value, `\*?[{~`)
	case *syntax.SglQuoted:
		return p.Value, !p.Dollar
	}
	return "", false
}

// word expands a word where bash makes one text of it: in an assignment, behind a redirection.
func (s *shell) word(w *syntax.Word) value {
	if w == nil {
		return value{}
	}
	if v, ok := s.simple(w); ok {
		return v
	}
	var out value
	for i, p := range s.parts(w.Parts) {
		for j, v := range s.part(p, i == 0, false) {
			if j > 0 {
				out = out.plus(known(" "))
			}
			out = out.plus(v.value)
		}
	}
	return out
}

// tildes expands the value of an assignment, in which a tilde is a home at the beginning and behind each colon.
func (s *shell) tildes(w *syntax.Word) value {
	v := s.word(w)
	if w == nil || !slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
		lit, ok := p.(*syntax.Lit)
		return ok && strings.Contains(lit.Value, ":~")
	}) {
		return v
	}
	parts := strings.Split(v.text, ":")
	for i, p := range parts {
		if name, rest, _ := strings.Cut(p, "/"); i > 0 && strings.HasPrefix(name, "~") {
			if home, ok := s.home(name[1:]); ok {
				parts[i] = strings.TrimSuffix(home.text+"/"+rest, "/")
			}
		}
	}
	return value{strings.Join(parts, ":"), v.from}
}

// piece is a part of a word. What is loose stood outside quotation marks and came from an expansion: it is divided at blanks.
type piece struct {
	value
	loose bool
	quote bool // it stood within quotation marks, so that even nothing is an argument
	star  bool // it is an element of $*, which within quotation marks is one text
}

// divide expands a word into the arguments that it makes.
func (s *shell) divide(w *syntax.Word) []value {
	var out []value
	var now value
	some := false // there is an argument, even if it is empty
	end := func() {
		if some {
			out = append(out, now)
		}
		now, some = value{}, false
	}
	for i, p := range s.parts(w.Parts) {
		for j, v := range s.part(p, i == 0, true) {
			if j > 0 {
				end()
			}
			if !v.loose {
				now = now.plus(v.value)
				some = some || v.quote || !v.empty()
				continue
			}
			rest, blanks := v.text, s.separators()
			for rest != "" {
				if strings.IndexByte(blanks, rest[0]) >= 0 {
					end()
					rest = strings.TrimLeft(rest, blanks)
					continue
				}
				k := strings.IndexAny(rest, blanks)
				if k < 0 {
					k = len(rest)
				}
				now, some = now.plus(value{rest[:k], v.from}), true
				rest = rest[k:]
			}
		}
	}
	end()
	return out
}

// separators are the characters at which an expansion is divided. Where they are not known, blanks are.
func (s *shell) separators() string {
	const blanks = " \t\n"
	v, set := s.vars.get("IFS")
	text, ok := v.exact()
	switch at, _ := s.attrs.get("IFS"); {
	case !set || at.gone:
		return blanks
	case !ok:
		s.opaque("words are divided at characters that are not known")
		return blanks
	}
	return text
}

// glue is what stands between the elements of "$*".
func (s *shell) glue() string {
	blanks := s.separators()
	return blanks[:min(1, len(blanks))]
}

// part expands one part of a word. More than one piece are arguments of their own, as "$@" makes them. In a word that makes
// arguments, an unquoted star is a pattern.
func (s *shell) part(p syntax.WordPart, first, arguments bool) []piece {
	switch p := p.(type) {
	case *syntax.Lit:
		return []piece{{value: s.literal(p.Value, first, arguments)}}
	case *syntax.SglQuoted:
		if p.Dollar {
			return []piece{{value: known(ansi(p.Value)), quote: true}}
		}
		return []piece{{value: known(p.Value), quote: true}}
	case *syntax.DblQuoted:
		return s.quoted(p)
	case *syntax.ParamExp:
		pieces := s.param(p)
		for i := range pieces {
			pieces[i].loose = true
			if arguments {
				pieces[i].value = patterns(pieces[i].value)
			}
		}
		return pieces
	case *syntax.CmdSubst:
		v := s.substitute(p)
		if arguments {
			v = patterns(v)
		}
		return []piece{{value: v, loose: true}}
	case *syntax.ArithmExp:
		s.substitutions(p.X)
		return []piece{{value: anything}}
	case *syntax.ProcSubst:
		return []piece{{value: s.process(p)}}
	case *syntax.ExtGlob:
		if s.zsh && strings.ContainsAny(p.Pattern.Value, "e+") { // *(e:'…':) and *(+f) choose files by code
			s.opaque("a pattern of zsh's that may run code")
		}
		return []piece{{value: value{text: string(star)}}}
	}
	return []piece{{value: anything}}
}

// quoted expands what stands within double quotation marks. Only "$@" and "${a[@]}" make more than one argument of it.
func (s *shell) quoted(q *syntax.DblQuoted) []piece {
	out := []piece{{quote: true}}
	for _, p := range s.parts(q.Parts) {
		var pieces []piece
		switch p := p.(type) {
		case *syntax.Lit:
			pieces = []piece{{value: known(unescape(p.Value, "$`\"\\\n"))}}
		case *syntax.ParamExp:
			pieces = s.param(p)
			if len(pieces) == 0 && len(q.Parts) == 1 {
				return nil // "$@" of nothing is nothing
			}
		case *syntax.CmdSubst:
			pieces = []piece{{value: s.substitute(p)}}
		default:
			pieces = s.part(p, false, false)
		}
		for i, v := range pieces {
			switch {
			case i > 0 && v.star:
				last := &out[len(out)-1]
				last.value = last.plus(known(s.glue()))
			case i > 0:
				out = append(out, piece{quote: true})
			}
			last := &out[len(out)-1]
			last.value = last.plus(v.value)
		}
	}
	return out
}

// substitute is what a command prints in $( ).
func (s *shell) substitute(c *syntax.CmdSubst) value {
	if !s.step() {
		return anything
	}
	sub := s.fork()
	if len(c.Stmts) == 1 && c.Stmts[0].Cmd == nil && len(c.Stmts[0].Redirs) == 1 && c.Stmts[0].Redirs[0].Op == syntax.RdrIn {
		return sub.readFile(sub.word(c.Stmts[0].Redirs[0].Word), "<") // $(<file)
	}
	defer s.ends(Hushed)()
	sub.heard, sub.strict = true, false // set -e does not reach into it
	texts := sub.ended(sub.stmts(c.Stmts))
	for i := range texts {
		texts[i].text = strings.TrimRight(texts[i].text, "\n")
	}
	return s.choose(texts)
}

// process runs the command in <( ) or >( ), and is the name of the file under which its text is found.
func (s *shell) process(p *syntax.ProcSubst) value {
	sub := s.fork()
	if p.Op == syntax.CmdOut {
		sub.in = anything
	}
	defer s.ends(Hushed)()
	sub.heard, sub.strict = true, false
	return s.pseudoFile(sub.ended(sub.stmts(p.Stmts)))
}
