package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"fettle/internal/fix/search"
	"fettle/scripts/figures"
)

// repository is one that a test makes.
type repository struct {
	t   *testing.T
	dir string
}

func (r repository) git(args ...string) {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), "git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-C", r.dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (r repository) commit(subject string, files map[string]string) {
	r.t.Helper()
	for name, text := range files {
		assert.NilError(r.t, os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o644))
	}
	r.git("add", "-A")
	r.git("commit", "-q", "-m", subject)
}

// Of a history, the small changes of one source that came with a change of a test are looked for, and no others.
func TestHistory(t *testing.T) {
	r := repository{t, t.TempDir()}
	r.git("init", "-q")
	r.commit("begin", map[string]string{"lib.py": "def add(a, b):\n    return a - b\n\n\ndef last(xs):\n    return xs[0]\n", "test_lib.py": "def test_nothing():\n    pass\n"})
	r.commit("fix: add adds", map[string]string{"lib.py": "def add(a, b):\n    return a + b\n\n\ndef last(xs):\n    return xs[0]\n", "test_lib.py": "from lib import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n"})
	r.commit("comment", map[string]string{"lib.py": "# Sums.\ndef add(a, b):\n    return a + b\n\n\ndef last(xs):\n    return xs[0]\n", "test_lib.py": "from lib import add\n\n\ndef test_add():\n    assert add(1, 2) == 3  # three\n"})
	r.commit("without a test", map[string]string{"lib.py": "# Sums.\ndef add(a, b):\n    return a + b\n\n\ndef last(xs):\n    return xs[-1]\n"})
	r.commit("something new", map[string]string{"lib.py": "# Sums.\ndef add(a, b):\n    return a + b if a.is_sum() else b.sum_of(a, rest=4711)\n\n\ndef last(xs):\n    return xs[-1]\n", "test_lib.py": "def test_nothing():\n    assert True\n"})

	kept, err := figures.Open(filepath.Join(t.TempDir(), "kept"), Change.key, func(Change) bool { return true })
	assert.NilError(t, err)
	defer kept.Close()
	h := history{project: "a/b", dir: r.dir, most: 6}
	for range 2 { // the second time from what was kept
		all, err := look(t.Context(), h, kept)
		assert.NilError(t, err)
		var got []string
		for _, c := range all {
			got = append(got, c.Subject+": "+c.Idea)
		}
		assert.DeepEqual(t, got, []string{"something new: ", "fix: add adds: arithmetic"})
		text := table([]figures.Belief{{Bug: "gcd", Right: true, Ideas: []string{"Python/arithmetic"}}, {Bug: "wrong", Ideas: []string{"Python/arithmetic"}}}, nil, all, map[string][]string{"logic": {"[b #1](https://example.com/1)", "[b #2](https://example.com/2)"}})
		assert.Assert(t, strings.Contains(text, "| python | 2 | 1 (50 %) |"), text)
		assert.Assert(t, strings.Contains(text, "| arithmetic | 1 | 0 | 1 | 0 | gcd, [b "+all[1].SHA[:7]+"]"), text)
		assert.Assert(t, strings.Contains(text, "| logic | 0 | 0 | 0 | 2 | [b #1](https://example.com/1), [b #2](https://example.com/2) |"), text)
		_, few, _ := strings.Cut(text, "less than two bugs")
		assert.Assert(t, strings.Contains(few, " negate,") && !strings.Contains(few, "arithmetic") && !strings.Contains(few, "logic"), few)
	}
}

func TestClone(t *testing.T) {
	_, err := clone(context.Background(), t.TempDir(), "a/b")
	assert.ErrorContains(t, err, "there is no bare clone of a/b")
}

// TestIdeasRest: each of the search's ideas rests on two bugs or more, by the table.
func TestIdeasRest(t *testing.T) {
	root, err := figures.Root()
	assert.NilError(t, err)
	text, err := os.ReadFile(filepath.Join(root, document))
	assert.NilError(t, err)
	bugs := map[string]int{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) < 7 {
			continue
		}
		for _, cell := range cells[2:6] {
			n, _ := strconv.Atoi(strings.TrimSpace(cell))
			bugs[strings.TrimSpace(cells[1])] += n
		}
	}
	for _, idea := range search.Ideas() {
		if bugs[idea] < enough {
			t.Errorf("%s rests on %d: find another bug that needs it (witnesses.tsv), or drop it; then make bench-ideas", idea, bugs[idea])
		}
	}
}

func TestWitnesses(t *testing.T) {
	_, err := witnesses(witnessed)
	assert.NilError(t, err)
	for text, want := range map[string]string{
		"logic\tb #1": "witnesses.tsv:1: an idea, a bug and an address are wanted, with tabs between them",
		"# Bugs\nlogics\tb #1\thttps://example.com/1":                            `witnesses.tsv:2: there is no idea "logics"`,
		"logic\tb #1\thttps://example.com/1\nlogic\tb #1\thttps://example.com/1": "witnesses.tsv:2: b #1 stands there twice",
	} {
		_, err := witnesses(text)
		assert.Error(t, err, want)
	}
}
