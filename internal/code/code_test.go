package code_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/golden"

	"fettle/internal/code"
	"fettle/internal/syntax"
)

func read(t testing.TB, path, src string) *code.File {
	t.Helper()
	f, err := code.Read(t.Context(), syntax.LangOf(path), path, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// What each language's sources are read as.
func TestRead(t *testing.T) {
	samples, err := filepath.Glob("testdata/sample.*")
	if err != nil || len(samples) < 5 {
		t.Fatal(samples, err)
	}
	for _, sample := range samples {
		if filepath.Ext(sample) == ".golden" {
			continue
		}
		t.Run(filepath.Ext(sample)[1:], func(t *testing.T) {
			src, err := os.ReadFile(sample)
			if err != nil {
				t.Fatal(err)
			}
			f := read(t, sample, string(src))
			if errs := f.Tree.Errors(); len(errs) > 0 {
				t.Fatalf("the sample does not parse: %q", errs[0].Text())
			}
			var b strings.Builder
			show(&b, f.Root, 0)
			golden.Assert(t, b.String(), filepath.Base(sample)+".golden")
		})
	}
}

func show(b *strings.Builder, n *code.Node, depth int) {
	fmt.Fprintf(b, "%s%s", strings.Repeat("  ", depth), n.Role)
	if n.Part != code.None {
		fmt.Fprintf(b, " as %s", n.Part)
	}
	if n.Name != "" {
		fmt.Fprintf(b, " %s", n.Name)
	}
	if n.Op != "" {
		fmt.Fprintf(b, " %s", n.Op)
	}
	if n.Declares {
		b.WriteString(" declares")
	}
	if n.Type != "" {
		fmt.Fprintf(b, " : %s", n.Type)
	}
	if len(n.Kids) == 0 && n.Name == "" {
		fmt.Fprintf(b, "  %q", n.Text())
	}
	b.WriteByte('\n')
	for _, k := range n.Kids {
		show(b, k, depth+1)
	}
}
