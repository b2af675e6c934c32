package internal

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	declaredTest = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	quotedWord   = regexp.MustCompile("`([^`]+)`")
	testName     = regexp.MustCompile(`^(?:Test|Fuzz|Benchmark)[A-Z]\w*$`)
	codeBlock    = regexp.MustCompile("(?s)```[a-z]+\n(.*?)```")
	storyName    = regexp.MustCompile(`^[a-z_]+$`)
)

// A promise names the tests that hold it, and these exist: `TestName` and `story.txtar`, and, in the last column of a table of what was tried
// where, `story` alone.
func TestDocumentsNameTestsThatExist(t *testing.T) {
	known := existingTests(t)
	for name, least := range map[string]int{"../docs/guarantees.md": 20, "../docs/environments.md": 20, "audit/path_attacks_test.go": 5} {
		text, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Fatal(err)
		}
		named := 0
		for line := range bytes.Lines(text) {
			for _, test := range namedTests(string(line)) {
				named++
				if !known[test] {
					t.Errorf("%s names %s, and there is no such test", name, test)
				}
			}
		}
		if named < least {
			t.Errorf("%s names %d tests: they are not found any more", name, named)
		}
	}
}

// existingTests are the names of test functions, and of stories with their suffix.
func existingTests(t *testing.T) map[string]bool {
	known := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != ".." && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		case strings.HasSuffix(path, ".txtar"):
			known[e.Name()] = true
		case strings.HasSuffix(path, "_test.go"):
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range declaredTest.FindAllSubmatch(text, -1) {
				known[string(m[1])] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return known
}

// namedTests are the tests that a line of a document names.
func namedTests(line string) []string {
	var out []string
	for _, m := range quotedWord.FindAllStringSubmatch(line, -1) {
		if word := m[1]; testName.MatchString(word) || strings.HasSuffix(word, ".txtar") && word != ".txtar" {
			out = append(out, word)
		}
	}
	if cells := strings.Split(strings.TrimSpace(line), "|"); len(cells) > 3 {
		for _, m := range quotedWord.FindAllStringSubmatch(cells[len(cells)-2], -1) {
			if storyName.MatchString(m[1]) {
				out = append(out, m[1]+".txtar")
			}
		}
	}
	return out
}

// ownVariable is how the sources write the name of a variable that is fettle's own, or a client's for its hooks.
var ownVariable = regexp.MustCompile(`["./](FETTLE_[A-Z_]+|CLAUDECODE|CLAUDE_[A-Z_]+|CODEX_HOME|GEMINI_CLI_HOME|GEMINI_SESSION_ID|XDG_[A-Z]+_HOME|TELEMETRY_ENABLED|DO_NOT_TRACK|OTEL_SDK_DISABLED|NO_COLOR)\b`)

// Which variables count is written down, all in one place.
func TestDocumentsNameTheVariables(t *testing.T) {
	doc, err := os.ReadFile(filepath.FromSlash("../docs/environments.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(doc), "\n## Variables of the environment\n")
	elsewhere := []string{
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "CLAUDE_CODE_MAX_RETRIES", // given to Claude Code where it works as a fixer
		"FETTLE_GUARD", "FETTLE_HOME", // names that commands may not set
	}
	named := map[string]bool{}
	for _, file := range sources(t) {
		for _, m := range ownVariable.FindAllStringSubmatch(file.text, -1) {
			if named[m[1]] = true; !slices.Contains(elsewhere, m[1]) && !strings.Contains(section, "`"+m[1]) {
				t.Errorf("%s names %s, and docs/environments.md does not", file.name, m[1])
			}
		}
	}
	for _, m := range regexp.MustCompile("`(FETTLE_[A-Z_]+)").FindAllStringSubmatch(section, -1) {
		if !named[m[1]] {
			t.Errorf("docs/environments.md names %s, and nothing reads it", m[1])
		}
	}
	if len(named) < 20 {
		t.Errorf("%d variables: they are not found any more", len(named))
	}
}

// source is a file that becomes part of a program, or runs beside tests.
type source struct{ name, text string }

// sources are those of the programs: neither tests nor what only tests use.
func sources(t *testing.T) (all []source) {
	for _, root := range []string{".", "../cmd"} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && (e.Name() == "testdata" || e.Name() == "testenv"):
				return fs.SkipDir
			case e.IsDir() || strings.HasSuffix(path, "_test.go") || !slices.Contains([]string{".go", ".txt", ".py", ".mjs", ".cjs"}, filepath.Ext(path)):
				return nil
			}
			text, err := os.ReadFile(path)
			all = append(all, source{path, string(text)})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// What docs/checks.md shows of a parser of one's own is what the story runs.
func TestDocumentedParserIsTheTestedOne(t *testing.T) {
	doc, err := os.ReadFile(filepath.FromSlash("../docs/checks.md"))
	if err != nil {
		t.Fatal(err)
	}
	story, err := os.ReadFile(filepath.FromSlash("cli/testdata/script/own_parser.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(doc), "### A parser of your own\n")
	section, _, _ = strings.Cut(section, "\n##")
	blocks := codeBlock.FindAllStringSubmatch(section, -1)
	if len(blocks) != 3 {
		t.Fatalf("%d blocks of code, want the framework, its parser and fettle.yaml", len(blocks))
	}
	for _, b := range blocks {
		if !strings.Contains(string(story), " --\n"+b[1]) {
			t.Errorf("the story has another file than this:\n%s", b[1])
		}
	}
}
