package heal

import (
	"slices"
	"strings"
	"testing"
)

func TestPrograms(t *testing.T) {
	for command, want := range map[string]string{
		"go test ./...":               "go test",
		"scripts/lint.sh src/a.py":    "scripts/lint.sh",
		"sh -e rules.sh a.txt":        "sh rules.sh",
		"python3 tools/check.py src":  "python3 tools/check.py",
		"python -m pytest tests/x.py": "python",
		"java -ea Main.java":          "java Main.java",
		"java -cp out a.b.Main":       "java a/b/Main.java",
		"ruff check src/a.py":         "ruff",
		"env A=1 bash ci/run.sh":      "env bash ci/run.sh",
	} {
		if got := strings.Join(programs(strings.Fields(command)), " "); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
	got := programs([]string{"sh", "-c", "! grep -n BAD a.txt && ./rules.sh a.txt; scripts/more b.txt"})
	if want := []string{"sh", "grep", "./rules.sh", "scripts/more"}; !slices.Equal(got, want) {
		t.Errorf("-c: %v, want %v", got, want)
	}
}
