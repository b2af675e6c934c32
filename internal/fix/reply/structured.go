package reply

import (
	"encoding/json"
	"strings"

	"fettle/internal/edit"
)

// structure collects what JSON says.
type structure struct {
	parts []edit.Part
	diff  string // text in another form
	claim claim
	said  bool // there is a list of edits, if only an empty one
}

func (r *reading) fromValue(v any) (Answer, error) {
	var s structure
	if err := s.take(v, "", 0); err != nil {
		return Answer{}, err
	}
	var a Answer
	var err error
	switch {
	case s.diff != "" && len(s.parts) > 0:
		return a, refuse("the answer holds a diff and edits beside it: give one of them")
	case s.diff != "":
		if strings.Contains(s.diff, "{") && !searchMark.MatchString(s.diff) && !diffMark.MatchString(s.diff) && !envelopeMark.MatchString(s.diff) {
			return a, refuse("what the JSON holds as a diff is none")
		}
		inner := &reading{ctx: r.ctx, ground: r.ground, text: s.diff, fences: fencesOf(s.diff), notes: r.notes}
		blocks, diffs, sealed := inner.regions(nil)
		switch {
		case len(sealed) > 0 && len(blocks)+len(diffs) > 0:
			return a, refuse("what the JSON holds is a patch in two forms: give one of them")
		case len(sealed) > 0:
			a, err = inner.fromEnvelopes(s.diff, sealed)
		case len(blocks) > 0:
			a, err = inner.fromBlocks(s.diff)
		case len(diffs) > 0:
			a, err = inner.fromDiffs(s.diff, diffs)
		default:
			return a, refuse("what the JSON holds as a diff is none: it has neither --- and +++ lines nor search/replace blocks")
		}
	case len(s.parts) > 0:
		a, err = r.fromParts(s.parts)
	case s.said:
		a = Answer{Confidence: unsaid}
	default:
		return a, refuse("the JSON holds no edits")
	}
	if err != nil {
		return Answer{}, err
	}
	a.Explanation, a.Decision = s.claim.explanation, s.claim.decision
	if s.claim.confidence != nil {
		a.Confidence = sure(s.claim.confidence)
	}
	return a, nil
}

// take adds what a value says; within is the file that an object around it names.
func (s *structure) take(v any, within string, depth int) error {
	if depth > mostWrapped {
		return refuse("the JSON is nested too deeply to be an answer")
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if err := s.take(e, within, depth); err != nil {
				return err
			}
		}
		return nil
	case map[string]any:
		return s.object(v, within, depth)
	}
	return refuse("the list of edits holds something that is no edit: %s", short(v))
}

func short(v any) string {
	b, _ := json.Marshal(v)
	if len(b) > 60 {
		b = append(b[:57:57], "…"...)
	}
	return string(b)
}

func (s *structure) object(o map[string]any, within string, depth int) error {
	m, err := members(o)
	if err != nil {
		return err
	}
	if known(m) == nothing && within == "" {
		inner, ok, err := wrapped(o, depth)
		if err != nil {
			return err
		}
		if ok {
			return s.take(inner, within, depth+1)
		}
	}
	s.claims(m)
	name, err := named(m, within)
	if err != nil {
		return err
	}
	list, ok := m["edits"]
	lists := ok && (substantial(list) || isEmpty(list))
	if diff, ok := m["diff"].(string); ok && (strings.TrimSpace(diff) != "" || !lists && !does(m)) {
		if substantial(list) || does(m) {
			return refuse("the JSON holds a diff and edits beside it: give one of them")
		}
		if s.diff != "" && s.diff != diff {
			return refuse("the answer holds several diffs: give one that holds all changes")
		}
		s.diff = diff
		return nil
	}
	if lists {
		if does(m) {
			return refuse("the JSON holds a list of edits and an edit beside it: put all of them into the list")
		}
		s.said = true
		return s.list(list, name, depth)
	}
	p, err := part(m, name)
	if err != nil {
		return err
	}
	s.parts = append(s.parts, p)
	return nil
}

// named is the file that an object is about: the one that it names, or else the one that it stands in.
func named(m map[string]any, within string) (string, error) {
	said, has := m["path"]
	if !has {
		return within, nil
	}
	text, ok := said.(string)
	if !ok {
		return "", refuse("the name of a file is %s, and should be text", short(said))
	}
	return text, nil
}

// does reports whether an object is an edit by itself, whatever else it is.
func does(m map[string]any) bool {
	for _, name := range []string{"old", "new", "before", "after", "content"} {
		if v := m[name]; v != nil && v != "" {
			return true
		}
	}
	said, _ := m["operation"].(string)
	return m["delete"] != nil && m["delete"] != false || operations[plain(said)] == "delete"
}

// list takes a list of edits, one edit, or files by their names.
func (s *structure) list(v any, within string, depth int) error {
	o, isObject := v.(map[string]any)
	if !isObject {
		return s.take(v, within, depth+1)
	}
	m, err := members(o)
	if err != nil {
		return err
	}
	if known(m) != nothing || within != "" {
		return s.take(v, within, depth+1)
	}
	for name, inner := range o {
		if text, isText := inner.(string); isText {
			s.parts = append(s.parts, edit.Part{Path: name, Content: &text})
			continue
		}
		if err := s.take(inner, name, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (s *structure) claims(m map[string]any) {
	if text, ok := m["explanation"].(string); ok && s.claim.explanation == "" {
		s.claim.explanation = strings.TrimSpace(text)
	}
	if text, ok := m["decision"].(string); ok && s.claim.decision == "" {
		s.claim.decision = decided(text)
	}
	if c, ok := m["confidence"]; ok && (s.claim.confidence == nil || sure(c) < sure(s.claim.confidence)) {
		s.claim.confidence = c
	}
}

// decided is one of the four words, however it is written; empty for any other.
func decided(text string) string {
	switch plain(text) {
	case "keep":
		return Keep
	case "agree":
		return Agree
	case "partially", "partiallyagree", "partlyagree", "partly":
		return Partially
	case "disagree":
		return Disagree
	}
	return ""
}

// operations are what an edit may say that it does, and what it needs for that.
var operations = map[string]string{
	"patch": "new", "replace": "new", "modify": "new", "edit": "new", "update": "new", "change": "new", "searchreplace": "new", "strreplace": "new",
	"create": "content", "add": "content", "write": "content", "overwrite": "content", "rewrite": "content", "delete": "delete", "remove": "delete",
	"insertbefore": "before", "insertafter": "after", "insert": "after",
}

// part makes one edit of an object's members.
func part(m map[string]any, name string) (edit.Part, error) {
	p := edit.Part{Path: name}
	for key, at := range map[string]**string{"old": &p.Old, "new": &p.New, "before": &p.Before, "after": &p.After, "content": &p.Content} {
		text, has, err := textOf(m, key)
		if err != nil {
			return p, refuseAt(name, 0, "%v", err)
		}
		if has {
			*at = &text
		}
	}
	if said, ok := m["line"]; ok && said != nil {
		n, ok := whole64(said)
		if !ok {
			return p, refuseAt(name, 0, "line is %s, and should be the number of a line", short(said))
		}
		p.Line = n
	}
	switch d := m["delete"].(type) {
	case nil:
	case bool:
		p.Delete = d
	default:
		return p, refuseAt(name, 0, "delete is %s, and should be true or left out", short(d))
	}
	if null, has := m["new"]; has && null == nil { // takes the lines away
		p.New = new(string)
	}
	return settle(p, m)
}

// settle holds an edit against what it says that it does.
func settle(p edit.Part, m map[string]any) (edit.Part, error) {
	said, _ := m["operation"].(string)
	needs := operations[plain(said)]
	if said != "" && needs == "" {
		return p, refuseAt(p.Path, 0, "there is no operation %q; leave it out, and give old and new, or content, or delete", said)
	}
	if needs == "delete" {
		p.Delete = true
	}
	p = withoutEmpty(p)
	if needs == "after" && p.After == nil && p.Before == nil && p.New != nil { // what is inserted is called new
		p.After, p.New = p.New, nil
	}
	if err := entire(p); err != nil {
		return p, err
	}
	if needs == "content" && p.Content == nil {
		return p, refuseAt(p.Path, 0, `"content" is missing: all of the file`)
	}
	return p, nil
}

// entire says what an edit lacks, or has too much of, whatever it is called.
func entire(p edit.Part) error {
	inserts, gives := p.Before != nil || p.After != nil, p.Content != nil || p.Delete
	switch {
	case p.New == nil && p.Old != nil && !inserts && !gives:
		return refuseAt(p.Path, p.Line, `"new" is missing: what should stand in the place of "old"? An empty text takes the lines away`)
	case p.New != nil && p.Old == nil && !gives:
		return refuseAt(p.Path, p.Line, `"old" is missing: give the lines as they are now, without their numbers`)
	case p.Content != nil && p.Old != nil && p.New == nil:
		return refuseAt(p.Path, p.Line, `"old" is a part of the file, and "content" is all of it: give what should stand in the place of "old" as "new"`)
	}
	return nil
}

// withoutEmpty drops members that are there only because every edit has them, and empty.
func withoutEmpty(p edit.Part) edit.Part {
	empty := func(s *string) bool { return s == nil || *s == "" }
	switch {
	case p.Delete && empty(p.Content):
		p.Content = nil
		if empty(p.Old) && empty(p.New) {
			p.Old, p.New = nil, nil
		}
	case p.New != nil && empty(p.Content):
		p.Content = nil
	case p.Content != nil && empty(p.New) && empty(p.Old):
		p.Old, p.New = nil, nil
	}
	return p
}

// textOf is a member that is text, or a list of lines.
func textOf(m map[string]any, key string) (text string, has bool, err error) {
	switch v := m[key].(type) {
	case nil:
		return "", false, nil
	case string:
		return v, true, nil
	case []any:
		var lines []string
		for _, e := range v {
			line, ok := e.(string)
			if !ok {
				return "", false, refuse("%q holds %s, and should be text", key, short(e))
			}
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
		return strings.Join(lines, "\n"), true, nil
	default:
		return "", false, refuse("%q is %s, and should be text", key, short(v))
	}
}

func whole64(v any) (int, bool) {
	n, ok := v.(json.Number)
	if text, isText := v.(string); isText {
		n, ok = json.Number(strings.TrimSpace(text)), true
	}
	i, err := n.Int64()
	return int(i), ok && err == nil && i >= 0 && i < 1<<30
}
