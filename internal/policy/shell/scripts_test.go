package shell_test

import (
	slashpath "path"
	"strings"
	"testing"

	"fettle/internal/policy/shell"
)

// runners are the commands that run a file, by its ending.
var runners = map[string]string{
	".py": "python3 ", ".js": "node ", ".mjs": "node ", ".rb": "ruby ", ".pl": "perl ", ".php": "php ", ".go": "go run ", ".java": "java ",
	".sh": "bash ", ".R": "Rscript ", ".rs": "rustc ",
	"_test.go": "go test", ".test.js": "npx jest ",
}

// TestScripts is whole files that an agent has written and runs: harm, and ordinary work that looks like it.
func TestScripts(t *testing.T) {
	for _, form := range forms(t, "scripts.txt", 60) {
		head, text, _ := strings.Cut(form[2:], "\n")
		name, args, _ := strings.Cut(head, " ")
		command := ""
		for _, ending := range []string{slashpath.Ext(name), "_test.go", ".test.js"} {
			if run := runners[ending]; strings.HasSuffix(name, ending) {
				command = strings.TrimSpace(run + name + " " + args)
			}
		}
		if strings.HasSuffix(name, "_test.go") {
			command = "go test"
		}
		path := place.Root + "/" + name
		at := place
		at.Script = func(file string) (string, bool) { return text, file == path }
		at.Written = func() []string { return []string{path} }
		v := (*shell.Policy)(nil).Judge(command, at)
		if want := map[byte]shell.Decision{'+': shell.Allow, '?': shell.Ask, '-': shell.Deny}[form[0]]; v.Decision != want {
			t.Errorf("%s: %s (%s: %s)\n\t%v\n%s", command, v.Decision, v.Rule, v.Reason, v.Facts, text)
		}
	}
}
