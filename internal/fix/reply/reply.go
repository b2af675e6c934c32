// Package reply answers "which patch does this reply mean?": whatever a model has written becomes one patch of exact edits, or a reason why it cannot, precise enough to be put to the
// model that it may say better.
//
// It looks for an answer in JSON of several shapes, in search/replace blocks, in unified diffs, in patches as Codex's apply_patch takes them, and in whole files in fences, with prose around it or without; docs/prompts.md lists them.
// It never chooses: an answer that could mean two things, two answers that do different things, text that stands in two places are refused. Nothing is taken in part: what ends too
// early, what leaves code out, and what no longer parses is refused whole. A file that the model was not shown cannot be changed.
package reply

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"fettle/internal/edit"
	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// Sight is how much of a file the model has seen.
type Sight uint8

// What the model may do with a file that it was shown.
const (
	Some     Sight = iota // a part of it was shown: it may be edited, and not be given anew
	Whole                 // all of it was shown: it may be edited or given anew
	ReadOnly              // it was shown as evidence, and must stay as it is
)

// Ground is what a reply is held against.
type Ground struct {
	Source   edit.Source                             // the files as they are
	Files    map[string]Sight                        // those that were shown
	Creates  func(path string) error                 // why a file may not be created, nil that it may; nil: none may
	Restore  func(path, text string) (string, error) // puts back what was taken out of the file before it was shown; nil: nothing was
	Prunes   bool                                    // the task is about what is too much: imports and variables may go
	MaxEdits int                                     // for one file; 0: as many as edit allows
}

// Answer is what a reply means.
type Answer struct {
	Patch       edit.Patch  // empty: the model says that it has nothing to propose
	Notes       []edit.Note // what was read other than it was written
	Explanation string      // the model's own; empty: it gave none
	Confidence  float64     // 0–1; 0.5 where it does not say
	Decision    string      // on a second reader's objections: one of the four words; empty: it does not say
}

// What an author may make of objections.
const (
	Keep      = "KEEP"
	Agree     = "AGREE"
	Partially = "PARTIALLY_AGREE"
	Disagree  = "DISAGREE"
)

// mostText bounds a reply. Nobody needs more to say what should change.
const mostText = 4 << 20

// reading is one reply while it is read.
type reading struct {
	ctx    context.Context
	ground Ground
	text   string
	fences []fence
	notes  []edit.Note
	given  map[string]bool // names that the reply gives to files, which are meant as they are
}

// Read finds out what a reply means. cut says that the provider stopped it before its end: then it is a beginning, and refused as such. Errors that are an [*edit.RejectError] are for
// the model; any other is not its fault.
func Read(ctx context.Context, text string, cut bool, g Ground) (Answer, error) {
	switch {
	case cut:
		return Answer{}, refuse("the reply was cut off before its end: answer with fewer and shorter edits, and without repeating code that stays as it is")
	case len(text) > mostText:
		return Answer{}, refuse("the reply is longer than %d MiB", mostText>>20)
	case !utf8.ValidString(text):
		return Answer{}, refuse("the reply is not valid UTF-8")
	}
	text, err := withoutThoughts(strings.TrimPrefix(text, "\ufeff"))
	if err != nil {
		return Answer{}, err
	}
	if strings.TrimSpace(text) == "" {
		return Answer{}, refuse("the reply is empty: answer with the JSON object that was asked for")
	}
	r := &reading{ctx: ctx, ground: g, text: text, fences: fencesOf(text)}
	return r.read()
}

func refuse(format string, args ...any) error {
	return &edit.RejectError{Reason: fmt.Sprintf(format, args...)}
}

func refuseAt(path string, line int, format string, args ...any) error {
	return &edit.RejectError{Path: path, Line: line, Reason: fmt.Sprintf(format, args...)}
}

var thinking = pattern.New(`(?i)^\s*<(think|thinking|thought|reasoning|scratchpad)>`)

// withoutThoughts takes off what a reasoning model thought before it answered: drafts of edits are none of its answer.
func withoutThoughts(text string) (string, error) {
	for {
		found := thinking.FindStringSubmatch(text)
		if found == nil {
			return text, nil
		}
		end := strings.Index(strings.ToLower(text), "</"+strings.ToLower(found[1])+">")
		if end < 0 {
			return "", refuse("the reply ends within <%s>, before there is an answer: answer at once", found[1])
		}
		text = text[end+len(found[1])+3:]
	}
}

// form is one way in which the reply holds an answer.
type form struct {
	answer Answer
	err    error
}

func (r *reading) read() (Answer, error) {
	objects, broken := r.objects()
	blocks, diffs, sealed := r.regions(objects)
	other := func(at int) bool { return inside(at, blocks) || inside(at, diffs) || inside(at, sealed) }
	objects = slices.DeleteFunc(objects, func(o object) bool { return other(o.start) })
	for _, b := range broken {
		if !other(b.Start) {
			return Answer{}, refuseAt("", b.Line, "the JSON cannot be read: %s", b.Why)
		}
	}
	prose := r.blanked(objects)
	var forms []form
	add := func(a Answer, err error) { forms = append(forms, form{a, err}) }
	if len(objects) > 0 {
		add(r.fromObjects(objects))
	}
	if len(blocks) > 0 {
		add(r.fromBlocks(prose))
	}
	if len(diffs) > 0 {
		add(r.fromDiffs(prose, diffs))
	}
	if len(sealed) > 0 {
		add(r.fromEnvelopes(prose, sealed))
	}
	if strays := strayMark.FindStringIndex(without(prose, blocks, diffs, sealed)); strays != nil {
		return Answer{}, refuseAt("", 1+strings.Count(r.text[:strays[0]], "\n"), "a search/replace block is not read: its lines <<<<<<< SEARCH, ======= and >>>>>>> REPLACE begin at the margin; or give the edit as JSON")
	}
	if len(forms) == 0 {
		add(r.fromFences())
		return r.agree(forms)
	}
	a, err := r.agree(forms)
	if err == nil {
		err = r.nothingBeside(a, prose, slices.Concat(spans(objects), blocks, diffs, sealed))
	}
	if err != nil {
		return Answer{}, err
	}
	return a, nil
}

// nothingBeside refuses an answer beside which all of a file stands in a fence, if that says something else of the file: to take one of them would be to take a half.
func (r *reading) nothingBeside(a Answer, prose string, read []span) error {
	last := 0
	for _, f := range r.fences {
		above := prose[last:f.start]
		last = f.end
		if !f.closed || f.nested || slices.ContainsFunc(read, func(s span) bool { return f.start <= s.start && s.start < f.end }) {
			continue
		}
		inner := &reading{ctx: r.ctx, ground: r.ground, text: r.text, fences: r.fences}
		name, body, err := inner.whole(f, above)
		if err != nil || r.ground.Files[name] != Whole {
			continue
		}
		file, err := inner.fromParts([]edit.Part{{Path: name, Content: &body}})
		if err != nil { // it is no file of which anybody would say that it should be so
			continue
		}
		of := slices.DeleteFunc(slices.Clone(a.Patch), func(c edit.Change) bool { return c.Path != name })
		if same, err := r.same(of, file.Patch); err != nil || !same {
			return refuseAt(name, 0, "beside the answer the reply holds all of the file in a fence, and that says something else: give all changes in one form, and nothing else")
		}
	}
	return r.ctx.Err()
}

// agree gives the one answer that all forms are.
func (r *reading) agree(forms []form) (Answer, error) {
	for _, f := range forms {
		if f.err != nil {
			return Answer{}, f.err
		}
	}
	first := forms[0].answer
	for _, f := range forms[1:] {
		same, err := r.same(first.Patch, f.answer.Patch)
		if err != nil {
			return Answer{}, err
		}
		if !same {
			return Answer{}, refuse("the reply holds %d answers that do different things: give one, in one form", len(forms))
		}
	}
	return first, nil
}

// same reports whether two patches leave the same files.
func (r *reading) same(a, b edit.Patch) (bool, error) {
	left, err := a.Apply(r.ground.Source)
	if err != nil {
		return false, err
	}
	right, err := b.Apply(r.ground.Source)
	if err != nil {
		return false, err
	}
	if len(left) != len(right) {
		return false, nil
	}
	for name, f := range left {
		if g, ok := right[name]; !ok || f.Exists != g.Exists || string(f.Data) != string(g.Data) || f.Mode != g.Mode {
			return false, nil
		}
	}
	return true, nil
}

// source hands out the files that the model was shown, and the lack of those that it may create; anything else is refused with the reason.
func (r *reading) source(path string) (edit.File, error) {
	f, err := r.ground.Source(path)
	if err != nil {
		return f, err
	}
	sight, shown := r.ground.Files[path]
	switch {
	case shown && sight == ReadOnly:
		return f, refuseAt(path, 0, "the file was shown as evidence and must stay as it is; these may be changed: %s", r.editable())
	case f.Exists && !shown:
		return f, refuseAt(path, 0, "the file was not shown and cannot be changed; these may be: %s", r.editable())
	case !f.Exists:
		return f, r.creates(path)
	}
	return f, nil
}

func (r *reading) creates(path string) error {
	if r.ground.Creates == nil {
		return refuseAt(path, 0, "there is no such file, and none may be created; these may be changed: %s", r.editable())
	}
	if err := r.ground.Creates(path); err != nil {
		return refuseAt(path, 0, "the file may not be created: %v", err)
	}
	return nil
}

// make makes the patch, and holds it against everything that is asked of one.
func (r *reading) make(read func(edit.Source) (edit.Patch, []edit.Note, error)) (Answer, error) {
	patch, notes, err := read(r.source)
	if err != nil {
		var rejected *edit.RejectError
		if errors.As(err, &rejected) {
			return Answer{}, rejected
		}
		return Answer{}, err
	}
	if len(patch) == 0 {
		return Answer{}, refuse("the answer leaves every file as it is: say what should be there instead of what is there now")
	}
	if err := r.sound(patch); err != nil {
		return Answer{}, err
	}
	return Answer{Patch: patch, Notes: append(slices.Clone(r.notes), notes...), Confidence: unsaid}, nil
}

// fromParts makes the patch of parts, whose files have the names that the model gave them.
func (r *reading) fromParts(parts []edit.Part) (Answer, error) {
	seen := map[string]bool{}
	var own []edit.Part
	for _, p := range parts {
		p, err := r.own(p)
		if err != nil {
			return Answer{}, err
		}
		if key := fingerprint(p); !seen[key] { // the very same twice is the same once
			seen[key] = true
			own = append(own, p)
		}
	}
	a, err := r.make(func(src edit.Source) (edit.Patch, []edit.Note, error) {
		return edit.Options{MaxEdits: r.ground.MaxEdits}.ReadParts(own, src)
	})
	if err != nil {
		return a, err
	}
	for _, p := range own {
		if lostIndent(p, a.Notes) {
			return Answer{}, refuseAt(p.Path, 0, "old and new have no indentation, and the file has: how deep each new line should be is unclear; copy old exactly, and indent new like it")
		}
	}
	return a, r.keepsCode(own, a.Patch)
}

// lostIndent reports whether an edit of several lines was written without indentation in a language that means something by it, and was found all the same.
func lostIndent(p edit.Part, notes []edit.Note) bool {
	if l := lang.Of(p.Path); p.Old == nil || p.New == nil || l != lang.Python && l != lang.YAML {
		return false
	}
	fresh := 0
	for line := range strings.Lines(*p.Old + "\n" + *p.New) {
		if strings.TrimSpace(line) != "" && strings.TrimLeft(line, " \t") != line {
			return false
		}
	}
	for line := range strings.Lines(*p.New) {
		if strings.TrimSpace(line) != "" {
			fresh++
		}
	}
	return fresh > 1 && slices.ContainsFunc(notes, func(n edit.Note) bool {
		return n.Path == p.Path && (strings.Contains(n.Text, "white space only") || strings.Contains(n.Text, "left out the indentation"))
	})
}

func fingerprint(p edit.Part) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %d %v", p.Path, p.Line, p.Delete)
	for _, s := range []*string{p.Old, p.New, p.Before, p.After, p.Content} {
		if s == nil {
			b.WriteString(" -")
			continue
		}
		fmt.Fprintf(&b, " %q", *s)
	}
	return b.String()
}

// own is the part with the file's real name, with what was taken out of the file before it was shown, and without what nobody meant.
func (r *reading) own(p edit.Part) (edit.Part, error) {
	name, err := r.name(p.Path)
	if err != nil {
		return p, err
	}
	p.Path = name
	if makes := p.Content != nil || p.Old != nil && *p.Old == "" && p.New != nil; !makes {
		if f, err := r.ground.Source(name); err != nil || !f.Exists {
			return p, cmp.Or(err, refuseAt(name, 0, "there is no such file; these may be changed: %s", r.editable()))
		}
	}
	if err := r.restore(&p); err != nil {
		return p, err
	}
	if p, err = r.meant(p); err != nil {
		return p, err
	}
	if sight, shown := r.ground.Files[name]; shown && sight == Some {
		switch {
		case p.Content != nil:
			return p, refuseAt(name, 0, "only a part of the file was shown, so that it cannot be given anew: give edits with the lines that they replace")
		case p.Delete:
			return p, refuseAt(name, 0, "only a part of the file was shown, so that it cannot be deleted: give edits with the lines that they take away")
		}
	}
	return p, nil
}

func (r *reading) restore(p *edit.Part) error {
	if r.ground.Restore == nil {
		return nil
	}
	for _, s := range []**string{&p.Old, &p.New, &p.Before, &p.After, &p.Content} {
		if *s == nil {
			continue
		}
		text, err := r.ground.Restore(p.Path, **s)
		if err != nil {
			return refuseAt(p.Path, 0, "%v", err)
		}
		*s = &text
	}
	return nil
}
