package check_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/check"

	"github.com/rogpeppe/go-internal/txtar"
	"gotest.tools/v3/golden"
)

// Each testdata/discover/NAME.txtar is a repository; NAME.golden is what is found in it. In the comment of the archive,
// `path: NAME…` are the programs on PATH.
func TestDiscover(t *testing.T) {
	archives, err := filepath.Glob("testdata/discover/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("%v %v", archives, err)
	}
	for _, file := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			for i := range a.Files {
				a.Files[i].Data = bytes.ReplaceAll(a.Files[i].Data, []byte("$ROOT"), []byte(root))
			}
			write(t, root, a)
			t.Setenv("PATH", programs(t, string(a.Comment)))
			t.Setenv("VIRTUAL_ENV", "")
			t.Setenv("CONDA_PREFIX", "")
			checks, notes, err := check.Discover(context.Background(), root)
			if err != nil {
				t.Fatal(err)
			}
			golden.Assert(t, describe(checks, notes), strings.TrimPrefix(strings.TrimSuffix(file, ".txtar"), "testdata/")+".golden")
			config := check.Default()
			config.Checks = checks
			again, err := load(t, string(config.Marshal()))
			if err != nil {
				t.Fatalf("what was discovered cannot be written down: %v", err)
			}
			if got := describe(again.Checks, notes); got != describe(checks, notes) {
				t.Errorf("written and read, it is\n%s", got)
			}
		})
	}
}

// programs makes a folder with programs that must never be run.
func programs(t *testing.T, comment string) string {
	t.Helper()
	dir := t.TempDir()
	for line := range strings.Lines(comment) {
		if rest, ok := strings.CutPrefix(line, "path:"); ok {
			for _, name := range strings.Fields(rest) {
				if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\ntouch \"$0.was-run\"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	t.Cleanup(func() {
		if ran, err := filepath.Glob(filepath.Join(dir, "*.was-run")); err != nil || len(ran) > 0 {
			t.Errorf("discovery ran %v (%v)", ran, err)
		}
	})
	return dir
}

func describe(checks []check.Check, notes []check.Note) string {
	var b strings.Builder
	for _, c := range checks {
		fmt.Fprintf(&b, "%s [%s] %s", c.Name, c.Parser, strings.Join(c.Run, " "))
		if c.Dir != "" {
			fmt.Fprintf(&b, " (in %s)", c.Dir)
		}
		b.WriteByte('\n')
		for k, v := range c.Env {
			fmt.Fprintf(&b, "    env %s=%s\n", k, v)
		}
		for _, f := range c.Fix {
			fmt.Fprintf(&b, "    fix %s\n", strings.Join(f, " "))
		}
		if len(c.Files) > 0 {
			fmt.Fprintf(&b, "    files %s\n", strings.Join(c.Files, " "))
		}
	}
	for _, n := range notes {
		fmt.Fprintf(&b, "note %s: %s\n", n.File, n.Text)
	}
	return b.String()
}

// Whatever stands in a project's files, discovery ends, and what it finds can be written down.
func FuzzDiscover(f *testing.F) {
	for _, s := range []string{"[project]\ndependencies = ['pytest', \"ruff\" # x\n]", "[tool.black]", "x = \"\"\"", "#", "[", "a = '", "use (", "\\"} {
		f.Add(s, s)
	}
	root := f.TempDir()
	f.Fuzz(func(t *testing.T, toml, ini string) {
		for name, text := range map[string]string{"pyproject.toml": toml, "setup.cfg": ini, "go.work": ini, "Cargo.toml": toml, "pom.xml": ini, "settings.gradle": toml, "build.gradle": toml, ".pre-commit-config.yaml": toml, "setup.py": ini} {
			if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		checks, _, err := check.Discover(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			if len(c.Run) == 0 || c.Parser == "" {
				t.Fatalf("%+v", c)
			}
		}
	})
}
