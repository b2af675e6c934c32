package shell

import "strings"

// readFile notes that a file is read, and is what it holds.
func (s *shell) readFile(name value, by string) value {
	if name.text == "-" || name.text == "/dev/stdin" || name.text == "/dev/fd/0" || name.text == "/proc/self/fd/0" {
		return s.in
	}
	at := s.locate(name, s.cwd)
	if text, ok := s.written[at.path]; ok {
		return text
	}
	if at.zone == Network {
		s.fact(Fact{Kind: Fetch, Target: at.path, By: by})
		return unknown(fromNetwork)
	}
	s.fact(Fact{Kind: Read, Target: at.path, Zone: at.zone, By: by}.at(at))
	return s.content(at)
}

// content is what a file holds: what this command has written into it, or anything.
func (s *shell) content(at located) value {
	if text, ok := s.written[at.path]; ok {
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
		s.fact(Fact{Kind: Write, Target: at.path, Zone: at.zone, By: by}.at(at))
	}
	return at
}

// remember keeps what was written into a file. A file that is emptied is a fact of its own.
func (s *shell) remember(at located, text value, keep bool) {
	if at.zone == Nowhere || at.zone == Network || at.zone == Anywhere || at.glob || at.part {
		return
	}
	if was, ok := s.written[at.path]; ok && keep {
		text = was.plus(text)
	} else if keep {
		text = unknown(fromFile | text.from)
	}
	if s.written == nil {
		s.written = map[string]value{}
	}
	s.written[at.path] = text
}

// pseudoFile is the name of a file that holds a text, as <( ) gives one.
func (s *shell) pseudoFile(text value) value {
	if s.written == nil {
		s.written = map[string]value{}
	}
	name := "/dev/fd/" + itoa(63+len(s.written))
	s.written[name] = text
	return value{name, text.from &^ fromFile}
}

// runFile runs a file of code.
func (s *shell) runFile(name value, language string, args []value) value {
	if name.text == "-" {
		return s.code(language, s.in, args)
	}
	at := s.locate(name, s.cwd)
	if text, ok := s.written[at.path]; ok {
		return s.code(language, text, args)
	}
	if at.path == "/dev/stdin" || at.path == "/dev/fd/0" || at.path == "/proc/self/fd/0" {
		return s.code(language, s.in, args)
	}
	switch at.zone {
	case Project, Tests, Generated, Checks:
		s.fact(Fact{Kind: Run, Target: at.path}.at(at))
	default:
		s.fact(Fact{Kind: Code, Target: at.path, Zone: at.zone}.at(at))
	}
	return unknown(s.taints(args))
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
