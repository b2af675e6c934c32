package audit

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/pattern"
)

var (
	makeRule     = pattern.New(`^([\w./ -]+?)\s*:([^:=].*)?$`)
	makeVariable = pattern.New(`^([A-Za-z_]\w*)\s*(\?=|:=|::=|=)\s*(.*)$`)
	makeUse      = pattern.New(`\$\(([A-Za-z_]\w*)\)|\$\{([A-Za-z_]\w*)\}`)
)

// makeTree reads a makefile of plain rules and variables: what each target needs, and its recipe. One with conditions, patterns, or files that it includes is an error.
func makeTree(src []byte) (tree, error) {
	targets, variables := tree{}, tree{}
	all := tree{"targets": targets, "variables": variables}
	var open []string
	text := strings.ReplaceAll(string(src), "\\\n", " ")
	for line := range strings.SplitSeq(text, "\n") {
		plain := strings.TrimSpace(line)
		if m := makeVariable.FindStringSubmatch(line); m != nil {
			variables[m[1]] = m[3]
			open = nil
			continue
		}
		rule := makeRule.FindStringSubmatch(line)
		switch {
		case plain == "" || strings.HasPrefix(plain, "#"):
		case strings.HasPrefix(line, "\t") && open != nil:
			for _, name := range open {
				own := treeOf(targets[name])
				if own["made"] != nil {
					return nil, fmt.Errorf("read makefile: %s is made in two ways: %w", name, errNoTree)
				}
				own["recipe"] = append(listOf(own["recipe"]), strings.Join(strings.Fields(plain), " "))
			}
		case strings.HasPrefix(plain, ".DEFAULT_GOAL"):
			_, goal, _ := strings.Cut(plain, "=")
			all["goal"] = strings.TrimSpace(goal)
		case rule == nil || strings.ContainsAny(line, "%=;"):
			return nil, fmt.Errorf("read makefile: %w", errNoTree)
		default:
			open = strings.Fields(rule[1])
			for _, name := range open {
				own := treeOf(targets[name])
				if own == nil {
					own = tree{}
					targets[name] = own
				}
				if own["recipe"] != nil {
					own["made"] = "already"
				}
				needs, _, _ := strings.Cut(rule[2], "#")
				own["needs"] = append(listOf(own["needs"]), anyOfWords(strings.Fields(needs))...)
			}
			if all["goal"] == nil && !strings.HasPrefix(open[0], ".") {
				all["goal"] = open[0]
			}
		}
	}
	return all, nil
}

func anyOfWords(words []string) []any {
	all := []any{}
	for _, w := range words {
		all = append(all, w)
	}
	return all
}

// makefile is one that was read.
type makefile struct{ targets, variables tree }

// makeTargets compares what each target of a makefile carries out in the end, by itself and by what it needs.
func makeTargets(was, is tree) judged {
	a, b := makefile{treeOf(was["targets"]), treeOf(was["variables"])}, makefile{treeOf(is["targets"]), treeOf(is["variables"])}
	if was["goal"] != is["goal"] || !a.variablesHeldBy(b) {
		return unproven
	}
	known, built := make(map[string]bool), make(map[string]bool)
	for name := range a.targets {
		if b.targets[name] == nil {
			return unproven
		}
		for _, l := range a.reach(name, nil) {
			known[l.text] = true
			built[l.text] = compiles.MatchString(l.text)
		}
	}
	for name, target := range b.targets {
		old, there := a.targets[name]
		held := false
		switch leaves := b.shorter(b.reach(name, nil)); {
		case name == ".PHONY":
			held = true // what it says of each is asked below
		case strings.HasPrefix(name, "."):
			held = there && judgeBy(treeOf(old), treeOf(target), nil) == noLess
		case there:
			held = leavesHeld(a.reach(name, nil), leaves, built) && (b.phony(name) || !a.phony(name))
		default:
			held = leavesHeld(nil, leaves, known) && b.phony(name)
		}
		if !held {
			return unproven
		}
	}
	return noLess
}

// variablesHeldBy reports whether the variables of a makefile are in another one as they are, and those that this one has not matter to nothing that it does.
func (m makefile) variablesHeldBy(o makefile) bool {
	for name, v := range m.variables {
		if o.variables[name] != v {
			return false
		}
	}
	for name := range o.variables {
		if _, there := m.variables[name]; !there && (m.uses(name) || !o.uses(name) || steersMake.MatchString(name)) {
			return false
		}
	}
	return true
}

var (
	// steersMake matches variables that say how make, its shell and other tools work.
	steersMake = pattern.New(`^(SHELL|MAKE|PATH|VPATH)$|FLAGS$|OPTS$|OPTIONS$`)
	// compiles matches commands that build what tests may need.
	compiles = pattern.New(`^(go build|cargo build|npm run build|tsc|cmake|docker build|(\./)?(mvnw?|gradlew?) .*(compile|package|assemble|classes)\w*)\b[^|;&$<>` + "`" + `]*$`)
)

// uses reports whether a recipe of a makefile has a variable in it.
func (m makefile) uses(name string) bool {
	for target := range m.targets {
		for _, line := range wordsOf(at(m.targets, target, "recipe")) {
			if strings.Contains(line, "$("+name+")") || strings.Contains(line, "${"+name+"}") {
				return true
			}
		}
	}
	return false
}

func (m makefile) phony(name string) bool {
	return slices.Contains(wordsOf(at(m.targets, ".PHONY", "needs")), name)
}

var callsMake = pattern.New(`^(?:\$\(MAKE\)|make)((?: [\w.-]+)+)$`)

// reach are the commands by which a target is made, those of what it needs first, each target once.
func (m makefile) reach(name string, seen map[string]bool) []leaf {
	if seen == nil {
		seen = make(map[string]bool)
	}
	own, there := m.targets[name].(tree)
	if !there || seen[name] {
		return nil
	}
	seen[name] = true
	var all []leaf
	for _, need := range wordsOf(own["needs"]) {
		all = append(all, m.reach(need, seen)...)
	}
	for _, line := range wordsOf(own["recipe"]) {
		command := strings.TrimLeft(line, "@+- ")
		if calls := callsMake.FindStringSubmatch(command); calls != nil && line == command {
			for _, target := range strings.Fields(calls[1]) {
				all = append(all, m.reach(target, seen)...)
			}
			continue
		}
		all = append(all, leaf{text: m.expanded(command), ignored: strings.Contains(line[:len(line)-len(command)], "-")})
	}
	return all
}

// expanded is a command with the values of the variables in it that the makefile itself gives a plain word.
func (m makefile) expanded(command string) string {
	for _, use := range makeUse.FindAllStringSubmatch(command, -1) {
		if v := textOf(m.variables[use[1]+use[2]]); v != "" && !strings.ContainsAny(v, "$ ;|&") {
			command = strings.ReplaceAll(command, use[0], v)
		}
	}
	return command
}

var ownPath = pattern.New(`^PATH="?\$\(CURDIR\)/([\w-]+):\$\$PATH"? `)

// shorter are commands without a folder in front of where programs are looked for, if one of them builds programs into that folder.
func (m makefile) shorter(all []leaf) []leaf {
	all = slices.Clone(all)
	for i, l := range all {
		at := ownPath.FindStringSubmatch(l.text)
		if at != nil && slices.ContainsFunc(all[:i], func(o leaf) bool { return strings.Contains(o.text, " -o "+at[1]+"/ ") }) {
			all[i].text = strings.TrimPrefix(l.text, at[0])
		}
	}
	return all
}
