package shell

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// reader interprets one command. All the shells that the command starts share it.
type reader struct {
	policy  *Policy
	at      Place
	facts   []Fact
	steps   int
	written table[value] // files that the command itself has written, by absolute path, and what they hold then
}

// shell is what one shell process knows.
type shell struct {
	*reader
	depth  int
	cwd    value
	vars   table[value]
	lists  table[[]value] // arrays
	funcs  table[*syntax.Stmt]
	names  table[value]    // aliases
	zero   value           // $0, if the command has named it
	args   []value         // positional parameters
	in     value           // what standard input holds
	files  table[value]    // what is open, by descriptor, besides standard input
	local  map[string]bool // the variables of the function that is running; nil outside of one
	within []string        // functions that are running, the innermost last
}

func newReader(p *Policy, at Place) *reader {
	if at.Cwd == "" {
		at.Cwd = at.Root
	}
	return &reader{policy: p.orDefault(), at: at}
}

// shell is the one that an agent's command starts in. What its standard input holds is not known.
func (r *reader) shell() *shell {
	return &shell{reader: r, in: anything, cwd: known(r.at.Cwd)}
}

// fork is a copy of the shell: what happens to it does not happen to the first.
func (s *shell) fork() *shell {
	c := *s
	c.vars, c.lists, c.funcs, c.names, c.files = s.vars.fork(), s.lists.fork(), s.funcs.fork(), s.names.fork(), s.files.fork()
	return &c
}

// rejoin makes of s what it may be after a branch that may or may not have been taken, or was taken some times: what the branch
// changed is as it was before, or as the branch left it.
func (s *shell) rejoin(before *shell) {
	s.cwd = join(s.cwd, before.cwd)
	for name, v := range s.vars.m {
		if was, ok := before.vars.get(name); !ok || was != v {
			s.vars.set(name, join(v, was))
		}
	}
	for name := range s.lists.m {
		s.vars.drop(name)
	}
}

// fact notes what the command would do. What is already noted is not noted again.
func (r *reader) fact(f Fact) {
	for _, g := range r.facts {
		if f.equal(g) {
			return
		}
	}
	r.facts = append(r.facts, f)
}

// step counts what is interpreted. After too many, the command is opaque, and nothing more is read.
func (r *reader) step() bool {
	if r.steps++; r.steps == maxSteps {
		r.opaque("the command does too much to be followed")
	}
	return r.steps < maxSteps
}

func (r *reader) opaque(why string) { r.fact(Fact{Kind: Opaque, Target: why}) }

// script interprets a text as a shell would that is given it, and returns what it prints.
func (s *shell) script(text value) value {
	src, all := text.literal().exact()
	switch {
	case !all:
		s.unseen(text)
		return unknown(text.from)
	case len(src) > maxText:
		s.opaque("the command is too long to be read")
		return anything
	case s.depth >= maxDepth:
		s.opaque("shells within shells, too deep to be followed")
		return anything
	}
	if why := hiddenIn(src); why != "" {
		s.opaque(why)
	}
	// The parser takes no other bytes; bash does.
	src = strings.ToValidUTF8(src, "\ufffd")
	if text.from&fromNetwork != 0 {
		s.fact(Fact{Kind: Remote, Target: "sh"})
	}
	if text.from&fromDecoder != 0 {
		s.fact(Fact{Kind: Decoded, Target: "sh"})
	}
	s.depth++
	defer func() { s.depth-- }()
	parser := parsers.Get().(*syntax.Parser)
	file, err := parser.Parse(strings.NewReader(src), "")
	parsers.Put(parser)
	if err != nil {
		s.opaque("this is no valid shell command: " + complaint(err))
		// What comes before the fault would run all the same.
		if file == nil {
			return anything
		}
	}
	return s.stmts(file.Stmts)
}

// parsers are kept: a parser's buffers are larger than most commands.
var parsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}

// unseen notes that code runs of which not all is known: by where it comes from, that is remote, decoded, or only code.
func (r *reader) unseen(text value) {
	kind := Code
	switch {
	case text.from&fromNetwork != 0:
		kind = Remote
	case text.from&fromDecoder != 0:
		kind = Decoded
	}
	r.fact(Fact{Kind: kind, Target: "sh"})
}

// complaint is what the parser says, without its place.
func complaint(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, ": "); i >= 0 && i < 12 {
		text = text[i+2:]
	}
	return value{text: text}.show()
}

// hiddenIn says which character in a command a person would not see, or would see elsewhere.
func hiddenIn(src string) string {
	for _, c := range src {
		switch {
		case c >= ' ' && c < 0x7f || c == '\t' || c == '\n' || c == '\r':
		case unicode.IsControl(c):
			return "a control character stands in the command"
		case unicode.In(c, unicode.Cf, unicode.Co):
			return "a character that cannot be seen, or that turns the order of others, stands in the command"
		case unicode.IsSpace(c) || unicode.In(c, unicode.Zl, unicode.Zp) || slices.Contains(blankLetters, c):
			return "a character that looks like a blank and is none stands in the command"
		}
	}
	return ""
}

// blankLetters count as letters and show nothing: the fillers of Hangul.
var blankLetters = []rune{0x115f, 0x1160, 0x3164, 0xffa0}
