package configs

import (
	"slices"
	"strings"

	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

// makefile is one that was read.
type makefile struct{ targets, variables trees.Tree }

// makeTargets compares what each target of a makefile carries out in the end, by itself and by what it needs.
func makeTargets(was, is trees.Tree) Judgement {
	a, b := makefile{trees.Of(was["targets"]), trees.Of(was["variables"])}, makefile{trees.Of(is["targets"]), trees.Of(is["variables"])}
	if was["goal"] != is["goal"] || !a.variablesHeldBy(b) {
		return Unproven
	}
	known, built := make(map[string]bool), make(map[string]bool)
	for name := range a.targets {
		if b.targets[name] == nil {
			return Unproven
		}
		for _, l := range a.reach(name, nil) {
			known[l.text] = true
			built[l.text] = compiles.MatchString(l.text)
		}
	}
	for name, target := range b.targets {
		old, there := a.targets[name]
		var held bool
		switch leaves := b.shorter(b.reach(name, nil)); {
		case name == ".PHONY":
			held = true // what it says of each is asked below
		case strings.HasPrefix(name, "."):
			held = there && judgeBy(trees.Of(old), trees.Of(target), nil) == NoLess
		case there:
			held = leavesHeld(a.reach(name, nil), leaves, built) && (b.phony(name) || !a.phony(name))
		default:
			held = leavesHeld(nil, leaves, known) && b.phony(name)
		}
		if !held {
			return Unproven
		}
	}
	return NoLess
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
		for _, line := range trees.Words(trees.At(m.targets, target, "recipe")) {
			if strings.Contains(line, "$("+name+")") || strings.Contains(line, "${"+name+"}") {
				return true
			}
		}
	}
	return false
}

func (m makefile) phony(name string) bool {
	return slices.Contains(trees.Words(trees.At(m.targets, ".PHONY", "needs")), name)
}

var makeUse = pattern.New(`\$\(([A-Za-z_]\w*)\)|\$\{([A-Za-z_]\w*)\}`)

var callsMake = pattern.New(`^(?:\$\(MAKE\)|make)((?: [\w.-]+)+)$`)

// reach are the commands by which a target is made, those of what it needs first, each target once.
func (m makefile) reach(name string, seen map[string]bool) []leaf {
	if seen == nil {
		seen = make(map[string]bool)
	}
	own, there := m.targets[name].(trees.Tree)
	if !there || seen[name] {
		return nil
	}
	seen[name] = true
	var all []leaf
	for _, need := range trees.Words(own["needs"]) {
		all = append(all, m.reach(need, seen)...)
	}
	for _, line := range trees.Words(own["recipe"]) {
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
		if v := trees.Text(m.variables[use[1]+use[2]]); v != "" && !strings.ContainsAny(v, "$ ;|&") {
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
