package cli_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"fettle/internal/cli"
	guardsetup "fettle/internal/guard/setup"
	"fettle/internal/policy/shell"
)

// inText are the commands that a text tells an agent to run.
var inText = regexp.MustCompile("`((?:fettle|git) [^`]+)`")

// TestCommandTexts holds what the slash commands and the skill tell an agent to run to what there is, and to what the guard lets it run.
func TestCommandTexts(t *testing.T) {
	home := t.TempDir()
	all, err := guardsetup.Commands(guardsetup.Where{Client: guardsetup.Claude, Getenv: func(string) string { return home }}, home)
	if err != nil {
		t.Fatal(err)
	}
	at := shell.Place{Root: "/home/dev/repo", Cwd: "/home/dev/repo", Home: "/home/dev"}
	seen := 0
	for _, text := range all {
		for _, m := range inText.FindAllStringSubmatch(string(text.After), -1) {
			command := strings.NewReplacer("$ARGUMENTS", "lint", "FILE…", "a.go").Replace(m[1])
			seen++
			want := shell.Allow
			if command == "git push" {
				want = shell.Ask
			}
			if v := (*shell.Policy)(nil).Judge(command, at); v.Decision != want {
				t.Errorf("%s: %s: %s: %s", text.Name, command, v.Decision, v.Reason)
			}
			args, ours := strings.CutPrefix(command, "fettle ")
			if !ours {
				continue
			}
			var out, errs bytes.Buffer
			if code := cli.Main(append(strings.Fields(args), "--help"), cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs}); code != 0 || !strings.Contains(out.String(), "Usage:\n  fettle "+strings.Fields(args)[0]) {
				t.Errorf("%s: %s: %d %s", text.Name, command, code, &errs)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d commands were found", seen)
	}
}
