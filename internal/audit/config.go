package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fettle/internal/edit"
	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// configRules look for checks that see less than before.
var configRules = []Rule{
	{"weakened-check", "a check's configuration or CI demands less: a threshold is lower, a rule is off, files are left out, a failure counts no more", each(weakenedChecks)},
	{"weakened-policy", "the project's rules for coding agents deny or ask about less", weakenedPolicy},
}

// setting is one line of a configuration: a key with a value, or an entry of a list under its key.
type setting struct {
	key, value string
	number     int
	entry      bool
	text       string
}

var keyed = pattern.New(`^"?([\w@/.\- ]+?)"?\s*[:=]\s*(.*)$`)

// settings reads lines as most configurations have them: INI, TOML, YAML, JSON. What spans lines counts under the key before it.
func settings(src []byte) []setting {
	var all []setting
	type open struct {
		indent int
		key    string
	}
	var above []open
	for i, raw := range strings.Split(string(src), "\n") {
		text := strings.TrimSpace(raw)
		if text == "" || strings.HasPrefix(text, "#") || strings.HasPrefix(text, "//") || strings.HasPrefix(text, ";") || strings.Trim(text, "{}[](),") == "" {
			continue
		}
		indent := len(raw) - len(strings.TrimLeft(raw, " \t"))
		for len(above) > 0 && above[len(above)-1].indent >= indent && (!strings.HasPrefix(text, "- ") || above[len(above)-1].indent > indent) {
			above = above[:len(above)-1]
		}
		s := setting{number: i + 1, text: text}
		m := keyed.FindStringSubmatch(strings.TrimPrefix(text, "- "))
		switch {
		case m != nil && !strings.HasPrefix(text, "["):
			s.key, s.value = strings.ToLower(m[1]), strings.TrimSuffix(strings.TrimSpace(m[2]), ",")
			above = append(above, open{indent, s.key})
		case len(above) > 0 && !strings.HasPrefix(text, "["):
			s.key, s.value, s.entry = above[len(above)-1].key, strings.Trim(strings.TrimPrefix(text, "- "), `"',`), true
		default:
			s.key = text
		}
		all = append(all, s)
	}
	return all
}

// shift is how the demands of a configuration changed.
type shift int

const (
	less shift = iota - 1
	unclear
	more
)

// changes compares two versions of a configuration: each setting that differs, with what the difference means.
func changes(before, after []byte) map[setting]shift {
	gone, fresh := settings(before), settings(after)
	same := func(list []setting, s setting) int {
		return slices.IndexFunc(list, func(o setting) bool {
			return o.key == s.key && o.value == s.value && o.entry == s.entry && o.text == s.text
		})
	}
	for i := 0; i < len(gone); {
		if j := same(fresh, gone[i]); j >= 0 {
			gone, fresh = slices.Delete(gone, i, i+1), slices.Delete(fresh, j, j+1)
		} else {
			i++
		}
	}
	lost := lostChecks(gone, fresh)
	out := make(map[setting]shift)
	for _, was := range gone {
		j := slices.IndexFunc(fresh, func(s setting) bool { return s.key == was.key && s.entry == was.entry })
		tools := checksOf(was.command())
		misses := slices.ContainsFunc(tools, func(tool string) bool { return slices.Contains(lost, tool) })
		switch {
		case j < 0 && misses:
			out[was] = less
		case j < 0 && len(tools) > 0: // another step runs them
			out[was] = unclear
		case j < 0:
			out[was] = -alone(was)
		case misses:
			out[fresh[j]] = less
		default:
			out[fresh[j]] = turned(fresh[j].key, was.value, fresh[j].value)
		}
		if j >= 0 {
			fresh = slices.Delete(fresh, j, j+1)
		}
	}
	for _, s := range fresh {
		out[s] = alone(s)
	}
	return out
}

var (
	least      = pattern.New(`fail[_-]?under|minimum|min[_-]?coverage|coveragethreshold|^min[_-]|cov-fail-under`)
	shares     = pattern.New(`^(branches|functions|lines|statements)$`) // of what has to be covered, where their value is a number
	greatest   = pattern.New(`^max|complexity|maxwarnings|max-warnings|^retries$|reruns`)
	switchedOn = pattern.New(`^(strict|warn_|disallow_|check_untyped|noimplicit|nounused|xfail_strict|strict_|strict[a-z]|nofallthrough|fail-fast|fail_fast|filterwarnings)`)
	including  = pattern.New(`^(select|extend-select|enable|enable_error_code|enable-error-code|extend_select|testpaths|linters|checks|plugins)$`)
	excluding  = pattern.New(`^(ignore|extend-ignore|exclude|exclude_lines|exclude_also|omit|disable|disable_error_code|skip|per-file-ignores|extend-exclude|norecursedirs|testpathignorepatterns|coveragepathignorepatterns|modulepathignorepatterns|ignorepatterns|ignore_errors|ignore_missing_imports|skip-dirs|skip-files|exclude-rules|deselect|collect_ignore)$`)
	onlySays   = pattern.New(`\|\|\s*(echo|printf)\b[^&;|]*$`) // that a check has failed
	narrows    = pattern.New(`--deselect|--ignore|addopts.*\s-[km][\s='"]|pytest\b[^|;&]*\s-[km][\s='"]|maven\.test\.skip|skiptests`)
	letsPass   = pattern.New(`\|\|\s*(true|:|exit 0)|;\s*(true|exit 0)\s*$|continue-on-error|allow_failure|--exit-zero|--passwithnotests|--no-cov|set \+e|--max-warnings|testfailureignore|--exitfirst|--no-verify|"(test|lint|check|typecheck)":\s*"(exit 0|true|:|echo[^"]*)"`)
)

// turned is what it means that a key has another value.
func turned(key, was, is string) shift {
	if s := worded(key, was, is); s != unclear {
		return s
	}
	lower := strings.ToLower
	x, errX := strconv.ParseFloat(strings.Trim(was, `"'%`), 64)
	y, errY := strconv.ParseFloat(strings.Trim(is, `"'%`), 64)
	numbers := errX == nil && errY == nil
	switch {
	case numbers && (least.MatchString(key) || shares.MatchString(key)):
		return sign(y - x)
	case numbers && greatest.MatchString(key):
		return sign(x - y)
	case switchedOn.MatchString(key) && truth[lower(was)] != 0 && truth[lower(is)] != 0:
		return sign(float64(truth[lower(is)] - truth[lower(was)]))
	case severity(was) >= 0 && severity(is) >= 0:
		return sign(float64(severity(is) - severity(was)))
	case including.MatchString(key):
		return sets(items(was), items(is))
	case excluding.MatchString(key):
		return -sets(items(was), items(is))
	}
	return unclear
}

// worded is what it means that a value has words, or has them no more, by which less is checked or counts.
func worded(key, was, is string) shift {
	line := func(value string) string { return strings.ToLower(`"` + key + `": ` + value) }
	for _, weak := range []*pattern.Pattern{letsPass, narrows, onlySays} {
		switch a, b := weak.MatchString(line(was)), weak.MatchString(line(is)) && (weak != onlySays || len(checksOf(is)) > 0); {
		case b && !a:
			return less
		case a && !b:
			return more
		}
	}
	if ignoresFailure(is) && !ignoresFailure(was) && strings.TrimLeft(is, "@-") == strings.TrimLeft(was, "@") {
		return less
	}
	return unclear
}

// ignoresFailure reports whether a recipe of make goes on when its command fails.
func ignoresFailure(recipe string) bool {
	return strings.HasPrefix(strings.TrimLeft(recipe, "@"), "-") && !strings.HasPrefix(recipe, "--")
}

var truth = map[string]int{"true": 2, "yes": 2, "on": 2, "false": 1, "no": 1, "off": 1}

// severity reads how a linter's rule is set; -1 for what is no severity.
func severity(text string) int {
	text = strings.TrimLeft(strings.ToLower(strings.Trim(text, `"' `)), `["' `)
	for i, word := range []string{"off", "warn", "error"} {
		if text == word || strings.HasPrefix(text, word+`"`) || strings.HasPrefix(text, word+"'") {
			return i
		}
	}
	return -1
}

func items(list string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune("[](){},\"' \t", r) }), func(s string) bool { return s == "" })
}

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
	switch {
	case lessens(s):
		return less
	case requires(s.key, value):
		return more
	case switchedOn.MatchString(s.key) && truth[value] == 2:
		return more
	case excluding.MatchString(s.key) && value != "false":
		return less
	case including.MatchString(s.key) && (s.entry || strings.HasPrefix(s.key, "extend") || strings.HasPrefix(s.key, "enable")):
		return more
	case severity(value) == 0:
		return less
	case severity(value) > 0:
		return more
	case s.key == "run" && checking.MatchString(s.value), s.key == "script" && checking.MatchString(s.value):
		return more
	}
	return unclear
}

// lessens reports whether a setting by itself has words by which less is checked or counts. What one more step leaves out, others may run.
func lessens(s setting) bool {
	text := strings.ToLower(s.text)
	if s.entry {
		text = `"` + s.key + `": ` + text
	}
	checks := len(checksOf(s.command())) > 0
	return letsPass.MatchString(text) && !strings.HasSuffix(strings.ToLower(s.value), "false") || checks && onlySays.MatchString(text) || narrows.MatchString(text) && !checks
}

// requires reports whether a setting asks for at least something.
func requires(key, value string) bool {
	if value == "0" {
		return false
	}
	_, err := strconv.ParseFloat(strings.Trim(value, `"'%`), 64)
	return least.MatchString(key) || shares.MatchString(key) && err == nil
}

// checking are commands of CI that only look.
var checking = pattern.New(`^["']?(python3? -m )?(pytest|ruff check|ruff format --check|mypy|pyright|flake8|pylint|bandit|eslint|npx eslint|npx tsc|tsc --noEmit|npm test|npm run (lint|test|check|typecheck)|yarn (test|lint)|pnpm (test|lint)|go test|go vet|golangci-lint run|staticcheck|cargo (test|clippy|fmt --check)|make (test|lint|check|vet)|tox|nox|mvn (test|verify)|gradle (test|check))\b[\w\s./:=\-]*["']?$`)

func weakenedChecks(v *patchView, f *fileView) []Finding {
	if !lang.IsCI(f.path) && !lang.IsCheckConfig(f.path) || f.formatted {
		return nil
	}
	before := f.before
	if f.change.Op == edit.Create {
		before = v.hiddenBy(f.path)
	}
	var all []Finding
	for s, to := range changes(before, f.after) {
		if to == less {
			all = append(all, Finding{Line: s.number, Evidence: fmt.Sprintf("%q: the check sees or demands less", clip(s.text))})
		}
	}
	slices.SortFunc(all, func(a, b Finding) int { return a.Line - b.Line })
	all = append(all, lostInPipes(before, f.after)...)
	if lang.IsCI(f.path) {
		all = append(all, fewerTriggers(f.before, f.after)...)
		all = append(all, newlyIdle(f.before, f.after)...)
		all = append(all, v.fewerMachines(f.before, f.after)...)
	}
	if f.path == ".coveragerc" {
		all = append(all, v.measuredNoMore(before, f.after)...)
	}
	if slices.Contains(pytestFiles, f.path) {
		all = append(all, v.collectedNoMore(before, f.after)...)
	}
	for i := range all {
		if all[i].Effect = Refuse; v.goal.Configs {
			all[i].Effect = Ask
		}
	}
	return all
}

// demandsMore reports whether a configuration changed, and demands more in all of it that changed.
func demandsMore(before, after []byte) bool {
	all := changes(before, after)
	for _, to := range all {
		if to != more {
			return false
		}
	}
	return len(all) > 0 && len(before) > 0 && len(after) > 0
}
