package check

import (
	"strings"

	"fettle/internal/pattern"
)

// justChecks are the checks of the folder's justfile.
func (t *tree) justChecks(found judged) []Check {
	file := t.first(justfiles...)
	if file == "" {
		return nil
	}
	j := &justfile{tree: t, read: map[string]bool{}}
	j.load(file)
	return runnerChecks("just", spelled(j.targets(found.hooks)), found, func(target string) []string { return []string{"just", target} })
}

// justfile is what a justfile says of its recipes. Source: the Just Programmer's Manual, "Grammar".
type justfile struct {
	*tree
	recipes []justTarget // those that can be run without arguments
	read    map[string]bool
}

// justTarget is a recipe, or another name of one.
type justTarget struct {
	name  string
	does  bool // it has something to do
	hooks bool // it runs the hooks
}

// targets are the recipes that do something; one that runs the hooks is left out where they are a check.
func (j *justfile) targets(hooks bool) []string {
	var out []string
	for _, r := range j.recipes {
		if r.does && (!hooks || !r.hooks) {
			out = append(out, r.name)
		}
	}
	return out
}

var (
	justRecipe = pattern.New(`^@?([A-Za-z_][A-Za-z0-9_-]*)(\s[^:]*)?:($|[^=].*$)`)
	justAlias  = pattern.New(`^alias\s+([A-Za-z_][A-Za-z0-9_-]*)\s*:=\s*[A-Za-z_]`)
	justImport = pattern.New(`^import\??\s+(?:'([^']+)'|"([^"]+)")`)
	justAsks   = pattern.New(`^\[.*\b(?:private|confirm|windows|macos)\b.*\]$`)
)

func (j *justfile) load(file string) {
	if len(j.read) >= mostMakefiles || j.read[file] {
		return
	}
	j.read[file] = true
	s := &justScanner{justfile: j}
	for line := range strings.Lines(string(j.tree.read(file))) {
		s.line(strings.TrimRight(line, " \t\r\n"))
	}
}

// justScanner goes through the lines of one file.
type justScanner struct {
	*justfile
	quoted string // the mark that ends a string of several lines; empty: none is open
	asks   bool   // an attribute keeps the next recipe from running here by itself
	open   bool   // lines of the last recipe may follow
}

func (s *justScanner) line(line string) {
	indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
	switch {
	case s.quoted != "":
		if strings.Count(line, s.quoted)%2 == 1 {
			s.quoted = ""
		}
	case line == "" || strings.HasPrefix(line, "#"):
	case indented && s.open:
		last := &s.recipes[len(s.recipes)-1]
		last.does, last.hooks = true, last.hooks || runsHooks.MatchString(line)
	case indented:
	case strings.HasPrefix(line, "["):
		s.asks = s.asks || justAsks.MatchString(line)
	default:
		s.quoted = openQuote(line)
		s.item(line)
		s.asks = false
	}
}

// item is a line that begins an import, an alias, a setting, a variable or a recipe.
func (s *justScanner) item(line string) {
	s.open = false
	if m := justImport.FindStringSubmatch(line); m != nil {
		if name := m[1] + m[2]; s.has(name) {
			s.load(name)
		}
		return
	}
	if m := justAlias.FindStringSubmatch(line); m != nil {
		s.recipes = append(s.recipes, justTarget{name: m[1], does: true})
		return
	}
	m := justRecipe.FindStringSubmatch(line)
	if m == nil || s.asks || strings.HasPrefix(m[1], "_") || !optional(m[2]) {
		return
	}
	needs, _, _ := strings.Cut(m[3], "#")
	s.recipes = append(s.recipes, justTarget{name: m[1], does: strings.TrimSpace(needs) != ""})
	s.open = true
}

// openQuote is the mark of a string of several lines that begins in the line, or "".
func openQuote(line string) string {
	for _, q := range []string{`"""`, `'''`, "```"} {
		if strings.Count(line, q)%2 == 1 {
			return q
		}
	}
	return ""
}

// optional reports whether a recipe needs none of its parameters: each has a default, or takes any number.
func optional(parameters string) bool {
	for _, p := range strings.Fields(parameters) {
		if !strings.HasPrefix(p, "*") && !strings.Contains(p, "=") {
			return false
		}
	}
	return true
}
