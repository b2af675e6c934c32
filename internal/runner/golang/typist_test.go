package golang_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/edit"
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
	seen, checker, err := golang.New().Types(t.Context(), p, "a.go")
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
	// What makes an error fewer is good, though others are left.
	for _, c := range []struct {
		old, text string
		want      bool
	}{
		{"\t\tsize := nothing(file)\n", "", true},
		{"file, err :=", "file, err =", false}, // file is not declared then
		{"name != \"\"", "name != 1", false},
		{"return err", "return nil", false}, // nothing is gained
		{"if name", "if if", false},
	} {
		at := strings.Index(source, c.old)
		if got := checker.Compiles("a.go", []edit.Edit{{Start: at, End: at + len(c.old), New: []byte(c.text)}}); got != c.want {
			t.Errorf("%q for %q: %t", c.text, c.old, got)
		}
	}
	if !checker.Compiles("elsewhere.go", []edit.Edit{{New: []byte("?")}}) {
		t.Error("what is not known is refused")
	}
	if none, nobody, err := golang.New().Types(t.Context(), p, "b.go"); none != nil || nobody != nil || err != nil {
		t.Errorf("of no file: %v, %v", none, err)
	}
}
