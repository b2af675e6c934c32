package reply

import (
	"slices"
	"strconv"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// meant is an edit without what models, small ones above all, do to it although nobody asked for it: fences and line numbers in its texts, escapes that are written twice, members that are
// filled because they are there. Each is undone only where the file cannot mean it, and told; what may be meant is left for whoever finds it wanting.
func (r *reading) meant(p edit.Part) (edit.Part, error) {
	f, err := r.ground.Source(p.Path)
	if err != nil || !f.Exists {
		return p, err
	}
	h := habits{r: r, path: p.Path, base: string(f.Data)}
	for _, text := range []**string{&p.Old, &p.New, &p.Before, &p.After, &p.Content} {
		if *text != nil {
			clean := h.unnumbered(h.unfenced(**text))
			*text = &clean
		}
	}
	h.unescaped(&p)
	return h.oneWay(p)
}

type habits struct {
	r    *reading
	path string
	base string // the file as it is
}

func (h habits) note(text string) {
	if n := (edit.Note{Path: h.path, Text: text}); !slices.Contains(h.r.notes, n) {
		h.r.notes = append(h.r.notes, n)
	}
}

// unfenced is code without the fence around it.
func (h habits) unfenced(text string) string {
	inner, opened := strings.CutPrefix(strings.TrimLeft(text, "\n"), "```")
	info, body, more := strings.Cut(inner, "\n")
	body, closed := strings.CutSuffix(strings.TrimRight(body, "\n"), "```")
	if !opened || !more || !closed || strings.ContainsAny(info, " `") || strings.Contains(body, "```") || strings.Contains(h.base, "```") || syntax.LangOf(h.path) == "" {
		return text
	}
	h.note("the fence around the code was left out")
	return body
}

var numberedLine = pattern.New(`^[ \t]*(\d+)[ \t]*\|(?: |$)`)

// unnumbered is code without the numbers with which it was shown. All of its lines have one, rising, and no line of the file begins so.
func (h habits) unnumbered(text string) string {
	var b strings.Builder
	last := 0
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		found := numberedLine.FindStringSubmatch(bare)
		if found == nil {
			return text
		}
		n, err := strconv.Atoi(found[1])
		if err != nil || n <= last {
			return text
		}
		last = n
		b.WriteString(line[len(found[0]):])
	}
	if last == 0 {
		return text
	}
	for line := range strings.Lines(h.base) {
		if numberedLine.MatchString(strings.TrimRight(line, "\r\n")) {
			return text
		}
	}
	h.note("the line numbers in the code were left out")
	return b.String()
}

// twice undoes one of two escapings.
var twice = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\"`, `"`, `\'`, `'`)

// unescaped takes one of two escapings off: of an old text that the file has only without it, and of what belongs to it; of all of a file, which would be one line.
func (h habits) unescaped(p *edit.Part) {
	flat := func(s *string) bool { return s != nil && strings.Contains(*s, `\n`) && !strings.Contains(*s, "\n") }
	undo := func(s **string) {
		text := twice.Replace(**s)
		*s = &text
	}
	undone := false
	switch {
	case flat(p.Old) && !strings.Contains(h.base, *p.Old) && strings.Contains(h.base, twice.Replace(*p.Old)):
		undo(&p.Old)
		if flat(p.New) {
			undo(&p.New)
		}
		undone = true
	case flat(p.New) && p.Old != nil && *p.Old != "" && strings.Count(h.base, *p.Old) == 1 && h.broken(strings.Replace(h.base, *p.Old, *p.New, 1)) && !h.broken(strings.Replace(h.base, *p.Old, twice.Replace(*p.New), 1)):
		undo(&p.New)
		undone = true
	case flat(p.Content) && strings.Count(h.base, "\n") > 1:
		undo(&p.Content)
		undone = true
	}
	if undone {
		h.note("line breaks were escaped twice")
	}
}

// broken reports whether a source does not parse.
func (h habits) broken(text string) bool {
	lang := syntax.LangOf(h.path)
	if lang == "" {
		return false
	}
	tree, err := syntax.Parse(h.r.ctx, lang, []byte(text))
	return err != nil || len(tree.Errors()) > 0
}

// noFile reports whether a text cannot be all of the file anew: it is no code, or less than half of the lines.
func (h habits) noFile(text string) bool {
	return 2*strings.Count(strings.TrimSpace(text), "\n") < strings.Count(strings.TrimSpace(h.base), "\n") || h.broken(text)
}

// full reports whether a text is given, and is not empty.
func full(s *string) bool { return s != nil && *s != "" }

// oneWay is an edit that does one thing. Where it says two, they have to come to the same.
func (h habits) oneWay(p edit.Part) (edit.Part, error) {
	if p.Delete && full(p.Old) && full(p.New) { // what is replaced goes
		p.Delete = false
		h.note(`"delete" beside "old" and "new" was left out`)
	}
	if p.Delete && (p.Line > 0 || p.Old != nil || p.New != nil) {
		return p, refuseAt(p.Path, p.Line, `"delete" takes all of the file away: to take lines away, give them as "old", with an empty "new"`)
	}
	if p.Content != nil && (p.Old == nil || p.New == nil) {
		return p, h.anew(p)
	}
	if p.Content == nil || p.Old == nil || p.New == nil {
		return p, nil
	}
	same := func(a, b string) bool { return strings.TrimRight(a, "\r\n") == strings.TrimRight(b, "\r\n") }
	switch word := strings.ToLower(strings.TrimSpace(*p.Content)); {
	case word == "null" || word == "none":
	case same(*p.Content, h.base), same(*p.Content, *p.New):
	case h.noFile(*p.Content): // a word about the edit, or a part of the file
	case strings.Count(h.base, *p.Old) == 1 && same(*p.Content, strings.Replace(h.base, *p.Old, *p.New, 1)):
	default:
		return p, refuseAt(p.Path, p.Line, `"old" and "new" say one thing, and "content" another: give the lines and make "content" null, or give all of the file and make "old" and "new" null`)
	}
	p.Content = nil
	h.note(`"content" was left out, as "old" and "new" say it`)
	return p, nil
}

// anew refuses what is given as all of a file that is there and cannot be.
func (h habits) anew(p edit.Part) error {
	switch {
	case p.Line > 1 && h.noFile(*p.Content):
		return refuseAt(p.Path, p.Line, `"content" is all of the file, and "line" says that it is a part: give the line as it is now as "old", and as it should be as "new"`)
	case strings.TrimSpace(*p.Content) == "" && strings.TrimSpace(h.base) != "":
		return refuseAt(p.Path, 0, `"content" is empty, and the file is not: to take lines away, give them as "old", with an empty "new"; to take all of the file away, say "delete"`)
	}
	return nil
}
