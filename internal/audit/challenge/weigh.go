package challenge

import (
	"slices"
)

// weigh makes scores of marks, in the order of the issues, and holds them against what is known.
func weigh(c Case, marks map[string]mark, threshold int) []Score {
	out := make([]Score, 0, len(c.Issues))
	for _, issue := range c.Issues {
		m := marks[issue.Code]
		s := Score{Code: issue.Code, Score: min(m.quality.Weighted(), m.most), Quality: m.quality, Feedback: m.Feedback, Missing: m.Missing}
		s.lower(c, issue)
		s.settle(*m.Solved, threshold)
		out = append(out, s)
	}
	return out
}

// lower takes from the score what facts do not bear out.
func (s *Score) lower(c Case, issue Issue) {
	most, why := 100, ""
	switch {
	case len(issue.Files) > 0 && !slices.ContainsFunc(issue.Files, func(f string) bool { return slices.Contains(c.Files, f) }):
		most, why = 0, "the change touches none of the files in which it lies"
	case c.Evidence == nil || !c.Evidence.Green:
		most, why = Unproven, "what was measured of the change is not good"
		if c.Evidence != nil && c.Evidence.Reason != "" {
			why += ": " + c.Evidence.Reason
		}
	case !c.Fresh:
		most, why = Unproven, "no test has run since the last edit"
	}
	if s.Score > most {
		s.Score, s.Lowered = most, why
	}
}

// settle says whether it is solved. Where the word and the marks contradict each other the stricter one counts, and the score follows.
func (s *Score) settle(word bool, threshold int) {
	s.Solved = word && s.Score >= threshold
	if !word && s.Score >= threshold {
		s.Score = threshold - 1
		s.Lowered = "its marks would make it solved, and the challenger says that it is not"
	}
}
