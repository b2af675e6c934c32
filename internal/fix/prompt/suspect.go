package prompt

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fettle/internal/quote"
)

// mostSuspect bounds how many places are named of one request.
const mostSuspect = 5

// suspicious are the places in what was shown so far that talk to whoever reads them as one talks to a model, each with what stands there.
func (r *Request) suspicious() (out []string) {
	for _, p := range r.told {
		for _, s := range quote.Suspicious(p.body) {
			out = append(out, r.seen.placeOf(p, s)+": "+s.String())
		}
	}
	for _, path := range slices.Sorted(maps.Keys(r.seen.files)) {
		f := r.seen.files[path]
		if f == nil || len(f.shown) == 0 {
			continue
		}
		for _, s := range quote.Suspicious(f.visible()) {
			out = append(out, r.seen.out.Text(fmt.Sprintf("%s:%d: %s", path, s.Line, s)))
		}
	}
	return out[:min(len(out), mostSuspect)]
}

// placeOf names where a line of a piece stands: in its file, as far as it is one's, or in what it is.
func (g *gathering) placeOf(p piece, s quote.Suspicion) string {
	lines := strings.Split(p.body, "\n")
	if path, ok := p.meta["path"].(string); ok && s.Line <= len(lines) {
		if raw, err := g.task.Place.ReadFile(path); err == nil {
			if before, _, found := strings.Cut(string(raw), lines[s.Line-1]); found {
				return fmt.Sprintf("%s:%d", path, 1+strings.Count(before, "\n"))
			}
		}
	}
	return fmt.Sprintf("%s, line %d", p.kind, s.Line)
}

// visible is the file with nothing on the lines that were not shown: what stands there neither counts nor stands before what does.
func (f *file) visible() string {
	lines := strings.SplitAfter(string(f.data), "\n")
	for i := range lines {
		if !f.showed(i + 1) {
			lines[i] = "\n"
		}
	}
	return strings.Join(lines, "")
}

// showed reports whether a line of the file was shown.
func (f *file) showed(line int) bool {
	return slices.ContainsFunc(f.shown, func(s stretch) bool { return s.from <= line && line <= s.to })
}

// warnings say of suspicious places what follows from them, for people.
func (r *Request) warnings() (out []string) {
	for _, place := range r.suspicious() {
		out = append(out, place+": so what the model proposes is applied by itself only when an independent second reader approves")
	}
	return out
}
