package configs

import (
	"maps"
	"slices"
	"strings"

	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

// tox compares the environments of tox, each with what it takes from the section that all share, and with what holds for its own factors only.
func tox(was, is trees.Tree) Judgement {
	a, b := toxOf(was), toxOf(is)
	if len(a.names) == 0 || len(trees.Without(a.names, b.names)) > 0 {
		return Unproven
	}
	to := min(judgeBy(a.general, b.general, toxDemands), judgeBy(a.rest, b.rest, nil))
	for _, name := range a.names {
		to = min(to, judgeBy(a.environment(name), b.environment(name), environmentDemands))
	}
	return to
}

var (
	toxDemands = []demand{
		towards(`min_?version|isolated_build|work_?dir|temp_dir`, free),
		towards(`skip_missing_interpreters`, offByItself),
		towards(`requires`, growsFromNone),
	}
	environmentDemands = []demand{
		towards(`deps`, growsFromNone),
		towards(`commands(_pre|_post)?`, linesHeld),
		towards(`package|wheel_build_env|usedevelop|description|labels|download`, free),
	}
)

// toxFile is a file of tox's that was read.
type toxFile struct {
	names         []string // of the environments that run by themselves
	environments  map[string]trees.Tree
	general, rest trees.Tree
}

func toxOf(t trees.Tree) toxFile {
	f := toxFile{environments: make(map[string]trees.Tree), rest: trees.Tree{}}
	for name, section := range t {
		own, is := strings.CutPrefix(name, "testenv")
		switch {
		case name == "tox":
			var list trees.Tree
			list, f.general = split(trees.Of(section), "envlist", "env_list")
			for _, v := range list {
				f.names = append(f.names, expandedNames(trees.Text(v))...)
			}
		case is && (own == "" || own[0] == ':'):
			f.environments[strings.TrimPrefix(own, ":")] = trees.Of(section)
		default:
			f.rest[name] = section
		}
	}
	return f
}

var (
	braced      = pattern.New(`^(.*?)\{([^{}]*)\}(.*)$`)
	conditionOf = pattern.New(`^([\w!,{}.-]+):\s+(\S.*)$`)
	positional  = pattern.New(`\{posargs(?::([^{}]*))?\}`)
)

// expandedNames are the names of a list in which braces stand for each of what is in them.
func expandedNames(list string) []string {
	var all []string
	depth, begin := 0, 0
	take := func(name string) {
		if name = strings.TrimSpace(name); name != "" {
			all = append(all, eachOf(name)...)
		}
	}
	for i, r := range list {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		case ',', '\n':
			if depth == 0 {
				take(list[begin:i])
				begin = i + 1
			}
		}
	}
	take(list[begin:])
	return all
}

// eachOf are the names that one with braces stands for.
func eachOf(name string) []string {
	m := braced.FindStringSubmatch(name)
	if m == nil {
		return []string{name}
	}
	var all []string
	for part := range strings.SplitSeq(m[2], ",") {
		all = append(all, eachOf(m[1]+strings.TrimSpace(part)+m[3])...)
	}
	return all
}

// environment is what is said of one, in its own section or else in that of all.
func (f toxFile) environment(name string) trees.Tree {
	all := maps.Clone(f.environments[""])
	if all == nil {
		all = trees.Tree{}
	}
	maps.Copy(all, f.environments[name])
	factors := strings.Split(name, "-")
	for key, v := range all {
		var lines []string
		for line := range strings.SplitSeq(trees.Text(v), "\n") {
			if m := conditionOf.FindStringSubmatch(line); m != nil {
				if !slices.ContainsFunc(expandedNames(m[1]), func(c string) bool { return meets(c, factors) }) {
					continue
				}
				line = m[2]
			}
			lines = append(lines, strings.TrimSpace(positional.ReplaceAllString(line, "$1")))
		}
		all[key] = strings.Trim(strings.Join(lines, "\n"), "\n")
	}
	return all
}

// meets reports whether an environment has all factors that a condition names, and none of those that it denies.
func meets(condition string, factors []string) bool {
	for factor := range strings.SplitSeq(condition, "-") {
		denied, isDenied := strings.CutPrefix(factor, "!")
		if slices.Contains(factors, denied) == isDenied {
			return false
		}
	}
	return true
}
