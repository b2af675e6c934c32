package syntax_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"fettle/internal/lang"
	"fettle/internal/syntax"
	"fettle/internal/testenv"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "grammars")
	if err != nil {
		panic(err)
	}
	syntax.CacheDir(dir)
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}))
}

func parse(t testing.TB, l syntax.Lang, src string) *syntax.Tree {
	t.Helper()
	tree, err := syntax.Parse(t.Context(), l, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestLangOf(t *testing.T) {
	for file, want := range map[string]syntax.Lang{
		"a.py": syntax.Python, "a.pyi": syntax.Python, "d/a.go": syntax.Go, "A.java": syntax.Java, "a.rs": syntax.Rust, "a.mjs": syntax.JavaScript,
		"a.jsx": syntax.JavaScript, "a.ts": syntax.TypeScript, "a.d.ts": syntax.TypeScript, "a.mts": syntax.TypeScript, "a.tsx": syntax.TSX, "A.TSX": syntax.TSX,
		"a.kt": "", "Makefile": "", "README": "", "a": "",
	} {
		if got := syntax.LangOf(file); got != want {
			t.Errorf("%s is %q, want %q", file, got, want)
		}
	}
	for _, l := range syntax.Langs() {
		if l != syntax.TSX && l.Language() != lang.Language(l) || l.Language().Comments().Line == "" {
			t.Errorf("%s is no language that is known elsewhere: %s", l, l.Language())
		}
	}
	if got := syntax.TSX.Language(); got != lang.TypeScript {
		t.Errorf("TSX is %s", got)
	}
}

func TestRefusals(t *testing.T) {
	if _, err := syntax.Parse(t.Context(), "kotlin", nil); !errors.Is(err, syntax.ErrNoGrammar) || !strings.Contains(err.Error(), "python, rust") {
		t.Errorf("Kotlin: %v", err)
	}
	if _, err := syntax.Parse(t.Context(), syntax.Go, make([]byte, syntax.MaxSource+1)); !errors.Is(err, syntax.ErrTooLarge) {
		t.Errorf("a huge source: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := syntax.Parse(gone, syntax.Go, []byte("package p")); !errors.Is(err, context.Canceled) {
		t.Errorf("without a context: %v", err)
	}
}

// endsSoon is a context that ends when it has been asked a number of times whether it has.
type endsSoon struct {
	context.Context
	left int
}

func (c *endsSoon) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestGivesUp: a parse ends with its context, wherever it is, and what comes after it is not disturbed.
func TestGivesUp(t *testing.T) {
	long := []byte(strings.Repeat("def f(x):\n    return [x for x in (x + 1, 2)]\n", 20_000))
	want := parse(t, syntax.Python, "x = 1\n").Root().String()
	for turns := range 12 {
		if _, err := syntax.Parse(&endsSoon{t.Context(), turns}, syntax.Python, long); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("after %d turns: %v", turns, err)
		}
		if got := parse(t, syntax.Python, "x = 1\n").Root().String(); got != want {
			t.Fatalf("after a parse that ended at turn %d: %s, want %s", turns, got, want)
		}
	}
}

// TestOutOfMemory: a source that needs more than a parser may have costs the parser and nothing else.
func TestOutOfMemory(t *testing.T) {
	if testenv.Race() {
		t.Skip("nothing of it runs side by side, and the race detector makes it take long: make test runs it without")
	}
	hostile := []byte(strings.Repeat("{", syntax.MaxSource))
	if _, err := syntax.Parse(t.Context(), syntax.Java, hostile); !errors.Is(err, syntax.ErrTooLarge) || strings.Contains(err.Error(), "\n") {
		t.Fatalf("a source of brackets: %v", err)
	}
	if tree := parse(t, syntax.Java, "class A {}"); tree.Root().HasError() {
		t.Fatalf("after that: %s", tree.Root())
	}
	if _, memory := syntax.Idle(syntax.Java); memory > syntax.KeptMemory {
		t.Errorf("a parser waits with %d bytes", memory)
	}
}

// TestSideBySide: many parses at once give what one gives, and few parsers are kept.
func TestSideBySide(t *testing.T) {
	var sources, want []string
	for i := range 24 {
		sources = append(sources, strings.Repeat(fmt.Sprintf("x%d = f(%d, [a for a in b])\n", i, i), 50+i))
		want = append(want, parse(t, syntax.Python, sources[i]).Root().String())
	}
	var all sync.WaitGroup
	for i, src := range sources {
		all.Go(func() {
			for range 3 {
				tree, err := syntax.Parse(t.Context(), syntax.Python, []byte(src))
				if err != nil || tree.Root().String() != want[i] {
					t.Errorf("source %d: %v", i, err)
				}
			}
		})
	}
	all.Wait()
	if kept, _ := syntax.Idle(syntax.Python); kept == 0 || kept > syntax.KeptParsers {
		t.Errorf("%d parsers wait for work", kept)
	}
}

// TestSourceIsTaken: what happens to the bytes after Parse is nothing to the tree.
func TestSourceIsTaken(t *testing.T) {
	src := []byte("x = 1\n")
	tree, err := syntax.Parse(t.Context(), syntax.Python, src)
	if err != nil {
		t.Fatal(err)
	}
	copy(src, "######")
	if got := tree.Root().Text(); got != "x = 1\n" {
		t.Errorf("the tree now says %q", got)
	}
}

// TestModules: what is built in is what build.sh made of the pinned sources.
func TestModules(t *testing.T) {
	sums, err := os.ReadFile("grammars/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	modules, err := syntax.Modules()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(sums)), "\n")
	if len(lines) != len(modules) {
		t.Errorf("%d checksums for %d grammars", len(lines), len(modules))
	}
	for name, code := range modules {
		sum := sha256.Sum256(code)
		if line := hex.EncodeToString(sum[:]) + "  " + name; !slices.Contains(lines, line) {
			t.Errorf("%s is not what grammars/SHA256SUMS says: run make generate", name)
		}
	}
}

// TestLicenses: every source that is built in has its terms beside it.
func TestLicenses(t *testing.T) {
	sources, err := os.ReadFile("build/sources")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"icu", "wasi-libc", "compiler-rt"}
	for line := range strings.Lines(string(sources)) {
		if f := strings.Fields(line); len(f) == 4 && f[0] != "#" {
			want = append(want, f[1])
		}
	}
	if len(want) != 10 {
		t.Errorf("build/sources names %d parts", len(want))
	}
	for _, name := range want {
		if text, err := os.ReadFile("LICENSES/" + name + ".txt"); err != nil || len(text) < 500 {
			t.Errorf("%s: %v, %d bytes", name, err, len(text))
		}
	}
}
