package search

import (
	"strings"

	"fettle/internal/pattern"
)

// clockwork is how a language spells dates and times: what stands for a part of one, what each part is taken for, and which two change places.
type clockwork struct {
	part   *pattern.Pattern
	rest   string // letters that may stand beside the parts of what is a date or a time
	others map[string][]string
	places [2]string
}

var clocks = map[string]clockwork{
	"Go": {pattern.New(`2006|06|15|0[1-5]|Jan|Mon|PM|pm`), "TZM07", map[string][]string{
		"03": {"15"}, "15": {"03"}, "01": {"04", "02"}, "04": {"01", "05"}, "02": {"01"}, "05": {"04"}, "06": {"2006"}, "2006": {"06"},
	}, [2]string{"01", "02"}},
	"Java": {pattern.New(`[yu]{2,4}|YYYY|YY|HH?|hh?|mm|MM|dd|DD|ss|SS`), "TZaXxEM'", map[string][]string{
		"hh": {"HH"}, "HH": {"hh"}, "h": {"H"}, "H": {"h"}, "mm": {"MM"}, "MM": {"mm"}, "YYYY": {"yyyy"}, "DD": {"dd"}, "SS": {"ss"}, "YY": {"yy"}, "yyyy": {"yy"}, "yy": {"yyyy"},
	}, [2]string{"MM", "dd"}},
	"Python": {pattern.New(`%[aAbBdHIjmMpSyYZzfF]`), "TZ", map[string][]string{
		"%I": {"%H"}, "%H": {"%I"}, "%m": {"%M"}, "%M": {"%m"}, "%y": {"%Y"}, "%Y": {"%y"}, "%s": {"%S"}, "%a": {"%A"}, "%b": {"%B"},
	}, [2]string{"%m", "%d"}},
}

// otherClock spells the form of a date or a time otherwise: hours from 0 to 23 for those from 1 to 12, minutes for months, the day before the month.
func (s *site) otherClock(lit string) (out []string) {
	c, ok := clocks[s.fact().Family]
	if !ok || len(lit) < 4 {
		return nil
	}
	text := lit[1 : len(lit)-1]
	at := c.part.FindAllStringIndex(text, -1)
	if len(at) < 2 || strings.ContainsFunc(c.part.ReplaceAllString(text, ""), func(r rune) bool {
		return (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '%') && !strings.ContainsRune(c.rest, r)
	}) {
		return nil
	}
	for _, m := range at {
		for _, other := range c.others[text[m[0]:m[1]]] {
			out = append(out, lit[:1+m[0]]+other+lit[1+m[1]:])
		}
	}
	if a, b := c.places[0], c.places[1]; strings.Contains(text, a) && strings.Contains(text, b) {
		out = append(out, strings.NewReplacer(a, b, b, a).Replace(lit))
	}
	return out
}
