package audit

import (
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/accounts"
	"fettle/internal/audit/assertions"
	"fettle/internal/audit/doubles"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/edit"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	danger "fettle/internal/policy/code"
)

// selected matches words in names by which runs leave tests out, or choose them.
var selected = pattern.New(`(?i)(^|[^a-z])(slow|integration|flaky|manual|e2e|skip\w*|disabled|ignored?|wip|network|online|nightly|quarantined?|benchmark|perf|xfail|known)([^a-z]|$)`)

// hump matches where words meet in a name that is written in humps.
var hump = pattern.New(`([a-z0-9])([A-Z])`)

// onlyClearer reports whether a test that has another name now is the same for whoever runs it: nothing in it, and no run as far as its name tells, goes by what it is called.
func onlyClearer(was, is, body string) bool {
	chosen := func(name string) bool { return selected.MatchString(hump.ReplaceAllString(name, "${1}_$2")) }
	return !accounts.GoesByName(body) && (chosen(was) || !chosen(is))
}

// renaming is the effect of another name for a test that asks the same: a person may find a better one.
func (v *patchView) renaming(was, is, body string) Effect {
	if v.goal.By == Person && onlyClearer(was, is, body) {
		return Note
	}
	return v.unordered()
}

// dataFolders are where files lie that tests are given.
var dataFolders = []string{"testdata", "test_data", "test-data", "fixtures", "__fixtures__", "fixture", "resources", "data", "inputs", "samples", "corpus", "testcases", "test_cases"}

// dataTypes are the endings of files that hold data, and do nothing.
var dataTypes = []string{".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt", ".xml", ".html", ".md", ".yaml", ".yml", ".toml", ".eml", ".ics", ".geojson"}

// governs matches names of files that say how something is run, or that hold what a run has to give.
var governs = pattern.New(`(?i)config|settings|conftest|^\.|^(package|tsconfig|composer|requirements|setup|tox|pytest|playbook|workflow|docker|compose)|golden|snapshot|expected|approved|baseline`)

// bringsData reports whether a new file is one more of the data that tests are given: in a folder of such, of a kind that does nothing by itself, and in the place of no other.
func (v *patchView) bringsData(f *fileView) bool {
	if f.change.Op != edit.Create || !f.test || !f.text() || !slices.Contains(dataTypes, strings.ToLower(path.Ext(f.path))) {
		return false
	}
	folders := strings.Split(path.Dir(f.path), "/")
	if governs.MatchString(path.Base(f.path)) || slices.ContainsFunc(folders, governs.MatchString) || !slices.ContainsFunc(folders, func(d string) bool { return slices.Contains(dataFolders, strings.ToLower(d)) }) {
		return false
	}
	if v.list == nil {
		return true
	}
	return !slices.ContainsFunc(v.list(), func(o string) bool {
		return o != f.path && path.Dir(o) == path.Dir(f.path) && strings.EqualFold(parts.Stem(o), parts.Stem(f.path)) && !lang.IsVendored(o)
	})
}

// handsMock reports whether a test gives a mock that it made to code from elsewhere: what it asks of the mock is then how that made use of it.
func handsMock(test *code.Node, s doubles.Double, names *danger.Names) bool {
	made, target := s.At.Kid(code.Value), s.At.Kid(code.Target)
	if s.At.Role != code.Assign || !made.Is(code.Call) || !doubles.IsMock(parts.LastName(made)) || !target.Is(code.Name) {
		return false
	}
	given := false
	for n := range test.Walk() {
		if callee := n.Kid(code.Callee); callee.Is(code.Name) && callee.Name == target.Name {
			return false // it is asked itself
		}
		path := names.Path(n.Kid(code.Callee))
		if n.Role != code.Call || !strings.Contains(path, ".") || doubles.IsMock(parts.LastName(n)) || assertions.OnlyShows(path) || accounts.AssertsByName(n) {
			continue
		}
		for _, a := range n.All(code.Arg) {
			if a.Is(code.Keyword) {
				a = a.Kid(code.Value)
			}
			given = given || a.Is(code.Name) && a.Name == target.Name
		}
	}
	return given
}

// asksForSome matches lines of tests that demand that there is something, or that something went well; what they ask stands in the first group that is not empty.
var asksForSome = pattern.Any(
	`^assert!\((.+)\.is_(?:some|ok)\(\)\);?$`,
	`^(?:Assertions\.|Assert\.|\$this->|self\.|self::|static::)?(?:assertNotNull|refute_nil|assert_not_nil|XCTAssertNotNil|NotNull|IsNotNull)[( ]([^,]+?)\)?;?$`,
	`^expect\((.+)\)\.(?:not_to|to_not) be_nil$`,
	`^(?:ASSERT|EXPECT)_NE\((.+), nullptr\);$`,
)

// equalsOne matches lines that demand that something is equal to something, with both in groups.
var equalsOne = pattern.Any(
	`^(?:assert_eq!|(?:Assertions\.|Assert\.|\$this->|self\.|self::|static::)?(?:assertEquals|assertSame|assert_equal|XCTAssertEqual|Equal|AreEqual))[( ](.+), (.+?)\)?;?$`,
	`^expect\((.+)\)\.to eq\(?(.+?)\)?$`,
	`^(?:ASSERT|EXPECT)_(?:EQ|STREQ)\((.+), (.+)\);$`,
)

var (
	sameValue = pattern.New(`^(?:\.(?:as_deref|as_ref|as_deref_mut|cloned|copied|unwrap)\(\)|[!?]|!!)*$`)
	oneValue  = pattern.New(`^(?:Some|Ok)\([^()]*\)$|^&?(?:-?[\d_.]+\w*|"[^"]+"|'[^']+')$`)
	noValue   = pattern.New(`^(?:Some|Ok)\((?:_|.*\b(?:None|Err)\b.*)\)$`)
)

// namesOne reports whether a line demands one value that is written out of what another only demands something of.
func namesOne(was, is string) bool {
	m, e := asksForSome.FindStringSubmatch(was), equalsOne.FindStringSubmatch(is)
	if m == nil || e == nil {
		return false
	}
	about, sides := filled(m), filled(e)
	if len(about) != 1 || len(sides) != 2 {
		return false
	}
	for i, side := range sides {
		rest, ok := strings.CutPrefix(side, about[0])
		if want := sides[1-i]; ok && sameValue.MatchString(rest) && oneValue.MatchString(want) && !noValue.MatchString(want) {
			return true
		}
	}
	return false
}

// filled are the groups of a match that are not empty.
func filled(m []string) []string {
	return slices.DeleteFunc(slices.Clone(m[1:]), func(s string) bool { return s == "" })
}
