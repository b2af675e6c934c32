package reply

import (
	"slices"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/pattern"
)

// An envelope is the form in which Codex's apply_patch takes changes: between *** Begin Patch and *** End Patch stand files, and in each the lines that change with some around them. Line
// numbers there are none; a line behind @@ says after which line of the file the others stand.

var (
	envelopeMark = pattern.New(`(?m)^[ \t]*\*\*\* Begin Patch[ \t]*\r?$`)
	envelopeEnd  = pattern.New(`(?m)^[ \t]*\*\*\* End Patch[ \t]*\r?$`)
	envelopeFile = pattern.New(`^\*\*\* (Update|Add|Delete) File: *(.*)$`)
)

// envelopes are where the reply has envelopes. One without its end goes to the end.
func envelopes(text string, taken func(at int) bool) (out []span) {
	for _, m := range envelopeMark.FindAllStringIndex(text, -1) {
		if taken(m[0]) || inside(m[0], out) {
			continue
		}
		end := len(text)
		if n := envelopeEnd.FindStringIndex(text[m[0]:]); n != nil {
			end = m[0] + n[1]
		}
		out = append(out, span{m[0], end})
	}
	return out
}

// fromEnvelopes reads the envelopes of the reply as one answer.
func (r *reading) fromEnvelopes(text string, all []span) (Answer, error) {
	var parts []edit.Part
	for _, e := range all {
		found, err := r.envelope(text[e.start:e.end])
		if err != nil {
			return Answer{}, err
		}
		parts = append(parts, found...)
	}
	a, err := r.fromParts(parts)
	return r.claimed(a, err, all[0].start)
}

// hunk is some lines of a file as they are and as they should be.
type hunk struct {
	below      []string // lines that stand somewhere above it, in this order
	old, fresh []string
	around     []string // lines that stay, as they are written, with their blank
	line       int      // of the envelope
}

// envelope reads one.
func (r *reading) envelope(text string) ([]edit.Part, error) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if len(lines) < 2 || !envelopeEnd.MatchString(lines[len(lines)-1]) {
		return nil, refuse("the patch has no *** End Patch line, so that it may not be all of it: give it once more, shorter")
	}
	var parts []edit.Part
	body := lines[1 : len(lines)-1]
	for at := 0; at < len(body); {
		head := envelopeFile.FindStringSubmatch(strings.TrimRight(body[at], " \t"))
		if head == nil {
			if strings.TrimSpace(body[at]) == "" {
				at++
				continue
			}
			return nil, refuse("line %d of the patch belongs to no file: each begins with *** Update File:, *** Add File: or *** Delete File:", at+2)
		}
		from := at + 1
		for at = from; at < len(body) && !envelopeFile.MatchString(body[at]); at++ {
		}
		found, err := r.envelopeFile(head[1], head[2], body[from:at], from+2)
		if err != nil {
			return nil, err
		}
		parts = append(parts, found...)
	}
	return parts, nil
}

// envelopeFile reads what an envelope says of one file, from this line of it on.
func (r *reading) envelopeFile(does, path string, lines []string, first int) ([]edit.Part, error) {
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	switch does {
	case "Delete":
		if len(lines) > 0 {
			return nil, refuseAt(path, 0, "the patch deletes the file and says something of its lines: do one of them")
		}
		return []edit.Part{{Path: path, Delete: true}}, nil
	case "Add":
		var content strings.Builder
		for i, l := range lines {
			text, ok := strings.CutPrefix(l, "+")
			if !ok && strings.TrimSpace(l) != "" {
				return nil, refuseAt(path, 0, "line %d of the patch should begin with +, as every line of a new file does", first+i)
			}
			content.WriteString(text + "\n")
		}
		if name, err := r.name(path); err == nil {
			if f, err := r.ground.Source(name); err == nil && f.Exists {
				return nil, refuseAt(name, 0, "the patch adds a file that is there already: update it")
			}
		}
		text := content.String()
		return []edit.Part{{Path: path, Content: &text}}, nil
	}
	hunks, err := hunksOf(path, lines, first)
	if err != nil {
		return nil, err
	}
	var parts []edit.Part
	for _, h := range hunks {
		p, err := r.hunk(path, h)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// hunksOf splits what is said of a file into its hunks.
func hunksOf(path string, lines []string, first int) ([]hunk, error) {
	var out []hunk
	open := false // whether lines belong to the last hunk
	begin := func(at int) *hunk {
		if !open || len(out) == 0 {
			out = append(out, hunk{line: at})
		}
		open = true
		return &out[len(out)-1]
	}
	for i, l := range lines {
		at := first + i
		switch {
		case strings.HasPrefix(l, "*** Move to:"):
			return nil, refuseAt(path, 0, "files cannot be renamed here: change the file where it is")
		case strings.TrimSpace(l) == "*** End of File":
			open = false
		case strings.HasPrefix(l, "@@"):
			if len(out) > 0 && len(out[len(out)-1].old)+len(out[len(out)-1].fresh) > 0 {
				open = false
			}
			h := begin(at)
			if where := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(l, "@@")), "@@")); where != "" && where != "..." && !strings.HasPrefix(where, "-") {
				h.below = append(h.below, where)
			}
		case l == "" || l[0] == ' ':
			h, text := begin(at), strings.TrimPrefix(l, " ")
			h.old, h.fresh, h.around = append(h.old, text), append(h.fresh, text), append(h.around, l)
		case l[0] == '-':
			h := begin(at)
			h.old = append(h.old, l[1:])
		case l[0] == '+':
			h := begin(at)
			h.fresh = append(h.fresh, l[1:])
		default:
			return nil, refuseAt(path, 0, "line %d of the patch begins with neither a blank, - nor +", at)
		}
	}
	if len(out) == 0 {
		return nil, refuseAt(path, 0, "the patch updates the file and says of none of its lines how")
	}
	return out, nil
}

// hunk is a hunk as an edit. Where its lines stand more than once, those count that come first below the lines that it names, if each of those stands once.
func (r *reading) hunk(path string, h hunk) (edit.Part, error) {
	if len(h.old) == 0 {
		return edit.Part{}, refuseAt(path, 0, "the hunk at line %d of the patch only adds lines, and none around them says where: add some that are there", h.line)
	}
	old, fresh := strings.Join(h.old, "\n"), strings.Join(h.fresh, "\n")
	p := edit.Part{Path: path, Old: &old, New: &fresh, Lines: true}
	name, err := r.name(path)
	if err != nil {
		return p, err
	}
	f, err := r.ground.Source(name)
	if err != nil {
		return p, err
	}
	lines := strings.Split(strings.ReplaceAll(string(f.Data), "\r\n", "\n"), "\n")
	places := runs(lines, h.old)
	for _, l := range h.around {
		if len(places) == 0 && strings.TrimSpace(l) != "" && slices.Contains(lines, l) {
			return p, refuseAt(path, 0, "in the hunk at line %d of the patch the line %q has no mark of its own: put a blank, - or + before it", h.line, strings.TrimSpace(l))
		}
	}
	if len(places) < 2 || len(h.below) == 0 {
		return p, nil
	}
	from := 0
	for _, where := range h.below {
		at := -1
		for i, l := range lines {
			if strings.TrimSpace(l) != where {
				continue
			}
			if at >= 0 {
				return p, refuseAt(path, i+1, "the line behind @@ stands in the file more than once, and so do the lines of the hunk: give more lines around the change")
			}
			at = i
		}
		if at < from {
			return p, refuseAt(path, 0, "the line behind @@ is not in the file where it should be: %s", where)
		}
		from = at
	}
	for _, at := range places {
		if at >= from {
			p.Line = at + 1
			return p, nil
		}
	}
	return p, refuseAt(path, from+1, "the lines of the hunk do not stand below the line behind @@")
}

// runs are where lines stand among others.
func runs(lines, of []string) (out []int) {
next:
	for i := range len(lines) - len(of) + 1 {
		for j, l := range of {
			if lines[i+j] != l {
				continue next
			}
		}
		out = append(out, i)
	}
	return out
}
