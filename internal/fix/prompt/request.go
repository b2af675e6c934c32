package prompt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fettle/internal/fix"
	"fettle/internal/fix/custom"
	"fettle/internal/fix/nearby"
	"fettle/internal/fix/reply"
	"fettle/internal/look"
	"fettle/internal/policy/secret"
	"fettle/internal/quote"
)

// Request is what a model is asked, and what its answer is held against.
type Request struct {
	System string
	User   string
	Tokens int      // an estimate of both, on the high side
	Notes  []string // what was left out, and why, for people

	ground reply.Ground
	texts  texts
	seen   *gathering
	told   []piece // what was put into it beside files
	words  string  // the template of what the user says
	house  string  // what the repository says about the check
}

// DefaultTokens is the budget of a request.
const DefaultTokens = 4000

// budget is how many tokens a request may have. The other half of a small context is for the answer, and for what is said about an answer that cannot be used.
func (o Options) budget() int {
	n := cmp.Or(o.Tokens, DefaultTokens)
	if o.Context > 0 {
		n = min(n, o.Context/2)
	}
	return n
}

// frame is about what the lines around one text cost: what is said of it, and the boundary twice.
const frame = 70

// Build makes the request for a task: everything that must be said, and of the rest what the budget has room for, the most telling first.
func Build(ctx context.Context, t fix.Task, o Options) (*Request, error) {
	g := &gathering{ctx: ctx, task: t, redactor: o.Redactor, files: map[string]*file{}, project: nearby.In(t.Place.FS), raw: map[string][]byte{}}
	if g.redactor == nil {
		g.redactor = secret.New(nil)
	}
	g.out = g.redactor.Outbound(t.Place.Root(), o.Root)
	tx := o.textsFor(t)
	system, err := tx.Read(systemText)
	if err != nil {
		return nil, err
	}
	extra, err := custom.Notes(t.Place, t.Check)
	if err != nil {
		return nil, err
	}
	if err := g.all(extra); err != nil {
		return nil, err
	}
	name := firstText
	if len(t.Feedback) > 0 {
		name = againText
	}
	form, err := tx.Read(name)
	if err != nil {
		return nil, err
	}
	chosen := g.choose(o.budget() - Tokens(system) - Tokens(form) - frame)
	r := &Request{System: system, Notes: g.notes, texts: tx, seen: g, words: form, house: extra}
	if r.User, err = tx.fill(name, g.laidOut(chosen)); err != nil {
		return nil, err
	}
	r.told = slices.DeleteFunc(slices.Clone(chosen), func(p piece) bool { return p.file != nil })
	r.Notes = append(r.Notes, r.warnings()...)
	r.Tokens = Tokens(r.System) + Tokens(r.User)
	r.ground = reply.Ground{Source: fix.Source(t.Place), Files: map[string]reply.Sight{}, Creates: g.creates, Restore: g.restore, Prunes: t.Check.Kind() != "test", MaxEdits: o.MaxEdits}
	r.look()
	return r, nil
}

// shows reports whether the model sees code that it may change.
func (r *Request) shows() bool {
	for _, sight := range r.ground.Files {
		if sight != reply.ReadOnly {
			return true
		}
	}
	return false
}

// looker shows files at the baseline, and notes what of them was shown: what a model has seen it may change.
func (r *Request) looker(t fix.Task, turns int) *look.Looker {
	return &look.Looker{
		Files: t.Place.FS(), Out: r.seen.out, Turns: turns,
		Text: func(name string) (*look.Text, error) {
			f, err := r.seen.readFile(name)
			if f == nil || err != nil {
				return nil, err
			}
			return f.Text, nil
		},
		Shown: func(name string, from, to int) { r.seen.files[name].show(stretch{from, to}) },
	}
}

// look brings what the answer may change up to date with what was shown.
func (r *Request) look() {
	for name, f := range r.seen.files {
		switch {
		case f == nil || len(f.shown) == 0:
		case !r.seen.editable(f):
			r.ground.Files[name] = reply.ReadOnly
		case f.whole():
			r.ground.Files[name] = reply.Whole
		default:
			r.ground.Files[name] = reply.Some
		}
	}
}

func (g *gathering) restore(path, text string) (string, error) {
	if f := g.files[path]; f != nil {
		return f.restore(text)
	}
	if markText.MatchString(text) {
		return "", errors.New("it holds a [REDACTED:…] mark, and no file that was shown has that: copy marks as they were shown, and make up none")
	}
	return text, nil
}

// choose takes pieces by rank while there is room, and says what was left out.
func (g *gathering) choose(room int) []piece {
	slices.SortStableFunc(g.pieces, func(a, b piece) int { return cmp.Compare(a.rank, b.rank) })
	var out []piece
	left := map[rank]int{}
	for _, p := range g.pieces {
		cost := g.cost(out, p)
		if cost == 0 {
			continue // all of it is shown already
		}
		if cost > room && !p.must {
			left[p.rank]++
			continue
		}
		room -= cost
		out = append(out, p)
	}
	for r := range len(rankNames) {
		if n := left[rank(r)]; n > 0 {
			g.notes = append(g.notes, fmt.Sprintf("left out of the request for lack of room: %s (%d)", rankNames[r], n))
		}
	}
	return out
}

// cost is what a piece adds to those chosen: of a file only lines that are not among them.
func (g *gathering) cost(chosen []piece, p piece) int {
	if p.file == nil {
		return Tokens(p.body) + frame
	}
	own := []stretch{p.part}
	cost := frame
	for _, c := range chosen {
		if c.file == p.file {
			own = minus(own, c.part)
			cost = frame / 4
		}
	}
	if len(own) == 0 {
		return 0
	}
	for _, s := range own {
		cost += Tokens(p.file.Numbered(s.from, s.to))
	}
	return cost
}

// minus takes lines out of stretches.
func minus(all []stretch, gone stretch) []stretch {
	var out []stretch
	for _, s := range all {
		if gone.to < s.from || s.to < gone.from {
			out = append(out, s)
			continue
		}
		if s.from < gone.from {
			out = append(out, stretch{s.from, gone.from - 1})
		}
		if gone.to < s.to {
			out = append(out, stretch{gone.to + 1, s.to})
		}
	}
	return out
}

// laidOut are the texts of the request in the order in which a person would tell it: what failed, what is said, the code file by file, and the rest.
func (g *gathering) laidOut(chosen []piece) []quote.Text {
	var out, after []quote.Text
	var files []*file
	parts, isTest := map[*file][]stretch{}, map[*file]bool{}
	for _, p := range chosen {
		switch {
		case p.file != nil:
			if parts[p.file] == nil {
				files = append(files, p.file)
			}
			parts[p.file] = append(parts[p.file], p.part)
			isTest[p.file] = isTest[p.file] || p.test
		case p.rank <= rankFinding:
			out = append(out, p.text(g))
		default:
			after = append(after, p.text(g))
		}
	}
	for _, f := range files {
		for _, s := range united(parts[f]) {
			f.show(s)
			out = append(out, piece{file: f, part: s, test: isTest[f]}.text(g))
		}
	}
	return append(out, after...)
}

// united puts stretches together that touch or nearly do.
func united(all []stretch) []stretch {
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	var out []stretch
	for _, s := range all {
		if n := len(out); n > 0 && s.from <= out[n-1].to+3 {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

// conventions adds what the project says about itself: data like everything of it.
func (g *gathering) conventions(notes string) {
	if strings.TrimSpace(notes) != "" {
		g.add(g.clip(piece{rank: rankNote, kind: "project's notes on this check", body: notes}, custom.MostNotes))
	}
	for _, c := range custom.Conventions(g.task.Place) {
		g.add(g.clip(piece{rank: rankCustom, kind: "project's conventions", meta: map[string]any{"path": c.Path, "shown": "an excerpt"}, body: c.Text}, custom.MostConvention))
	}
}
