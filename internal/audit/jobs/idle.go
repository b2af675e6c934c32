package jobs

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"fettle/internal/audit/commands"
	"fettle/internal/audit/settings"
	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

// Idle looks for steps and jobs of CI that check something and do not run by themselves any more.
func Idle(before, after []byte) []Loss {
	left := make(map[string]int)
	for _, i := range idleSteps(before) {
		left[i.what]++
	}
	ran := make(map[string]bool) // what was not run before, nobody misses
	for _, s := range settings.Of(before) {
		for _, tool := range commands.Checks(s.Command()) {
			ran[tool] = true
		}
	}
	var all []Loss
	for _, i := range idleSteps(after) {
		if left[i.what]--; left[i.what] < 0 && ran[i.tool] {
			all = append(all, Loss{Line: i.line, Evidence: fmt.Sprintf("%s is not run any more by itself (%s)", i.tool, i.why)})
		}
	}
	return all
}

// idleStep is a check that is written down and not run.
type idleStep struct {
	tool, why, what string
	line            int
}

// idleSteps lists those of a file of CI.
func idleSteps(src []byte) []idleStep {
	var root yaml.Node
	if yaml.Unmarshal(src, &root) != nil {
		return nil
	}
	var all []idleStep
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		why, line := neverRuns(n)
		if why == "" {
			for _, k := range n.Content {
				visit(k)
			}
			return
		}
		for _, tool := range checksBelow(n) {
			all = append(all, idleStep{tool: tool, why: why, what: tool + "\x00" + why, line: line})
		}
	}
	visit(&root)
	return all
}

// neverRuns says by what a step or job is kept from running by itself; empty, if it is not.
func neverRuns(n *yaml.Node) (why string, line int) {
	for _, key := range []string{"if", "condition", "when", "enabled"} {
		if v := trees.Under(n, key); v != nil && v.Kind == yaml.ScalarNode && neverTrue.MatchString(strings.ToLower(strings.TrimSpace(v.Value))) {
			return key + ": " + v.Value, v.Line
		}
	}
	if rules := trees.Under(n, "rules"); rules != nil && len(rules.Content) > 0 && !slices.ContainsFunc(rules.Content, func(r *yaml.Node) bool {
		why, _ := neverRuns(r)
		return why == ""
	}) {
		return "rules", rules.Line
	}
	return "", 0
}

// neverTrue matches conditions that do not hold while all goes well.
var neverTrue = pattern.New(`^(\$\{\{)?\s*(false|0|never|manual|failure\(\)|cancelled\(\)|.*&&\s*false|false\s*&&.*)\s*(\}\})?$`)

// checksBelow are the tools that the commands in a step or job start.
func checksBelow(n *yaml.Node) []string {
	var all []string
	for i, k := range n.Content {
		named := n.Kind == yaml.MappingNode && i%2 == 1
		switch {
		case n.Kind == yaml.MappingNode && i%2 == 0, named && settings.NamesTools(n.Content[i-1].Value):
		case k.Kind == yaml.ScalarNode:
			for l := range strings.SplitSeq(k.Value, "\n") {
				all = append(all, commands.Checks(strings.TrimSpace(l))...)
			}
		default:
			all = append(all, checksBelow(k)...)
		}
	}
	return all
}
