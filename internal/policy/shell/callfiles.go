package shell

import (
	"slices"
	"strings"
)

// Bazel's and Meson's files are calls of functions, some of whose arguments are commands.

// actual is one of a call: what is known of its text, and its members where it is a list.
type actual struct {
	name  string
	text  string
	items []actual
	list  bool
}

// words are the members of a list.
func (a actual) words() (words []value) {
	for _, item := range a.items {
		words = append(words, known(item.text))
	}
	return words
}

// bazelRuns judges a call in a file of Bazel's.
func bazelRuns(s *shell, function string, args []actual) {
	executable := ""
	for i, a := range args {
		switch a.name {
		case "cmd", "cmd_bash", "command":
			if a.list {
				s.fork().run(a.words())
			} else {
				s.starting([]string{bazelText(a.text)})
			}
		case "executable":
			executable = a.text
		case "arguments":
			if executable != "" {
				s.fork().run(append([]value{known(executable)}, a.words()...))
			}
		case "":
			if function == "execute" && i == 0 && a.list {
				s.fork().run(a.words())
			}
		}
	}
}

// bazelText is a command of a genrule: $$ is a dollar, and what Bazel puts in for $(NAME) and $@ is not known.
func bazelText(text string) string {
	var b strings.Builder
	for {
		before, rest, more := strings.Cut(text, "$")
		b.WriteString(before)
		if !more || rest == "" {
			return b.String()
		}
		switch rest[0] {
		case '$':
			b.WriteByte('$')
			text = rest[1:]
		case '(':
			b.WriteByte(hole)
			text = rest[min(len(rest), 2+closed(rest[1:], '(', ')')):]
		case '@', '<':
			b.WriteByte(hole)
			text = rest[1:]
		default:
			b.WriteByte('$')
			text = rest
		}
	}
}

// mesonCommands are the functions whose arguments are a command.
var mesonCommands = []string{"run_command", "add_install_script", "add_postconf_script", "add_dist_script"}

// mesonRuns judges a call in a file of Meson's.
func mesonRuns(s *shell, function string, args []actual) {
	var argv []value
	for _, a := range args {
		switch {
		case a.name == "command" && a.list:
			s.fork().run(a.words())
		case a.name == "command":
			s.fork().run([]value{known(a.text)})
		case a.name == "" && a.list:
			argv = append(argv, a.words()...)
		case a.name == "":
			argv = append(argv, known(a.text))
		}
	}
	if slices.Contains(mesonCommands, function) && len(argv) > 0 {
		s.fork().run(argv)
	}
}

// calls judges each call in a text, those within others, too.
func (s *shell) calls(src string, judge func(s *shell, function string, args []actual)) {
	r := &callReader{src: src, judge: func(function string, args []actual) { judge(s, function, args) }}
	for r.i < len(src) {
		r.arguments(0)
	}
}

// callReader reads calls.
type callReader struct {
	src   string
	i     int
	judge func(function string, args []actual)
}

// mostBrackets is how deep brackets lie within brackets.
const mostBrackets = 64

// pending are the arguments that were read so far, and what the last of them is made of up to here.
type pending struct {
	all  []actual
	last actual
	word string // a name of which it is not known yet what it is
	some bool   // there is a last one
}

func (p *pending) put(text string) { p.last.text, p.word, p.some = p.last.text+text, "", true }

// named makes a name stand for something that is not known.
func (p *pending) named() {
	if p.word != "" {
		p.put(string(hole))
	}
}

func (p *pending) end() {
	if p.named(); p.some {
		p.all = append(p.all, p.last)
	}
	p.last, p.some = actual{}, false
}

// arguments reads up to the bracket that closes a call or a list.
func (r *callReader) arguments(depth int) []actual {
	p := &pending{}
	for r.i < len(r.src) {
		switch c := r.src[r.i]; {
		case strings.IndexByte("([{", c) >= 0:
			r.i++
			r.inner(p, c, depth)
		case strings.IndexByte(")]}", c) >= 0:
			r.i++
			if depth > 0 {
				p.end()
				return p.all
			}
		default:
			r.token(p, c, depth)
		}
	}
	p.end()
	return p.all
}

// inner reads a call, or a list, behind the bracket that opens it.
func (r *callReader) inner(p *pending, open byte, depth int) {
	function := p.word
	p.word = ""
	var args []actual
	if depth < mostBrackets {
		args = r.arguments(depth + 1)
	}
	if open == '(' && function != "" {
		r.judge(function, args)
		p.put(string(hole))
		return
	}
	p.last.list, p.last.items, p.some = true, append(p.last.items, args...), true
}

// token reads what is no bracket.
func (r *callReader) token(p *pending, c byte, depth int) {
	switch {
	case c == '#':
		r.i += strings.IndexByte(r.src[r.i:]+"\n", '\n')
	case c == '"' || c == '\'':
		if len(p.word) > len("rb") { // which say how the string is meant
			p.named()
		}
		p.put(r.literal())
	case strings.IndexByte(identifiers, c) >= 0 && c != '-':
		n := len(r.src[r.i:]) - len(strings.TrimLeft(r.src[r.i:], identifiers))
		p.named()
		p.word = r.src[r.i : r.i+n]
		r.i += n
	default:
		r.i++
		switch {
		case c == ',', c == '\n' && depth == 0:
			p.end()
		case (c == '=' || c == ':') && p.word != "" && p.last.text == "" && !p.last.list && !strings.HasPrefix(r.src[r.i:], "="):
			p.last.name, p.word = p.word, ""
		case c == '.': // of what has a member, the member counts
			p.word = ""
		case strings.IndexByte(" \t\r\n+\\", c) < 0:
			p.named()
		}
	}
}

// literal reads a string.
func (r *callReader) literal() string {
	quote := r.src[r.i : r.i+1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(r.src[r.i:], long) {
		quote = long
	}
	start := r.i + len(quote)
	for r.i = start; r.i < len(r.src) && !strings.HasPrefix(r.src[r.i:], quote); r.i++ {
		if r.src[r.i] == '\\' {
			r.i++
		} else if r.src[r.i] == '\n' && len(quote) == 1 {
			break
		}
	}
	end := min(r.i, len(r.src))
	r.i = min(end+len(quote), len(r.src))
	return strings.NewReplacer(`\n`, "\n", `\t`, "\t", "\\\n", "", `\"`, `"`, `\'`, "'", `\\`, `\`).Replace(r.src[start:end])
}
