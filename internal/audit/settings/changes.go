package settings

import (
	"slices"
	"strconv"
	"strings"

	"fettle/internal/audit/commands"
	"fettle/internal/audit/configs"
	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

// Shift is how the demands of a configuration changed.
type Shift int

// A change demands less than before, or more, or nobody can tell.
const (
	Less Shift = iota - 1
	Unclear
	More
)

// Unshared are the settings of two versions of a configuration that the other has not.
func Unshared(before, after []byte) (gone, fresh []Setting) {
	was, is := Of(before), Of(after)
	return trees.Lacking(was, is, Setting.said), trees.Lacking(is, was, Setting.said)
}

// Changes compares two versions of a configuration: each setting that differs, with what the difference means.
func Changes(before, after []byte) map[Setting]Shift {
	gone, fresh := Unshared(before, after)
	gone, fresh = moved(gone, fresh)
	lost, exceptions := lostChecks(gone, fresh), strictSays(before) && strictSays(after)
	out := make(map[Setting]Shift)
	left := pooled(fresh)
	for _, was := range gone {
		tools := commands.Checks(was.Command())
		is, stands := left.counterpart(was, tools)
		misses := slices.ContainsFunc(tools, func(tool string) bool { return slices.Contains(lost, tool) })
		switch {
		case !stands && misses:
			out[was] = Less
		case !stands && len(tools) > 0: // another step runs them
			out[was] = Unclear
		case !stands && exceptions && isException(was):
			out[was] = More
		case !stands:
			out[was] = -alone(was)
		case misses:
			out[is] = Less
		default:
			out[is] = turned(was, is)
		}
	}
	for i, s := range fresh {
		switch {
		case left.taken[i]:
		case exceptions && isException(s):
			out[s] = Less
		case len(before) > 0 || s.Key != "skiplibcheck": // what tools write into a new file of settings
			out[s] = alone(s)
		}
	}
	return out
}

// pool are new settings, by what makes them another form of an old one. Each is that of one only.
type pool struct {
	all   []Setting
	taken []bool
	of    map[Setting][]int // where those of a key stand; with the tools that they start as a value, those that start these
}

func pooled(fresh []Setting) *pool {
	p := &pool{all: fresh, taken: make([]bool, len(fresh)), of: make(map[Setting][]int)}
	for i, s := range fresh {
		p.of[s.place(nil)] = append(p.of[s.place(nil)], i)
		if tools := commands.Checks(s.Command()); len(tools) > 0 {
			p.of[s.place(tools)] = append(p.of[s.place(tools)], i)
		}
	}
	return p
}

// counterpart takes the new setting that was another one before: rather what starts the same tools than what only has the same key.
func (p *pool) counterpart(was Setting, tools []string) (Setting, bool) {
	for _, at := range []Setting{was.place(tools), was.place(nil)} {
		for len(p.of[at]) > 0 {
			i := p.of[at][0]
			p.of[at] = p.of[at][1:]
			if !p.taken[i] {
				p.taken[i] = true
				return p.all[i], true
			}
		}
	}
	return Setting{}, false
}

// place is where a setting stands, with tools that it starts.
func (s Setting) place(tools []string) Setting {
	return Setting{Key: s.Key, entry: s.entry, Value: strings.Join(tools, "\x00")}
}

// turned is what it means that a setting is another one.
func turned(was, is Setting) Shift {
	if s := worded(was, is); s != Unclear {
		return s
	}
	if relaxed(is) != relaxed(was) {
		return map[bool]Shift{true: Less, false: More}[relaxed(is)]
	}
	if commands.Loosened(was.Command(), is.Command()) {
		return Less
	}
	if s := counted(was, is); s != Unclear {
		return s
	}
	switch {
	case (switchedOn.MatchString(is.Key) || enabled.MatchString(is.whole())) && trees.TruthOf(was.Value) != trees.Neither && trees.TruthOf(is.Value) != trees.Neither:
		return sign(float64(trees.TruthOf(is.Value) - trees.TruthOf(was.Value)))
	case Severity(was.Value) >= 0 && Severity(is.Value) >= 0:
		return sign(float64(Severity(is.Value) - Severity(was.Value)))
	case including.MatchString(is.Key):
		return ListShift(trees.Items(was.Value), trees.Items(is.Value))
	case excludes(is):
		return leftOutMore(configs.Handmade(was.Value), configs.Handmade(is.Value))
	case commands.LooksAtLess(was.Command(), is.Command()):
		return Less
	case commands.Tightened(was.Command(), is.Command()):
		return More
	}
	return Unclear
}

// counted is what it means that a number is another one, or what stands for one.
func counted(was, is Setting) Shift {
	x, isX := number(was.Value)
	y, isY := number(is.Value)
	numbers := isX && isY
	switch {
	case strings.HasPrefix(is.whole(), lintersDefault):
		return sign(float64(lintersOf(is) - lintersOf(was)))
	case numbers && demandsLeast(is):
		return sign(y - x)
	case numbers && (greatest.MatchString(is.Key) || greatestIn.MatchString(is.whole())):
		return sign(x - y)
	}
	return Unclear
}

// worded is what it means that a value has words, or has them no more, by which less is checked or counts.
func worded(was, is Setting) Shift {
	line := func(s Setting) string { return strings.ToLower(`"` + s.Key + `": ` + s.Value) }
	saying := func(weak *pattern.Pattern, s Setting) bool {
		return !commands.CleansUp(s.Command()) && weak.MatchString(line(s)) && (weak != letsPass || !denied.MatchString(line(s)))
	}
	for _, weak := range []*pattern.Pattern{letsPass, narrows, onlySays} {
		switch a, b := saying(weak, was), saying(weak, is) && (weak != onlySays || len(commands.Checks(is.Value)) > 0); {
		case b && !a:
			return Less
		case a && !b:
			return More
		}
	}
	if _, again := commands.Retried(is.Command()); again {
		if first, before := commands.Retried(was.Command()); !before && len(commands.Checks(first)) > 0 {
			return Less // the first try counts no more
		}
	}
	if ignoresFailure(is.Value) && !ignoresFailure(was.Value) && strings.TrimLeft(is.Value, "@- ") == strings.TrimLeft(was.Value, "@ ") {
		return Less
	}
	return Unclear
}

// ignoresFailure reports whether a recipe of make goes on when its command fails.
func ignoresFailure(recipe string) bool {
	return strings.HasPrefix(strings.TrimLeft(recipe, "@"), "-") && !strings.HasPrefix(recipe, "--")
}

// strictSays reports whether settings have everything asked for that strictness stands for: by themselves, or by what they build on.
func strictSays(text []byte) bool {
	return slices.ContainsFunc(Of(text), func(s Setting) bool {
		return s.Key == "strict" && trees.TruthOf(s.Value) == trees.Yes || s.Key == "extends"
	})
}

// isException reports a switch that takes one thing out of what strictness stands for.
func isException(s Setting) bool {
	return ofStrict.MatchString(s.Key) && trees.TruthOf(s.Value) == trees.No
}

// lintersOf is how many linters golangci-lint begins with: those of its standard, where nothing is said.
func lintersOf(s Setting) int {
	if n, said := linterSets[strings.Trim(strings.ToLower(s.Value), `"'`)]; said {
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

// Severity reads how a linter's rule is set; -1 for what is no severity.
func Severity(text string) int {
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

// ListShift tells whether a list of what is looked at became longer or shorter; one that did both is unclear.
func ListShift(was, is []string) Shift {
	missing := slices.ContainsFunc(was, func(s string) bool { return !slices.Contains(is, s) })
	added := slices.ContainsFunc(is, func(s string) bool { return !slices.Contains(was, s) })
	switch {
	case missing && slices.Contains(is, "ALL"), added && !missing && !slices.Contains(was, "ALL"):
		return More
	case missing:
		return Less
	}
	return Unclear
}

// leftOutMore tells whether a list of what is left out leaves out more or less; one that leaves out something else is unclear.
func leftOutMore(was, is []string) Shift {
	fresh, gone := configs.Uncovered(was, is), trees.Without(was, is)
	switch {
	case len(fresh) > 0 && len(gone) > 0:
		return Unclear
	case len(fresh) > 0:
		return Less
	case len(gone) > 0:
		return More
	}
	return Unclear
}

func sign(f float64) Shift {
	switch {
	case f > 0:
		return More
	case f < 0:
		return Less
	}
	return Unclear
}

// alone is what it means that a setting is there which was not. That it is gone means the opposite.
func alone(s Setting) Shift {
	value := strings.ToLower(s.Value)
	said := trees.TruthOf(value)
	switch {
	case lessens(s), relaxed(s), said == trees.No && enabled.MatchString(s.whole()):
		return Less
	case s.Key == "target": // without one, Codecov wants as much as there was
		return Unclear
	case requires(s):
		return More
	case greatestIn.MatchString(s.whole()):
		return Less
	case strings.HasPrefix(s.whole(), lintersDefault):
		return sign(float64(lintersOf(s) - linterSets["standard"]))
	case switchedOn.MatchString(s.Key) && said == trees.Yes:
		return More
	case excludes(s):
		if said == trees.No || len(configs.Handmade(value)) == 0 || withTests.MatchString(value) { // what follows on lines of its own counts there
			return Unclear
		}
		return Less
	case includes(s):
		return More
	case Severity(value) == 0:
		return Less
	case Severity(value) > 0:
		return More
	case (s.Key == "run" || s.Key == "script") && checking.MatchString(s.Value) && !commands.MendFirst(s.Value):
		return More
	}
	return Unclear
}

// withTests matches what Maven is told to skip where it skips the tests, for a step that is there for them.
var withTests = pattern.New(`^\$\{(?:maven\.test\.skip|skiptests|skipits)\}$`)

// lessens reports whether a setting by itself has words by which less is checked or counts. What one more step leaves out, others may run.
func lessens(s Setting) bool {
	text := strings.ToLower(s.Text)
	if commands.CleansUp(s.Command()) {
		return false
	}
	if s.entry {
		text = `"` + s.Key + `": ` + text
	}
	checks := len(commands.Checks(s.Command())) > 0
	return letsPass.MatchString(text) && !denied.MatchString(text) || checks && onlySays.MatchString(text) || narrows.MatchString(text) && !checks
}

// relaxed reports a setting by which a check that looks says less.
func relaxed(s Setting) bool { return relaxes.MatchString(s.whole()) }

// demandsLeast reports whether a number is what there has to be at least.
func demandsLeast(s Setting) bool {
	return least.MatchString(s.Key) || shares.MatchString(s.Key) || leastIn.MatchString(s.whole())
}

// requires reports whether a setting asks for at least something.
func requires(s Setting) bool {
	_, isNumber := number(s.Value)
	return s.Value != "0" && demandsLeast(s) && (isNumber || !shares.MatchString(s.Key))
}

// includes reports whether a setting by itself has more looked at: a list that there was, or an addition to what looks by itself, is longer by it.
func includes(s Setting) bool {
	switch {
	case including.MatchString(s.Key):
		return s.entry || strings.HasPrefix(s.Key, "extend") || strings.HasPrefix(s.Key, "enable")
	case partOf.MatchString(s.Key):
		return including.MatchString(s.under)
	}
	return s.Key == "id" && s.under == "hooks" // of pre-commit
}

// excludes reports whether a setting leaves something out.
func excludes(s Setting) bool {
	return excluding.MatchString(s.Key) || partOf.MatchString(s.Key) && excluding.MatchString(s.under) || filesOff.MatchString(s.under)
}

// checking are commands of CI that only look.
var checking = pattern.New(`^["']?((uv|poetry|pdm|pipenv|hatch|rye) run |pnpm exec |bundle exec )?(python3? -m )?(pytest|ruff check|ruff format --check|mypy|pyright|flake8|pylint|bandit|eslint|npx eslint|npx tsc|tsc --noEmit|npm test|npm run (lint|test|check|typecheck)|yarn (test|lint)|pnpm (test|lint)|go test|go vet|golangci-lint run|staticcheck|cargo (test|clippy|fmt --check)|make (test|lint|check|vet)|tox|nox|mvn (test|verify)|gradle (test|check))\b[\w\s./:=\-]*["']?$`)

// ForOneModule reports whether mypy is told to do without the types of a library that is named.
func ForOneModule(s Setting, after []byte) bool {
	return s.Key == "ignore_missing_imports" && moduleSection.MatchString(s.path) && !slices.ContainsFunc(Of(after), func(o Setting) bool {
		return o.path == s.path && o.Key == "module" && slices.ContainsFunc(trees.Items(o.Value), func(name string) bool { return strings.HasPrefix(name, "*") })
	})
}

// moduleSection matches the heads of sections of mypy's that are about modules by name.
var moduleSection = pattern.New(`^(\[mypy-[A-Za-z_][\w.]*(\.\*)?\]|\[\[tool\.mypy\.overrides\]\])$`)
