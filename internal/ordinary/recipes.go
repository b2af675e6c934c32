package ordinary

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// checking are words in the names of scripts and targets that people, CI and agents go by to tell whether the project is well.
var checking = []string{"test", "tests", "check", "checks", "lint", "vet", "typecheck", "types", "tsc", "ci", "verify", "validate", "coverage", "cover", "e2e", "unit", "integration", "audit", "build", "all"}

// checks reports whether a script or a target is called as those are.
func checks(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(checking, w) })
}

// lifecycle are the scripts that a package manager runs by itself.
var lifecycle = []string{"preinstall", "install", "postinstall", "prepublish", "prepublishOnly", "prepare", "preprepare", "postprepare", "prepack", "postpack", "dependencies", "preversion", "version", "postversion", "publish", "postpublish", "preuninstall", "uninstall", "postuninstall"}

// sameScripts reports scripts of a package.json of which those that check, and those that run by themselves, are as they were, and none of the others that changed does what
// an agent would be asked about.
func (r Reader) sameScripts(before, after json.RawMessage) bool {
	was, is := map[string]string{}, map[string]string{}
	if len(before) > 0 && json.Unmarshal(before, &was) != nil || len(after) > 0 && json.Unmarshal(after, &is) != nil {
		return false
	}
	for name, command := range was {
		if after, still := is[name]; (!still || after != command) && checks(name) {
			return false
		}
	}
	for name, command := range is {
		if old, known := was[name]; known && old == command {
			continue
		}
		if slices.Contains(lifecycle, name) || runsWith(name, was) || r.Script != nil && !r.Script(command) {
			return false
		}
	}
	return true
}

// runsWith reports a script that npm runs before or after another one which there was.
func runsWith(name string, was map[string]string) bool {
	for _, when := range []string{"pre", "post"} {
		if other, ok := strings.CutPrefix(name, when); ok {
			if _, ok := was[other]; ok {
				return true
			}
		}
	}
	return false
}

// deciding are what lines of a makefile begin with that decide how its recipes run, or whether there are any.
var deciding = []string{"SHELL", ".SHELLFLAGS", "MAKEFLAGS", ".POSIX", ".ONESHELL", ".IGNORE", ".SILENT", ".DEFAULT", "include", "-include", "sinclude", "export", "unexport", "override", "define", "endef", "undefine", "vpath", "VPATH",
	"ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "$(eval", "${eval", "$(call", "$(foreach"}

// sameRecipes reports two makefiles in which the targets that check are made as before, or by more, the variables are what they were, nothing decides otherwise how recipes
// run, and no recipe does what is denied.
func (r Reader) sameRecipes(before, after string) bool {
	was, is := makefileOf(before), makefileOf(after)
	if !slices.Equal(was.deciding, is.deciding) {
		return false
	}
	for name, lines := range was.variables {
		if !slices.Equal(lines, is.variables[name]) {
			return false
		}
	}
	for name := range is.variables {
		if _, known := was.variables[name]; !known && (strings.Contains(before, "$("+name+")") || strings.Contains(before, "${"+name+"}")) {
			return false // it was the environment's
		}
	}
	for name, lines := range was.targets {
		if checks(name) && !begins(is.targets[name], lines) {
			return false
		}
	}
	return r.Makefile == nil || r.Makefile(after)
}

// begins reports a target's lines to which nothing was done but that it needs more, and goes on where it ended.
func begins(list, head []string) bool {
	if len(list) < len(head) {
		return false
	}
	for i, line := range list {
		recipe := strings.HasPrefix(line, "\t")
		switch {
		case i >= len(head) && !recipe: // another rule for it, which may take the place of the first
			return false
		case i < len(head) && line != head[i] && (recipe || !strings.HasPrefix(line, head[i]+" ")):
			return false
		}
	}
	return true
}

// makefile is the lines of one: those of each target, with what it needs before its recipe, those that say what a variable is, and those that decide about others.
type makefile struct {
	targets, variables map[string][]string
	deciding           []string
}

func makefileOf(text string) makefile {
	m := makefile{targets: map[string][]string{}, variables: map[string][]string{}}
	var names []string
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		before, needs, rule := strings.Cut(line, ":")
		switch {
		case trimmed == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "\t"):
			for _, name := range names {
				m.targets[name] = append(m.targets[name], "\t"+trimmed)
			}
		case slices.Contains(deciding, first(trimmed)):
			names = nil
			m.deciding = append(m.deciding, trimmed)
		case !rule || strings.Contains(before, "=") || strings.HasPrefix(strings.TrimLeft(needs, ":"), "="):
			names = nil
			m.variables[first(trimmed)] = append(m.variables[first(trimmed)], trimmed)
		default:
			names = strings.Fields(before)
			for _, name := range names {
				m.targets[name] = append(m.targets[name], strings.TrimSpace(needs))
			}
		}
	}
	return m
}

// first is a line's first word, as far as a sign of assignment or of a rule.
func first(line string) string {
	return line[:strings.IndexAny(line+" ", " \t:=+?!")]
}
