package golang_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/runner/golang"
)

// Types are known where a package does not compile, but of what is wrong.
func TestTypesOfWhatDoesNotCompile(t *testing.T) {
	const source = `package a

import "os"

func f(name string) (err error) {
	if name != "" {
		file, err := os.Open(name)
		size := nothing(file)
		_ = file.Close()
	}
	return err
}
`
	p := lay(t, "-- go.mod --\nmodule a\n\ngo 1.24\n-- a.go --\n"+source)
	seen, err := golang.New().Types(t.Context(), p, "a.go")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, s := range seen {
		got[source[s.Start:s.End]] = s.Types
	}
	for expr, want := range map[string]string{"file": "*os.File", "err": "error", "os.Open(name)": "(*os.File, error)"} {
		if !slices.Contains(got[expr], want) {
			t.Errorf("%s: %q, want %s", expr, got[expr], want)
		}
	}
	if got["nothing(file)"] != nil || strings.Contains(strings.Join(got["size"], ""), "invalid") {
		t.Errorf("what is not known has types: %q, %q", got["nothing(file)"], got["size"])
	}
	if none, err := golang.New().Types(t.Context(), p, "b.go"); none != nil || err != nil {
		t.Errorf("of no file: %v, %v", none, err)
	}
}
