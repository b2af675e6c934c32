package audit

import (
	"fmt"
	"slices"
	"strings"

	"fettle/internal/audit/commands"
	"fettle/internal/audit/configs"
	"fettle/internal/lang"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

var (
	// lister matches what lists packages and files, so that checks can be started with them.
	lister = pattern.New(`\b(go list|find|fd|ls|git ls-files|rg --files|cargo metadata|circleci tests glob|lerna ls|pnpm ls)\b`)
	// dropping matches what takes some out of such a list, with which ones in the first group that is there.
	dropping = pattern.New(`\b[ef]?grep\s+(?:-\w+\s+)*?(?:-\w*v\w*|--invert-match)\s+(?:-\w+\s+)*('[^']*'|"[^"]*"|[^\s|)]+)|(?:-not|!)\s+-(?:i?path|i?name|i?wholename|i?regex)\s+('[^']*'|"[^"]*"|\S+)|\s-(?:path|name)\s+('[^']*'|"[^"]*"|\S+)\s+-prune`)
	// dropped matches one name in an expression.
	dropped = pattern.New(`[\w*./-]*\w[\w*./-]*`)
)

// filteredOut looks for packages and files that a script which checks them takes out of the list of all, and did not before.
func filteredOut(v *patchView, f *fileView) []Finding {
	if lang.Of(f.path) != lang.Shell && !lang.IsCI(f.path) && !lang.IsCheckConfig(f.path) || f.formatted || !f.text() || len(f.before) == 0 || len(f.after) == 0 {
		return nil
	}
	checksAny := slices.ContainsFunc(strings.Split(string(f.after), "\n"), func(l string) bool {
		return len(commands.Checks(strings.TrimLeft(strings.TrimSpace(l), "@-! "))) > 0 || checksInside.MatchString(l)
	})
	if !checksAny {
		return nil
	}
	had := make(map[string]bool)
	lists := false
	for l := range strings.SplitSeq(string(f.before), "\n") {
		lists = lists || lister.MatchString(l)
		for _, name := range droppedIn(l) {
			had[name] = true
		}
	}
	if !lists {
		return nil
	}
	var all []Finding
	for i, l := range strings.Split(string(f.after), "\n") {
		fresh := slices.DeleteFunc(configs.Handmade(strings.Join(droppedIn(l), " ")), func(name string) bool { return had[name] })
		if len(fresh) > 0 {
			all = append(all, Finding{Line: i + 1, Effect: v.unless(Healer, Tidier), Evidence: fmt.Sprintf("%q: %s is left out of what is checked", phrase.Clip(strings.TrimSpace(l)), strings.Join(fresh, ", "))})
		}
	}
	return all
}

// checksInside matches tests that are started with what another command lists.
var checksInside = pattern.New(`\b(go test|go vet|pytest|staticcheck|golangci-lint run|eslint|shellcheck|phpunit|rspec|mypy)\b`)

// droppedIn are the names that a line takes out of a list.
func droppedIn(line string) []string {
	if !lister.MatchString(line) {
		return nil
	}
	var all []string
	for _, m := range dropping.FindAllStringSubmatch(line, -1) {
		for _, what := range m[1:] {
			for _, name := range dropped.FindAllString(what, -1) {
				all = append(all, strings.Trim(name, "/."))
			}
		}
	}
	return all
}
