package shell

import (
	slashpath "path"
	"slices"
	"strconv"
	"strings"
)

// changeFolder is cd. Where it leads is known if the words say so; that the folder may not be there is a world of its own.
func changeFolder(s *shell, argv []value) value {
	name, _ := argv[0].exact()
	words := operands(argv[1:])
	was, sure := s.cwd, len(words) == 1
	switch {
	case name == "popd" || name == "pushd" && len(words) == 0:
		s.cwd, sure = anything, true
	case len(words) == 0:
		s.cwd, _ = s.variable("HOME")
		sure = s.present(s.cwd, was)
	default:
		sure = s.enter(words[0], name == "pushd") && sure
	}
	s.status = succeeded
	s.setFolder(was)
	if !sure {
		other := s.branch()
		other.cwd, other.status = was, failed
		other.vars.set("PWD", was)
		s.also = append(s.also, other)
	}
	return value{}
}

// operands are the words behind cd that are no options.
func operands(argv []value) []value {
	var words []value
	for i, a := range argv {
		if a.text == "--" {
			return append(words, argv[i+1:]...)
		}
		if len(a.text) < 2 || a.text[0] != '-' {
			words = append(words, a)
		}
	}
	return words
}

// enter makes a folder the current one, and reports whether that is sure to succeed.
func (s *shell) enter(to value, pushed bool) bool {
	was := s.cwd
	searched, _ := s.vars.get("CDPATH")
	switch {
	case to.empty():
		return false
	case to.text == "-" || pushed && to.text[0] == '+':
		s.cwd = anything
		return true
	case !searched.empty() && to.text[0] != '/' && (to.text[0] != '.' || to.globbed()):
		s.cwd = anything
		return false
	}
	s.cwd = s.resolved(to)
	// What leads through a folder and out of it again fails where there is no such folder.
	through, _, _ := strings.Cut(to.text, "/..")
	return s.present(s.cwd, was) && (!strings.Contains(to.text, "..") || strings.Trim(to.text, "./") == "" || s.present(known(through), was) && strings.Trim(to.text[len(through):], "./") == "")
}

// setFolder gives the variables their values that say where the shell is, and was.
func (s *shell) setFolder(was value) {
	s.vars.set("OLDPWD", was)
	s.vars.set("PWD", s.cwd)
}

// present reports a folder that is sure to be there: the one where the shell is, that of the script, the project's, the home, and those above.
func (s *shell) present(dir, now value) bool {
	path, ok := dir.exact()
	if !ok || !strings.HasPrefix(path, "/") {
		return !ok && dir.text == string(hole)
	}
	path = slashpath.Clean(path)
	here, _ := now.exact()
	return path == "/tmp" || slices.ContainsFunc([]string{here, slashpath.Dir(s.source), s.at.Root, s.at.Cwd, s.at.Home}, func(known string) bool {
		_, above := within(path, slashpath.Clean(known))
		return known != "" && (above || path == "/" || path == slashpath.Clean(known))
	})
}

// source runs a file in this shell.
func source(s *shell, argv []value) value {
	rest := argv[1:]
	if len(rest) > 0 && rest[0].text == "--" {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return value{}
	}
	at := s.locate(rest[0], s.cwd)
	texts, ok := s.holds(at)
	text, own := s.agentScript(at)
	switch {
	case standardInput(at.path):
		texts = []value{s.in}
	case own && !ok:
		s.noteAt(at, Run, "")
	case !ok, at.several():
		s.runFile(rest[0], "sh", rest[1:])
		if at.zone.own() || s.setsUp(at) {
			s.forget()
			s.strict = false
			if dir, ok := strings.CutSuffix(at.path, "/bin/activate"); ok {
				s.venv = dir
			}
		}
		return anything
	}
	was, more, inside, from, lent := s.args, s.more, s.inside, s.source, s.lent
	if len(rest) > 1 {
		s.args, s.more = rest[1:], false
	}
	s.inside, s.source = true, at.path // return ends it
	local := s.local.fork()
	if own && !ok {
		s.lent = true
		s.weighing(at)(func() { s.said = s.evaluate(known(text)) })
	} else {
		s.said = s.evaluate(s.choose(texts))
	}
	s.every(func(w *shell) {
		if w.flow == returned {
			w.flow = running
		}
		w.inside, w.source, w.lent = inside, from, lent
		if !inside {
			w.local = local.fork()
		}
		if len(rest) > 1 {
			w.args, w.more = was, more
		}
	})
	return s.said
}

// weighing is how code of an agent's counts that lies there: in the project only with what is denied.
func (s *shell) weighing(at located) func(func()) {
	if at.zone == Scratch {
		return func(interpret func()) { interpret() }
	}
	return s.strictly
}

// agentScript is what a file of the project, or one below a folder for temporary files, holds that only an agent has read, if it can be read.
func (s *shell) agentScript(at located) (string, bool) {
	if s.at.Script == nil || at.several() || !at.zone.own() && at.zone != Scratch {
		return "", false
	}
	text, ok := s.at.Script(at.path)
	return text, ok && len(text) <= maxText
}

// leave is exit, return, break and continue.
func leave(s *shell, argv []value) value {
	name := argv[0].text
	n, err := 1, error(nil)
	if len(argv) > 1 {
		n, err = strconv.Atoi(argv[1].text)
	}
	var to flow
	switch name {
	case "exit":
		to = exited
	case "return":
		to = returned
	case "break":
		to = broken
	default:
		to = continued
	}
	loop := to == broken || to == continued
	if to == returned && !s.inside || loop && s.loops == 0 {
		return value{} // there is nothing that it could end
	}
	if len(argv) > 2 || err != nil && to != exited || loop && n < 1 {
		other := s.branch() // it may be wrong, and end nothing
		other.status = failed
		s.also = append(s.also, other)
		n = max(n, 1)
	}
	s.flow = to
	if loop {
		s.levels = min(n, s.loops)
	}
	switch {
	case len(argv) == 1 || err != nil:
	case n == 0:
		s.status = succeeded
	default:
		s.status = failed
	}
	return value{}
}

// set gives the positional parameters their values, and changes how the shell works.
func set(s *shell, argv []value) value {
	if len(argv) == 1 {
		s.note(Print, "the environment", "set")
		return unknown(fromSecret) // all variables are printed
	}
	for i := 1; i < len(argv); i++ {
		a := argv[i].text
		switch {
		case a == "--" || a == "-":
			if a == "--" || i+1 < len(argv) {
				s.setArgs(argv[i+1:])
			}
			return value{}
		case !strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "+"):
			s.setArgs(argv[i:])
			return value{}
		}
		on := a[0] == '-'
		option := a[1:]
		if option == "A" && i+1 < len(argv) { // zsh and ksh: a list's elements
			s.setList(argv[i+1].text, argv[i+2:])
			return value{}
		}
		if strings.HasSuffix(option, "o") && i+1 < len(argv) {
			i++
			option = option[:len(option)-1] + map[string]string{"errexit": "e", "xtrace": "x", "allexport": "a"}[argv[i].text]
			s.pipefail = s.pipefail && argv[i].text != "pipefail" || on && argv[i].text == "pipefail"
		}
		s.switched(option, on)
	}
	return value{}
}

// switched turns options of the shell, by their letters, on or off.
func (s *shell) switched(letters string, on bool) {
	if strings.Contains(letters, "e") {
		s.strict = on
	}
	if on && strings.Contains(letters, "a") {
		s.exporting = true
	}
	if ps4, ok := s.vars.get("PS4"); ok && on && strings.Contains(letters, "x") {
		s.prompt(ps4)
	}
}

// setArgs gives the positional parameters their values. Those that grow by themselves are not known any more.
func (s *shell) setArgs(list []value) {
	const most = 1024
	size := 0
	for _, v := range list {
		size += len(v.text)
	}
	if len(list) > most || size > maxText {
		s.args, s.more = []value{anything}, true
		return
	}
	s.args = slices.Clone(list)
	if s.args == nil {
		s.args = []value{}
	}
	s.more = false
}

func shift(s *shell, argv []value) value {
	n := 1
	if len(argv) > 1 {
		var err error
		if n, err = strconv.Atoi(argv[1].text); err != nil {
			s.args, s.more = meldLists(s.args, nil, s.blend), true
			return value{}
		}
	}
	if n > len(s.args) && !s.more || n < 0 {
		s.status = failed // and nothing is shifted
		return value{}
	}
	if s.args == nil {
		return value{}
	}
	s.args = slices.Clone(s.args[min(n, len(s.args)):])
	if s.args == nil {
		s.args = []value{}
	}
	return value{}
}

// shopt changes how the shell works.
func shopt(s *shell, argv []value) value {
	for _, a := range argv[1:] {
		switch {
		case a.holed():
			s.opaque("an option of the shell is set that is not known")
		case a.text == "lastpipe":
			s.lastpipe = true
		case a.text == "errexit":
			s.strict = false
		case a.text == "cdable_vars" || a.text == "nullglob": // cd may lead elsewhere
			s.vars.set("CDPATH", anything)
		}
	}
	return value{}
}

// getopts takes an option out of the positional parameters: which one, is not known.
func getopts(s *shell, argv []value) value {
	s.subscripts(argv)
	if len(argv) < 3 {
		return value{}
	}
	list := s.args
	if len(argv) > 3 {
		list = argv[3:]
	}
	for _, a := range list[:min(len(list), maxWorlds)] {
		w := s.branch()
		text := a
		if len(a.text) > 2 && a.text[0] == '-' {
			text.text = a.text[2:]
		}
		w.assignTo("OPTARG", text)
		w.assignTo(argv[2].text, anything)
		s.also = append(s.also, w)
	}
	s.assignTo("OPTARG", anything)
	s.assignTo(argv[2].text, anything)
	return value{}
}
