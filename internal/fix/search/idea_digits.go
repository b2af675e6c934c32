package search

import (
	"strings"

	"fettle/internal/code"
	"fettle/internal/pattern"
)

// digits are how the languages write a number {X} in a base of which each byte has a fixed number of digits, and how it is written with zeros before it.
var digits = map[string][]struct {
	as    *pattern.Pattern
	forms []string
	needs string // a module
}{
	"Python": {
		{pattern.New(`^hex\((.+)\)\[2:\]$`), []string{`format({X}, "02x")`, `format({X}, "04x")`}, ""},
		{pattern.New(`^bin\((.+)\)\[2:\]$`), []string{`format({X}, "08b")`, `format({X}, "04b")`}, ""},
	},
	"JavaScript": {
		{pattern.New(`^(.+\.toString\(16\))$`), []string{"{X}.padStart(2, '0')", "{X}.padStart(4, '0')"}, ""},
		{pattern.New(`^(.+\.toString\(2\))$`), []string{"{X}.padStart(8, '0')", "{X}.padStart(4, '0')"}, ""},
	},
	"Java": {
		{pattern.New(`^Integer\.toHexString\((.+)\)$`), []string{`String.format("%02x", {X})`}, ""},
		{pattern.New(`^Integer\.toString\((.+), 16\)$`), []string{`String.format("%02x", {X})`}, ""},
		{pattern.New(`^(Integer\.toBinaryString\(.+\))$`), []string{`String.format("%8s", {X}).replace(' ', '0')`}, ""},
	},
	"Go": {
		{pattern.New(`^strconv\.FormatU?[iI]nt\(u?int64\((.+)\), 16\)$`), []string{`fmt.Sprintf("%02x", {X})`}, "fmt"},
		{pattern.New(`^strconv\.FormatU?[iI]nt\(u?int64\((.+)\), 2\)$`), []string{`fmt.Sprintf("%08b", {X})`}, "fmt"},
	},
}

// allDigits writes a number with zeros before it where each is to have as many digits as the others: the bytes of a colour, of a checksum, of a mask.
func (s *site) allDigits(try func(change)) {
	if !s.Is(code.Call, code.Index, code.Slice) || s.Part == code.Callee {
		return
	}
	for _, d := range digits[s.fact().Family] {
		m := d.as.FindStringSubmatch(s.Text())
		if m == nil || d.needs != "" && !s.isModule(d.needs) || s.Part == code.Object && strings.Contains(s.Parent.Text(), "pad") {
			continue
		}
		for i, form := range d.forms {
			text := strings.ReplaceAll(form, "{X}", m[1])
			try(replace(s.Node, text, 1-0.3*float64(i), "%s should be %s: zeros belong before it", quote(s.Text()), quote(text)))
		}
	}
}
