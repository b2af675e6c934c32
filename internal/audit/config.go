package audit

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fettle/internal/audit/commands"
	"fettle/internal/audit/configs"
	"fettle/internal/audit/trees"
	"fettle/internal/edit"
	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// configRules look for checks that see less than before.
var configRules = []Rule{
	{"weakened-check", "a check's configuration or CI demands less: a threshold is lower, a rule is off, files are left out, a failure counts no more", each(func(v *patchView, f *fileView) []Finding {
		return slices.Concat(weakenedChecks(v, f), raisedBudgets(v, f), looserBuilds(v, f), looserDataTests(v, f), filteredOut(v, f))
	})},
	{"weakened-policy", "the project's rules for coding agents deny or ask about less", weakenedPolicy},
}

// shift is how the demands of a configuration changed.
type shift int

const (
	less shift = iota - 1
	unclear
	more
)

// unshared are the settings of two versions of a configuration that the other has not.
func unshared(before, after []byte) (gone, fresh []setting) {
	was, is := settings(before), settings(after)
	return lacking(was, is, setting.said), lacking(is, was, setting.said)
}

// lacking are those of a list that another one has not, or less often, by what tells them from one another.
func lacking[T any, K comparable](list, other []T, key func(T) K) []T {
	has := make(map[K]int)
	for _, x := range other {
		has[key(x)]++
	}
	var all []T
	for _, x := range list {
		k := key(x)
		if has[k]--; has[k] < 0 {
			all = append(all, x)
		}
	}
	return all
}

// changes compares two versions of a configuration: each setting that differs, with what the difference means.
func changes(before, after []byte) map[setting]shift {
	gone, fresh := unshared(before, after)
	gone, fresh = moved(gone, fresh)
	lost, exceptions := lostChecks(gone, fresh), strictSays(before) && strictSays(after)
	out := make(map[setting]shift)
	left := pooled(fresh)
	for _, was := range gone {
		tools := commands.Checks(was.command())
		is, stands := left.counterpart(was, tools)
		misses := slices.ContainsFunc(tools, func(tool string) bool { return slices.Contains(lost, tool) })
		switch {
		case !stands && misses:
			out[was] = less
		case !stands && len(tools) > 0: // another step runs them
			out[was] = unclear
		case !stands && exceptions && isException(was):
			out[was] = more
		case !stands:
			out[was] = -alone(was)
		case misses:
			out[is] = less
		default:
			out[is] = turned(was, is)
		}
	}
	for i, s := range fresh {
		switch {
		case left.taken[i]:
		case exceptions && isException(s):
			out[s] = less
		case len(before) > 0 || s.key != "skiplibcheck": // what tools write into a new file of settings
			out[s] = alone(s)
		}
	}
	return out
}

// pool are new settings, by what makes them another form of an old one. Each is that of one only.
type pool struct {
	all   []setting
	taken []bool
	of    map[setting][]int // where those of a key stand; with the tools that they start as a value, those that start these
}

func pooled(fresh []setting) *pool {
	p := &pool{all: fresh, taken: make([]bool, len(fresh)), of: make(map[setting][]int)}
	for i, s := range fresh {
		p.of[s.place(nil)] = append(p.of[s.place(nil)], i)
		if tools := commands.Checks(s.command()); len(tools) > 0 {
			p.of[s.place(tools)] = append(p.of[s.place(tools)], i)
		}
	}
	return p
}

// counterpart takes the new setting that was another one before: rather what starts the same tools than what only has the same key.
func (p *pool) counterpart(was setting, tools []string) (setting, bool) {
	for _, at := range []setting{was.place(tools), was.place(nil)} {
		for len(p.of[at]) > 0 {
			i := p.of[at][0]
			p.of[at] = p.of[at][1:]
			if !p.taken[i] {
				p.taken[i] = true
				return p.all[i], true
			}
		}
	}
	return setting{}, false
}

// place is where a setting stands, with tools that it starts.
func (s setting) place(tools []string) setting {
	return setting{key: s.key, entry: s.entry, value: strings.Join(tools, "\x00")}
}

// turned is what it means that a setting is another one.
func turned(was, is setting) shift {
	if s := worded(was, is); s != unclear {
		return s
	}
	if relaxed(is) != relaxed(was) {
		return map[bool]shift{true: less, false: more}[relaxed(is)]
	}
	if commands.Loosened(was.command(), is.command()) {
		return less
	}
	if s := counted(was, is); s != unclear {
		return s
	}
	switch {
	case (switchedOn.MatchString(is.key) || enabled.MatchString(is.whole())) && trees.TruthOf(was.value) != trees.Neither && trees.TruthOf(is.value) != trees.Neither:
		return sign(float64(trees.TruthOf(is.value) - trees.TruthOf(was.value)))
	case severity(was.value) >= 0 && severity(is.value) >= 0:
		return sign(float64(severity(is.value) - severity(was.value)))
	case including.MatchString(is.key):
		return sets(trees.Items(was.value), trees.Items(is.value))
	case excludes(is):
		return leftOutMore(configs.Handmade(was.value), configs.Handmade(is.value))
	case commands.LooksAtLess(was.command(), is.command()):
		return less
	case commands.Tightened(was.command(), is.command()):
		return more
	}
	return unclear
}

// counted is what it means that a number is another one, or what stands for one.
func counted(was, is setting) shift {
	x, isX := number(was.value)
	y, isY := number(is.value)
	numbers := isX && isY
	switch {
	case strings.HasPrefix(is.whole(), lintersDefault):
		return sign(float64(lintersOf(is) - lintersOf(was)))
	case numbers && demandsLeast(is):
		return sign(y - x)
	case numbers && (greatest.MatchString(is.key) || greatestIn.MatchString(is.whole())):
		return sign(x - y)
	}
	return unclear
}

// worded is what it means that a value has words, or has them no more, by which less is checked or counts.
func worded(was, is setting) shift {
	line := func(s setting) string { return strings.ToLower(`"` + s.key + `": ` + s.value) }
	saying := func(weak *pattern.Pattern, s setting) bool {
		return !commands.CleansUp(s.command()) && weak.MatchString(line(s)) && (weak != letsPass || !denied.MatchString(line(s)))
	}
	for _, weak := range []*pattern.Pattern{letsPass, narrows, onlySays} {
		switch a, b := saying(weak, was), saying(weak, is) && (weak != onlySays || len(commands.Checks(is.value)) > 0); {
		case b && !a:
			return less
		case a && !b:
			return more
		}
	}
	if _, again := commands.Retried(is.command()); again {
		if first, before := commands.Retried(was.command()); !before && len(commands.Checks(first)) > 0 {
			return less // the first try counts no more
		}
	}
	if ignoresFailure(is.value) && !ignoresFailure(was.value) && strings.TrimLeft(is.value, "@- ") == strings.TrimLeft(was.value, "@ ") {
		return less
	}
	return unclear
}

// ignoresFailure reports whether a recipe of make goes on when its command fails.
func ignoresFailure(recipe string) bool {
	return strings.HasPrefix(strings.TrimLeft(recipe, "@"), "-") && !strings.HasPrefix(recipe, "--")
}

// strictSays reports whether settings have everything asked for that strictness stands for: by themselves, or by what they build on.
func strictSays(text []byte) bool {
	return slices.ContainsFunc(settings(text), func(s setting) bool {
		return s.key == "strict" && trees.TruthOf(s.value) == trees.Yes || s.key == "extends"
	})
}

// isException reports a switch that takes one thing out of what strictness stands for.
func isException(s setting) bool {
	return ofStrict.MatchString(s.key) && trees.TruthOf(s.value) == trees.No
}

// lintersOf is how many linters golangci-lint begins with: those of its standard, where nothing is said.
func lintersOf(s setting) int {
	if n, said := linterSets[strings.Trim(strings.ToLower(s.value), `"'`)]; said {
		return n
	}
	return linterSets["standard"]
}

const lintersDefault = "linters.default="

var linterSets = map[string]int{"none": 0, "fast": 0, "standard": 1, "all": 2}

// number reads a value that is one, also in percent, or as languages of builds write them.
func number(value string) (float64, bool) {
	m := numeral.FindStringSubmatch(value)
	if m == nil {
		return 0, false
	}
	f, err := strconv.ParseFloat(m[1], 64)
	return f, err == nil
}

var numeral = pattern.New("^[\"'`]?(-?[0-9.]+)%?[\"'`]?(\\.toBigDecimal\\(\\)|[fFdDmM])?;?(?:\\s+#.*)?$")

// severity reads how a linter's rule is set; -1 for what is no severity.
func severity(text string) int {
	word := leadingWord.FindStringSubmatch(strings.ToLower(text))
	if word == nil {
		return -1
	}
	if s, is := configs.Severity(word[1]); is {
		return s
	}
	return -1
}

// leadingWord matches a value that is one word, or a list that begins with one in quotes.
var leadingWord = pattern.New("^(?:[\"'` ]*|\\[[\"'` ]+)([a-z]+)(?:[\"'`].*|[; ]*)$")

// sets tells whether a list became longer or shorter; one that did both is unclear.
func sets(was, is []string) shift {
	missing := slices.ContainsFunc(was, func(s string) bool { return !slices.Contains(is, s) })
	added := slices.ContainsFunc(is, func(s string) bool { return !slices.Contains(was, s) })
	switch {
	case missing && slices.Contains(is, "ALL"), added && !missing && !slices.Contains(was, "ALL"):
		return more
	case missing:
		return less
	}
	return unclear
}

// leftOutMore tells whether a list of what is left out leaves out more or less; one that leaves out something else is unclear.
func leftOutMore(was, is []string) shift {
	fresh, gone := configs.Uncovered(was, is), trees.Without(was, is)
	switch {
	case len(fresh) > 0 && len(gone) > 0:
		return unclear
	case len(fresh) > 0:
		return less
	case len(gone) > 0:
		return more
	}
	return unclear
}

func sign(f float64) shift {
	switch {
	case f > 0:
		return more
	case f < 0:
		return less
	}
	return unclear
}

// alone is what it means that a setting is there which was not. That it is gone means the opposite.
func alone(s setting) shift {
	value := strings.ToLower(s.value)
	said := trees.TruthOf(value)
	switch {
	case lessens(s), relaxed(s), said == trees.No && enabled.MatchString(s.whole()):
		return less
	case s.key == "target": // without one, Codecov wants as much as there was
		return unclear
	case requires(s):
		return more
	case greatestIn.MatchString(s.whole()):
		return less
	case strings.HasPrefix(s.whole(), lintersDefault):
		return sign(float64(lintersOf(s) - linterSets["standard"]))
	case switchedOn.MatchString(s.key) && said == trees.Yes:
		return more
	case excludes(s):
		if said == trees.No || len(configs.Handmade(value)) == 0 || withTests.MatchString(value) { // what follows on lines of its own counts there
			return unclear
		}
		return less
	case includes(s):
		return more
	case severity(value) == 0:
		return less
	case severity(value) > 0:
		return more
	case (s.key == "run" || s.key == "script") && checking.MatchString(s.value) && !commands.MendFirst(s.value):
		return more
	}
	return unclear
}

// withTests matches what Maven is told to skip where it skips the tests, for a step that is there for them.
var withTests = pattern.New(`^\$\{(?:maven\.test\.skip|skiptests|skipits)\}$`)

// lessens reports whether a setting by itself has words by which less is checked or counts. What one more step leaves out, others may run.
func lessens(s setting) bool {
	text := strings.ToLower(s.text)
	if commands.CleansUp(s.command()) {
		return false
	}
	if s.entry {
		text = `"` + s.key + `": ` + text
	}
	checks := len(commands.Checks(s.command())) > 0
	return letsPass.MatchString(text) && !denied.MatchString(text) || checks && onlySays.MatchString(text) || narrows.MatchString(text) && !checks
}

// relaxed reports a setting by which a check that looks says less.
func relaxed(s setting) bool { return relaxes.MatchString(s.whole()) }

// demandsLeast reports whether a number is what there has to be at least.
func demandsLeast(s setting) bool {
	return least.MatchString(s.key) || shares.MatchString(s.key) || leastIn.MatchString(s.whole())
}

// requires reports whether a setting asks for at least something.
func requires(s setting) bool {
	_, isNumber := number(s.value)
	return s.value != "0" && demandsLeast(s) && (isNumber || !shares.MatchString(s.key))
}

// includes reports whether a setting by itself has more looked at: a list that there was, or an addition to what looks by itself, is longer by it.
func includes(s setting) bool {
	switch {
	case including.MatchString(s.key):
		return s.entry || strings.HasPrefix(s.key, "extend") || strings.HasPrefix(s.key, "enable")
	case partOf.MatchString(s.key):
		return including.MatchString(s.under)
	}
	return s.key == "id" && s.under == "hooks" // of pre-commit
}

// excludes reports whether a setting leaves something out.
func excludes(s setting) bool {
	return excluding.MatchString(s.key) || partOf.MatchString(s.key) && excluding.MatchString(s.under) || filesOff.MatchString(s.under)
}

// checking are commands of CI that only look.
var checking = pattern.New(`^["']?((uv|poetry|pdm|pipenv|hatch|rye) run |pnpm exec |bundle exec )?(python3? -m )?(pytest|ruff check|ruff format --check|mypy|pyright|flake8|pylint|bandit|eslint|npx eslint|npx tsc|tsc --noEmit|npm test|npm run (lint|test|check|typecheck)|yarn (test|lint)|pnpm (test|lint)|go test|go vet|golangci-lint run|staticcheck|cargo (test|clippy|fmt --check)|make (test|lint|check|vet)|tox|nox|mvn (test|verify)|gradle (test|check))\b[\w\s./:=\-]*["']?$`)

// ofOneModule reports whether mypy is told to do without the types of a library that is named.
func ofOneModule(s setting, after []byte) bool {
	return s.key == "ignore_missing_imports" && moduleSection.MatchString(s.path) && !slices.ContainsFunc(settings(after), func(o setting) bool {
		return o.path == s.path && o.key == "module" && slices.ContainsFunc(trees.Items(o.value), func(name string) bool { return strings.HasPrefix(name, "*") })
	})
}

// moduleSection matches the heads of sections of mypy's that are about modules by name.
var moduleSection = pattern.New(`^(\[mypy-[A-Za-z_][\w.]*(\.\*)?\]|\[\[tool\.mypy\.overrides\]\])$`)

func weakenedChecks(v *patchView, f *fileView) []Finding {
	if !lang.IsCI(f.path) && !lang.IsCheckConfig(f.path) || f.formatted {
		return nil
	}
	before := f.before
	if f.change.Op == edit.Create {
		if path.Base(f.path) == ".pre-commit-config.yaml" {
			return nil // before the first one, no hook was carried out
		}
		before = v.hiddenBy(f.path)
	}
	var all []Finding
	whole := sync.OnceValue(func() configs.Judgement { return configs.Judge(f.path, before, f.after) })
	for s, to := range changes(before, f.after) {
		if to == less {
			found := Finding{Line: s.number, Evidence: fmt.Sprintf("%q: the check sees or demands less", clip(s.text))}
			switch {
			case v.goal.By != Person:
			case whole() == configs.NoLess:
				found.Effect, found.Evidence = Ask, fmt.Sprintf("%q demands less by itself, if not with what else was changed: let a person confirm", clip(s.text))
			case whole() == configs.MatterOfTaste:
				found.Effect, found.Evidence = Ask, fmt.Sprintf("%q: whether the check demands less a person knows", clip(s.text))
			case ofOneModule(s, f.after):
				found.Effect = Ask // whether there are types for somebody else's library, a person knows
			}
			all = append(all, found)
		}
	}
	slices.SortFunc(all, func(a, b Finding) int { return a.Line - b.Line })
	all = append(all, lostInPipes(before, f.after)...)
	if lang.IsCI(f.path) {
		all = append(all, fewerTriggers(f.before, f.after)...)
		all = append(all, newlyIdle(f.before, f.after)...)
		all = append(all, v.fewerMachines(f.before, f.after)...)
		all = append(all, slices.DeleteFunc(startedBelow(f.before, f.after), func(s Finding) bool { // what its line says already
			return slices.ContainsFunc(all, func(f Finding) bool { return f.Line == s.Line })
		})...)
	}
	if f.path == ".coveragerc" {
		all = append(all, v.measuredNoMore(before, f.after)...)
	}
	if slices.Contains(pytestFiles, f.path) {
		all = append(all, v.collectedNoMore(before, f.after)...)
	}
	all = append(all, v.matchedNoMore(f.path, before, f.after)...)
	all = append(all, v.checkedNoMore(f.path, before, f.after)...)
	for i := range all {
		if all[i].Effect == "" {
			all[i].Effect = v.weakensChecks()
		}
	}
	return all
}
