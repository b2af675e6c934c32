package settings

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"fettle/internal/audit/commands"
	"fettle/internal/audit/configs"
	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

// DemandsMore reports whether a configuration changed, and demands more in all of it that changed.
func DemandsMore(before, after []byte) bool {
	if len(before) == 0 || len(after) == 0 {
		return false
	}
	all := Changes(before, after)
	for _, to := range all {
		if to != More {
			return placedMore(before, after)
		}
	}
	return len(all) > 0
}

// placedMore compares two versions of a configuration by where each setting stands: everything that differs has to demand more, or to be what stands around that, or what keeps reports
// of what was checked. What stands in both has to stand there in the same order.
func placedMore(before, after []byte) bool {
	had, has := withoutReports(before), withoutReports(after)
	was, is := Of(had), Of(has)
	key := func(s Setting) Setting {
		k := s.said()
		k.path = s.path
		return k
	}
	gone, fresh := trees.Lacking(was, is, key), trees.Lacking(is, was, key)
	if len(gone)+len(fresh) == 0 {
		return string(had) != string(before) || string(has) != string(after)
	}
	if !slices.EqualFunc(remaining(was, gone), remaining(is, fresh), func(a, b Setting) bool { return key(a) == key(b) }) {
		return false
	}
	exceptions := strictSays(before) && strictSays(after)
	left, some, ok := takenMore(gone, fresh, was, exceptions)
	if !ok {
		return false
	}
	for _, s := range left {
		exception := exceptions && isException(s)
		switch {
		case holdsMore(s, is) && (!including.MatchString(s.Key) || includes(Setting{Key: s.Key})):
		case !exception && !vague.MatchString(s.Key) && (alone(s) == More || onlyChecks(s)):
			some = true
		case serves(s, was):
		default:
			return false
		}
	}
	return some
}

// takenMore reports whether more is demanded by everything of a configuration that is gone, or became something else, and leaves what is new.
func takenMore(gone, fresh, was []Setting, exceptions bool) (left []Setting, some, ok bool) {
	for _, s := range gone {
		to := Unclear
		switch i := counterpart(s, fresh); {
		case vague.MatchString(s.Key):
		case i >= 0 && !s.entry:
			to = became(s, fresh[i])
			fresh = slices.Delete(fresh, i, i+1)
		case holdsMore(s, was):
			continue
		case exceptions && isException(s), leftOut.MatchString(s.path):
			to = More
		case namesModules(s, gone):
			continue
		default:
			to = -alone(s)
		}
		if to != More {
			return nil, false, false
		}
		some = true
	}
	return fresh, some, true
}

// counterpart is where what stands in the place of a setting is among those that are new: rather what demands more of the same than what only stands there.
func counterpart(s Setting, fresh []Setting) int {
	same := func(o Setting) bool { return o.path == s.path && o.Key == s.Key && o.entry == s.entry }
	if i := slices.IndexFunc(fresh, func(o Setting) bool { return same(o) && s.Key != "module" && became(s, o) == More }); i >= 0 {
		return i
	}
	return slices.IndexFunc(fresh, same)
}

// overrides is the head of a section of mypy's in pyproject.toml that is about modules by name.
const overrides = "[[tool.mypy.overrides]]"

// namesModules reports whether a setting that is gone says which modules a section is about that is gone as a whole.
func namesModules(s Setting, gone []Setting) bool {
	return s.Key == "module" && s.path == overrides && slices.ContainsFunc(gone, func(o Setting) bool { return o.Text == overrides && o.Number < s.Number })
}

// vague matches keys of which more may be less: from how grave on something is said.
var vague = pattern.New(`severity|level|^default$|^min$`)

// leftOut matches where settings stand by which something is left out: that any of them is gone demands more.
var leftOut = pattern.New(`/(linters/exclusions|issues/exclude-rules|exclusions)/rules(/|$)|/issues/exclude-rules(/|$)|/exclude-rules(/|$)`)

// remaining are the settings of a list without some of it.
func remaining(all, without []Setting) []Setting {
	return slices.DeleteFunc(slices.Clone(all), func(s Setting) bool { return slices.Contains(without, s) })
}

// holdsMore reports whether a setting says nothing by itself, but what it stands around.
func holdsMore(s Setting, all []Setting) bool {
	value := strings.Trim(s.Value, "[{( ")
	return s.below != "" && value == "" && slices.ContainsFunc(all, func(o Setting) bool {
		return o.Number >= s.Number && (o.path == s.below || strings.HasPrefix(o.path, s.below+"/"))
	})
}

// became is what it means that a setting is another one at the same place.
func became(was, is Setting) Shift {
	to := turned(was, is)
	if to == Unclear && commands.More(was.Command(), is.Command()) {
		return More
	}
	return to
}

// onlyChecks reports whether a new script does nothing but checking, each check for itself.
func onlyChecks(s Setting) bool {
	command := s.Command()
	return strings.HasSuffix(s.path, "/scripts") && !slices.ContainsFunc(strings.Split(command, "&&"), func(one string) bool { return !commands.OnlyChecks(one) })
}

// moved takes out of two lists of settings what only has another name since a tool has other settings.
func moved(gone, fresh []Setting) (old, now []Setting) {
	for old, now := range renamed {
		i := slices.IndexFunc(gone, func(s Setting) bool { return s.whole() == old })
		j := slices.IndexFunc(fresh, func(s Setting) bool { return s.whole() == now })
		if i >= 0 && j >= 0 {
			gone, fresh = slices.Delete(slices.Clone(gone), i, i+1), slices.Delete(slices.Clone(fresh), j, j+1)
		}
	}
	return gone, fresh
}

// renamed are settings of golangci-lint's that its second version calls otherwise.
var renamed = map[string]string{
	"linters.disable-all=true": "linters.default=none", "linters.enable-all=true": "linters.default=all", "linters.fast=true": "linters.default=fast",
}

// withoutReports is a workflow without the steps that keep what checks have written, whether they fail or not.
func withoutReports(src []byte) []byte {
	var root yaml.Node
	if yaml.Unmarshal(src, &root) != nil || len(root.Content) == 0 {
		return src
	}
	jobs := trees.Under(root.Content[0], "jobs")
	if jobs == nil {
		return src
	}
	lines := strings.SplitAfter(string(src), "\n")
	for i := 1; i < len(jobs.Content); i += 2 {
		steps := trees.Under(jobs.Content[i], "steps")
		if steps == nil {
			continue
		}
		for _, step := range steps.Content {
			if !reportsOnly(step) {
				continue
			}
			for l := step.Line; l <= min(lastLine(step), len(lines)); l++ {
				lines[l-1] = ""
			}
		}
	}
	return []byte(strings.Join(lines, ""))
}

// reportsOnly reports whether a step does nothing but keep files that others have written in the project, by an action of the host's own.
func reportsOnly(step *yaml.Node) bool {
	uses := trees.Under(step, "uses")
	if uses == nil || !configs.Keeps(uses.Value) {
		return false
	}
	for i := 0; i+1 < len(step.Content); i += 2 {
		switch value := step.Content[i+1]; step.Content[i].Value {
		case "name", "id", "uses":
		case "if":
			if !configs.Whenever(value.Value) {
				return false
			}
		case "with":
			for j := 0; j+1 < len(value.Content); j += 2 {
				switch value.Content[j].Value {
				case "name", "if-no-files-found", "retention-days", "overwrite", "compression-level", "category":
				case "path", "sarif_file":
					if !configs.MayBeKept(value.Content[j+1].Value) {
						return false
					}
				default:
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// lastLine is the last line of a part of a file.
func lastLine(n *yaml.Node) int {
	last := n.Line
	if n.Kind == yaml.ScalarNode && (n.Style == yaml.LiteralStyle || n.Style == yaml.FoldedStyle) {
		last += 1 + strings.Count(strings.TrimRight(n.Value, "\n"), "\n")
	}
	for _, k := range n.Content {
		last = max(last, lastLine(k))
	}
	return last
}
