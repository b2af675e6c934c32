package search

import (
	"regexp"

	"fettle/internal/code"
)

// scaleOf is two units of one kind, as documentations name them, and how many of the smaller one the greater one is.
type scaleOf struct {
	small, great *regexp.Regexp
	by           string
}

var scales = []scaleOf{
	{regexp.MustCompile(`(?i)\b(ms|milliseconds?)\b`), regexp.MustCompile(`(?i)\bseconds?\b`), "1000"},
	{regexp.MustCompile(`(?i)\bseconds?\b`), regexp.MustCompile(`(?i)\bminutes?\b`), "60"},
	{regexp.MustCompile(`(?i)\bminutes?\b`), regexp.MustCompile(`(?i)\bhours?\b`), "60"},
	{regexp.MustCompile(`(?i)\bhours?\b`), regexp.MustCompile(`(?i)\bdays?\b`), "24"},
	{regexp.MustCompile(`(?i)\bdays?\b`), regexp.MustCompile(`(?i)\bweeks?\b`), "7"},
	{regexp.MustCompile(`(?i)\bmonths?\b`), regexp.MustCompile(`(?i)\byears?\b`), "12"},
	{regexp.MustCompile(`(?i)\bcents?\b`), regexp.MustCompile(`(?i)\b(euros?|dollars?|francs?)\b`), "100"},
	{regexp.MustCompile(`(?i)\b(grams?|g)\b`), regexp.MustCompile(`(?i)\b(kilo(gram)?s?|kg)\b`), "1000"},
	{regexp.MustCompile(`(?i)\b(met(re|er)s?|m)\b`), regexp.MustCompile(`(?i)\b(kilomet(re|er)s?|km)\b`), "1000"},
	{regexp.MustCompile(`(?i)\b(centimet(re|er)s?|cm)\b`), regexp.MustCompile(`(?i)\b(met(re|er)s?|m)\b`), "100"},
	{regexp.MustCompile(`(?i)\b(watts?|w)\b`), regexp.MustCompile(`(?i)\b(kilowatts?|kw)\b`), "1000"},
	{regexp.MustCompile(`(?i)\bbytes?\b`), regexp.MustCompile(`(?i)\b(kilobytes?|kib|kb)\b`), "1024"},
	{regexp.MustCompile(`(?i)\bbits?\b`), regexp.MustCompile(`(?i)\bbytes?\b`), "8"},
}

// scalesNamed are those of which a function's documentation names both units.
func (s *site) scalesNamed() (out []scaleOf) {
	fn := s.Function()
	if fn == nil {
		return nil
	}
	says := documentation(fn)
	for _, sc := range scales {
		if sc.small.MatchString(says) && sc.great.MatchString(says) {
			out = append(out, sc)
		}
	}
	return out
}

// otherUnit gives a value in another unit, where the documentation names both: seconds as milliseconds.
func (e *terms) otherUnit() {
	if !e.site.Is(code.Name, code.Attr, code.Call, code.Index) || !e.site.Parent.Is(code.Assign, code.Return, code.Choice) {
		return
	}
	for i, sc := range e.site.scalesNamed() {
		e.lacks(e.grouped+" * "+sc.by, 0.7-0.05*float64(i))
		for _, op := range e.divisions() {
			e.lacks(e.grouped+op+sc.by, 0.5)
		}
	}
}
