package shell

import (
	"slices"
	"strings"
)

// value is what is known of a text: an argument, a variable, what a pipe carries. Its marks stand for what is not known.
type value struct {
	text string
	from taint
}

// The marks in a value's text. None of them can be in a real argument (a NUL) or is ever used in one.
const (
	hole = '\x00' // any text, of any length
	star = '\x01' // an unquoted star or bracket expression: any text without a slash
	one  = '\x02' // an unquoted question mark: one character
)

const marks = "\x00\x01\x02"

// taint says where a value came from.
type taint uint16

const (
	fromNetwork taint = 1 << iota
	fromDecoder       // a program that makes a hidden text readable
	fromFile
	fromSecret // a file or a variable with secrets
	toSecret   // it may be the name of a file with secrets
	unending   // there is no end to it
	controls   // what its marks are may be characters that were meant
	allNames   // it stands for the name of each file below the folder in front of its mark, or below the one where the name is used
	fromHome   // it may be the name of a file out of the listing of a home, or of a folder that holds one
	ofFiles    // it is made from the names of files, as git and others list them
	flowing    // what passes it on does not end either
	settingUp  // it is what a program prints to be evaluated, whole: how a shell is set up for it
)

// Replacers build their tables when they are first used.
var (
	unmarked = strings.NewReplacer("\x01", "*", "\x02", "?")              // stars are stars again
	shown    = strings.NewReplacer("\x00", "…", "\x01", "*", "\x02", "?") // for people
	lettered = strings.NewReplacer("\x00", "x", "\x01", "x", "\x02", "x") // a mark is a letter like others
	globbed  = strings.NewReplacer("*", "\x01", "?", "\x02")              // stars are patterns
	greedy   = strings.NewReplacer("*", "\x00", "?", "\x02")              // and match slashes, too
	dotted   = strings.NewReplacer("::", ".", "->", ".", "?.", ".")       // ways to write a member
)

var anything = value{text: string(hole)}

func known(text string) value { return value{text: text} }

// whole are the taints of a text that are not those of what is made from it: what was made from a listing need not name all that was in it.
const whole = allNames | settingUp

// unknown is any text, with the taints of what it was made from.
func unknown(from taint) value { return value{string(hole), from &^ whole} }

// lists reports that the value stands for the names of all files below a folder, and for nothing else.
func (v value) lists() bool {
	return v.from&allNames != 0 && strings.IndexByte(v.text, hole) == len(v.text)-1 && !strings.Contains(v.text, "\n")
}

// namesOrUnknown is the value where it is such names, and any text where it is not.
func (v value) namesOrUnknown() value {
	if v.lists() {
		return v
	}
	return unknown(v.from)
}

// exact is the value's text, if all of it is known.
func (v value) exact() (string, bool) { return v.text, !strings.ContainsAny(v.text, marks) }

func (v value) holed() bool   { return strings.ContainsRune(v.text, hole) }
func (v value) globbed() bool { return strings.ContainsAny(v.text, "\x01\x02") }

// Quote is a text as one word of a shell.
func Quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'"'"'`) + "'" }

// contains reports a text among values.
func contains(list []value, text string) bool {
	return slices.ContainsFunc(list, func(v value) bool { return v.text == text })
}

func (v value) empty() bool { return v.text == "" }

// plus is both, one after the other. What would be longer than any command is not known any more: x=$x$x doubles.
func (v value) plus(w value) value {
	if len(v.text)+len(w.text) > 2*maxText {
		return unknown(v.from | w.from)
	}
	return value{v.text + w.text, v.from | w.from}
}

// escaped is the value with its escapes resolved, as echo -e and printf do. A character that is a mark here is like what is not known, but it may be what
// divides one word from the next.
func (v value) escaped() value {
	out := value{ansi(v.text), v.from}
	if strings.ContainsAny(out.text, marks) && !strings.ContainsAny(v.text, marks) {
		out.from |= controls
	}
	return out
}

// literal is the value where patterns mean nothing: stars are stars again.
func (v value) literal() value {
	if !v.globbed() {
		return v
	}
	return value{unmarked.Replace(v.text), v.from}
}

// show is the value for people: what is not known is "…".
func (v value) show() string {
	s := v.text
	if strings.ContainsAny(s, marks) {
		s = shown.Replace(s)
	}
	s = printable(s)
	const most = 120
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// printable is a text with spaces for what a terminal would obey.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || 0x80 <= r && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}

// join is what both may be: the value where they agree, and anything where they do not. Of two paths in one folder that folder
// is known.
func join(a, b value) value {
	from := a.from | b.from
	if a.text == b.text {
		return value{a.text, from}
	}
	n := 0
	for n < len(a.text) && n < len(b.text) && a.text[n] == b.text[n] && a.text[n] > one {
		n++
	}
	n = strings.LastIndexByte(a.text[:n], '/') + 1
	if n < 2 || n == len(a.text) || n == len(b.text) || strings.Contains(a.text, "..") || strings.Contains(b.text, "..") || strings.ContainsAny(a.text+b.text, " \t\n") {
		return unknown(from)
	}
	return value{a.text[:n] + string(hole), from}
}

// match compares a text with marks with one that has none. A pattern that takes too long to compare is taken to match.
func match(pattern, s string) bool {
	steps := 10_000
	return matchWithin(pattern, s, &steps)
}

func matchWithin(pattern, s string, steps *int) bool {
	if *steps--; *steps < 0 {
		return true
	}
	for pattern != "" {
		switch c := pattern[0]; c {
		case hole, star:
			for i := 0; i <= len(s); i++ {
				if matchWithin(pattern[1:], s[i:], steps) {
					return true
				}
				if i < len(s) && c == star && s[i] == '/' {
					return false
				}
			}
			return false
		case one:
			if s == "" || s[0] == '/' {
				return false
			}
		default:
			if s == "" || s[0] != c {
				return false
			}
		}
		pattern, s = pattern[1:], s[1:]
	}
	return s == ""
}
