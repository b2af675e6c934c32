package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// scaleOf is two units of one kind, as documentations name them, and how many of the smaller one the greater one is.
type scaleOf struct {
	small, great *pattern.Pattern
	by           string
}

var scales = []scaleOf{
	{pattern.New(`(?i)\b(ms|milliseconds?)\b`), pattern.New(`(?i)\bseconds?\b`), "1000"},
	{pattern.New(`(?i)\bseconds?\b`), pattern.New(`(?i)\bminutes?\b`), "60"},
	{pattern.New(`(?i)\bminutes?\b`), pattern.New(`(?i)\bhours?\b`), "60"},
	{pattern.New(`(?i)\bhours?\b`), pattern.New(`(?i)\bdays?\b`), "24"},
	{pattern.New(`(?i)\bdays?\b`), pattern.New(`(?i)\bweeks?\b`), "7"},
	{pattern.New(`(?i)\b(ms|milliseconds?)\b`), pattern.New(`(?i)\bminutes?\b`), "60000"},
	{pattern.New(`(?i)\b(ms|milliseconds?)\b`), pattern.New(`(?i)\bhours?\b`), "3600000"},
	{pattern.New(`(?i)\bseconds?\b`), pattern.New(`(?i)\bhours?\b`), "3600"},
	{pattern.New(`(?i)\bseconds?\b`), pattern.New(`(?i)\bdays?\b`), "86400"},
	{pattern.New(`(?i)\bminutes?\b`), pattern.New(`(?i)\bdays?\b`), "1440"},
	{pattern.New(`(?i)\bmonths?\b`), pattern.New(`(?i)\byears?\b`), "12"},
	{pattern.New(`(?i)\bcents?\b`), pattern.New(`(?i)\b(euros?|dollars?|francs?)\b`), "100"},
	{pattern.New(`(?i)\b(grams?|g)\b`), pattern.New(`(?i)\b(kilo(gram)?s?|kg)\b`), "1000"},
	{pattern.New(`(?i)\b(met(re|er)s?|m)\b`), pattern.New(`(?i)\b(kilomet(re|er)s?|km)\b`), "1000"},
	{pattern.New(`(?i)\b(centimet(re|er)s?|cm)\b`), pattern.New(`(?i)\b(met(re|er)s?|m)\b`), "100"},
	{pattern.New(`(?i)\b(watts?|w)\b`), pattern.New(`(?i)\b(kilowatts?|kw)\b`), "1000"},
	{pattern.New(`(?i)\bbytes?\b`), pattern.New(`(?i)\b(kilobytes?|kib|kb)\b`), "1024"},
	{pattern.New(`(?i)\bbits?\b`), pattern.New(`(?i)\bbytes?\b`), "8"},
}

// scalesNamed are those of which a function's documentation names both units.
func (s *site) scalesNamed() []scaleOf {
	fn := s.Function()
	if fn == nil {
		return nil
	}
	if known, ok := s.unit.scales[fn]; ok {
		return known
	}
	var out []scaleOf
	says := strings.ReplaceAll(documentation(fn), "_", " ")
	for _, sc := range scales {
		if sc.small.MatchString(says) && sc.great.MatchString(says) {
			out = append(out, sc)
		}
	}
	s.unit.scales[fn] = out
	return out
}

// besideName is how far a unit stands from the name of what is measured in it, in documentation.
const besideName = 60 // letters

// concerns reports whether a variable's name holds one of the units, or the documentation names one near it: "spare is the length at one end, in centimetres".
func (sc scaleOf) concerns(n *code.Node) bool {
	says := documentation(n.Function())
	if words := spacedName(n.Name); sc.small.MatchString(words) || sc.great.MatchString(words) {
		return true
	}
	for {
		at := strings.Index(says, n.Name)
		if at < 0 {
			return false
		}
		says = says[at+len(n.Name):]
		if near := says[:min(besideName, len(says))]; sc.small.MatchString(near) || sc.great.MatchString(near) {
			return true
		}
	}
}

// spacedName is a variable's name with blanks between its words.
func spacedName(name string) string {
	return strings.ReplaceAll(hump.ReplaceAllString(name, "$1 $2"), "_", " ")
}

var hump = pattern.New(`([\p{Ll}\d])(\p{Lu})`)

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

// operandInUnit gives a parameter that is computed with in another unit, where the documentation names its unit beside it.
func (s *site) operandInUnit(try func(change)) {
	if !s.Is(code.Name) || !s.Parent.Is(code.Arith, code.Compare) || !s.value() {
		return
	}
	for _, sc := range s.scalesNamed() {
		if !sc.concerns(s.Node) {
			continue
		}
		for i, form := range inUnits[s.fact().Family] {
			text := strings.NewReplacer("X", s.Text(), "N", sc.by).Replace(form)
			if s.Parent.Is(code.Compare) {
				text = strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
			}
			try(replace(s.Node, text, 0.7-0.05*float64(i), "%s should be %s, in another unit", quote(s.Text()), quote(text)))
		}
	}
}

// inUnits are how languages give X in a unit that is N times as great, or as small; as a whole number downwards, and upwards.
var inUnits = map[string][]string{
	"Python": {"(X / N)", "(X * N)", "X // N", "-(-X // N)"}, "JavaScript": {"(X / N)", "(X * N)", "Math.floor(X / N)", "Math.ceil(X / N)"},
	"Go": {"(X / N)", "(X * N)", "((X + N - 1) / N)"}, "Java": {"(X / N)", "(X * N)", "(X * NL)", "((X + N - 1) / N)"},
}

var (
	unitMember = pattern.New(`\bunit\b|\b\w+_unit\b|\b\w+Unit\b`)
	aUnit      = pattern.New(`["']([\pL%]{1,12})["']`)
)

// byUnit gives a value in another unit behind the statement that takes it from an object, where another member of the object says its unit, and nobody ever asks: what is
// given in "kW" is a thousand times as much in watts.
func (s *site) byUnit(try func(change)) {
	a := assignment(s.Node)
	to, from := a.Kid(code.Target), a.Kid(code.Value)
	if !s.isStatement() || !s.Alone() || !a.Is(code.Assign) || !to.Is(code.Name) || !from.Is(code.Attr, code.Index) || !from.Kid(code.Object).Is(code.Name) {
		return
	}
	says := documentation(s.Function()) + s.about(from)
	object, written := from.Kid(code.Object).Text(), writtenOut(s.Function())
	for _, member := range s.neverRead(from, says) {
		seen := written
		for _, m := range aUnit.FindAllStringSubmatch(says, -1) {
			if slices.Contains(seen, m[1]) {
				continue
			}
			seen = append(seen, m[1])
			unit := s.mark() + m[1] + s.mark()
			cond := object + member + " " + s.fact().Equal + " " + unit
			if s.fact().Family == "Java" {
				cond = object + member + ".equals(" + unit + ")"
			}
			for _, sc := range scales {
				op := " *= "
				switch great, small := sc.great.MatchString(m[1]), sc.small.MatchString(m[1]); {
				case great && sc.small.MatchString(says):
				case small && sc.great.MatchString(says):
					op = " /= "
				default:
					continue
				}
				text := s.guard(cond, s.statement(to.Name+op+sc.by), s.Indent())
				try(insert(s.End, "\n"+s.Indent()+text, 0.9, "%s is in another unit where %s", quote(to.Name), quote(cond)))
			}
		}
	}
}

// about is what a source says in comments of the type that a member belongs to, where it declares it.
func (s *site) about(member *code.Node) string {
	if !s.fact().Static {
		return ""
	}
	src := s.File.Source
	at := strings.Index(src, member.Kid(code.Object).Text()+"."+member.Name)
	return src[:max(at, 0)]
}

// neverRead are the members of the same object, as one looks at them, that the source never looks at: those of a declared type, or those that the documentation names.
func (s *site) neverRead(from *code.Node, says string) (out []string) {
	add := func(form string) {
		if len(out) < 2 && !slices.Contains(out, form) && !strings.Contains(s.Function().Text(), form) {
			out = append(out, form)
		}
	}
	if s.fact().Static {
		for _, o := range s.unit.shelf(s.File).beside(from.Name) {
			if !strings.Contains(s.File.Source, "."+o.Name) {
				add("." + o.Name)
			}
		}
		return out
	}
	for _, m := range unitMember.FindAllString(says, -1) {
		if from.Is(code.Index) {
			add("[" + s.mark() + m + s.mark() + "]")
		} else {
			add("." + m)
		}
	}
	return out
}
