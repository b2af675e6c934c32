package shell

import (
	"slices"
	"strconv"
	"strings"
)

// readFile notes that a file is read, and is what it holds.
func (s *shell) readFile(name value, by string) value {
	if name.text == "-" || standardInput(name.text) {
		return s.in
	}
	at := s.locate(name, s.cwd)
	if text, ok := s.written.get(at.path); ok {
		return text
	}
	if at.zone == Network {
		s.fact(Fact{Kind: Fetch, Target: at.path, By: by})
		return unknown(fromNetwork)
	}
	s.fact(at.fact(Read, by))
	return s.content(at)
}

// standardInput reports a name of what is piped in.
func standardInput(path string) bool {
	return path == "/dev/stdin" || path == "/dev/fd/0" || path == "/proc/self/fd/0"
}

// content is what a file holds: what this command has written into it, or anything.
func (s *shell) content(at located) value {
	if text, ok := s.written.get(at.path); ok {
		return text
	}
	switch {
	case at.path == "/dev/null":
		return value{}
	case at.zone == Secrets:
		return unknown(fromFile | fromSecret)
	}
	return unknown(fromFile)
}

// writeFile notes that a file is written, and says where it lies.
func (s *shell) writeFile(name value, by string) located {
	at := s.locate(name, s.cwd)
	if at.zone == Network {
		s.fact(Fact{Kind: Send, Target: at.path, By: by})
	} else if at.zone != Nowhere {
		s.fact(at.fact(Write, by))
	}
	return at
}

// remember keeps what was written into a file. A file that is emptied is a fact of its own.
func (s *shell) remember(at located, text value, keep bool) {
	if at.zone == Nowhere || at.zone == Network || at.zone == Anywhere || at.glob || at.part {
		return
	}
	if was, ok := s.written.get(at.path); ok && keep {
		text = was.plus(text)
	} else if keep {
		text = unknown(fromFile | text.from)
	}
	s.written.set(at.path, text)
}

// pseudoFile is the name of a file that holds a text, as <( ) gives one.
func (s *shell) pseudoFile(text value) value {
	name := "/dev/fd/" + strconv.Itoa(63+len(s.written.m))
	s.written.set(name, text)
	return value{name, text.from &^ fromFile}
}

// runFile runs a file of code.
func (s *shell) runFile(name value, language string, args []value) value {
	if name.text == "-" {
		return s.code(language, s.in, args)
	}
	at := s.locate(name, s.cwd)
	if text, ok := s.written.get(at.path); ok {
		return s.code(language, text, args)
	}
	if standardInput(at.path) {
		return s.code(language, s.in, args)
	}
	if at.zone.own() {
		s.unread(at, language, args)
		s.fact(at.fact(Run, ""))
		if p := s.policy.program("script:" + baseName(at.path)); p != nil { // a framework's own, which every project of it has
			return s.apply(p, baseName(at.path), args)
		}
	} else {
		s.fact(at.fact(Code, ""))
	}
	return unknown(s.taints(args))
}

// unread judges a file of the project that only an agent has read, as code in the language, or in the one that its first line names. Only what
// is denied counts: the rest is the project's code, as any other.
func (s *shell) unread(at located, language string, args []value) {
	if s.at.Script == nil {
		return
	}
	text, ok := s.at.Script(at.path)
	if !ok {
		return
	}
	s.strictly(func() {
		if language == "" {
			s.fork().shebang(known(text), args)
		} else {
			s.fork().code(language, known(text), args)
		}
	})
}

// strictly interprets something of which only that counts what is denied.
func (s *shell) strictly(interpret func()) {
	before := len(s.facts)
	interpret()
	s.facts = slices.DeleteFunc(s.facts, func(f Fact) bool {
		before--
		return before < 0 && s.policy.ruleFor(f).Decision < Deny
	})
}

// resolved is a folder as an absolute path, if it is known.
func (s *shell) resolved(dir value) value {
	if strings.HasPrefix(dir.text, "/") || dir.text == "" {
		return dir
	}
	if !strings.HasPrefix(s.cwd.text, "/") {
		return anything
	}
	return s.cwd.plus(known("/")).plus(dir)
}

// cutAny divides a text at the first of some characters.
func cutAny(s, chars string) (before, after string, found bool) {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}
