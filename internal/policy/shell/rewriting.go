package shell

import (
	"slices"
	"strings"
)

// rewriting says what becomes of the sources that a formatter or fixer is given.
type rewriting int

// A formatter rewrites them, says what it would rewrite, or prints them as they would be.
const (
	inPlace rewriting = iota
	onlyChecks
	onlyPrints
)

// rewriting is what the options tell a formatter to do. Some take the option that has it only look behind two dashes as well: cargo fmt -- --check.
func (v *invocation) rewriting() rewriting {
	looks := func(o value) bool {
		option := v.exactOption(o.text)
		return option != nil && slices.Contains(option.Acts, "checks")
	}
	switch {
	case v.has("rewrites"):
		return inPlace
	case v.has("checks"), slices.ContainsFunc(v.operands, looks):
		return onlyChecks
	case v.has("prints"):
		return onlyPrints
	}
	return inPlace
}

// filter is a formatter that prints what it makes of a file unless it is told to write it back.
func filter(v *invocation, _ []value) (value, bool) {
	if !v.has("rewrites") {
		v.flags = append(v.flags, "prints")
	}
	return value{}, false
}

// format notes that a formatter goes over a file or a folder.
func (v *invocation) format(name value) taint {
	how := v.rewriting()
	name.text = strings.TrimSuffix(name.text, "/...")
	if how == inPlace {
		v.change(Formats, name)
		return 0
	}
	if how == onlyChecks {
		v.fact(Fact{Kind: Run, By: v.name, given: v.begun()})
	}
	return v.readFile(name, v.name, v.traits...).from
}
