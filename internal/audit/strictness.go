package audit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"fettle/internal/audit/settings"
	"fettle/internal/audit/trees"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// strictRules look for checks that code asked for itself, and asks for no more.
var strictRules = []Rule{
	{"dropped-lint", "code that asked a compiler or a checker to be strict does not any more: #![deny(warnings)], @ts-check, declare(strict_types=1)", droppedLints},
}

// strictMarks match, in each language, what in code asks for strictness: with what is asked for in the first group, where there are several.
var strictMarks = pattern.Table(func() map[lang.Language]*pattern.Pattern {
	checked := pattern.New(`^\s*//\s*@ts-check\b|^\s*/[/*]\s*@flow\s+strict\b`)
	return map[lang.Language]*pattern.Pattern{
		lang.Rust:       pattern.New(`#!?\[\s*(?:cfg_attr\s*\([^\]]*?,\s*)?(?:deny|forbid)\s*\(([^)]*)\)`),
		lang.JavaScript: checked,
		lang.TypeScript: checked,
		lang.Python:     pattern.New(`^\s*#\s*mypy:\s*(?:strict|disallow-\w[\w-]*|check-untyped-defs)\b|^\s*#\s*pyright:\s*strict\b`),
		lang.PHP:        pattern.New(`\bdeclare\s*\(\s*strict_types\s*=\s*1\s*\)`),
		lang.Ruby:       pattern.New(`^\s*#\s*typed:\s*(?:true|strict|strong)\b`),
		lang.CSharp:     pattern.New(`^\s*#nullable\s+enable\b`),
	}
})

// strictMark is one thing that code asks to be strict about, with the line of code that it is about; empty, if it is about the whole file.
type strictMark struct {
	line
	about string
}

// droppedLints compares what files ask for before and after, and in all of the patch: what only moved is still asked for, as is what the settings of a package ask for now.
// With the code goes what was asked of it.
func droppedLints(v *patchView) []Finding {
	left, everywhere := make(map[string]int), make(map[string]bool)
	for _, f := range v.files {
		for _, m := range strictAsked(f.path, f.after) {
			left[m.text]++
		}
		if lang.IsCheckConfig(f.path) {
			for _, s := range settings.Of(f.after) {
				everywhere[s.Key] = everywhere[s.Key] || settings.Severity(s.Value) == settings.Severity("deny")
			}
		}
	}
	var all []Finding
	for _, f := range v.files {
		if f.formatted || len(f.after) == 0 {
			continue
		}
		for _, m := range strictAsked(f.path, f.before) {
			if everywhere[m.text] || m.about != "" && !bytes.Contains(f.after, []byte(m.about)) {
				continue
			}
			if left[m.text]--; left[m.text] < 0 {
				all = append(all, Finding{Path: f.path, Line: m.number, Effect: v.weakensChecks(), Evidence: fmt.Sprintf("%q is asked for no more: mend what it complains of", phrase.Clip(m.text))})
			}
		}
	}
	return all
}

// weakensChecks is the effect of a check that demands less: also where the goal lets checks change, a person has to say yes.
func (v *patchView) weakensChecks() Effect {
	if v.goal.Configs {
		return Ask
	}
	return Refuse
}

// strictAsked lists what a file asks for.
func strictAsked(name string, src []byte) []strictMark {
	marks := strictMarks()[lang.Of(name)]
	if marks == nil {
		return nil
	}
	var all []strictMark
	lines := strings.Split(string(src), "\n")
	for i, text := range lines {
		about := ""
		if strings.HasPrefix(strings.TrimSpace(text), "#[") {
			about = belowMarks(lines[i+1:])
		}
		for _, m := range marks.FindAllStringSubmatch(text, -1) {
			asked := []string{strings.TrimSpace(m[0])}
			if len(m) > 1 {
				asked = trees.Items(m[1])
			}
			for _, a := range asked {
				all = append(all, strictMark{line{i + 1, a}, about})
			}
		}
	}
	return all
}

// belowMarks is the first line of code that attributes are about.
func belowMarks(lines []string) string {
	i := slices.IndexFunc(lines, func(l string) bool {
		l = strings.TrimSpace(l)
		return l != "" && !strings.HasPrefix(l, "#[") && !strings.HasPrefix(l, "//")
	})
	if i < 0 {
		return ""
	}
	return strings.TrimSpace(lines[i])
}
