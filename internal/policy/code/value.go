package code

import (
	"strconv"
	"strings"
	"unicode"

	program "fettle/internal/code"
	"fettle/internal/syntax"

	"golang.org/x/text/unicode/norm"
)

// unknown stands in a text for what could not be computed.
const unknown = "\x00"

// value is what is known of an expression.
type value struct {
	path   string // what it names outside of the file: "os.system"; "?x" for a variable of which nothing is known
	text   string // of a text: with [unknown] for its unknown parts
	isText bool
	list   []value // of a list
	isList bool
	number string // of a whole number, as it is written
}

func named(path string) value { return value{path: canonical(path)} }
func text(s string) value     { return value{text: s, isText: true} }

// known reports whether it is a text without unknown parts.
func (v value) known() bool { return v.isText && !strings.Contains(v.text, unknown) }

// outside reports whether it names something that is not the file's own.
func (v value) outside() bool { return v.path != "" && v.path[0] != '?' }

// part is the value as a part of a text.
func (v value) part() string {
	if v.isText {
		return v.text
	}
	return unknown
}

// member is what stands under a name in a value.
func (v value) member(name string) value {
	if v.path == "" {
		return value{path: "?." + name}
	}
	return named(v.path + "." + name)
}

// roots are names of the namespace that holds every other.
var roots = []string{"builtins", "__builtins__", "globalThis", "window", "global"}

// synonyms are modules and functions that have two names.
var synonyms = map[string]string{
	"__builtin__": "builtins", "posix": "os", "nt": "os", "_pickle": "pickle", "cPickle": "pickle", "np": "numpy", "pd": "pandas",
	"etree": "lxml.etree", "ET": "xml.etree.ElementTree", "fs/promises": "fs", "fs.promises": "fs", "Path": "pathlib.Path",
	"subprocess32": "subprocess", "pickle5": "pickle", "_io": "io", "java.lang": "", "cp": "child_process",
}

// canonical is a path without the detours that lead to the same thing.
func canonical(path string) string {
	path = strings.ReplaceAll(path, "node:", "")
	for _, end := range []string{".__call__", ".__func__", ".__wrapped__", ".__dict__", ".default"} {
		path = strings.TrimSuffix(path, end)
	}
	path = strings.ReplaceAll(path, ".__dict__.", ".")
	for again := true; again; {
		again = false
		for _, root := range roots {
			if rest, ok := strings.CutPrefix(path, root+"."); ok && rest != "" {
				path, again = rest, true
			}
		}
	}
	for from, to := range synonyms {
		switch rest, ok := strings.CutPrefix(path, from+"."); {
		case path == from && to != "":
			return to
		case ok && to == "":
			return rest
		case ok:
			return to + "." + rest
		}
	}
	return path
}

// identifier is a name as the language compares it: Python takes full-width letters for the usual ones.
func (s *scan) identifier(name string) string {
	if s.file.Lang == syntax.Python {
		return norm.NFKC.String(name)
	}
	return name
}

// literal is the text of a string literal: names in it stand for what they mean, and [unknown] for whatever else is computed inside.
func (s *scan) literal(n *program.Node, depth int) value {
	inner := func(part syntax.Node) string {
		name := strings.Trim(part.Text(), "${}")
		if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			return unknown
		}
		return s.lookup(n, s.identifier(name), depth).part()
	}
	src := n.Text()
	if n.File.Lang == syntax.Python {
		var b strings.Builder
		at := n.File.Tree.Enclosing(n.Start, n.End)
		for part := range at.Find("string") {
			b.WriteString(pieces(part, "interpolation", inner, !strings.ContainsAny(prefix(part.Text()), "rR")))
		}
		return text(b.String())
	}
	if strings.HasPrefix(src, "`") && n.File.Lang != syntax.Go {
		return text(pieces(n.File.Tree.Enclosing(n.Start, n.End), "template_substitution", inner, true))
	}
	if strings.HasPrefix(src, "`") || strings.HasPrefix(src, `"""`) {
		return text(strings.Trim(src, "`\""))
	}
	if len(src) < 2 {
		return value{}
	}
	return text(unescape(src[1 : len(src)-1]))
}

func prefix(s string) string { return s[:max(0, strings.IndexAny(s, `'"`))] }

// pieces is the content of a string's node, with what is known of every computed part.
func pieces(s syntax.Node, computed string, inner func(syntax.Node) string, escapes bool) string {
	var b strings.Builder
	for c := range s.Children() {
		switch {
		case c.Kind() == computed:
			b.WriteString(inner(c))
		case c.Is("string_content", "string_fragment", "escape_sequence"):
			if escapes {
				b.WriteString(unescape(c.Text()))
			} else {
				b.WriteString(c.Text())
			}
		}
	}
	return b.String()
}

// unescape computes escapes, as far as languages agree on them; what is none stays.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for s != "" {
		if strings.HasPrefix(s, `\u{`) {
			hex, rest, ok := strings.Cut(s[3:], "}")
			if code, err := strconv.ParseUint(hex, 16, 21); ok && err == nil {
				b.WriteRune(rune(code))
				s = rest
				continue
			}
		}
		r, _, rest, err := strconv.UnquoteChar(s, 0)
		if err != nil {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		b.WriteRune(r)
		s = rest
	}
	return b.String()
}
