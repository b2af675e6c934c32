package configs

import (
	"slices"
	"strings"

	"fettle/internal/audit/trees"
	"fettle/internal/glob"
	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// Handmade are those of the names in a list that people write: what is made, installed or kept for them, nobody checks.
func Handmade(list string) []string {
	return slices.DeleteFunc(trees.Items(list), func(name string) bool {
		name = strings.Trim(name, `*./^$\`)
		return built.MatchString(name) || lang.IsVendored(name+"/x") || lang.IsCache(name+"/x") || lang.IsHistory(name+"/x")
	})
}

// Severity is how grave what a rule finds is by a word of its tool's: 0 where it is off, 2 for an error.
func Severity(word string) (how int, known bool) {
	how, known = severities[word]
	return how, known
}

var severities = map[string]int{"off": 0, "allow": 0, "warn": 1, "error": 2, "deny": 2, "forbid": 2}

// built matches folders and files that tools make.
var built = pattern.New(`(?:^(dist|build|out|target|coverage|generated|gen|__generated__|node_modules|\.next|\.nuxt|\.svelte-kit|\.tox|\.nox|\.eggs|\.?venv|storybook-static)(/.*)?$` +
	`)|(?:(^|[/*.])min\.(js|css|mjs)$` +
	`)|(?:(^|[/*._])(pb\.go|pb2(_grpc)?\.pyi?|generated\.\w+|gen\.go|bundle\.js)$` +
	`)|(?:^(.*/)?(generated|__generated__)(/.*)?$)`)

// handmadeOf are those of some globs that are of what people write.
func handmadeOf(globs []string) []string {
	return slices.DeleteFunc(slices.Clone(globs), func(g string) bool { return len(Handmade(`"`+g+`"`)) == 0 })
}

// Uncovered are those of a list of globs of files that none of another one covers.
func Uncovered(was, is []string) []string { return uncovered(was, is, covers) }

// uncovered are those of a list that nothing of another one covers.
func uncovered(was, is []string, cover func(wide, narrow string) bool) []string {
	return slices.DeleteFunc(slices.Clone(is), func(narrow string) bool {
		return slices.ContainsFunc(was, func(wide string) bool { return wide == narrow || cover(wide, narrow) })
	})
}

// covers reports whether a glob of files matches all that another one does, as far as that can be told from how they are written: it matches what the other one stands for with any
// number of folders in the place of its stars.
func covers(wide, narrow string) bool {
	wide, narrow = strings.TrimPrefix(wide, "./"), strings.TrimPrefix(narrow, "./")
	if strings.ContainsAny(narrow, "{[!?") || strings.ContainsAny(wide, "{[!") || strings.Trim(narrow, "*/.") == "" {
		return false
	}
	for _, folders := range []string{"", "x_q/", "x_q/y_q/z_q/"} {
		file := strings.ReplaceAll(narrow+"/", "**/", folders)
		file = strings.Trim(strings.ReplaceAll(file, "*", "z_q"), "/")
		if file != "" && !glob.Match(wide, file) && !glob.Match(strings.TrimSuffix(wide, "/")+"/**", file) {
			return false
		}
	}
	return true
}
