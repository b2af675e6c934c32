package shell

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// reader interprets one command. All the shells that the command starts share it.
type reader struct {
	policy   *Policy
	at       Place
	facts    []Fact
	steps    int
	line     int                   // of the command's own text that is interpreted
	written  map[string][]value    // files that the command itself has written, by absolute path, and what they may hold then
	several  bool                  // there is one that may hold one of several texts
	running  map[string]int        // texts of files that run just now, and how often
	edited   []string              // patterns of files that the command has changed in place
	fromFile map[*syntax.Stmt]bool // functions of files that only an agent has read: of what they do counts only what is denied
	weighed  map[string]bool       // code that was written and may have run
	brought  map[string]bool       // files that code has loaded, by absolute path
	abroad   bool                  // one of them names something by which it could know a folder outside of the project
	folders  []string              // folders that the command has made
	inGit    bool                  // what git runs by itself is judged just now
	copies   []copied              // what it has copied, moved and linked
	binaries []string              // programs that the command has built of the project's own code
	ending   Ending                // what the command's end tells of what runs just now
	aside    bool                  // what runs just now has run in another world already
	judging
	zones map[string]Zone // of the paths that were asked about: loops and scripts ask for the same ones again
}

// shell is what one shell process knows.
type shell struct {
	*reader
	depth int
	cwd   value
	vars  table[value]
	attrs table[attribute] // of variables, and of functions by NAME()
	lists table[[]value]   // arrays
	funcs table[*syntax.Stmt]
	names table[value] // aliases
	zero  value        // $0, if the command has named it
	args  []value      // positional parameters
	more  bool         // there may be more of them
	in    value        // what standard input holds
	files table[value] // what is open to be read, by descriptor, besides standard input
	outs  table[sink]  // what is open to be written, by descriptor
	traps []value      // what runs in the end

	// The function that is running.
	within  []frame      // functions that are running, the innermost last
	inside  bool         // there is one
	local   table[saved] // what its own variables were before
	apart   int          // how many functions were running when this process went into the background
	beside  *siblings    // the pipe that this process is in
	loops   int          // how many loops are running in it
	endless int          // and how many of those around it that nothing ends

	// How it goes on.
	also   []*shell // the other worlds
	said   value    // what the command that is interpreted prints in this world
	heard  bool     // what is printed is of use to somebody
	flow   flow
	levels int // how many loops break or continue still has to leave
	status status
	tested bool // how a command ends is asked for, so that set -e does not count
	modes
	luck *luck

	venv    string // the folder of the environment of Python's that is active
	source  string // the file whose code is interpreted
	lent    bool   // only an agent has read it, and it runs in this shell
	moved   bool   // what runs may do so in another folder than is known: a program that runs it, or its code, goes where it likes
	testing bool   // that code is tests
	brings  bool   // that code was loaded by other code
	loading bool   // it is loaded by tools without being told of it
}

// modes are how the shell was told to work.
type modes struct {
	strict    bool   // set -e
	exporting bool   // set -a
	lastpipe  bool   // the last command of a pipe runs in the shell itself
	zsh       bool   // it is zsh
	begins    string // the shell that is being started, by its name
	pipefail  bool   // every command of a pipe counts for how it ends
}

func newReader(p *Policy, at Place) *reader {
	if at.Cwd == "" {
		at.Cwd = at.Root
	}
	r := &reader{policy: p.orDefault(), at: at}
	r.carries()
	return r
}

// shell is the one that an agent's command starts in. What its standard input holds is not known.
func (r *reader) shell() *shell {
	return &shell{reader: r, in: anything, cwd: known(r.at.Cwd), venv: r.at.Venv}
}

// fact notes what the command would do. What is already noted is not noted again. It is called from a hundred places; the hook is small.
//
//go:noinline
func (r *reader) fact(f Fact) {
	if f.Kind == Run && f.given == nil {
		f.given = []Given{{Ending: r.ending}}
	}
	if r.fresh(&f) {
		f.Traits = append(f.Traits, Fresh)
	}
	f.Target, f.By, f.Line = printable(f.Target), printable(f.By), r.line
	for i := range r.facts {
		if f.equal(&r.facts[i]) {
			r.givens(&r.facts[i], f.given)
			r.origins(&r.facts[i], f.origins)
			if len(r.begun) > 0 && r.grave(&f) {
				r.repeated++
			}
			return
		}
	}
	r.facts = append(r.facts, f)
}

// fresh reports that a file is written where there is none yet, among those of which it matters.
func (r *reader) fresh(f *Fact) bool {
	matters := f.Zone == Tests || f.Zone == Secrets && f.Is(Inside)
	return matters && (f.Kind == Write || f.Kind == Empty) && r.at.Absent != nil && !f.Is(Glob) && !f.Is(Vague) && r.at.Absent(f.Target)
}

// note notes what is done to something that is no path, in fewer bytes than a fact takes where it is written out.
//
//go:noinline
func (r *reader) note(kind Kind, target, by string) {
	r.fact(Fact{Kind: kind, Target: target, By: by})
}

// noteAt notes what is done to a path.
//
//go:noinline
func (r *reader) noteAt(at located, kind Kind, by string, traits ...Trait) {
	r.fact(at.fact(kind, by, traits...))
}

// step counts what is interpreted. After too many, the command is opaque, and nothing more is read.
func (r *reader) step() bool { return r.spend(1) }

// spend counts several at once.
func (r *reader) spend(steps int) bool {
	before := r.steps < maxSteps
	if r.steps += steps; before && r.steps >= maxSteps {
		r.opaque(tooMuch)
	}
	return r.steps < maxSteps
}

const tooMuch = "the command does too much to be followed: the rest of it was not judged, and may do anything"

// tooLong is what is said of a text of more than maxText.
const tooLong = " longer than 64 KiB: nothing of it was judged, and it may do anything"

func (r *reader) opaque(why string) { r.note(Opaque, why, "") }

// script interprets a text as a shell would that is given it, and returns what it prints.
func (s *shell) script(text value) value {
	return s.agree(s.evaluate(text))
}

// evaluate is script where every world prints what it prints.
func (s *shell) evaluate(text value) value {
	src, all := text.literal().exact()
	switch {
	case !all && text.from == settingUp && strings.TrimSpace(text.text) == string(hole):
		s.forget()
		s.strict = false
		return anything
	case !all:
		s.unseen(text)
		s.streamed(text, "sh", nil)
		s.holding(text)
		return unknown(text.from)
	case len(src) > maxText:
		s.opaque("the command is" + tooLong)
		return anything
	case s.depth >= maxDepth:
		s.opaque("shells within shells, too deep to be followed")
		return anything
	}
	if why := hiddenIn(src); why != "" {
		s.opaque(why)
	}
	if !s.spend(len(src) / 64) { // reading costs something, too, and shells within shells read the same again
		return anything
	}
	// The parser takes no other bytes; bash does.
	src = strings.ToValidUTF8(src, "\ufffd")
	if text.from&fromNetwork != 0 {
		s.note(Remote, "sh", "")
	}
	if text.from&fromDecoder != 0 {
		s.note(Decoded, "sh", "")
	}
	file, err := parse(src)
	if err != nil {
		s.opaque("this is no valid shell command: " + complaint(err))
		// What comes before the fault would run all the same.
		if file == nil {
			return anything
		}
	}
	s.depth++
	s.said = s.stmts(file.Stmts)
	s.every(func(w *shell) { w.depth-- })
	return s.said
}

// holding judges a text in which names out of the listing of a home stand, as one in which a variable stands for them.
func (s *shell) holding(text value) {
	if text.from&fromHome == 0 {
		return
	}
	sub := s.fork()
	sub.vars.set("put_in", value{string(hole), text.from})
	s.strictly(func() { sub.evaluate(known(strings.ReplaceAll(text.text, string(hole), "${put_in}"))) })
}

// finally runs what the shell's traps run in the end.
func (s *shell) finally() {
	for _, w := range s.worlds() {
		for _, trap := range w.traps {
			w.said = w.said.plus(w.fork().script(trap))
		}
	}
}

// parsers are kept: a parser's buffers are larger than most commands.
var parsers = sync.Pool{New: func() any { return syntax.NewParser(syntax.Variant(syntax.LangBash)) }}

// parse is the syntax tree of a text. The parser knows no negation behind the word time, as bash does; before it, it means the same.
func parse(src string) (*syntax.File, error) {
	parser := parsers.Get().(*syntax.Parser)
	defer parsers.Put(parser)
	file, err := parser.Parse(strings.NewReader(src), "")
	for range maxDepth {
		var fault syntax.ParseError
		if err == nil || !errors.As(err, &fault) || !strings.HasPrefix(fault.Text, "`!` can only") {
			break
		}
		turned, ok := negatedFirst(src, int(fault.Pos.Offset()))
		if !ok {
			break
		}
		src = turned
		file, err = parser.Parse(strings.NewReader(src), "")
	}
	return file, err
}

// negatedFirst is a text in which the exclamation mark at a place stands before the word time, and not behind it.
func negatedFirst(src string, at int) (string, bool) {
	if at <= 0 || at >= len(src) || src[at] != '!' {
		return "", false
	}
	before := strings.TrimRight(src[:at], " \t")
	for _, option := range []string{" --", " -p"} {
		before = strings.TrimRight(strings.TrimSuffix(before, option), " \t")
	}
	timed, ok := strings.CutSuffix(before, "time")
	if !ok || timed != "" && !strings.ContainsRune(" \t\n;|&({", rune(timed[len(timed)-1])) {
		return "", false
	}
	return timed + "! " + strings.TrimRight(src[len(timed):at], " \t") + src[at+1:], true
}

// unseen notes that code runs of which not all is known: by where it comes from, that is remote, decoded, or only code.
func (r *reader) unseen(text value) {
	kind := Code
	switch {
	case text.from&fromNetwork != 0:
		kind = Remote
	case text.from&fromDecoder != 0:
		kind = Decoded
	}
	r.note(kind, "sh", "")
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
