package configs

import (
	"maps"
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/trees"
)

// ruffRenamed are codes that ruff knows by another name now, and takes for it; ruffFamilies are families of which only the letters are others.
var (
	ruffRenamed = map[string]string{
		"PGH001": "S307", "PGH002": "G010", "TRY200": "B904", "PLR1701": "SIM101", "SIM111": "SIM110", "C9": "C90", "T1": "T10", "T2": "T20", "M": "RUF100", "M001": "RUF100", "I252": "TID252",
		"RUF004": "B026", "PIE802": "C419", "PLW0130": "B033", "T001": "FIX001", "T002": "FIX002", "T003": "FIX003", "T004": "FIX004", "RUF011": "B035", "TCH006": "TC010",
	}
	ruffFamilies = map[string]string{"TCH": "TC", "TYP": "TC", "R": "RET", "IC": "ICN", "U": "UP", "PDV": "PD"}
)

// presentCode is the name that ruff has for a rule or a family now.
func presentCode(code string) string {
	if now, renamed := ruffRenamed[code]; renamed {
		return now
	}
	letters := strings.TrimRight(code, "0123456789")
	if now, renamed := ruffFamilies[letters]; renamed {
		return now + code[len(letters):]
	}
	return code
}

// ruff compares what ruff is told, in a file of its own.
func ruff(was, is trees.Tree) Judgement {
	a, b := rulesOf(was), rulesOf(is)
	if !a.said {
		a.chosen = append(a.chosen, "E", "F") // all that was chosen by itself in any version
	}
	if !b.said {
		b.chosen = append(b.chosen, "E4", "E7", "E9", "F")
		if !a.said {
			b.chosen = append(b.chosen, "E")
		}
	}
	if was["extend"] != nil || is["extend"] != nil || !a.heldBy(b) {
		return Unproven
	}
	return judgeBy(a.rest, b.rest, ruffDemands)
}

var ruffDemands = []demand{
	towards(`line-length|lint/(mccabe/max-complexity|pylint/max-[\w-]+|pycodestyle/max-[\w-]+)`, falls),
	towards(`(extend-)?exclude|lint/exclude`, shrinks),
	towards(`(lint/)?(preview|explicit-preview-rules)`, on),
	towards(`fix|unsafe-fixes|show-fixes|output-format|cache-dir|lint/(un)?fixable|required-version`, free),
	towards(`lint/isort/[\w-]+|format/[\w-]+`, taste),
}

// ruleSet is which rules ruff looks for, by their codes or those of their families.
type ruleSet struct {
	chosen, ignored []string
	said            bool                // it is said which are chosen
	ofFiles         map[string][]string // those that are ignored in files, by the globs of these
	rest            trees.Tree          // what else is said
}

// rulesOf takes what chooses rules out of ruff's settings. Its older versions have that beside the rest.
func rulesOf(t trees.Tree) ruleSet {
	keys := []string{"select", "extend-select", "ignore", "extend-ignore", "per-file-ignores", "extend-per-file-ignores"}
	old, rest := split(t, keys...)
	now, lint := split(trees.Of(t["lint"]), keys...)
	if rest["lint"] = lint; len(lint) == 0 {
		delete(rest, "lint")
	}
	s := ruleSet{ofFiles: make(map[string][]string), rest: rest}
	for _, part := range []trees.Tree{old, now} {
		s.chosen = append(s.chosen, codes(part["select"], part["extend-select"])...)
		s.ignored = append(s.ignored, codes(part["ignore"], part["extend-ignore"])...)
		for _, key := range keys[4:] {
			for glob, list := range trees.Of(part[key]) {
				s.ofFiles[glob] = append(s.ofFiles[glob], codes(list)...)
			}
		}
	}
	s.said = old["select"] != nil || now["select"] != nil
	return s
}

// codes are those of some lists, by their present names.
func codes(lists ...any) []string {
	var all []string
	for _, list := range lists {
		for _, code := range partsIn(list) {
			all = append(all, presentCode(code))
		}
	}
	return all
}

// heldBy reports whether another set looks for each rule that this one does, in the same files and more.
func (s ruleSet) heldBy(o ruleSet) bool {
	for _, code := range s.chosen {
		related := func(ignored string) bool { return prefixed(ignored, code) || prefixed(code, ignored) }
		if slices.Contains(o.chosen, code) {
			continue
		}
		if len(uncovered(o.chosen, []string{code}, prefixed)) > 0 || slices.ContainsFunc(o.ignored, related) {
			return false // what is chosen more exactly than it is ignored counts
		}
	}
	if slices.ContainsFunc(uncovered(s.ignored, o.ignored, prefixed), s.looksFor) {
		return false
	}
	for glob, list := range o.ofFiles {
		for _, code := range list {
			if !s.leavesOut(glob, code) {
				return false
			}
		}
	}
	return true
}

// looksFor reports whether a rule, or one of a family, is chosen. What is ignored of a family that is chosen from now on was not looked for before.
func (s ruleSet) looksFor(code string) bool {
	return slices.ContainsFunc(s.chosen, func(chosen string) bool { return prefixed(chosen, code) || prefixed(code, chosen) })
}

// leavesOut reports whether a rule is ignored in all files that a glob matches. One without a folder in it is matched against names.
func (s ruleSet) leavesOut(glob, code string) bool {
	for wide, list := range s.ofFiles {
		inside := wide == glob || covers(wide, glob) || !strings.Contains(wide, "/") && covers(wide, path.Base(glob))
		if inside && len(uncovered(list, []string{code}, prefixed)) == 0 {
			return true
		}
	}
	return false
}

// pyproject compares what tools are told in a pyproject.toml, each by itself. All else has to be as it was.
func pyproject(was, is trees.Tree) Judgement {
	a, b := maps.Clone(trees.Of(was["tool"])), maps.Clone(trees.Of(is["tool"]))
	to := NoLess
	for name, read := range map[string]reader{"ruff": ruff, "mypy": mypyTables} {
		to = min(to, read(trees.Of(a[name]), trees.Of(b[name])))
		delete(a, name)
		delete(b, name)
	}
	to = min(to, tested(trees.Of(trees.At(a, "pytest", "ini_options")), trees.Of(trees.At(b, "pytest", "ini_options")), trees.Of(a["coverage"]), trees.Of(b["coverage"])))
	for _, t := range []trees.Tree{a, b} {
		delete(t, "coverage")
		delete(t, "pytest")
	}
	was, is = maps.Clone(was), maps.Clone(is)
	was["tool"], is["tool"] = a, b
	return min(to, judgeBy(was, is, nil))
}
