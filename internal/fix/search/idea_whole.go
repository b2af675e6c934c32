package search

import (
	"strings"

	"fettle/internal/code"
)

// asAskedElsewhere asks all that is asked in another place of the file, or of the package, where that begins or ends with what is asked here: who asks for one half of it here may
// have left out the other.
func (s *site) asAskedElsewhere(try func(change)) {
	text := s.Text()
	if !s.condition() || s.Parent.Is(code.Logic, code.Not) || s.Is(code.Bool, code.Name) || strings.Contains(text, "\n") {
		return
	}
	var known map[string]bool // what is known here, where something is found
	seen := map[string]bool{}
	for _, f := range append([]*code.File{s.File}, s.unit.neighbours(s.File)...) {
		if f.Lang != s.File.Lang {
			continue
		}
		for _, c := range s.unit.pool(f).conditions {
			whole := c.Text()
			if c.Op != s.fact().And && c.Op != s.fact().Or || len(whole) <= len(text) || seen[whole] {
				continue
			}
			joint := " " + c.Op + " "
			lacks, ok := strings.CutSuffix(whole, joint+text)
			if !ok {
				lacks, ok = strings.CutPrefix(whole, text+joint)
			}
			if !ok {
				continue
			}
			if known == nil {
				known = s.knownNames()
			}
			if allKnown(c, known) {
				seen[whole] = true
				try(replace(s.Node, whole, 1, "%s was not asked, as it is elsewhere", quote(lacks)))
			}
		}
	}
}
