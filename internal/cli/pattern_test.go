package cli_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"fettle/internal/pattern"
)

// Every pattern that is linked into the program is a regular expression.
func TestPatternsCompile(t *testing.T) {
	for text, err := range pattern.Check() {
		t.Errorf("%s: %v", text, err)
	}
}

// initialized is what the runtime says of a package's variables: "init fettle/internal/names @1.5 ms, 0.044 ms clock, 123864 bytes, 1044 allocs".
var initialized = regexp.MustCompile(`(?m)^init (fettle/\S+) .* (\d+) bytes, \d+ allocs$`)

// Little is built when the program starts: every command pays for it, and every process that fettle starts in a private copy. A regular
// expression with a large repetition of many letters has taken as long as all the rest.
func TestLittleIsBuiltAtStart(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.list=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	said, err := cmd.CombinedOutput()
	all := initialized.FindAllStringSubmatch(string(said), -1)
	if err != nil || len(all) < 10 {
		t.Fatalf("%v: %d packages are told of:\n%s", err, len(all), said)
	}
	const most = 200_000
	for _, m := range all {
		if n, err := strconv.Atoi(m[2]); err != nil || n > most {
			t.Errorf("%s takes %s bytes at the start, and %d are its share (%v): see internal/pattern", m[1], m[2], most, err)
		}
	}
}
