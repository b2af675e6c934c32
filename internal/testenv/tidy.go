package testenv

import (
	"fmt"
	"os"
)

// Tests are a package's.
type Tests interface{ Run() int }

// Tidy are a package's tests whose tools leave nothing among the machine's temporary files: a tool that is killed cannot clear its own away, and some never do.
// The package has a folder of its own for them, which goes when its tests have ended.
func Tidy(m Tests) Tests { return tidy{m} }

type tidy struct{ Tests }

func (t tidy) Run() int {
	dir, err := os.MkdirTemp("", "t")
	if err == nil {
		err = os.Setenv("TMPDIR", dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	return t.Tests.Run()
}
