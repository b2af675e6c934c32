package check

import (
	"errors"
	"fmt"
	"strings"
)

// Split splits a line into words as a shell would, and does nothing else that a shell does: quotes and backslashes are
// taken off, no variable, glob, tilde or brace is expanded, and `;`, `|` or `$(…)` are letters like any other.
//
// Nothing that comes of it ever goes through a shell, so there is nothing to inject.
func Split(line string) ([]string, error) {
	words, _, err := split(line)
	return words, err
}

// SplitCommand splits the command of a check, see [Split]. It refuses what the writer must have meant for a shell,
// because without a shell it would silently mean something else.
func SplitCommand(line string) ([]string, error) {
	words, meant, err := split(line)
	if err != nil {
		return nil, err
	}
	if meant != "" {
		return nil, fmt.Errorf("%s needs a shell, and commands run without one: put it into a script, write [sh, -c, …], or quote it", meant)
	}
	if len(words) == 0 {
		return nil, errors.New("the command is empty")
	}
	return words, nil
}

// splitter holds a line half split.
type splitter struct {
	words []string
	word  strings.Builder
	open  bool   // a word has begun; it may still be empty, as in ''
	meant string // the first thing that only a shell could do
}

func split(line string) (words []string, meant string, err error) {
	var s splitter
	for i := 0; i < len(line); {
		n, err := s.take(line[i:])
		if err != nil {
			return nil, "", err
		}
		i += n
	}
	s.end()
	return s.words, s.meant, nil
}

// take reads the next piece of the line and returns its length.
func (s *splitter) take(rest string) (int, error) {
	switch c := rest[0]; c {
	case ' ', '\t', '\n', '\r':
		if c == '\n' && strings.TrimSpace(rest) != "" && (s.open || len(s.words) > 0) {
			s.note("a line break")
		}
		s.end()
		return 1, nil
	case '\'':
		end := strings.IndexByte(rest[1:], '\'')
		if end < 0 {
			return 0, errors.New("a single quote is not closed")
		}
		s.add(rest[1 : 1+end])
		return end + 2, nil
	case '"':
		return s.double(rest)
	case '\\':
		if len(rest) == 1 {
			return 0, errors.New("a backslash at the end escapes nothing")
		}
		if rest[1] != '\n' { // a backslash before a line break joins the lines
			s.add(rest[1:2])
		}
		return 2, nil
	case ';', '|', '&', '<', '>':
		s.note("`" + rest[:1] + "`")
	default:
		s.substitution(rest)
	}
	s.add(rest[:1])
	return 1, nil
}

// double reads a piece in double quotes, in which a backslash escapes only what would otherwise be special.
func (s *splitter) double(rest string) (int, error) {
	s.open = true
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '"':
			return i + 1, nil
		case c == '\\' && i+1 < len(rest) && strings.IndexByte("\"\\$`\n", rest[i+1]) >= 0:
			i++
			if rest[i] != '\n' {
				s.add(rest[i : i+1])
			}
		default:
			s.substitution(rest[i:])
			s.add(rest[i : i+1])
		}
	}
	return 0, errors.New("a double quote is not closed")
}

// substitution notes a variable or a command that a shell would put in here.
func (s *splitter) substitution(rest string) {
	switch {
	case rest[0] == '`':
		s.note("a backquote")
	case rest[0] == '$' && len(rest) > 1 && (rest[1] == '{' || rest[1] == '(' || rest[1] == '_' || rest[1] == '\'' || isAlnum(rest[1]) || strings.IndexByte("@*#?!$-", rest[1]) >= 0):
		s.note("`" + rest[:2] + "`")
	}
}

func (s *splitter) note(what string) {
	if s.meant == "" {
		s.meant = what
	}
}

func (s *splitter) add(text string) {
	s.open = true
	s.word.WriteString(text)
}

func (s *splitter) end() {
	if s.open {
		s.words = append(s.words, s.word.String())
		s.word.Reset()
		s.open = false
	}
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// quoteCommand writes an argv as a line that SplitCommand reads back, and reports whether one line can say it.
func quoteCommand(argv []string) (string, bool) {
	parts := make([]string, len(argv))
	for i, a := range argv {
		switch {
		case strings.ContainsAny(a, "\n\r"):
			return "", false
		case a == "" || strings.ContainsAny(a, " \t'\"\\$`;|&<>"):
			parts[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		default:
			parts[i] = a
		}
	}
	return strings.Join(parts, " "), len(argv) > 0
}
