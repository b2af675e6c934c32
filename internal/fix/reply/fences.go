package reply

import (
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// fence is a Markdown code fence.
type fence struct {
	start, end  int // with its own lines
	open, close int // what is between them
	mark        string
	info        string
	closed      bool
	nested      bool // something in it looks like a fence, too
}

var fenceLine = pattern.New("^ {0,3}(`{3,}|~{3,})[ \t]*([^`]*?)[ \t]*\r?$")

// fencesOf finds the outermost fences. One that has a language inside of one of the same kind is taken for nested, and ends with the next end.
func fencesOf(text string) []fence {
	var out []fence
	depth, at := 0, 0
	for line := range strings.Lines(text) {
		found := fenceLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		start := at
		at += len(line)
		if found == nil {
			continue
		}
		mark, info := found[1], found[2]
		if depth == 0 {
			out = append(out, fence{start: start, end: len(text), open: at, close: len(text), mark: mark, info: info})
			depth = 1
			continue
		}
		f := &out[len(out)-1]
		switch {
		case mark[0] != f.mark[0] || len(mark) < len(f.mark):
			continue
		case info != "":
			f.nested = true
			depth++
		default:
			if depth--; depth == 0 {
				f.close, f.end, f.closed = start, at, true
			}
		}
	}
	return out
}

// fenceAt is the fence in which a byte stands.
func (r *reading) fenceAt(at int) (fence, bool) {
	for _, f := range r.fences {
		if f.open <= at && at < f.close {
			return f, true
		}
	}
	return fence{}, false
}

// span is some bytes of the reply.
type span struct{ start, end int }

func inside(at int, all []span) bool {
	for _, s := range all {
		if s.start <= at && at < s.end {
			return true
		}
	}
	return false
}

var (
	searchMark  = pattern.New(`(?m)^<{5,9} SEARCH>?[ \t]*\r?$`)
	replaceMark = pattern.New(`(?m)^>{5,9} REPLACE[ \t]*\r?$`)
	strayMark   = pattern.New(`(?m)^[ \t>]*(?:<{5,9} SEARCH|>{5,9} REPLACE)>?[ \t]*\r?$`)
	diffMark    = pattern.New(`(?m)^(?:diff --git |--- [^\n]*\n\+\+\+ )`)
)

// spans are where objects stand.
func spans(objects []object) (out []span) {
	for _, o := range objects {
		out = append(out, span{o.start, o.end})
	}
	return out
}

// without is a text with blanks in the place of what was read, line by line the same.
func without(text string, read ...[]span) string {
	b := []byte(text)
	for _, s := range slices.Concat(read...) {
		for i := s.start; i < s.end; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	return string(b)
}

// regions finds the search/replace blocks, the diffs and the envelopes that do not stand in an object, nor in one another.
func (r *reading) regions(objects []object) (blocks, diffs, sealed []span) {
	taken := func(at int) bool {
		for _, o := range objects {
			if o.start <= at && at < o.end {
				return true
			}
		}
		return false
	}
	sealed = envelopes(r.text, taken)
	for _, m := range searchMark.FindAllStringIndex(r.text, -1) {
		if taken(m[0]) || inside(m[0], sealed) || inside(m[0], blocks) {
			continue
		}
		end := len(r.text)
		if n := replaceMark.FindStringIndex(r.text[m[0]:]); n != nil {
			end = m[0] + n[1]
		}
		blocks = append(blocks, span{m[0], end})
	}
	for _, m := range diffMark.FindAllStringIndex(r.text, -1) {
		if taken(m[0]) || inside(m[0], sealed) || inside(m[0], blocks) || inside(m[0], diffs) {
			continue
		}
		end := len(r.text)
		if f, ok := r.fenceAt(m[0]); ok {
			end = f.close
		} else {
			for _, b := range slices.Concat(blocks, sealed) { // a diff in prose ends where another form begins
				if m[0] < b.start {
					end = min(end, b.start)
				}
			}
		}
		diffs = append(diffs, span{m[0], end})
	}
	var own []span
	for _, b := range blocks {
		if !inside(b.start, diffs) {
			own = append(own, b)
		}
	}
	return own, diffs, sealed
}

// blanked is the reply without its objects, line by line the same.
func (r *reading) blanked(objects []object) string { return without(r.text, spans(objects)) }
