package check_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"

	"github.com/google/go-cmp/cmp"
	"mvdan.cc/sh/v3/shell"
	"pgregory.net/rapid"
)

func ptr(s string) *string { return &s }

func TestValidateCommandTexts(t *testing.T) {
	for _, c := range []struct {
		name          string
		command, args *string
		want          []string // the first lines of the error
	}{
		{"no command", nil, nil, []string{"Command cannot be None"}},
		{"a flag", ptr("--ai-fix"), nil, []string{"Invalid command: '--ai-fix'", "Commands should be semantic (e.g., 'test', 'lint', 'check')"}},
		{"a flag and more", ptr("--ai-fix -t"), nil, []string{"Invalid command: '--ai-fix -t'"}},
		{"a short flag", ptr("-t"), nil, []string{"Invalid command: '-t'"}},
		{"a slip", ptr("tset"), nil, []string{"Unknown command: 'tset'", "Valid commands: all, build, check, complexity, format, lint, security, test, type", "Did you mean: test"}},
		{"far from all", ptr("xyzzy"), nil, []string{"Unknown command: 'xyzzy'"}},
		{"empty", ptr(""), nil, []string{"Unknown command: ''"}},
		{"case counts", ptr("Test"), nil, []string{"Unknown command: 'Test'"}},
		{"quotes inside", ptr("te'st"), nil, []string{`Unknown command: "te'st"`}},
		{"a line break cannot forge a line", ptr("x\nValid"), nil, []string{`Unknown command: 'x\nValid'`}},
		{"fixing by an argument", ptr("test"), ptr("-v --ai-fix"), []string{"Do not pass --ai-fix in args parameter"}},
		{"fixing by a quoted argument", ptr("test"), ptr("'--ai-fix'"), []string{"Do not pass --ai-fix in args parameter"}},
		{"a quote left open", ptr("test"), ptr("-k 'a"), []string{"the arguments"}},
		{"the flag comes before the argument", ptr("--x"), ptr("--ai-fix"), []string{"Invalid command: '--x'"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := check.ValidateCommand(c.command, c.args)
			if err == nil {
				t.Fatal("no error")
			}
			lines := strings.Split(err.Error(), "\n")
			for i, want := range c.want {
				if i >= len(lines) || !strings.HasPrefix(lines[i], want) {
					t.Errorf("line %d of %q should begin with %q", i+1, err, want)
				}
			}
		})
	}
}

func TestValidateCommandSplits(t *testing.T) {
	for _, c := range []struct {
		args *string
		want []string
	}{
		{nil, []string{}},
		{ptr(""), []string{}},
		{ptr("--dry-run"), []string{"--dry-run"}},
		{ptr(`-k "a and b" 'x y'`), []string{"-k", "a and b", "x y"}},
		{ptr("--ai-fix-later --AI-FIX x--ai-fix"), []string{"--ai-fix-later", "--AI-FIX", "x--ai-fix"}},
		{ptr("tests/x.py::test_y[a-1] $HOME; rm -rf /"), []string{"tests/x.py::test_y[a-1]", "$HOME;", "rm", "-rf", "/"}},
		{ptr("''"), []string{""}},
	} {
		command, got, err := check.ValidateCommand(ptr("test"), c.args)
		if err != nil || command != "test" {
			t.Fatalf("%v: %q, %v", c.args, command, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
	}
}

func TestEveryCommandIsValid(t *testing.T) {
	for _, name := range check.Commands() {
		if _, _, err := check.ValidateCommand(&name, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, kind := range check.Kinds() {
		if !slices.Contains(check.Commands(), kind) {
			t.Errorf("the kind %s is no command", kind)
		}
	}
}

func TestSplitCommandRefusesWhatNeedsAShell(t *testing.T) {
	for line, what := range map[string]string{
		"go vet ./... | tee x": "`|`", "a && b": "`&`", "a > b": "`>`", "a; b": "`;`", "echo $HOME": "`$H`",
		`echo "$(date)"`: "`$(`", "echo `date`": "a backquote", "a\nb": "a line break", "echo ${X}": "`${`",
	} {
		if _, err := check.SplitCommand(line); err == nil || !strings.HasPrefix(err.Error(), what+" needs a shell") {
			t.Errorf("%q: %v", line, err)
		}
	}
	for _, line := range []string{"", "  ", "a 'b", `a "b`, `a \`} {
		if _, err := check.SplitCommand(line); err == nil {
			t.Errorf("%q was taken", line)
		}
	}
	got, err := check.SplitCommand("pytest -k 'a > b' --junit-xml={report} tests/*.py ~/x a$ \\$b \n")
	want := []string{"pytest", "-k", "a > b", "--junit-xml={report}", "tests/*.py", "~/x", "a$", "$b"}
	if err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("%q, %v", got, err)
	}
}

// What a real shell parser splits without expanding anything, we split alike.
func TestSplitCommandAgreesWithAShell(t *testing.T) {
	alphabet := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b c", " ", "'", `"`, `\`, "\\\\", "x=y", "-k", "::", "é", "\t", `\"`, `\'`}), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(alphabet.Draw(t, "pieces"), "")
		want, wantErr := shell.Fields(line, func(string) string { return "" })
		got, err := check.SplitCommand(line)
		if err != nil {
			if wantErr == nil && len(want) > 0 && !strings.HasSuffix(line, `\`) {
				t.Fatalf("%q: a shell takes it as %q, we say %v", line, want, err)
			}
			return
		}
		if wantErr != nil || !slices.Equal(want, got) {
			t.Fatalf("%q: %q, a shell has %q, %v", line, got, want, wantErr)
		}
	})
}

func FuzzValidateCommand(f *testing.F) {
	for _, s := range []string{"test", "--ai-fix", "tset", "", "-", "check\x00", "lint --fix"} {
		f.Add(s, "-k 'a b' --ai-fix")
	}
	f.Fuzz(func(t *testing.T, command, args string) {
		name, words, err := check.ValidateCommand(&command, &args)
		if err != nil {
			return
		}
		if !slices.Contains(check.Commands(), name) || slices.Contains(words, "--ai-fix") || words == nil {
			t.Fatalf("%q %q came through as %q %q", command, args, name, words)
		}
	})
}
