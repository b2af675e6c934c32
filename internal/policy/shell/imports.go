package shell

import (
	slashpath "path"
	"slices"
	"strings"
)

// A script loads other files by their names. Those that this command has written, or that only an agent has read, are judged with it. Of what tests load only that counts which would
// delete a home, or what holds one: they need not run all of what they test, and programs rightly delete folders of their own in a home.

// loads judges the files that the code loads.
func (sc *scan) loads() {
	names := sc.imported()
	if len(names) == 0 {
		return
	}
	var unread []string
	if sc.at.Written != nil && sc.at.Script != nil {
		unread = sc.at.Written()
	}
	for _, name := range names {
		for _, dir := range []string{slashpath.Dir(sc.source), sc.locate(sc.cwd, sc.cwd).path, sc.at.Root + "/node_modules"} {
			for _, ending := range endings {
				path := slashpath.Join(dir, name) + ending
				if languageByEnding(path) == sc.lang.Name {
					sc.load(path, slices.Contains(unread, path))
				}
			}
		}
	}
}

// load judges a file that is loaded, once: of what is denied in it only that which is known by its name.
func (s *shell) load(path string, unread bool) {
	language, texts := languageByEnding(path), s.written[path]
	if unread {
		if text, ok := s.at.Script(path); ok {
			texts = append(slices.Clip(texts), known(text[:min(len(text), maxText)]))
		}
	}
	if language == "" || texts == nil || s.brought[path] {
		return
	}
	if s.brought == nil {
		s.brought = map[string]bool{}
	}
	s.brought[path] = true
	for _, text := range texts {
		sub := s.reading(path)
		sub.brings = true
		s.surely(func() {
			s.omitting(func(f *Fact) bool { return s.testing && (f.Zone != Above || f.Kind != Delete && f.Kind != Empty) }, func() { sub.code(language, text, nil) })
		})
	}
}

// reading is a shell for the code of a file, which finds others in the file's folder.
func (s *shell) reading(path string) *shell {
	sub := s.fork()
	sub.source = path
	return sub
}

// loaders are the words behind which a language has the name of a file that is loaded; Python's have names of their own.
const loaders = `javascript: import from require
ruby: require require_relative load
php: include include_once require require_once
perl: require do
lua: require dofile
r: source
julia: include
elixir: Code.require_file Code.eval_file`

// imported are the names by which the code loads others, as paths.
func (sc *scan) imported() (names []string) {
	words := wordsOf(loaders, sc.lang.Name)
	for i, t := range sc.tokens {
		switch {
		case t.kind != nameToken:
		case sc.lang.Name == "python" && (t.text == "import" || t.text == "from"):
			names = append(names, sc.modules(i)...)
		case slices.Contains(words, t.text):
			if text, ok := sc.arguments(i)[0].text.exact(); ok && text != "" {
				names = append(names, text)
			}
		}
	}
	return names
}

// modules are those that Python's statement names which begins at a token, and the packages in which they lie: import a.b, c; from a import b, c.
func (sc *scan) modules(i int) (names []string) {
	in, open := "", false
	for k, t := range sc.tokens[i:] {
		switch {
		case t.is("("), t.is(")"):
			open = t.is("(")
		case t.is("\n") && !open || t.is(";"):
			return names
		case t.kind != nameToken || t.text == "as" || t.text == "from" || k > 0 && sc.tokens[i+k-1].text == "as":
		case t.text == "import":
			if names != nil {
				in = names[len(names)-1] + "/"
			}
		default:
			path := in + strings.ReplaceAll(t.text, ".", "/")
			for k := range path {
				if path[k] == '/' {
					names = append(names, path[:k])
				}
			}
			names = append(names, path)
		}
	}
	return names
}
