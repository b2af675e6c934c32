package trees

import (
	"strings"
)

// TOML reads TOML but for its rarest forms, which are errors: texts of more than one line, and what an array of tables holds by a dotted name.
func TOML(src []byte) (Tree, error) {
	r := tomlReader{text: string(src)}
	all := Tree{}
	table := all
	for r.skip(true); !r.bad && r.i < len(r.text); r.skip(true) {
		switch {
		case strings.HasPrefix(r.text[r.i:], "[["):
			r.i += 2
			keys := r.keys()
			r.take("]]")
			table = Tree{}
			if holder := r.below(all, keys[:max(len(keys)-1, 0)]); !r.bad && len(keys) > 0 {
				name := keys[len(keys)-1]
				list, _ := holder[name].([]any)
				r.bad = r.bad || holder[name] != nil && list == nil
				holder[name] = append(list, table)
			}
		case r.text[r.i] == '[':
			r.i++
			keys := r.keys()
			r.take("]")
			table = r.below(all, keys)
		default:
			r.pair(table)
		}
		r.skip(false)
		r.bad = r.bad || r.i < len(r.text) && r.text[r.i] != '\n'
	}
	if r.bad {
		return nil, errNoTree
	}
	return all, nil
}

// tomlReader goes through a text of TOML. Once something in it cannot be read, it is bad.
type tomlReader struct {
	text string
	i    int
	bad  bool
}

// skip goes over white space and comments, and over ends of lines if they do not matter.
func (r *tomlReader) skip(lines bool) {
	for r.i < len(r.text) {
		switch c := r.text[r.i]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' && lines:
			r.i++
		case c == '#':
			for r.i < len(r.text) && r.text[r.i] != '\n' {
				r.i++
			}
		default:
			return
		}
	}
}

// take goes over what has to stand here.
func (r *tomlReader) take(what string) {
	r.skip(false)
	if r.bad = r.bad || !strings.HasPrefix(r.text[r.i:], what); !r.bad {
		r.i += len(what)
	}
}

// below is the table of a name in another one, made where it is not there.
func (r *tomlReader) below(t Tree, keys []string) Tree {
	for _, k := range keys {
		if t[k] == nil {
			t[k] = Tree{}
		}
		next, ok := t[k].(Tree)
		if !ok {
			r.bad = true
			return Tree{}
		}
		t = next
	}
	return t
}

// pair reads a key with its value into a table.
func (r *tomlReader) pair(table Tree) {
	keys := r.keys()
	r.take("=")
	if r.bad {
		return
	}
	r.skip(false)
	v := r.value()
	holder := r.below(table, keys[:len(keys)-1])
	if name := keys[len(keys)-1]; holder[name] == nil {
		holder[name] = v
	} else {
		r.bad = true
	}
}

// keys reads a name, whose parts are set apart by dots.
func (r *tomlReader) keys() []string {
	var all []string
	for {
		r.skip(false)
		begin := r.i
		switch {
		case r.i < len(r.text) && strings.IndexByte(`"'`, r.text[r.i]) >= 0:
			all = append(all, r.quoted())
		default:
			for r.i < len(r.text) && inKey(r.text[r.i]) {
				r.i++
			}
			r.bad = r.bad || begin == r.i
			all = append(all, r.text[begin:r.i])
		}
		r.skip(false)
		if r.bad || r.i >= len(r.text) || r.text[r.i] != '.' {
			return all
		}
		r.i++
	}
}

// quoted reads a text of one line.
func (r *tomlReader) quoted() string {
	quote := r.text[r.i]
	if strings.HasPrefix(r.text[r.i:], strings.Repeat(string(quote), 3)) {
		r.bad = true
		return ""
	}
	var b strings.Builder
	for r.i++; r.i < len(r.text) && r.text[r.i] != '\n'; r.i++ {
		switch c := r.text[r.i]; {
		case c == quote:
			r.i++
			return b.String()
		case c == '\\' && quote == '"' && r.i+1 < len(r.text):
			r.i++
			if strings.IndexByte(`"\`, r.text[r.i]) < 0 {
				b.WriteByte('\\') // it stands for something else, which nobody asks about
			}
			b.WriteByte(r.text[r.i])
		default:
			b.WriteByte(c)
		}
	}
	r.bad = true
	return ""
}

func (r *tomlReader) value() any {
	if r.bad || r.i >= len(r.text) {
		r.bad = true
		return ""
	}
	switch r.text[r.i] {
	case '"', '\'':
		return r.quoted()
	case '[':
		all := []any{}
		r.items(']', func() { all = append(all, r.value()) })
		return all
	case '{':
		all := Tree{}
		r.items('}', func() { r.pair(all) })
		return all
	}
	begin := r.i
	for r.i < len(r.text) && strings.IndexByte(",]}#\n", r.text[r.i]) < 0 {
		r.i++
	}
	plain := strings.TrimSpace(r.text[begin:r.i])
	r.bad = r.bad || plain == "" || strings.ContainsAny(plain, "=\"'")
	return plain
}

// items reads what stands in brackets, between commas.
func (r *tomlReader) items(end byte, one func()) {
	for r.i++; !r.bad; {
		r.skip(true)
		switch {
		case r.i >= len(r.text):
			r.bad = true
			return
		case r.text[r.i] == end:
			r.i++
			return
		}
		one()
		r.skip(true)
		if r.i < len(r.text) && r.text[r.i] == ',' {
			r.i++
		} else if r.i >= len(r.text) || r.text[r.i] != end {
			r.bad = true
		}
	}
}

// inKey reports whether a byte may stand in a key without quotes, also in those of other scripts, which TOML itself would have quoted.
func inKey(b byte) bool {
	return b == '_' || b == '-' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}
