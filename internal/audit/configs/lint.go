package configs

import (
	"maps"
	"path"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

// golangciNow are linters that golangci-lint gave up, or that find nothing which others do not find, with those that do their work; none, where there is nothing left that they could find.
var golangciNow = map[string][]string{
	"deadcode": {"unused"}, "structcheck": {"unused"}, "varcheck": {"unused"}, "golint": {"revive"}, "nosnakecase": {"revive"}, "maligned": {"govet"}, "vet": {"govet"}, "vetshadow": {"govet"},
	"gas": {"gosec"}, "gomnd": {"mnd"}, "goerr113": {"err113"}, "logrlint": {"loggercheck"}, "tenv": {"usetesting"}, "megacheck": {"staticcheck"}, "exportloopref": {"copyloopvar"},
	"scopelint": {"copyloopvar", "exportloopref"}, "gofmt": {"gofumpt"}, "interfacer": nil, "ifshort": nil, "execinquery": nil,
}

// golangci compares settings of golangci-lint's, of one version of these.
func golangci(was, is trees.Tree) Judgement {
	had, has := trees.Words(trees.At(was, "linters", "enable")), trees.Words(trees.At(is, "linters", "enable"))
	for _, name := range trees.Without(had, has) {
		now, given := golangciNow[name]
		if !given || len(now) > 0 && len(trees.Without(now, has)) == len(now) {
			return Unproven
		}
	}
	if !exceptionsHeld(leftOutRules(was), leftOutRules(is)) {
		return Unproven
	}
	return judgeBy(was, is, golangciDemands)
}

var golangciDemands = []demand{
	towards(`linters/enable|issues/exclude-rules|linters/exclusions/rules`, free), // which were compared
	towards(`(linters-settings|linters/settings)/(nolintlint/require-(explanation|specific)|errcheck/check-(type-assertions|blank)|govet/enable-all)|run/tests`, on),
	towards(`(linters-settings|linters/settings)/nolintlint/allow-unused|issues/(new|exclude-use-default)`, offByItself),
	towards(`(linters-settings|linters/settings)/govet/enable`, growsFromNone),
	towards(`(linters-settings|linters/settings)/((gocyclo|gocognit|nestif|cyclop)/(min|max)-complexity|funlen/(lines|statements)|dupl/threshold|lll/line-length)`, falls),
	towards(`linters/disable|issues/exclude|(linters-settings|linters/settings)/(govet/disable|\w+/(ignore|exclude|excludes|exclude-functions))`, shrinksExactly),
	towards(`(issues|run)/(exclude|skip)-(dirs|files)|linters/exclusions/(paths|presets)`, shrinksExactly),
	towards(`run/(timeout|concurrency)|output/.*|issues/max-(issues-per-linter|same-issues)`, free),
}

// leftOutRules are what golangci-lint does not tell where it would.
func leftOutRules(t trees.Tree) []any {
	return append(slices.Clone(trees.List(trees.At(t, "issues", "exclude-rules"))), trees.List(trees.At(t, "linters", "exclusions", "rules"))...)
}

// exceptionsHeld reports whether each exception lies in one that there was.
func exceptionsHeld(was, is []any) bool {
	return !slices.ContainsFunc(is, func(narrow any) bool {
		return !slices.ContainsFunc(was, func(wide any) bool { return exceptionWithin(trees.Of(wide), trees.Of(narrow)) })
	})
}

// exceptionWithin reports whether one exception leaves out nothing that another one does not: it has all its conditions, by the same words or for fewer linters.
func exceptionWithin(wide, narrow trees.Tree) bool {
	for key, v := range wide {
		switch {
		case key == "linters":
			if list := trees.Words(narrow[key]); len(list) == 0 || len(trees.Without(list, trees.Words(v))) > 0 {
				return false
			}
		case trees.Text(v) == "" || trees.Text(narrow[key]) != trees.Text(v):
			return false
		}
	}
	return len(wide) > 0
}

// rubocop compares settings of RuboCop's. What was off altogether demands no less, whatever is said of it.
func rubocop(was, is trees.Tree) Judgement {
	to := NoLess
	for _, name := range keysOf(was, is) {
		a, b := trees.Of(was[name]), trees.Of(is[name])
		department, _, cop := strings.Cut(name, "/")
		switch {
		case name == "AllCops":
			to = min(to, judgeBy(a, b, allCopsDemands))
		case name == "require" || name == "plugins":
			to = min(to, growsFromNone(was[name], is[name]))
		case !trees.Is(was[name]) && !trees.Is(is[name]):
			to = min(to, judgeBy(trees.Tree{name: was[name]}, trees.Tree{name: is[name]}, nil))
		case isOff(was, name) || cop && isOff(was, department) && a["Enabled"] == nil:
		default:
			to = min(to, judgeBy(a, b, copDemands))
		}
	}
	return to
}

func isOff(t trees.Tree, name string) bool {
	return trees.TruthOf(trees.Text(trees.At(t, name, "Enabled"))) == trees.No
}

var (
	allCopsDemands = []demand{
		towards(`NewCops`, func(_, is any) Judgement { return ifSo(trees.Text(is) == "enable") }),
		towards(`Exclude`, shrinks),
		towards(`SuggestExtensions|UseCache|CacheRootDirectory|DisplayCopNames|DisplayStyleGuide|ExtraDetails`, free),
	}
	copDemands = []demand{
		towards(`Enabled`, on),
		towards(`Exclude`, shrinks),
		towards(`(Allowed|Ignored)\w+`, shrinksExactly),
		towards(`Max|CountAsOne`, falls),
		towards(`Enforced\w*|Prefixes|Severity|AutoCorrect|Safe\w*|StyleGuide|\w*Style\w*`, taste),
	}
)

// codecov compares what has to be covered for a pull request to pass. Parts of the code that were not asked about may be asked about by any measure.
func codecov(was, is trees.Tree) Judgement {
	return judgeBy(was, is, codecovDemands)
}

var codecovDemands = []demand{
	towards(`coverage/status/(project|patch|changes)/[^/]+/target`, rises),
	towards(`coverage/status/(project|patch|changes)/[^/]+/threshold`, fallsToNone),
	towards(`coverage/status/(project|patch|changes)/[^/]+/informational`, offByItself),
	towards(`comment|comment/.*|coverage/(precision|range)|codecov/notify/.*|github_checks.*`, free),
	towards(`ignore`, shrinks),
	towards(`component_management|flag_management`, func(was, _ any) Judgement { return ifSo(was == nil) }),
}

// sonar compares what Sonar is told.
func sonar(was, is trees.Tree) Judgement {
	const rules = "sonar.issue.ignore.multicriteria"
	issues := func(t trees.Tree) (all []string, rest trees.Tree) {
		rest = maps.Clone(t)
		delete(rest, rules)
		for _, id := range partsIn(t[rules]) {
			key := rules + "." + id
			all = append(all, trees.Text(t[key+".ruleKey"])+"\x00"+trees.Text(t[key+".resourceKey"]))
			delete(rest, key+".ruleKey")
			delete(rest, key+".resourceKey")
		}
		return all, rest
	}
	had, restHad := issues(was)
	has, restHas := issues(is)
	inside := func(wide, narrow string) bool {
		rule, files, _ := strings.Cut(wide, "\x00")
		of, in, _ := strings.Cut(narrow, "\x00")
		head, family := strings.CutSuffix(rule, "*")
		return (rule == of || family && strings.HasPrefix(of, head)) && (files == in || covers(files, in))
	}
	if len(uncovered(had, has, inside)) > 0 {
		return Unproven
	}
	return judgeBy(restHad, restHas, sonarDemands)
}

var sonarDemands = []demand{
	towards(`sonar\.((coverage|cpd|test)\.)?exclusions`, shrinks),
	towards(`sonar\.qualitygate\.wait`, onByItself),
	towards(`sonar\.(sources|tests)`, grows),
	towards(`sonar\.(projectName|projectVersion|projectDescription|links\.\w+|sourceEncoding|qualitygate\.timeout)`, free),
	towards(`sonar\.[\w.]+[rR]eportPaths?`, func(was, _ any) Judgement { return ifSo(was == nil) }),
}

// phpstan compares settings of PHPStan's.
func phpstan(was, is trees.Tree) Judgement {
	const parameters = "parameters"
	a, restA := split(trees.Of(was[parameters]), "ignoreErrors", "excludePaths")
	b, restB := split(trees.Of(is[parameters]), "ignoreErrors", "excludePaths")
	if len(uncovered(listedIn(a["excludePaths"]), listedIn(b["excludePaths"]), covers)) > 0 || !ignoredWithin(trees.List(a["ignoreErrors"]), trees.List(b["ignoreErrors"])) {
		return Unproven
	}
	was, is = maps.Clone(was), maps.Clone(is)
	was[parameters], is[parameters] = restA, restB
	return judgeBy(was, is, phpstanDemands)
}

var (
	phpstanDemands = []demand{
		towards(`includes`, ruleFiles),
		towards(`parameters/level`, func(was, is any) Judgement {
			return ifSo(trees.Text(is) == "max" || trees.Text(was) != "max" && rises(was, is) == NoLess)
		}),
		towards(`parameters/paths`, grows),
		towards(`parameters/(reportUnmatchedIgnoredErrors|check\w+|report\w+)`, on),
		towards(`parameters/(tmpDir|editorUrl|errorFormat|parallel/.*)`, free),
	}
	// ownRules are files of rules, and of what the tool knows of libraries, that its makers give out.
	ownRules = pattern.New(`^vendor/phpstan/phpstan-[\w-]+/(rules|extension)\.neon$`)
)

// ruleFiles is said of what PHPStan reads besides: a list of errors to be ignored may go, and rules of its makers come.
func ruleFiles(was, is any) Judgement {
	gone := slices.DeleteFunc(trees.Without(partsIn(was), partsIn(is)), func(file string) bool { return strings.Contains(path.Base(file), "baseline") })
	fresh := slices.DeleteFunc(trees.Without(partsIn(is), partsIn(was)), ownRules.MatchString)
	return ifSo(len(gone)+len(fresh) == 0)
}

// listedIn are the paths of a list, or of the lists in a mapping.
func listedIn(v any) []string {
	all := partsIn(v)
	for _, list := range trees.Of(v) {
		all = append(all, partsIn(list)...)
	}
	return all
}

// ignoredWithin reports whether each error that is ignored was ignored before: by the same words, or by a pattern that matches the only text that this one does.
func ignoredWithin(was, is []any) bool {
	message := func(v any) (text, file string) {
		if trees.Is(v) {
			return trees.Text(trees.Of(v)["message"]), trees.Text(trees.Of(v)["path"])
		}
		return trees.Text(v), ""
	}
	return !slices.ContainsFunc(is, func(narrow any) bool {
		text, file := message(narrow)
		return text == "" || !slices.ContainsFunc(was, func(wide any) bool {
			old, in := message(wide)
			return old != "" && (in == "" || in == file || file != "" && covers(in, file)) && (old == text || matchesOnly(old, text))
		})
	})
}

// matchesOnly reports whether an expression between signs stands for one text, which another one matches.
func matchesOnly(wide, narrow string) bool {
	only, err := syntax.Parse(strings.Trim(narrow, "#~/"), syntax.Perl)
	if err != nil {
		return false
	}
	var text strings.Builder
	for _, part := range append([]*syntax.Regexp{only}, only.Sub...) {
		switch part.Op {
		case syntax.OpConcat, syntax.OpBeginText, syntax.OpEndText:
		case syntax.OpLiteral:
			text.WriteString(string(part.Rune))
		default:
			return false
		}
	}
	again, err := regexp.Compile(strings.Trim(wide, "#~/"))
	return err == nil && text.Len() > 0 && again.MatchString(text.String())
}
