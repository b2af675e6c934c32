// Package loose answers "which JSON was meant?": it finds the objects and arrays in a text that somebody wrote who nearly knows JSON.
//
// What can be read in one way only is read, and [Found.Mended] says so: commas too many or lost at the end of a line, comments, single quotes, three quotes and back quotes, names without
// quotes, the literals of Python, line breaks inside of strings. What could be read in two ways is not read at all, and [Broken] says where and why: text that ends too early is never
// completed, a name that stands twice has no value, a backslash that may or may not be one is none of ours to judge.
//
// The package is pure, and its work is linear but for a bounded number of false starts.
package loose

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Found is one object or array.
type Found struct {
	JSON       json.RawMessage // strict, on one line
	Start, End int             // bytes of the text; End is not included
	Mended     []string        // what was read other than JSON says, each once
}

// Broken is what begins like an object or array, and is none.
type Broken struct {
	Start int      // byte of the text
	At    int      // where it cannot be read any further
	Line  int      // … on which line of the text, from 1
	Cut   bool     // the text ends there
	Keys  []string // names that were read before that, those of inner objects too
	Why   string   // for people
}

func (b Broken) Error() string { return fmt.Sprintf("line %d: %s", b.Line, b.Why) }

// What one text may hold.
const (
	mostDepth = 64
	mostFalse = 200 // beginnings that lead nowhere
)

// Find gives every outermost object and array of the text, and what only begins like one, in order. What stands inside of something broken is found, too: whoever asks has to look
// whether it is a part of what cannot be read.
func Find(text string) ([]Found, []Broken) {
	var found []Found
	var broken []Broken
	for at := 0; len(broken) < mostFalse; {
		i := strings.IndexAny(text[at:], "{[")
		if i < 0 {
			break
		}
		at += i
		f, err := Parse(text, at)
		if err != nil {
			broken = append(broken, *err)
			at++
			continue
		}
		found = append(found, f)
		at = f.End
	}
	return found, broken
}

// Parse reads the object or array that begins at a byte of the text.
func Parse(text string, at int) (Found, *Broken) {
	p := parser{text: text, at: at}
	var out strings.Builder
	if err := p.value(&out, 0); err != nil {
		err.Start = at
		err.Keys = p.keys
		err.Line = 1 + strings.Count(text[:min(err.At, len(text))], "\n")
		return Found{}, err
	}
	return Found{JSON: json.RawMessage(out.String()), Start: at, End: p.at, Mended: p.mended}, nil
}

type parser struct {
	text   string
	at     int
	keys   []string
	path   []string // names and places of what is open
	mended []string
}

func (p *parser) mend(what string) {
	if !slices.Contains(p.mended, what) {
		p.mended = append(p.mended, what)
	}
}

func (p *parser) fail(at int, format string, args ...any) *Broken {
	why := fmt.Sprintf(format, args...)
	if at >= len(p.text) {
		why = "the text ends inside of " + p.where()
	}
	return &Broken{At: at, Cut: at >= len(p.text), Why: why}
}

// where says what is open, for people.
func (p *parser) where() string {
	if len(p.path) == 0 {
		return "the JSON"
	}
	return strings.TrimPrefix(strings.Join(p.path, ""), ".")
}

func (p *parser) has(s string) bool { return strings.HasPrefix(p.text[p.at:], s) }

func (p *parser) value(out *strings.Builder, depth int) *Broken {
	if depth > mostDepth {
		return p.fail(p.at, "more than %d levels", mostDepth)
	}
	if p.at >= len(p.text) {
		return p.fail(p.at, "")
	}
	switch p.text[p.at] {
	case '{':
		return p.object(out, depth)
	case '[':
		return p.array(out, depth)
	case '"', '\'', '`':
		s, err := p.str()
		if err != nil {
			return err
		}
		out.WriteString(quote(s))
		return nil
	}
	return p.literal(out)
}

func (p *parser) object(out *strings.Builder, depth int) *Broken {
	out.WriteByte('{')
	p.at++
	var names []string
	for {
		broke, err := p.blank()
		if err != nil {
			return err
		}
		if p.at >= len(p.text) {
			return p.fail(p.at, "")
		}
		if p.text[p.at] == '}' {
			p.at++
			out.WriteByte('}')
			return nil
		}
		if len(names) > 0 {
			comma, err := p.comma('}', broke)
			if err != nil {
				return err
			}
			if !comma {
				continue // the comma was the last
			}
			out.WriteByte(',')
		}
		start := p.at
		name, err := p.name()
		if err != nil {
			return err
		}
		if slices.Contains(names, name) {
			return p.fail(start, "the name %q stands twice in one object", name)
		}
		p.path = append(p.path, "."+name)
		if err := p.member(out, name, depth); err != nil {
			return err
		}
		p.path = p.path[:len(p.path)-1]
		names = append(names, name)
	}
}

// member reads what follows a name.
func (p *parser) member(out *strings.Builder, name string, depth int) *Broken {
	if _, err := p.blank(); err != nil {
		return err
	}
	if !p.has(":") {
		return p.fail(p.at, "a colon should follow the name %q", name)
	}
	p.at++
	p.keys = append(p.keys, name)
	if _, err := p.blank(); err != nil {
		return err
	}
	out.WriteString(quote(name))
	out.WriteByte(':')
	return p.value(out, depth+1)
}

func (p *parser) array(out *strings.Builder, depth int) *Broken {
	out.WriteByte('[')
	p.at++
	for n := 0; ; n++ {
		broke, err := p.blank()
		if err != nil {
			return err
		}
		if p.at >= len(p.text) {
			return p.fail(p.at, "")
		}
		if p.text[p.at] == ']' {
			p.at++
			out.WriteByte(']')
			return nil
		}
		if n > 0 {
			comma, err := p.comma(']', broke && p.has("{"))
			if err != nil {
				return err
			}
			if !comma {
				n--
				continue
			}
			out.WriteByte(',')
		}
		p.path = append(p.path, fmt.Sprintf("[%d]", n))
		if err := p.value(out, depth+1); err != nil {
			return err
		}
		p.path = p.path[:len(p.path)-1]
	}
}

// comma reads what stands between two members, and reports whether another one follows. Where a line ends between them, the comma may be lost.
func (p *parser) comma(end byte, lost bool) (more bool, _ *Broken) {
	if !p.has(",") {
		if lost {
			p.mend("a lost comma")
			return true, nil
		}
		return false, p.fail(p.at, "a comma or %q should stand before %s: a quote inside of a string needs a backslash", string(end), show(p.text[p.at:]))
	}
	p.at++
	if _, err := p.blank(); err != nil {
		return false, err
	}
	if p.at < len(p.text) && p.text[p.at] == end {
		p.mend("a comma after the last member")
		return false, nil
	}
	return true, nil
}

// show is the beginning of a text, for people.
func show(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	if r := []rune(line); len(r) > 20 {
		line = string(r[:20]) + "…"
	}
	return fmt.Sprintf("%q", line)
}

// blank skips white space and comments, and reports whether a line ended there.
func (p *parser) blank() (broke bool, _ *Broken) {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '\n':
			broke = true
			p.at++
		case c == ' ' || c == '\t' || c == '\r':
			p.at++
		case p.has("\u00a0"):
			p.at += len("\u00a0")
		case p.has("//") || c == '#':
			p.mend("a comment")
			n := strings.IndexByte(p.text[p.at:], '\n')
			if n < 0 {
				p.at = len(p.text)
				return broke, nil
			}
			p.at += n
		case p.has("/*"):
			p.mend("a comment")
			n := strings.Index(p.text[p.at+2:], "*/")
			if n < 0 {
				return broke, p.fail(len(p.text), "")
			}
			broke = broke || strings.Contains(p.text[p.at:p.at+2+n], "\n")
			p.at += n + 4
		default:
			return broke, nil
		}
	}
	return broke, nil
}
