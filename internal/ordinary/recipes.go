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
var deciding = []string{"SHELL", ".SHELLFLAGS", "MAKEFLAGS", "MAKEOVERRIDES", ".POSIX", ".ONESHELL", ".IGNORE", ".SILENT", ".DEFAULT", ".DEFAULT_GOAL", ".RECIPEPREFIX", ".SECONDEXPANSION", ".EXTRA_PREREQS", ".EXPORT_ALL_VARIABLES",
	"include", "-include", "sinclude", "load", "-load", "export", "unexport", "override", "private", "define", "endef", "undefine", "vpath", "VPATH"}

// conditions are those that decide whether others count, in a recipe as well as between rules.
var conditions = []string{"ifeq", "ifneq", "ifdef", "ifndef", "else", "endif"}

// sameRecipes reports two makefiles in which the targets that check are made as before, or by more, the one that is made without being named is the same, the variables are what they were,
// nothing decides otherwise how recipes run, and no recipe does what is denied.
func (r Reader) sameRecipes(before, after string) bool {
	was, is := makefileOf(before), makefileOf(after)
	if !slices.Equal(was.deciding, is.deciding) || was.goal != "" && was.goal != is.goal {
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
		if (checks(name) || patterned(name)) && !begins(is.targets[name], lines) || checks(name) && was.phony(name) && !is.phony(name) {
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
	goal               string // what is made if nothing is named
}

// phony reports a target that is made whatever files there are.
func (m makefile) phony(name string) bool {
	return slices.ContainsFunc(m.targets[".PHONY"], func(names string) bool { return slices.Contains(strings.Fields(names), name) })
}

// patterned reports names of which one may be that of any target, or variable. A pattern for files in some folder, or with some ending, is none of a target that checks.
func patterned(names string) bool {
	return slices.ContainsFunc(strings.Fields(names), func(name string) bool {
		return strings.Contains(name, "$") || strings.Contains(name, "%") && !strings.ContainsAny(name, "./")
	})
}

func makefileOf(text string) makefile {
	m := makefile{targets: map[string][]string{}, variables: map[string][]string{}}
	var names []string
	for _, line := range folded(text) {
		trimmed := strings.TrimSpace(line)
		before, needs, rule := strings.Cut(line, ":")
		sets := strings.Contains(before, "=") || strings.HasPrefix(strings.TrimLeft(needs, ":"), "=")
		switch {
		case trimmed == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "\t") && len(names) > 0: // without a rule before it, it is a line like others
			m.adds(names, "\t"+trimmed)
		case strings.HasPrefix(trimmed, "#"):
		case slices.Contains(conditions, first(trimmed)):
			m.deciding = append(m.deciding, trimmed)
			m.adds(names, "\t"+trimmed)
		case !sets && !rule, slices.Contains(deciding, first(trimmed)), sets && (patterned(first(trimmed)) || evaluates(line)):
			names = nil
			m.deciding = append(m.deciding, trimmed)
		case sets:
			names = nil
			m.variables[first(trimmed)] = append(m.variables[first(trimmed)], trimmed)
		default:
			if patterned(before) || assigns(needs) || evaluates(line) {
				m.deciding = append(m.deciding, trimmed)
			}
			names = strings.Fields(strings.ReplaceAll(" "+before, " ./", " "))
			m.adds(names, strings.TrimSpace(needs))
			m.aims(names)
		}
	}
	return m
}

// adds adds a line to what makes some targets.
func (m makefile) adds(names []string, line string) {
	for _, name := range names {
		m.targets[name] = append(m.targets[name], line)
	}
}

// aims takes the first target of the first rule for what is made if nothing is named, unless it is none that is made for itself.
func (m *makefile) aims(names []string) {
	if m.goal == "" && len(names) > 0 && !strings.HasPrefix(names[0], ".") && !strings.Contains(names[0], "%") {
		m.goal = names[0]
	}
}

// folded are the lines of a makefile, each with those that go on with it.
func folded(text string) (all []string) {
	open := ""
	for line := range strings.SplitSeq(text, "\n") {
		line = open + line
		if ends := len(line) - len(strings.TrimRight(line, "\\")); ends%2 == 1 {
			open = line[:len(line)-1] + " "
			continue
		}
		all, open = append(all, line), ""
	}
	return append(all, open)
}

// assigns reports what stands behind the colon of a rule that sets a variable for its targets, and for all that they need.
func assigns(needs string) bool {
	needs, _, _ = strings.Cut(needs, ";")
	needs, _, _ = strings.Cut(needs, "#")
	return strings.Contains(needs, "=")
}

// evaluates reports a line that is read as a makefile once more.
func evaluates(line string) bool {
	return strings.Contains(line, "(eval") || strings.Contains(line, "{eval")
}

// first is a line's first word, as far as a sign of assignment or of a rule.
func first(line string) string {
	return line[:strings.IndexAny(line+" ", " \t:=+?!")]
}
