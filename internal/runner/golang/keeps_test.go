package golang_test

import (
	"testing"

	checks "fettle/internal/check"
	"fettle/internal/runner/golang"
	"fettle/internal/runner/runnertest"
)

func TestKeeps(t *testing.T) {
	runnertest.Keeps(t, golang.New(), runnertest.Kept{
		Files: `
-- go.mod --
module example.com/clean

go 1.22
-- clean.go --
package clean

import "os"

func write(name string) { _ = os.WriteFile(name, []byte("package broken"), 0o644) }

func Clean(names []string) (out []string) {
	_ = os.RemoveAll("nothing")
	for _, n := range names {
		if n != "b" {
			out = append(out, n)
		}
	}
	return out
}
-- names.go --
package clean

const Names = "data/names.txt"
-- data/names.txt --
a b
-- clean_test.go --
package clean

import (
	"os"
	"strings"
	"testing"
)

func TestClean(t *testing.T) {
	text, err := os.ReadFile(Names)
	if got := Clean(strings.Fields(string(text))); err != nil || len(got) != 1 || got[0] != "b" {
		t.Error(got, err)
	}
}
`,
		Check: checks.Check{Name: "test", Run: []string{"go", "test", "-json", "./..."}, Parser: "gotest", Env: map[string]string{"GOFLAGS": "", "GOWORK": "off"}},
		File:  "clean.go",
		Does:  `_ = os.RemoveAll("nothing")`,
		Wrong: []string{`_ = os.RemoveAll("data")`, `write(Names)`, `write("names.go")`, `_ = os.Remove("clean_test.go")`, `_ = os.RemoveAll(".")`},
		Fault: `n != "b"`, Rights: []string{`n == "b"`, `n > "a"`, `!(n < "b")`, `"b" == n`, `n >= "b"`},
	})
}
