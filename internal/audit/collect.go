package audit

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/audit/settings"
	"fettle/internal/glob"
	"fettle/internal/lang"
	"fettle/internal/phrase"
	"fettle/internal/syntax"
)

// hides names, for files of settings that count alone where they are, the sections of other files that count no more then.
var hides = map[string][]string{
	"pytest.ini": pytestSections, ".pytest.ini": pytestSections, "pytest.toml": pytestSections, ".pytest.toml": pytestSections,
	".coveragerc": {"[tool.coverage.", "[coverage:"},
	"mypy.ini":    {"[tool.mypy", "[mypy"}, ".mypy.ini": {"[tool.mypy", "[mypy"},
	"ruff.toml": {"[tool.ruff"}, ".ruff.toml": {"[tool.ruff"},
	".pylintrc": {"[tool.pylint", "[pylint"}, "pylintrc": {"[tool.pylint", "[pylint"},
}

var pytestSections = []string{"[tool.pytest", "[tool:pytest]", "[pytest]"}

// hiddenBy is what other files of the repository set, and what a new file makes them set in vain.
func (v *patchView) hiddenBy(name string) []byte {
	sections := hides[path.Base(name)]
	if sections == nil {
		return nil
	}
	for _, other := range []string{"pyproject.toml", "tox.ini", "setup.cfg"} {
		f, err := v.source(path.Join(path.Dir(name), other))
		if err != nil {
			continue
		}
		if kept := sectionsOf(f.Data, sections); len(kept) > 0 {
			return kept
		}
	}
	return nil
}

// sectionsOf is what stands in the sections of a file whose heads begin so.
func sectionsOf(text []byte, sections []string) []byte {
	var kept []string
	inside := false
	for l := range strings.SplitSeq(string(text), "\n") {
		if strings.HasPrefix(l, "[") {
			inside = slices.ContainsFunc(sections, func(s string) bool { return strings.HasPrefix(l, s) })
			continue
		}
		if inside {
			kept = append(kept, l)
		}
	}
	return []byte(strings.Join(kept, "\n"))
}

// collectedNoMore looks for tests of the repository that pytest's settings found before, and do not find now.
func (v *patchView) collectedNoMore(before, after []byte) []Finding {
	was, is := settings.Of(before), settings.Of(after)
	var all []Finding
	for _, key := range []string{"python_functions", "python_classes"} {
		prefix := map[string]string{"python_functions": "test_x", "python_classes": "TestX"}[key]
		named := func(list []string) bool {
			return len(list) == 0 || slices.ContainsFunc(list, func(p string) bool { return matches(p, prefix) || strings.HasPrefix(prefix, p) })
		}
		if named(settings.Values(was, key)) && !named(settings.Values(is, key)) {
			all = append(all, Finding{Evidence: key + " leaves out what is called as tests are"})
		}
	}
	var gone []string
	if v.list != nil {
		for _, name := range v.list() {
			if lang.Of(name) == lang.Python && finds(was, name) && !finds(is, name) {
				gone = append(gone, name)
			}
		}
	}
	if len(gone) > 0 {
		all = append(all, Finding{Evidence: fmt.Sprintf("pytest does not find %s any more: %s", phrase.Count(len(gone), "file of tests"), phrase.Some(gone, 3))})
	}
	return all
}

// measuredNoMore looks for code that coverage measured before, and that is in none of the files that it is told to include now.
func (v *patchView) measuredNoMore(before, after []byte) []Finding {
	was, is := settings.Values(settings.Of(before), "include"), settings.Values(settings.Of(after), "include")
	if len(is) == 0 || v.list == nil {
		return nil
	}
	within := func(list []string, name string) bool {
		return len(list) == 0 || slices.ContainsFunc(list, func(p string) bool {
			return matches(p, name) || strings.HasPrefix(name, strings.TrimRight(strings.TrimPrefix(p, "*/"), "*")) && strings.Contains(p, "*")
		})
	}
	var gone []string
	for _, name := range v.list() {
		if lang.Of(name) == lang.Python && !lang.IsTest(name) && within(was, name) && !within(is, name) && strings.Contains(name, "/") {
			gone = append(gone, name)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return []Finding{{Evidence: fmt.Sprintf("coverage does not measure %s any more: %s", phrase.Count(len(gone), "file"), phrase.Some(gone, 3))}}
}

// finds reports whether pytest takes a file for one of tests, by its settings.
func finds(all []settings.Setting, name string) bool {
	patterns, paths := settings.Values(all, "python_files"), settings.Values(all, "testpaths")
	if len(patterns) == 0 {
		patterns = []string{"test_*.py", "*_test.py"}
	}
	if !slices.ContainsFunc(patterns, func(p string) bool { return matches(p, path.Base(name)) }) {
		return false
	}
	return len(paths) == 0 || slices.ContainsFunc(paths, func(p string) bool {
		p = strings.TrimSuffix(strings.TrimPrefix(p, "./"), "/")
		if p == "" || p == "." || strings.HasPrefix(name, p+"/") || name == p {
			return true
		}
		for dir := name; dir != "."; dir = path.Dir(dir) {
			if matches(p, dir) {
				return true
			}
		}
		return false
	})
}

func matches(glob, name string) bool {
	ok, err := path.Match(glob, name)
	return ok && err == nil
}

// matchedNoMore looks for tests of scripts that Jest's patterns matched before, and do not match now. About patterns with brackets nobody can tell.
func (v *patchView) matchedNoMore(name string, before, after []byte) []Finding {
	was, is := settings.Of(before), settings.Of(after)
	had, has := settings.Values(was, testMatch), settings.Values(is, testMatch)
	if v.list == nil || slices.Equal(had, has) || len(has) == 0 || bracketed(was) || bracketed(is) {
		return nil
	}
	matched := func(globs []string, file string) bool {
		return slices.ContainsFunc(globs, func(g string) bool {
			return glob.Match(strings.TrimPrefix(strings.TrimPrefix(g, "<rootDir>/"), "./"), file)
		})
	}
	dir := path.Dir(name)
	var gone []string
	for _, file := range v.list() {
		below := strings.TrimPrefix(file, dir+"/")
		if dir != "." && below == file || !testModule.MatchString(file) || !parts.IsScript(syntax.LangOf(file)) {
			continue
		}
		if (len(had) == 0 || matched(had, below)) && !matched(has, below) {
			gone = append(gone, file)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return []Finding{{Evidence: fmt.Sprintf("jest does not find %s any more: %s", phrase.Count(len(gone), "file of tests"), phrase.Some(gone, 3))}}
}

const testMatch = "testmatch"

// bracketed reports whether what tests are called is said with brackets, which lists of names are not read with.
func bracketed(all []settings.Setting) bool {
	return slices.ContainsFunc(all, func(s settings.Setting) bool { return s.Key == testMatch && strings.ContainsAny(s.Value, "({") })
}
