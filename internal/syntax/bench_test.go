//go:build unix

package syntax_test

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fettle/internal/syntax"
	"fettle/internal/testenv"
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

// measure runs the work until the benchmark has enough of it, and says what it costs this process: on a machine with other work to
// do that is the better figure.
func measure(b *testing.B, src []byte, work func() error) {
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	before := testenv.OwnCPU(b)
	for b.Loop() {
		if err := work(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((testenv.OwnCPU(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
}

// BenchmarkParse is a parse of 2,000 lines of Python and of as many bytes of Go, with the grammar at hand, beside that of the Go source by
// go/parser.
func BenchmarkParse(b *testing.B) {
	python := pythonLines(2000)
	golang := goSource(b, len(python))
	for _, test := range []struct {
		lang syntax.Lang
		src  []byte
	}{{syntax.Python, python}, {syntax.Go, golang}} {
		b.Run(string(test.lang), func(b *testing.B) {
			parse(b, test.lang, "") // opens the grammar
			measure(b, test.src, func() error {
				_, err := syntax.Parse(b.Context(), test.lang, test.src)
				return err
			})
		})
	}
	b.Run("yardstick", func(b *testing.B) {
		measure(b, golang, func() error {
			_, err := parser.ParseFile(token.NewFileSet(), "p.go", golang, parser.ParseComments|parser.SkipObjectResolution)
			return err
		})
	})
}

// BenchmarkStart is the first parse of a program, of 2,000 lines of Python: with nothing on disk, and with what an earlier run has kept.
func BenchmarkStart(b *testing.B) {
	src := pythonLines(2000)
	first := func() error {
		_, err := syntax.Anew(b.Context(), syntax.Python, src)
		return err
	}
	b.Run("cold", func(b *testing.B) {
		keepIn(b, "")
		measure(b, src, first)
	})
	b.Run("kept", func(b *testing.B) {
		keepIn(b, filepath.Join(b.TempDir(), "kept"))
		if err := first(); err != nil {
			b.Fatal(err)
		}
		measure(b, src, first)
	})
}
