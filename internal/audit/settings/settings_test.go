package settings_test

import (
	"fmt"
	"strings"
	"testing"

	"fettle/internal/audit/settings"
)

// TestOf reads what is set, however it is written.
func TestOf(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"ini", "[tool.coverage]\nfail_under = 80 \nomit =\n  a.py\n", "[tool.coverage] fail_under=80 omit= omit=a.py"},
		{"yaml", "coverage:\n  status: # why\n    target: 80%\nskip: [a, b]\n", "coverage= status=# why target=80% skip=[a, b]"},
		{"one line", "jest: { lines: 80, branches: 70 }\n", "jest={ lines=80 branches=70"},
		{"json", "{\n  \"strict\": true,\n  \"include\": [\"src\"]\n}\n", "strict=true include=[\"src\"]"},
		{"xml", "<plugin>\n  <minimum>0.8</minimum>\n</plugin>\n", "plugin= minimum=0.8"},
		{"a language of builds", "test {\n    ignoreFailures.set(true)\n    exclude(\"**/*.java\")\n}\n", "test {= ignorefailures=true exclude=\"**/*.java\""},
		{"comments", "# a = 1\n// b = 2\n", ""},
	} {
		var all []string
		for _, s := range settings.Of([]byte(c.src)) {
			if s.Value == "" && strings.HasPrefix(s.Key, "[") {
				all = append(all, s.Key)
				continue
			}
			all = append(all, s.Key+"="+s.Value)
		}
		if got := strings.Join(all, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestCommand tells what a setting has carried out.
func TestCommand(t *testing.T) {
	for src, want := range map[string]string{
		"- run: pytest -q\n": "pytest -q", "test:\n\t@-go test ./...\n": "go test ./...", "- name: pytest\n": "", "\"lint\": \"eslint .\",\n": "eslint .",
	} {
		all := settings.Of([]byte(src))
		if got := all[len(all)-1].Command(); got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}

// TestChanges tells what it means that a setting is another one, new, or gone.
func TestChanges(t *testing.T) {
	const less, unclear, more = settings.Less, settings.Unclear, settings.More
	for _, c := range []struct {
		was, is string
		want    []settings.Shift
	}{
		{"fail_under = 80\n", "fail_under = 79\n", []settings.Shift{less}},
		{"fail_under = 80\n", "fail_under = 81\n", []settings.Shift{more}},
		{"max-complexity = 10\n", "max-complexity = 20\n", []settings.Shift{less}},
		{"strict = true\n", "strict = false\n", []settings.Shift{less}},
		{"strict = true\n", "", []settings.Shift{less}},
		{"select = [\"E\"]\n", "select = [\"E\", \"F\"]\n", []settings.Shift{more}},
		{"ignore = [\"E\"]\n", "ignore = [\"E\", \"F\"]\n", []settings.Shift{less}},
		{"no-console: error\n", "no-console: warn\n", []settings.Shift{less}},
		{"run: pytest\n", "run: pytest || true\n", []settings.Shift{less}},
		{"colour = red\n", "colour = blue\n", []settings.Shift{unclear}},
		{"a = 1\nb = 2\n", "b = 2\na = 1\n", nil},
	} {
		var got []settings.Shift
		for _, to := range settings.Changes([]byte(c.was), []byte(c.is)) {
			got = append(got, to)
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%q to %q: %v, want %v", c.was, c.is, got, c.want)
		}
	}
}

// TestDemandsMore tells configurations of which everything that changed demands more.
func TestDemandsMore(t *testing.T) {
	const was = "[tool.coverage.report]\nfail_under = 80\n[tool.mypy]\nwarn_return_any = false\n"
	for is, want := range map[string]bool{
		was:                                      false,
		strings.Replace(was, "80", "90", 1):      true,
		strings.Replace(was, "false", "true", 1): true,
		strings.NewReplacer("80", "70", "false", "true").Replace(was): false,
		was + "colour = \"red\"\n":                                    false,
	} {
		if got := settings.DemandsMore([]byte(was), []byte(is)); got != want {
			t.Errorf("DemandsMore of %q = %v", is, got)
		}
	}
}
