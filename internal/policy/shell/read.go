package shell

import (
	"strings"
)

// reading is what read is told to do.
type reading struct {
	names []string
	array string // -a
	list  bool   // -A of zsh and ksh: the name is a list's
	part  bool   // -n, -N: it is no whole line
	end   string // -d: what a line ends with
	raw   bool   // -r
	in    value
	fd    string
}

// read takes variables from standard input, a line at a time.
func read(s *shell, argv []value) value {
	s.subscripts(argv)
	r := &reading{in: s.in, end: "\n"}
	r.options(s, argv)
	line, rest, whole, ok := r.line()
	if r.in.holed() && ok { // what is not known may hold any number of lines
		other := s.branch()
		r.assign(other, value{cutHole(r.in.text), r.in.from})
		s.also = append(s.also, other)
		if i := strings.LastIndexByte(line.text, hole); i >= 0 && i+1 < len(line.text) {
			other := s.branch() // it may end in a line's end
			r.consume(other, rest)
			r.assign(other, value{line.text[i+1:], line.from})
			s.also = append(s.also, other)
		}
	}
	r.consume(s, rest)
	switch {
	case !ok:
		s.status = failed
	case whole && !r.in.holed():
		s.status = succeeded
	}
	r.assign(s, line)
	return value{}
}

// options reads the words behind read.
func (r *reading) options(s *shell, argv []value) {
	for i := 1; i < len(argv); i++ {
		a := argv[i].text
		if !strings.HasPrefix(a, "-") || len(a) == 1 {
			r.names = append(r.names, a)
			continue
		}
		for j := 1; j < len(a); j++ {
			c := a[j]
			r.raw, r.list = r.raw || c == 'r', r.list || c == 'A'
			if strings.IndexByte("adinNptu", c) < 0 {
				continue
			}
			r.part = r.part || c == 'n' || c == 'N'
			arg := a[j+1:]
			if arg == "" {
				if i++; i == len(argv) {
					break
				}
				arg = argv[i].text
			}
			switch c {
			case 'a':
				r.array = arg
			case 'd':
				r.end = (arg + string(hole))[:1]
				r.part = r.part || len(arg) > 0 && arg[0] == hole
			case 'u':
				r.fd = arg
				r.in, _ = s.files.get(arg)
				if strings.Contains(arg, string(hole)) {
					r.in = anything
				}
			}
			break
		}
	}
}

// line is the next line, what follows it, whether it was ended, and whether there is one.
func (r *reading) line() (line, rest value, whole, ok bool) {
	text, from := r.in.text, r.in.from
	switch {
	case r.in.lists():
		return r.in, r.in, false, true
	case text == "":
		return value{from: from}, value{from: from}, false, false
	case r.part:
		return unknown(from), r.in, false, true
	case r.end == string(hole) && from&controls == 0 && r.in.holed():
		return unknown(from), r.in, false, true
	}
	first, after, whole := strings.Cut(text, r.end)
	for !r.raw && whole && strings.HasSuffix(first, `\`) {
		var next string
		next, after, whole = strings.Cut(after, r.end)
		first = strings.TrimSuffix(first, `\`) + next
	}
	if strings.Contains(first, string(hole)) && !whole {
		after = text[strings.IndexByte(text, hole):]
	}
	if !r.raw {
		first = unescapeAll(strings.ReplaceAll(first, "\\\n", ""))
	}
	return value{first, from}, value{after, from}, whole, true
}

// cutHole is a text up to and with what is not known in it.
func cutHole(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if i := strings.IndexByte(line, hole); i >= 0 {
		return line[:i+1]
	}
	return string(hole)
}

func unescapeAll(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// consume takes what was read away from where it came.
func (r *reading) consume(s *shell, rest value) {
	if r.fd == "" {
		s.in = rest
	} else if _, ok := s.files.get(r.fd); ok {
		s.files.set(r.fd, rest)
	}
}

// assign divides a line among the variables.
func (r *reading) assign(s *shell, line value) {
	if r.list && len(r.names) > 0 {
		r.array = r.names[0]
	}
	if r.array != "" {
		s.setList(r.array, s.splitLine(line, 0))
		return
	}
	if len(r.names) == 0 {
		s.assignTo("REPLY", line)
		return
	}
	fields := s.splitLine(line, len(r.names))
	for i, n := range r.names {
		v := value{from: line.from}
		if i < len(fields) {
			v = fields[i]
		}
		if line.holed() && len(r.names) > 1 {
			v = unknown(line.from)
		}
		s.assignTo(n, v)
	}
}

// splitLine divides a line at the separators into at most so many fields, of which the last has all the rest.
func (s *shell) splitLine(line value, most int) []value {
	blanks := s.separators()
	white := strings.Trim(blanks, strings.Trim(blanks, " \t\n"))
	rest := strings.Trim(line.text, white)
	var out []value
	for rest != "" {
		k := strings.IndexAny(rest, blanks)
		if k < 0 || most > 0 && len(out) == most-1 {
			k = len(rest)
		}
		out = append(out, value{rest[:k], line.from})
		if k == len(rest) {
			break
		}
		rest = strings.TrimLeft(rest[k:], white)
		if rest != "" && strings.IndexByte(blanks, rest[0]) >= 0 && strings.IndexByte(white, rest[0]) < 0 {
			rest = strings.TrimLeft(rest[1:], white)
		}
	}
	return out
}

// mapfile takes all lines into an array.
func mapfile(s *shell, argv []value) value {
	s.subscripts(argv)
	name, in, plain := "MAPFILE", s.in, true
	for i := 1; i < len(argv); i++ {
		a := argv[i].text
		if !strings.HasPrefix(a, "-") {
			name = a
			continue
		}
		c := a[len(a)-1]
		plain = plain && a == "-t"
		if strings.IndexByte("dnOsuCc", c) < 0 {
			continue
		}
		if i++; i == len(argv) {
			break
		}
		switch c {
		case 'C':
			s.fork().script(argv[i])
		case 'u':
			in, _ = s.files.get(argv[i].text)
		}
	}
	var list []value
	switch {
	case !plain || in.holed():
		list = []value{in.namesOrUnknown()}
		s.mark(name, func(at *attribute) { at.sparse = true })
	default:
		for line := range strings.SplitSeq(strings.TrimSuffix(in.text, "\n"), "\n") {
			list = append(list, value{line, in.from})
		}
	}
	s.setList(name, list)
	return value{}
}
