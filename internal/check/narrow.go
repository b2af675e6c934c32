package check

import (
	"path"
	"slices"
	"strings"
)

// How much selection an argv may carry. Linux takes 128 KiB for one argument and about 2 MiB for all; other systems less.
const (
	maxNames     = 1000
	maxNameBytes = 64 << 10
)

// Narrow is the check that runs only the targets: nothing in it changes but the argv. It never runs less than the targets
// say; it runs more where the tool cannot be told exactly (tests of the same name in two packages; so many tests that their
// files have to stand for them). The bool is false when the check's command cannot be narrowed to them: it is not one that
// we know how to ask, it selects already, or the targets lie outside of what it runs.
func (c Check) Narrow(targets ...Target) (Check, bool) {
	if len(targets) == 0 {
		return c, false
	}
	var run []string
	var ok bool
	switch c.Parser {
	case "gotest", "gobuild":
		run, ok = c.narrowGo(targets)
	case "pytest", "pytest-junit":
		run, ok = c.narrowPytest(targets)
	case "unittest":
		run, ok = c.narrowUnittest(targets)
	case "cargo-test":
		run, ok = c.narrowCargo(targets)
	case "jest", "vitest", "mocha", "tap", "tape":
		run, ok = c.narrowNode(targets)
	case "maven":
		run, ok = c.narrowMaven(targets)
	case "gradle":
		run, ok = c.narrowGradle(targets)
	}
	if !ok {
		return c, false
	}
	c.Run = run
	return c, true
}

// fromDir is a slash path from the root as seen from the check's folder.
func (c Check) fromDir(p string) (string, bool) {
	p = path.Clean(p)
	if c.Dir == "" {
		return p, true
	}
	if p == c.Dir {
		return ".", true
	}
	return strings.CutPrefix(p, c.Dir+"/")
}

// options says of a command line's options which take the next word as their value. Others that are not known are
// ambiguous when a word follows them.
type options struct {
	value []string
	flag  []string
	stop  []string // options that select already
	glued bool     // a one-letter option may be followed by its value in the same word: -n4
}

// line is a command line taken apart.
type line struct {
	head []string // the words before the first positional one
	pos  []string // positional words: what is selected
	mid  []string // options after them
	rest []string // what belongs to the program that is tested
}

// take reads the words after the program's name. Positional words that stand apart are put together.
func (o options) take(words []string, restMark string) (line, bool) {
	var l line
	for i := 0; i < len(words); i++ {
		w := words[i]
		if restMark != "" && strings.TrimLeft(w, "-") == restMark && strings.HasPrefix(w, "-") {
			l.rest = words[i:]
			break
		}
		if !strings.HasPrefix(w, "-") || w == "-" {
			l.pos = append(l.pos, w)
			continue
		}
		name, _, inline := strings.Cut(w, "=")
		if o.has(o.stop, name) {
			return l, false
		}
		opts := []string{w}
		switch {
		case inline || o.has(o.flag, name) || o.glued && len(name) > 2 && o.has(o.value, name[:2]):
		case o.has(o.value, name):
			if i+1 == len(words) {
				return l, false
			}
			i++
			opts = append(opts, words[i])
		case i+1 < len(words) && !strings.HasPrefix(words[i+1], "-"):
			return l, false
		}
		if len(l.pos) == 0 {
			l.head = append(l.head, opts...)
		} else {
			l.mid = append(l.mid, opts...)
		}
	}
	return l, true
}

func (o options) has(list []string, name string) bool { return slices.Contains(list, name) }

// join puts the line together again, with another selection.
func (l line) join(program, selection []string) []string {
	return slices.Concat(program, l.head, selection, l.mid, l.rest)
}

// unique sorts names and drops those that come twice.
func unique(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// fits reports whether names can be given on a command line.
func fits(names []string) bool {
	n := 0
	for _, s := range names {
		n += len(s) + 1
	}
	return len(names) <= maxNames && n <= maxNameBytes
}
