package syntax_test

import (
	"archive/zip"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/syntax"
	"fettle/internal/testenv"
)

// TestRealFiles: sources that compile have no errors. What a tool brings along is read; where there is nothing of a language, nothing is
// asked of it.
func TestRealFiles(t *testing.T) {
	for _, test := range []struct {
		lang    syntax.Lang
		folders []string
		skip    []string // parts of paths that hold no valid source, or what the grammar is known not to read
	}{
		{syntax.Go, []string{filepath.Join("..", "..")}, nil},
		{syntax.Python, []string{said(t, "python3", "-c", "import os; print(os.path.dirname(os.__file__))")}, []string{"/site-packages/", "/test/", "/tests/", "/lib2to3/"}},
		{syntax.JavaScript, []string{said(t, "npm", "root", "-g")}, []string{
			"/npm/lib/base-cmd.js", // a semicolon left out between the body of an arrow function and "["
		}},
		{syntax.TypeScript, []string{filepath.Join("..", "..", ".tools", "node", "node_modules", "typescript", "lib")}, []string{
			"/lib.es2015.symbol.wellknown.d.ts", // "in keyof readonly any[]"
		}},
		{syntax.Rust, home(t, ".cargo/registry/src/*/memchr-*/src", ".cargo/registry/src/*/regex-*/src", ".cargo/registry/src/*/serde-*/src", ".cargo/registry/src/*/hashbrown-*/src"), nil},
		{syntax.Java, home(t, ".m2/repository/*/*/*/*-sources.jar", ".m2/repository/*/*/*/*/*-sources.jar", ".m2/repository/*/*/*/*/*/*-sources.jar"), nil},
	} {
		t.Run(string(test.lang), func(t *testing.T) {
			read, left := 0, 1<<20
			if testenv.CI() && !testenv.Race() {
				left = 10 << 20
			}
			for _, folder := range test.folders {
				sources(t, folder, func(name string, src []byte) bool {
					if syntax.LangOf(name) != test.lang || contains(name, test.skip) || len(src) > syntax.MaxSource {
						return true
					}
					tree := parse(t, test.lang, string(src))
					sound(t, tree)
					if faults := tree.Errors(); len(faults) > 0 {
						t.Errorf("%s:%d: %d errors, the first %.80q", name, faults[0].Range().Start.Line, len(faults), faults[0].Text())
					}
					read++
					left -= len(src)
					return left > 0
				})
			}
			if read == 0 {
				t.Skipf("there are no sources of %s on this machine", test.lang)
			}
			t.Logf("%d files", read)
		})
	}
}

// said is what a program says; "" where it cannot be asked.
func said(t *testing.T, argv ...string) string {
	out, err := exec.CommandContext(t.Context(), argv[0], argv[1:]...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// home is what there is of these patterns in the user's home.
func home(t *testing.T, patterns ...string) (found []string) {
	dir, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	for _, p := range patterns {
		more, err := filepath.Glob(filepath.Join(dir, p))
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, more...)
	}
	return found
}

func contains(name string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(filepath.ToSlash(name), p) {
			return true
		}
	}
	return false
}

// sources visits the files of a folder, or of an archive, until visit says no.
func sources(t *testing.T, place string, visit func(name string, src []byte) bool) {
	t.Helper()
	if place == "" {
		return
	}
	tree := os.DirFS(place)
	if strings.HasSuffix(place, ".jar") {
		archive, err := zip.OpenReader(place)
		if err != nil {
			t.Fatal(err)
		}
		defer archive.Close()
		tree = archive
	}
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || syntax.LangOf(name) == "" {
			return nil // a folder that cannot be read has nothing for us
		}
		f, err := tree.Open(name)
		if err != nil {
			return nil
		}
		defer f.Close()
		src, err := io.ReadAll(f)
		if err == nil && !visit(place+"/"+name, src) {
			return fs.SkipAll
		}
		return nil
	})
	if err != nil {
		t.Log(err)
	}
}
