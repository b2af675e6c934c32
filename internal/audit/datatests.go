package audit

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"fettle/internal/audit/trees"
	"fettle/internal/phrase"
)

// dataTest is one that dbt makes on what a model or a column of it holds, with what it is told of how much of that counts.
type dataTest map[string]string

// countsLess are what such a test is told by which fewer rows are looked at, or what it finds counts less.
var countsLess = []string{"severity", "where", "limit", "enabled", "error_if", "warn_if"}

// dataTests are those in a file of dbt's, by where they stand and what they ask.
func dataTests(src []byte) map[string]dataTest {
	t, err := trees.YAML(src)
	if err != nil || !slices.ContainsFunc([]string{"models", "sources", "seeds", "snapshots", "data_tests", "tests"}, func(key string) bool { return t[key] != nil }) {
		return nil
	}
	all := make(map[string]dataTest)
	gatherTests(t, "", all)
	return all
}

// gatherTests goes through what stands below a key, in which lists are of things with names.
func gatherTests(v any, at string, all map[string]dataTest) {
	switch v := v.(type) {
	case trees.Tree:
		for key, inner := range v {
			if key == "tests" || key == "data_tests" {
				for _, test := range trees.List(inner) {
					addDataTest(test, at, all)
				}
				continue
			}
			gatherTests(inner, at+"/"+key, all)
		}
	case []any:
		for _, item := range v {
			gatherTests(item, at+"/"+trees.Text(trees.Of(item)["name"]), all)
		}
	}
}

// addDataTest takes one test, which is a name, or a name with what it is told. The settings of a whole project stand below its key like one test.
func addDataTest(v any, at string, all map[string]dataTest) {
	name, told := trees.Text(v), trees.Tree{}
	for key, inner := range trees.Of(v) {
		switch {
		case trees.Is(inner) && key != "config":
			name = key
			maps.Copy(told, trees.Of(inner))
		default:
			told[key] = inner
		}
	}
	own := dataTest{}
	for _, part := range []trees.Tree{told, trees.Of(told["config"])} {
		for key, value := range part {
			if plain := strings.TrimPrefix(key, "+"); slices.Contains(countsLess, plain) {
				own[plain] = trees.Text(value)
			}
		}
	}
	at += "/" + name
	for all[at] != nil {
		at += "+"
	}
	all[at] = own
}

// looserDataTests looks for tests of data that look at fewer rows than before, whose findings count less, or that are gone from where others stay.
func looserDataTests(v *patchView, f *fileView) []Finding {
	if ext := path.Ext(f.path); ext != ".yml" && ext != ".yaml" || f.formatted || len(f.before) == 0 || len(f.after) == 0 {
		return nil
	}
	was, is := dataTests(f.before), dataTests(f.after)
	if len(was) == 0 || reflect.DeepEqual(was, is) {
		return nil
	}
	var all []Finding
	for _, name := range slices.Sorted(maps.Keys(was)) {
		old := was[name]
		now, there := is[name]
		said := ""
		for _, key := range countsLess {
			if loosensTest(key, old[key], now[key]) {
				said = fmt.Sprintf("%s: %s", key, now[key])
			}
		}
		switch {
		case !there:
			all = append(all, Finding{Effect: v.unless(Healer, Tidier), Evidence: fmt.Sprintf("%q is tested no more", phrase.Clip(name))})
		case said != "":
			all = append(all, Finding{Line: lineWith(f.after, said), Effect: v.unless(Healer, Tidier), Evidence: fmt.Sprintf("%q looks at less, or what it finds counts less: %s", phrase.Clip(name), phrase.Clip(said))})
		}
	}
	return all
}

// loosensTest reports whether a test looks at less, or counts less, by what it is told now: an error is what it is anyway.
func loosensTest(key, was, is string) bool {
	switch {
	case is == "" || was == is:
		return false
	case key == "severity":
		return !strings.EqualFold(is, "error")
	case key == "enabled":
		return trees.TruthOf(is) == trees.No
	}
	return true
}
