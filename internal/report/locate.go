package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"fettle/internal/locate"
	"fettle/internal/phrase"
)

// Places is the report on where a fault may be.
type Places struct {
	Version int        `json:"version"`
	Kind    string     `json:"kind"` // "locate"
	Suites  []Suspects `json:"suites"`
	Notes   []string   `json:"notes,omitempty"`
}

// Suspects are the lines that failing tests point at.
type Suspects struct {
	Check   string   `json:"check"`
	Suite   string   `json:"suite"`   // which tests they are
	Failing []string `json:"failing"` // their ids
	Lines   []Line   `json:"lines"`   // the most suspicious first
	More    int      `json:"more"`    // lines that are left out
}

// Line is one suspicious stretch of lines with its source.
type Line struct {
	locate.Suspect
	Source []string `json:"source"`
}

// heat shows a suspicion between 0 and 1.
var heat = []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

// WritePlaces writes the report for people: file by file, the hottest first, each line with how suspicious it is, and why.
func WritePlaces(w io.Writer, p Places, st Style) {
	for i, s := range p.Suites {
		if i > 0 {
			fmt.Fprintln(w)
		}
		WriteLine(w, "%s", st.Bold(cmp.Or(phrase.Some(s.Failing, 3), s.Suite)))
		if len(s.Lines) == 0 {
			WriteLine(w, "  nothing that could be at fault was run")
		}
		file := ""
		for _, l := range s.Lines {
			if l.File != file {
				file = l.File
				WriteLine(w, "  %s", file)
			}
			bar := heat[min(int(l.Score*float64(len(heat))), len(heat)-1)]
			switch {
			case l.Score >= 0.7:
				bar = st.Bad(bar)
			case l.Score >= 0.4:
				bar = st.Warn(bar)
			default:
				bar = st.Dim(bar)
			}
			for j, text := range l.Source {
				why := ""
				if j == 0 {
					why = st.Dim(fmt.Sprintf("  %.2f  %s", l.Score, l.Why))
				}
				WriteLine(w, "  %s %5d  %s%s", bar, l.Line+j, strings.ReplaceAll(text, "\t", "    "), why)
			}
			if holds := l.Holds(); holds != "" {
				WriteLine(w, "           %s", st.Dim(holds))
			}
		}
		if s.More > 0 {
			WriteLine(w, "%s", st.Dim(fmt.Sprintf("  and %d more; -n shows them", s.More)))
		}
	}
	for _, n := range p.Notes {
		WriteLine(w, "%s", st.Dim("note: "+n))
	}
}
