package jobs

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"fettle/internal/audit/commands"
	"fettle/internal/audit/settings"
	"fettle/internal/audit/trees"
)

// trigger is what starts a workflow by itself, with what it is narrowed to.
type trigger struct {
	line    int
	filters map[string][]string
}

// Triggers compares what starts a workflow that checks something. What a person starts by hand checks no change.
func Triggers(before, after []byte) []Loss {
	if !slices.ContainsFunc(settings.Of(before), func(s settings.Setting) bool { return len(commands.Checks(s.Command())) > 0 }) {
		return nil
	}
	was, is := triggersOf(before), triggersOf(after)
	more := slices.ContainsFunc(slices.Collect(maps.Keys(is)), func(name string) bool { _, had := was[name]; return !had })
	var all []Loss
	for _, name := range slices.Sorted(maps.Keys(was)) {
		now, stays := is[name]
		switch {
		case !stays && !more && len(after) > 0:
			all = append(all, Loss{Evidence: name + " does not start these checks any more"})
		case stays:
			if name == "push" && is["pull_request"].line > 0 && len(is["pull_request"].filters) == 0 {
				delete(now.filters, "branches") // what is meant for another is checked before it gets there
			}
			if filter := narrower(was[name].filters, now.filters); filter != "" {
				all = append(all, Loss{Line: now.line, Evidence: fmt.Sprintf("%s starts these checks for less than before (%s)", name, filter)})
			}
		}
	}
	return all
}

// narrower names the filter by which something starts for less than before; empty, if there is none.
func narrower(was, is map[string][]string) string {
	for _, filter := range slices.Sorted(maps.Keys(is)) {
		old, had := was[filter]
		switch {
		case strings.HasSuffix(filter, "-ignore"):
			if slices.ContainsFunc(is[filter], func(s string) bool { return !ignoredBefore(old, s) }) {
				return filter
			}
		case !had, settings.ListShift(old, is[filter]) == settings.Less && len(is[filter]) < len(old):
			return filter
		}
	}
	return ""
}

// ignoredBefore reports whether a pattern was ignored already, by itself or as a part of another.
func ignoredBefore(old []string, pattern string) bool {
	return slices.ContainsFunc(old, func(o string) bool {
		matched, err := path.Match(o, pattern)
		return o == pattern || matched && err == nil
	})
}

// changing are the triggers by which changes are checked.
var changing = []string{"push", "pull_request", "pull_request_target", "merge_group"}

// triggersOf reads what starts a workflow of GitHub's and its like, for changes; nil for what is none.
func triggersOf(src []byte) map[string]trigger {
	var root yaml.Node
	if yaml.Unmarshal(src, &root) != nil || len(root.Content) == 0 {
		return nil
	}
	all := make(map[string]trigger)
	on := trees.Under(root.Content[0], "on")
	if on == nil {
		return nil
	}
	for i, n := range append([]*yaml.Node{on}, on.Content...) {
		if n.Kind != yaml.ScalarNode || !slices.Contains(changing, n.Value) {
			continue
		}
		t := trigger{line: n.Line}
		if on.Kind == yaml.MappingNode && i%2 == 1 {
			t.filters = filters(on.Content[i])
		}
		all[n.Value] = t
	}
	return all
}

func filters(n *yaml.Node) map[string][]string {
	all := make(map[string][]string)
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		var list []string
		for _, v := range append([]*yaml.Node{n.Content[i+1]}, n.Content[i+1].Content...) {
			if v.Kind == yaml.ScalarNode {
				list = append(list, v.Value)
			}
		}
		all[n.Content[i].Value] = list
	}
	return all
}
