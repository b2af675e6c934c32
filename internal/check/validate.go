package check

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"fettle/internal/pattern"
)

// parserLang is the language that a format belongs to, where it belongs to one.
var parserLang = map[string]string{
	"gotest": "go", "gobuild": "go", "gofmt": "go", "golangci": "go",
	"pytest": "python", "pytest-junit": "python", "unittest": "python", "ruff": "python", "mypy": "python",
	"flake8": "python", "pylint": "python", "pyright": "python", "black": "python", "isort": "python",
	"cargo": "rust", "cargo-test": "rust", "rustfmt": "rust",
	"eslint": "javascript", "prettier": "javascript", "biome": "javascript", "tsc": "javascript", "jest": "javascript", "vitest": "javascript", "mocha": "javascript",
	"maven": "java", "gradle": "java", "java-junit": "java",
}

// langs are the languages that a check can judge. JavaScript stands for TypeScript too, Java for whatever runs on its machine.
var langs = []string{"go", "java", "javascript", "python", "rust"}

// checkName is a kind, and maybe labels.
var checkName = pattern.New(`^[a-z]+(\.[A-Za-z0-9_][A-Za-z0-9_+-]*)*$`)

// envName is a variable that a program can read.
var envName = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// validate finds what is wrong with values that have the right type.
func (d *decoder) validate(doc *document) {
	if doc.Version != 1 && !d.complained(d.at("version")) {
		d.problem(d.at("version"), "version should be 1: the only one that this fettle knows")
	}
	for _, name := range d.order["checks"] {
		doc.Checks[name] = doc.Checks[name].readable()
		d.checkEntry(name, doc.Checks[name])
	}
	d.limits(doc.Limits)
	d.fixers(doc.Fixers)
	d.trust(doc.Fixers.Trust, doc.Limits.Confidence)
	d.models(doc.Models)
	d.globs(doc.Protect, "protect")
	d.globs(doc.Scope, "scope")
	if !branchPrefix.MatchString(doc.BranchPrefix) || strings.Contains(doc.BranchPrefix, "..") || strings.Contains(doc.BranchPrefix, "//") {
		d.problem(d.at("branch_prefix"), "branch_prefix %q cannot begin the name of a branch", doc.BranchPrefix)
	}
	for _, name := range d.order["fixers"+sep+"plugins"] {
		if len(doc.Fixers.Plugins[name].Run) == 0 {
			d.missing("run", "fixers", "plugins", name)
		}
		for _, c := range doc.Fixers.Plugins[name].Checks {
			d.asked(c, doc, name)
		}
	}
}

// asked checks the name of a kind or of a check whose findings a plug-in is given. Where the file names no checks, they are found
// later by looking.
func (d *decoder) asked(name string, doc *document, plugin string) {
	here := d.at("fixers", "plugins", plugin, "checks")
	kind, _, whole := strings.Cut(name, ".")
	known := d.order["checks"]
	switch {
	case !slices.Contains(kinds, kind):
		d.problem(here, "%q is no kind of check%s", kind, didYouMean(kind, kinds))
	case whole && doc.Checks != nil && !slices.ContainsFunc(known, func(k string) bool { return Check{Name: k}.answersTo(name) }):
		d.problem(here, "there is no check %q%s", name, didYouMean(name, known))
	}
}

// branchPrefix is a cautious part of what git check-ref-format allows.
var branchPrefix = pattern.New(`^[A-Za-z0-9_][A-Za-z0-9._/-]*$`)

// complained reports whether a problem stands exactly here already.
func (d *decoder) complained(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && slices.ContainsFunc(d.problems, func(p Problem) bool {
		return p.Line == n.Line && p.Column == n.Column
	})
}

// missing says that a key is missing in what the last of the keys names.
func (d *decoder) missing(key string, keys ...string) {
	n := d.name(keys...)
	if n == nil {
		n = d.at(keys...)
	}
	for _, p := range d.problems {
		if p.Line >= n.Line && strings.HasPrefix(p.Text, where(append(keys, key))+": ") {
			return // it is there, and something else is wrong with it
		}
	}
	d.problem(n, "%s has no %q", where(keys), key)
}

func (d *decoder) checkEntry(name string, e checkEntry) {
	here := func(key string) *nodeAt { return &nodeAt{d, []string{"checks", name, key}} }
	if kind := (Check{Name: name}).Kind(); !slices.Contains(kinds, kind) {
		d.problem(d.name("checks", name), "the check %q begins with no kind that is known (%s)%s",
			name, strings.Join(kinds, ", "), didYouMean(kind, kinds))
	} else if !checkName.MatchString(name) {
		d.problem(d.name("checks", name), "the check's name %q should be a kind, or a kind and a label such as %s.mine", name, kind)
	}
	if len(e.Run) == 0 {
		d.missing("run", "checks", name)
	}
	d.globs(e.Reports, "checks", name, "reports")
	if e.Parser.Reader != nil {
		d.reader(name, e)
	} else {
		d.parser(name, e)
	}
	if e.Lang != "" && !slices.Contains(langs, e.Lang) {
		here("lang").problem("lang should be one of %s%s", strings.Join(langs, ", "), didYouMean(e.Lang, langs))
	}
	if cleanDir(e.Dir) == ".." || strings.HasPrefix(cleanDir(e.Dir), "../") || path.IsAbs(e.Dir) {
		here("dir").problem("dir %q lies outside the repository", e.Dir)
	}
	for k := range e.Env {
		if !envName.MatchString(k) {
			here("env").problem("%q cannot be the name of a variable", k)
		}
	}
	d.globs(e.Files, "checks", name, "files")
}

// nodeAt is where a problem is reported.
type nodeAt struct {
	d    *decoder
	keys []string
}

func (n *nodeAt) problem(format string, args ...any) {
	n.d.problem(n.d.at(n.keys...), "%s: "+format, append([]any{where(n.keys[:2])}, args...)...)
}

func (d *decoder) fixers(f fixersEntry) {
	d.parts("shares", f.Shares, ByModel, ByAgent)
	d.parts("confidence", f.Confidence, ByTool, BySearch, ByPlugin, ByModel, ByAgent)
	if f.GiveUp < 0 {
		d.problem(d.at("fixers", "give_up"), "fixers.give_up should be 0 or more")
	}
}

// parts checks a key that holds a number from 0 to 1 for some kinds of fixers.
func (d *decoder) parts(key string, of map[string]float64, kinds ...string) {
	for kind, part := range of {
		switch at := d.at("fixers", key, kind); {
		case !slices.Contains(kinds, kind):
			last := len(kinds) - 1
			d.problem(at, "fixers.%s has no %s; there are %s and %s", key, quote(kind), strings.Join(kinds[:last], ", "), kinds[last])
		case !(part >= 0 && part <= 1): // so that NaN is refused too
			d.problem(at, "fixers.%s.%s should be between 0 and 1", key, kind)
		}
	}
}

func (d *decoder) trust(t trustEntry, confidence float64) {
	at := func(key, problem string, args ...any) {
		d.problem(d.at("fixers", "trust", key), "fixers.trust."+key+" should be "+problem, args...)
	}
	if !(t.Least == 0 || t.Least >= LeastTrust && t.Least <= max(confidence, LeastTrust)) {
		at("least", "between %g and limits.confidence (%g): who does not say how sure it is counts as half sure, and is not tried", LeastTrust, confidence)
	}
	if !(t.Most >= 0 && t.Most <= 1) {
		at("most", "between limits.confidence and 1")
	}
}

func (d *decoder) limits(l limitsEntry) {
	atLeastOne := map[string]int64{
		"iterations": int64(l.Iterations), "findings": int64(l.Findings), "edits_per_file": int64(l.EditsPerFile),
		"max_file_size": l.MaxFileSize, "output": l.Output,
	}
	for key, v := range atLeastOne {
		if v < 1 {
			d.problem(d.at("limits", key), "limits.%s should be at least 1", key)
		}
	}
	for key, v := range map[string]int{"parallel": l.Parallel, "calls": l.Calls, "tokens": l.Tokens} {
		if v < 0 {
			d.problem(d.at("limits", key), "limits.%s should be at least 1", key)
		}
	}
	if !(l.Confidence >= 0 && l.Confidence <= 1) { // so that NaN is refused too
		d.problem(d.at("limits", "confidence"), "limits.confidence should be between 0 and 1")
	}
	if l.Budget != nil && !(*l.Budget >= 0 && *l.Budget <= maxBudget) {
		d.problem(d.at("limits", "budget"), "limits.budget should be an amount of dollars, at most %d", maxBudget)
	}
}

// maxBudget is far more than a session can spend, in dollars.
const maxBudget = 1_000_000

// maxJudged is how many patches of a session a second model may judge at most: each of them is one that somebody has been paid for.
const maxJudged = 10

func (d *decoder) models(m modelsEntry) {
	if n := m.Challenge.Threshold; n < 0 || n > 100 {
		d.problem(d.at("models", "challenge", "threshold"), "models.challenge.threshold should be between 1 and 100")
	}
	if n := m.Challenge.Iterations; n < 0 || n > maxJudged {
		d.problem(d.at("models", "challenge", "iterations"), "models.challenge.iterations should be between 1 and %d", maxJudged)
	}
	for name, r := range m.Roles {
		if t := r.Temperature; t != nil && !(*t >= 0 && *t <= 2) {
			d.problem(d.at("models", "roles", name, "temperature"), "models.roles.%s.temperature should be between 0 and 2", name)
		}
		if r.MaxTokens < 0 {
			d.problem(d.at("models", "roles", name, "max_tokens"), "models.roles.%s.max_tokens should be at least 1", name)
		}
		if r.Samples < 0 {
			d.problem(d.at("models", "roles", name, "samples"), "models.roles.%s.samples should be at least 1", name)
		}
		if r.Turns != nil && *r.Turns < 0 {
			d.problem(d.at("models", "roles", name, "turns"), "models.roles.%s.turns should be 0 or more", name)
		}
	}
}

func (d *decoder) globs(globs []string, keys ...string) {
	for i, g := range globs {
		if err := ValidGlob(g); err != nil {
			d.problem(d.at(append(slices.Clone(keys), strconv.Itoa(i+1))...), "%s: %v", where(keys), err)
		}
	}
}

// cleanDir is a folder as Check.Dir has it: "" for the root.
func cleanDir(dir string) string {
	if dir = path.Clean(dir); dir == "." {
		return ""
	}
	return dir
}
