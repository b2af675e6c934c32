package check

import (
	"io/fs"
	"strings"

	"fettle/internal/pattern"

	"go.yaml.in/yaml/v3"
)

// tomlEntry is a key of a TOML file with the strings that stand in its value. A table without keys is an entry too.
type tomlEntry struct {
	table   string // with dots: "tool.ruff.lint"
	key     string
	strings []string
}

// readTOML reads as much of a TOML file as is needed to see which tables, keys and strings it has. It never fails: what it
// does not understand, it passes over.
func readTOML(b []byte) []tomlEntry {
	s := &tomlScanner{text: string(b)}
	var out []tomlEntry
	table := ""
	for s.skipSpace(); s.i < len(s.text); s.skipSpace() {
		if s.text[s.i] == '[' {
			header, _ := s.until('\n')
			table = tomlName(header)
			out = append(out, tomlEntry{table: table})
			continue
		}
		if key, ok := s.until('='); ok {
			out = append(out, tomlEntry{table: table, key: tomlName(key), strings: s.value()})
		}
	}
	return out
}

// tomlName is a table's or key's name without brackets, quotes and space.
func tomlName(s string) string {
	s, _, _ = strings.Cut(s, "#")
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("[]\"' \t\r\n", r) {
			return -1
		}
		return r
	}, s)
}

type tomlScanner struct {
	text string
	i    int
}

// until is the text up to a byte, which is passed; or up to the end of the line, if that comes first: then it is false.
func (s *tomlScanner) until(end byte) (string, bool) {
	begin := s.i
	for ; s.i < len(s.text); s.i++ {
		if c := s.text[s.i]; c == end || c == '\n' {
			s.i++
			return s.text[begin : s.i-1], c == end
		}
	}
	return s.text[begin:], false
}

// comment passes over a comment up to its line break.
func (s *tomlScanner) comment() {
	for s.i < len(s.text) && s.text[s.i] != '\n' {
		s.i++
	}
}

// skipSpace passes over white space and comments.
func (s *tomlScanner) skipSpace() {
	for s.i < len(s.text) {
		switch s.text[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
		case '#':
			s.comment()
		default:
			return
		}
	}
}

// value passes over a value, which ends at the end of the line unless a bracket is open, and returns its strings.
func (s *tomlScanner) value() []string {
	var out []string
	depth := 0
	for s.i < len(s.text) {
		switch c := s.text[s.i]; c {
		case '\n':
			s.i++
			if depth <= 0 {
				return out
			}
		case '#':
			s.comment()
		case '"', '\'':
			out = append(out, s.str(c))
		default:
			switch c {
			case '[', '{':
				depth++
			case ']', '}':
				depth--
			}
			s.i++
		}
	}
	return out
}

// str reads a string in single, double or triple quotes. Escapes stay as they are written.
func (s *tomlScanner) str(quote byte) string {
	mark := string(quote)
	if triple := strings.Repeat(mark, 3); strings.HasPrefix(s.text[s.i:], triple) {
		mark = triple
	}
	s.i += len(mark)
	begin := s.i
	for ; s.i < len(s.text); s.i++ {
		switch c := s.text[s.i]; {
		case c == '\\' && quote == '"':
			s.i++
		case strings.HasPrefix(s.text[s.i:], mark):
			s.i += len(mark)
			return s.text[begin : s.i-len(mark)]
		case c == '\n' && len(mark) == 1:
			return s.text[begin:s.i]
		}
	}
	s.i = len(s.text)
	return s.text[min(begin, s.i):]
}

var (
	dependencyTable = pattern.New(`^(project\.optional-dependencies|dependency-groups|tool\.pdm\.dev-dependencies)$`)
	dependencyKey   = pattern.New(`(^|\.)((dev-|extra-|optional-)?dependencies|requires)(\.[^.]+)?$`)
	namesAreKeys    = pattern.New(`^(tool\.poetry(\.group\.[^.]+)?\.(dev-)?dependencies|packages|dev-packages)$`)
	requirement     = pattern.New(`^\s*([A-Za-z0-9][A-Za-z0-9._-]*)`)
)

// dependencies are the names of the packages that the entry asks for.
func (e tomlEntry) dependencies() []string {
	switch {
	case e.key == "" || e.table == "build-system":
		return nil
	case namesAreKeys.MatchString(e.table):
		return []string{packageName(e.key)}
	case dependencyTable.MatchString(e.table), dependencyKey.MatchString(e.key):
		var out []string
		for _, s := range e.strings {
			out = append(out, packageName(s))
		}
		return out
	}
	return nil
}

// packageName is the name in a requirement such as "pytest-cov[toml]>=4; python_version < '3.12'", in the form that PEP 503
// gives to names.
func packageName(requires string) string {
	m := requirement.FindStringSubmatch(requires)
	if m == nil {
		return ""
	}
	return strings.ToLower(strings.NewReplacer("_", "-", ".", "-").Replace(strings.TrimRight(m[1], "._-")))
}

// readINI is the sections of an INI file, and the names that stand first in a line or in a value: a tool is asked for as a
// dependency or as a command.
func readINI(b []byte) (sections, words []string) {
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\r\n \t")
		if strings.HasPrefix(line, "[") {
			name, _, _ := strings.Cut(line[1:], "]")
			sections = append(sections, strings.TrimSpace(name))
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(line), "#") || strings.HasPrefix(line, ";") {
			continue
		}
		if !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") {
			if _, value, ok := strings.Cut(line, "="); ok {
				line = value
			}
		}
		words = append(words, packageName(line))
	}
	return sections, words
}

func requirementNames(b []byte) []string {
	var out []string
	for line := range strings.Lines(string(b)) {
		out = append(out, packageName(line)) // options such as -r and comments have no name
	}
	return out
}

var quoted = pattern.New(`["']([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:[\[<>=!~; ][^"']*)?["']`)

// quotedNames are the names of what may be requirements in a setup.py, which is never run to find out.
func quotedNames(b []byte) []string {
	var out []string
	for _, m := range quoted.FindAllSubmatch(b, -1) {
		out = append(out, packageName(string(m[1])))
	}
	return out
}

// preCommitHooks are the tools behind the hooks of a pre-commit configuration.
func preCommitHooks(b []byte) []string {
	var config struct {
		Repos []struct {
			Hooks []struct {
				ID string `yaml:"id"`
			} `yaml:"hooks"`
		} `yaml:"repos"`
	}
	if yaml.Unmarshal(b, &config) != nil {
		return nil
	}
	var out []string
	for _, r := range config.Repos {
		for _, h := range r.Hooks {
			name, _, _ := strings.Cut(packageName(h.ID), "-")
			out = append(out, name) // ruff-check, ruff-format, black-jupyter
		}
	}
	return out
}

func (t *tree) glob(pattern string) []string {
	files, err := fs.Glob(t.fsys, pattern)
	if err != nil {
		return nil
	}
	return files
}
