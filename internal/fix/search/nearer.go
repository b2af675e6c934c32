package search

// closer is how much likelier a place is at which a candidate healed every failing test and broke others: something is wrong there, and it is not what
// the candidate says. A condition that was turned round is the usual one, where a part of it was left out.
const closer = 8

// nearer are the sites, those likelier in whose expression, or statement, one of these edits was.
func nearer(sites []*site, hits []hit) []*site {
	if len(hits) == 0 {
		return sites
	}
	most := 0
	for _, x := range hits {
		most = max(most, len(x.healed))
	}
	out := make([]*site, len(sites))
	for i, s := range sites {
		share := 0.0
		for _, x := range hits {
			if s.touchedBy(x.proposal) {
				share = max(share, float64(len(x.healed))/float64(most))
			}
		}
		near := *s
		near.score *= 1 + (closer-1)*share
		out[i] = &near
	}
	return out
}

// touchedBy reports whether the site is the place of an edit, a part of it, or what it is a part of, up to its statement's own condition or value.
func (s *site) touchedBy(p proposal) bool {
	if s.File != p.site.File || s.Statement() != p.site.Statement() {
		return false
	}
	start, end := p.span()
	return s.Holds(start, end) || start <= s.Start && s.End <= end
}
