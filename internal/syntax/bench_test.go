package syntax_test

import (
	"bytes"
	"context"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fettle/internal/syntax"
)

// pythonLines is a source of that many lines, as people write them.
func pythonLines(n int) []byte {
	part := []byte(`class Account:
    """What somebody owns."""

    def __init__(self, owner: str, balance: float = 0.0) -> None:
        self.owner = owner
        self.balance = balance
        self.history = [("open", balance)]

    def withdraw(self, amount, *, fee=0.5):
        if amount <= 0 or amount + fee > self.balance:
            raise ValueError(f"cannot withdraw {amount!r} of {self.balance:.2f}")
        self.balance -= amount + fee
        self.history.append(("withdraw", amount))  # with the fee
        return {"owner": self.owner, "rest": self.balance, "n": len(self.history)}

    @property
    def empty(self):
        return not any(a for _, a in self.history if a > 0) and self.balance == 0


`)
	src := bytes.Repeat(part, n/bytes.Count(part, []byte("\n"))+1)
	lines := bytes.SplitAfter(src, []byte("\n"))
	return bytes.Join(lines[:n], nil)
}

// goSource is Go source of about that size: this repository's own.
func goSource(b *testing.B, size int) []byte {
	b.Helper()
	files, err := filepath.Glob(filepath.Join("..", "*", "*.go"))
	if err != nil {
		b.Fatal(err)
	}
	slices.Sort(files)
	src := []byte("package p\n")
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		if at := bytes.Index(text, []byte("\nfunc ")); at >= 0 && len(src) < size {
			src = append(src, text[at:]...)
		}
	}
	return src
}

func parseAll(b *testing.B, l syntax.Lang, src []byte) {
	b.SetBytes(int64(len(src)))
	b.ReportMetric(float64(bytes.Count(src, []byte("\n"))), "lines")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := syntax.Parse(context.Background(), l, src); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParse is a parse of 2,000 lines of Python and of Go, once the grammar is there, beside that of the Go source by go/parser.
func BenchmarkParse(b *testing.B) {
	b.Run("python", func(b *testing.B) { parseAll(b, syntax.Python, pythonLines(2000)) })
	src := goSource(b, 70_000)
	b.Run("go", func(b *testing.B) { parseAll(b, syntax.Go, src) })
	b.Run("yardstick", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			if _, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.ParseComments|parser.SkipObjectResolution); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkStart is the first parse of a program, of 2,000 lines of Python: with nothing on disk, and with what an earlier run has kept.
func BenchmarkStart(b *testing.B) {
	src := pythonLines(2000)
	first := func(b *testing.B) {
		for b.Loop() {
			if _, err := syntax.Anew(context.Background(), syntax.Python, src); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("cold", func(b *testing.B) {
		keepIn(b, "")
		first(b)
	})
	b.Run("kept", func(b *testing.B) {
		keepIn(b, b.TempDir())
		if _, err := syntax.Anew(context.Background(), syntax.Python, src); err != nil {
			b.Fatal(err)
		}
		b.ResetTimer()
		first(b)
	})
}
