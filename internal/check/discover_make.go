package check

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// makeChecks are the checks of the folder's Makefile.
func (t *tree) makeChecks(found judged) []Check {
	file := t.first(makefiles...)
	if file == "" {
		return nil
	}
	m := &makefile{tree: t, rules: map[string]bool{}, phony: map[string]bool{}, hooks: map[string]bool{}, read: map[string]bool{}, prefix: "\t"}
	m.load(file)
	return runnerChecks("make", spelled(m.targets(found.hooks)), found, func(target string) []string { return []string{"make", target} })
}

// makefile is what a Makefile says of its targets, as far as it says it without being run. Source: the GNU Make manual,
// "What Makefiles Contain" and "Parsing Makefiles".
type makefile struct {
	*tree
	order   []string
	rules   map[string]bool // targets; true: it has something to do
	phony   map[string]bool
	unknown bool            // .PHONY has targets that only make can name
	hooks   map[string]bool // targets whose recipe runs the hooks
	prefix  string          // what a line of a recipe begins with
	read    map[string]bool // files
}

// targets are those that do something when they are asked for, in their order. A target that is not phony does nothing as
// long as a file or folder has its name: it would always pass. One that runs the hooks is left out where they are a check.
func (m *makefile) targets(hooks bool) []string {
	return slices.DeleteFunc(slices.Clone(m.order), func(target string) bool {
		idle := !m.phony[target] && !m.unknown && m.has(target)
		return !m.rules[target] || idle || hooks && m.hooks[target]
	})
}

// mostMakefiles bounds how many files are read for one Makefile.
const mostMakefiles = 50

func (m *makefile) load(file string) {
	if len(m.read) >= mostMakefiles || m.read[file] {
		return
	}
	m.read[file] = true
	s := &makeScanner{makefile: m}
	for _, line := range makeLines(string(m.tree.read(file))) {
		s.line(line)
	}
}

// makeLines are the lines of a Makefile, those that a backslash continues joined.
func makeLines(text string) []string {
	var out []string
	open := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if open {
			out[len(out)-1] += " " + strings.TrimSpace(line)
		} else {
			out = append(out, line)
		}
		open = strings.HasSuffix(line, `\`) && !strings.HasSuffix(line, `\\`)
		if last := len(out) - 1; open {
			out[last] = strings.TrimSuffix(out[last], `\`)
		}
	}
	return out
}

// makeScanner goes through the lines of one file.
type makeScanner struct {
	*makefile
	define int      // depth of define … endef
	when   int      // depth of conditionals: nobody knows whether what stands in them holds
	rule   []string // targets whose recipe may follow
}

var (
	makeAssign    = pattern.New(`^(?:(?:export|override|private|unexport)\s+)*[^\s:=#]+\s*(?:\?|\+|!|:{1,3})?=`)
	makeDefine    = pattern.New(`^(?:(?:export|override|private)\s+)*define\b`)
	makeCondition = pattern.New(`^(?:ifeq|ifneq|ifdef|ifndef)\b`)
	makePrefix    = pattern.New(`^\.RECIPEPREFIX\s*:{0,3}=\s*(\S)$`)
	makeInclude   = pattern.New(`^(?:-include|sinclude|include)\s+(.*)$`)
)

func (s *makeScanner) line(line string) {
	if s.define == 0 && strings.HasPrefix(line, s.prefix) {
		s.recipe(line)
		return
	}
	line = strings.TrimSpace(withoutComment(line))
	switch {
	case line == "":
	case makeDefine.MatchString(line) && !makeAssign.MatchString(line) || s.define > 0 && strings.HasPrefix(line, "define "):
		s.define++
	case line == "endef":
		s.define = max(0, s.define-1)
	case s.define > 0:
	case makeCondition.MatchString(line):
		s.when++
	case line == "endif":
		s.when = max(0, s.when-1)
	case s.when > 0, strings.HasPrefix(line, "else"):
	case makeInclude.MatchString(line):
		s.include(makeInclude.FindStringSubmatch(line)[1])
	case makePrefix.MatchString(line):
		s.prefix = makePrefix.FindStringSubmatch(line)[1]
	case makeAssign.MatchString(line):
		s.rule = nil
	default:
		s.rule = s.head(line)
	}
}

// recipe is a line that a target runs.
func (s *makeScanner) recipe(line string) {
	for _, target := range s.rule {
		s.rules[target] = true
		s.hooks[target] = s.hooks[target] || runsHooks.MatchString(line)
	}
}

// runsHooks recognises a command that runs all hooks.
var runsHooks = pattern.New(`\b(?:pre-commit|prek|lefthook)\s+run\b`)

// withoutComment is a line up to its comment.
func withoutComment(line string) string {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || line[i-1] != '\\') {
			return line[:i]
		}
	}
	return line
}

// head reads the line that begins a rule, and returns its targets.
func (s *makeScanner) head(line string) []string {
	colon := outside(line, ':')
	if colon < 0 {
		return nil
	}
	rest := strings.TrimPrefix(line[colon+1:], ":")
	if makeAssign.MatchString(strings.TrimSpace(rest)) || strings.HasPrefix(rest, "=") {
		return nil // a variable of a target's own
	}
	needs, recipe, inline := strings.Cut(rest, ";")
	names := strings.Fields(strings.TrimSuffix(strings.TrimSpace(line[:colon]), "&"))
	if slices.Equal(names, []string{".PHONY"}) {
		for _, n := range strings.Fields(needs) {
			s.phony[n] = true
			s.unknown = s.unknown || strings.Contains(n, "$")
		}
		return nil
	}
	var out []string
	for _, n := range names {
		if strings.ContainsAny(n, "$%*?[") || strings.HasPrefix(n, ".") {
			continue // what only make can name, patterns, and what is make's own
		}
		if _, known := s.rules[n]; !known {
			s.order = append(s.order, n)
		}
		needs, _, _ := strings.Cut(needs, "|")
		s.rules[n] = s.rules[n] || strings.TrimSpace(needs) != "" || inline && strings.TrimSpace(recipe) != ""
		out = append(out, n)
	}
	return out
}

// outside is the index of a byte that stands outside of variables, or -1.
func outside(line string, b byte) int {
	depth := 0
	for i := range len(line) {
		switch c := line[i]; {
		case c == '(' || c == '{':
			depth++
		case c == ')' || c == '}':
			depth = max(0, depth-1)
		case c == b && depth == 0 && (i == 0 || line[i-1] != '\\'):
			return i
		}
	}
	return -1
}

// include reads the files of the repository that the line names. Their paths begin in the folder that make runs in.
func (s *makeScanner) include(names string) {
	for _, name := range strings.Fields(names) {
		name = path.Clean(name)
		if strings.Contains(name, "$") || !filepath.IsLocal(filepath.FromSlash(name)) {
			continue
		}
		for _, file := range s.glob(name) {
			s.load(file)
		}
	}
}
