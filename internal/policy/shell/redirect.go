package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// sink is where a descriptor that is written to leads.
type sink struct {
	paths []located // files
	held  *value    // what is added to what a statement further out prints
	out   bool      // wherever the shell's own output goes
}

// take writes a text to where the descriptor leads, and returns what of it goes on as the shell's own output.
func (s *shell) take(k sink, text value) value {
	for _, at := range k.paths {
		s.deliver(at, text, true)
	}
	if k.held != nil {
		*k.held = k.held.plus(text)
	}
	if k.out {
		return text
	}
	return value{}
}

// deliver writes a text into a file.
func (s *shell) deliver(at located, text value, keep bool) {
	if at.zone == Network && text.from&fromSecret != 0 {
		s.fact(Fact{Kind: Send, Target: at.path, Traits: []Trait{Secret}})
	}
	if text.empty() && !keep && at.zone != Nowhere {
		s.noteAt(at, Empty, ">")
	}
	s.remember(at, text, keep)
}

// outlet is where the standard output of a statement goes.
type outlet struct {
	paths []located // files; none if it goes on to the next in the pipe
	sinks []sink    // descriptors that were open before
	held  *value    // what other descriptors add to it
	away  bool      // it goes elsewhere than to standard output
	keep  bool      // what the files held stays
}

// close writes what was printed to the files, and returns what is left for the pipe.
func (o *outlet) close(s *shell, out value) value {
	for _, at := range o.paths {
		s.deliver(at, out, o.keep)
	}
	rest := value{}
	for _, k := range o.sinks {
		rest = rest.plus(s.take(k, out))
	}
	if !o.away {
		rest = out
	}
	if o.held != nil {
		rest = rest.plus(*o.held)
	}
	return rest
}

// listens reports that what is printed is kept somewhere.
func (o *outlet) listens() bool {
	for _, at := range o.paths {
		if at.zone != Nowhere {
			return true
		}
	}
	return len(o.sinks) > 0
}

// redirect opens what the redirections name.
func (s *shell) redirect(list []*syntax.Redirect) *outlet {
	o := &outlet{}
	for _, r := range list {
		s.reroute(r, o)
	}
	if o.away {
		s.outs.drop("1") // what runs inside prints to where the statement does
	}
	return o
}

func (s *shell) reroute(r *syntax.Redirect, o *outlet) {
	fd := ""
	if r.N != nil {
		fd = r.N.Value
	}
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		s.feed(fd, s.hereDoc(r))
	case syntax.WordHdoc:
		s.feed(fd, s.word(r.Word).literal().plus(known("\n")))
	case syntax.RdrIn:
		s.feed(fd, s.readFile(s.word(r.Word), "<"))
	case syntax.RdrInOut:
		name := s.word(r.Word)
		at := s.writeFile(name, "<>")
		s.feed(fd, s.readFile(name, "<>"))
		s.outs.set(s.descriptor(fd, "0"), sink{paths: []located{at}})
	case syntax.DplIn, syntax.DplOut:
		s.duplicate(r, fd, o)
	default: // > >> >| &> &>>
		s.outputTo(r, fd, o)
	}
}

// descriptor is the number that a redirection is for. {name}>file opens a new one, and keeps its number in a variable.
func (s *shell) descriptor(fd, standard string) string {
	if fd == "" {
		return standard
	}
	name := strings.Trim(fd, "{}")
	if name != fd {
		s.vars.set(name, known(name))
	}
	return name
}

// duplicate makes a descriptor lead to where another one does: 2>&1, <&3.
func (s *shell) duplicate(r *syntax.Redirect, fd string, o *outlet) {
	word := s.word(r.Word)
	target, exact := word.exact()
	if r.Op == syntax.DplIn {
		if v, ok := s.files.get(target); ok {
			s.feed(fd, v)
		}
		fd = s.descriptor(fd, "0")
	} else if strings.Trim(target, "0123456789-") != "" && exact {
		if _, open := s.outs.get(target); !open { // >&file
			s.reroute(&syntax.Redirect{Op: syntax.RdrAll, Word: r.Word}, o)
			return
		}
	}
	fd = s.descriptor(fd, "1")
	target = strings.TrimSuffix(target, "-") // 3>&1- also closes the other
	if !exact {
		s.opaque("a descriptor that is not known is written to")
		return
	}
	k, open := s.leads(target, o)
	switch {
	case fd == "1" && target != "1":
		o.away, o.paths, o.sinks = true, nil, nil
		if open {
			o.sinks = append(o.sinks, k)
		}
	case fd != "1" && open:
		s.outs.set(fd, k)
		for _, at := range k.paths {
			if fd == "0" && at.zone == Network {
				s.in = unknown(fromNetwork) // who is connected there is read from, too
			}
		}
	case fd != "1":
		s.outs.drop(fd)
	}
}

// leads is where a descriptor leads at this point of a statement's redirections.
func (s *shell) leads(fd string, o *outlet) (sink, bool) {
	if fd != "1" {
		return s.outs.get(fd)
	}
	switch {
	case len(o.paths) > 0:
		return sink{paths: o.paths}, true
	case len(o.sinks) > 0:
		return o.sinks[0], true
	case o.away:
		return sink{}, false
	}
	if k, ok := s.outs.get("1"); ok {
		return k, true
	}
	if o.held == nil {
		o.held = new(value)
	}
	return sink{held: o.held}, true
}

// outputTo opens a file for writing.
func (s *shell) outputTo(r *syntax.Redirect, fd string, o *outlet) {
	all := r.Op == syntax.RdrAll || r.Op == syntax.AppAll
	keep := r.Op == syntax.AppOut || r.Op == syntax.AppAll
	name := s.word(r.Word)
	if k, ok := s.open(name); ok {
		o.away, o.sinks = true, append(o.sinks, k)
		return
	}
	at := s.writeFile(name, ">")
	fd = s.descriptor(fd, "1")
	if fd == "1" {
		o.away, o.keep, o.sinks = true, o.keep || keep, nil
		o.paths = append(o.paths, at)
		if !all {
			return
		}
		fd = "2"
	}
	s.outs.set(fd, sink{paths: []located{at}})
	if !all && fd == "2" {
		s.remember(at, anything, false) // what programs complain of holds what they were given
	} else if !keep && !all {
		s.remember(at, value{}, false)
	}
}

// open is the descriptor that a path stands for: /dev/stderr, /dev/fd/3.
func (s *shell) open(name value) (sink, bool) {
	path, _ := name.exact()
	switch path {
	case "/dev/stderr":
		return s.outs.get("2")
	case "/dev/stdout":
		return sink{out: true}, true
	}
	for _, prefix := range []string{"/dev/fd/", "/proc/self/fd/"} {
		if fd, ok := strings.CutPrefix(path, prefix); ok {
			if fd == "1" {
				return sink{out: true}, true
			}
			return s.outs.get(fd)
		}
	}
	return sink{}, false
}

// feed sets what a descriptor holds that is read from.
func (s *shell) feed(fd string, v value) {
	if fd = s.descriptor(fd, "0"); fd == "0" {
		s.in = v
		return
	}
	s.files.set(fd, v)
}
