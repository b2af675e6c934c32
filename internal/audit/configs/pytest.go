package configs

import (
	"slices"
	"strings"

	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

// pytestSection compares a pytest.ini.
func pytestSection(was, is trees.Tree) Judgement {
	a, restA := split(was, "pytest")
	b, restB := split(is, "pytest")
	return min(tested(trees.Of(a["pytest"]), trees.Of(b["pytest"]), nil, nil), judgeBy(restA, restB, nil))
}

// tested compares what pytest is told, with what coverage is where both stand in one file: what one of them was told, the other one may be.
func tested(was, is, wasCover, isCover trees.Tree) Judgement {
	own := []string{"addopts", "filterwarnings"}
	a, restA := split(was, own...)
	b, restB := split(is, own...)
	had, has := pytestOptions(a["addopts"]), pytestOptions(b["addopts"])
	if had == nil || has == nil || !warnsAsMuch(filtersIn(a["filterwarnings"], had), filtersIn(b["filterwarnings"], has)) {
		return Unproven
	}
	covered, covers := coverageOf(had, wasCover), coverageOf(has, isCover)
	if !covered.heldBy(covers) || !optionsHeld(had, has) {
		return Unproven
	}
	return min(judgeBy(restA, restB, pytestDemands), judgeBy(covered.rest, covers.rest, coverageDemands))
}

var (
	pytestDemands = []demand{
		towards(`xfail_strict|strict(_\w+)?`, onByItself),
		towards(`minversion|log_\w+|junit_\w+|console_output_style|cache_dir|markers|tmp_path_\w+|verbosity_\w+|faulthandler_timeout`, free),
		towards(`required_plugins`, growsFromNone),
		towards(`testpaths`, growsToAll),
		towards(`norecursedirs`, shrinks),
	}
	coverageDemands = []demand{
		towards(`run/branch`, onByItself),
		towards(`(run|report)/omit`, shrinks),
		towards(`report/(show_missing|skip_covered|skip_empty|sort|format)|html/.*|xml/.*|json/.*|run/(parallel|data_file|relative_files|context|dynamic_context)`, free),
		towards(`report/precision`, rises),
	}

	// withValue are options of pytest's whose value may be the next word.
	withValue = strings.Fields(`-p -m -k -W -o -c -n -r --deselect --ignore --ignore-glob --cov-config --cov-report --cov-fail-under --durations --maxfail --junitxml --junit-xml --tb --timeout --import-mode --dist --reruns --cov`)
	// toldFreely matches options by which pytest says more or less, and finds the same; lessTests those by which it finds, or counts, less, and moreTests those by which it does more.
	toldFreely = pattern.New(`^(-q+|-v+|--verbose|--quiet|-r=?\w*|--tb=\w+|--colou?r=\w+|--durations(-min)?=[\d.]+|--no-header|--no-summary|-s|--capture=\w+|-l|--showlocals|--cov-report=.*|--junit-?xml=.*|--cov-context=\w+|-n=\w+|--dist=\w+|-p=no:cacheprovider|--ff|--failed-first|--nf|--new-first|-x|--exitfirst|--maxfail=\d+)$`)
	lessTests  = pattern.New(`^(-p=no:.*|--disable-warnings|--disable-pytest-warnings|--deselect=.*|--ignore(-glob)?=.*|-k=.*|-m=.*|--no-cov.*|--(lf|last-failed|sw|stepwise\w*|co|collect-only)|-W=(ignore|default).*|--reruns=.*)$`)
	moreTests  = pattern.New(`^(--strict-markers|--strict-config|--strict|--doctest-modules|--doctest-glob=.*)$`)
	ofCoverage = pattern.New(`^--cov(=.*|-branch|-fail-under=.*)?$`)
)

// pytestOptions are the options in a line of them, each with its value behind a sign; nil, where they cannot be told apart.
func pytestOptions(v any) []string {
	all := []string{}
	var words []string
	for _, w := range trees.Words(v) {
		words = append(words, strings.Fields(w)...)
	}
	for i := 0; i < len(words); i++ {
		w := words[i]
		if strings.ContainsAny(w, `"'\`) {
			return nil
		}
		if slices.Contains(withValue, w) && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") {
			i++
			w += "=" + words[i]
		}
		all = append(all, w)
	}
	return all
}

// optionsHeld reports whether options that are others have no less tested, and count no less.
func optionsHeld(had, has []string) bool {
	gone := slices.DeleteFunc(trees.Without(had, has), func(o string) bool {
		return toldFreely.MatchString(o) || lessTests.MatchString(o) || ofCoverage.MatchString(o) || o == "-W=error"
	})
	fresh := slices.DeleteFunc(trees.Without(has, had), func(o string) bool {
		return toldFreely.MatchString(o) || moreTests.MatchString(o) || ofCoverage.MatchString(o) || o == "-W=error"
	})
	return len(gone)+len(fresh) == 0
}

// filtersIn are what becomes of warnings, in order: what is said later counts.
func filtersIn(v any, options []string) []string {
	var all []string
	if slices.Contains(options, "-p=no:warnings") {
		return nil
	}
	for _, w := range trees.Words(v) {
		for f := range strings.SplitSeq(w, "\n") {
			if f = strings.TrimSpace(f); f != "" {
				all = append(all, f)
			}
		}
	}
	for _, o := range options {
		if f, is := strings.CutPrefix(o, "-W="); is {
			all = append(all, f)
		}
	}
	return all
}

// warnsAsMuch reports whether each warning that was an error is one, and no more warnings are kept quiet than those that were, and single ones.
func warnsAsMuch(was, is []string) bool {
	fails := func(f string) bool { return f == "error" || strings.HasPrefix(f, "error:") }
	fresh := trees.Without(is, was)
	if slices.ContainsFunc(was, fails) {
		stays := func(f string) bool { return fails(f) || slices.Contains(is, f) }
		kept := slices.DeleteFunc(slices.Clone(was), func(f string) bool { return !stays(f) })
		return slices.Equal(kept, slices.DeleteFunc(slices.Clone(is), func(f string) bool { return fails(f) && !slices.Contains(was, f) }))
	}
	return !slices.ContainsFunc(fresh, func(f string) bool {
		parts := strings.Split(f, ":")
		single := len(parts) > 1 && parts[1] != "" || len(parts) > 3 && parts[3] != ""
		wider := slices.Contains(was, "ignore") || len(parts) > 2 && slices.Contains(was, "ignore::"+parts[2])
		return parts[0] == "ignore" && !single && !wider
	})
}

// coverage is what is measured, and how much of it there has to be.
type coverage struct {
	measured         bool
	least            any
	source, excluded []string // no source stands for all
	rest             trees.Tree
}

// commonPragma is the mark that coverage leaves out lines by where it is not told otherwise.
const commonPragma = "pragma: no cover"

// coverageOf is what pytest's options and the settings of coverage come to together.
func coverageOf(options []string, t trees.Tree) coverage {
	run, runRest := split(trees.Of(t["run"]), "source", "source_pkgs")
	report, reportRest := split(trees.Of(t["report"]), "fail_under", "exclude_lines", "exclude_also")
	_, rest := split(t, "run", "report")
	rest["run"], rest["report"] = runRest, reportRest
	c := coverage{least: report["fail_under"], rest: rest}
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		switch name {
		case "--cov":
			c.measured = true
			if value != "" {
				c.source = append(c.source, value)
			}
		case "--cov-branch":
			runRest["branch"] = "true"
		case "--cov-fail-under":
			c.least = value
		}
	}
	if len(c.source) == 0 {
		c.source = append(partsIn(run["source"]), partsIn(run["source_pkgs"])...)
	}
	if c.excluded = trees.Words(report["exclude_lines"]); c.excluded == nil {
		c.excluded = []string{commonPragma}
	}
	c.excluded = append(c.excluded, trees.Words(report["exclude_also"])...)
	return c
}

// heldBy reports whether another one measures all of this, and demands as much of it.
func (c coverage) heldBy(o coverage) bool {
	switch {
	case c.measured && !o.measured, len(trees.Without(o.excluded, c.excluded)) > 0:
		return false
	case len(o.source) > 0 && (len(c.source) == 0 && c.measured || len(trees.Without(c.source, o.source)) > 0):
		return false
	}
	return c.least == nil || rises(c.least, o.least) == NoLess
}
