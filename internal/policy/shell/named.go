package shell

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Unnamed says of the first of a rule's patterns for programs that can match none why, and what would match; empty, if each may match one. Facts have a program's name with those of
// its subcommands, to the last one: "docker compose up". The programs are those that are described beside the tables' own. Of a program that nobody describes nothing is known.
func (r *Rule) Unnamed(programs []Program) string {
	p := &Policy{Programs: programs}
	for _, pattern := range r.Programs {
		if slices.ContainsFunc(r.Programs, func(other string) bool { return strings.HasPrefix(other, pattern+" ") }) {
			continue // that one is about what is below
		}
		if why := p.unnamed(pattern); why != "" {
			return why
		}
	}
	return ""
}

// unnamed says why a pattern matches the name of no command of the program that it begins with.
func (p *Policy) unnamed(pattern string) string {
	words := strings.Split(pattern, " ")
	prog := p.program(words[0])
	if prog == nil {
		return ""
	}
	for i, word := range words[1:] {
		name := strings.Join(words[:i+1], " ")
		if !prog.branches() {
			return fmt.Sprintf("programs: %q matches nothing: facts name %s alone, without its options and operands", pattern, name)
		}
		if strings.ContainsAny(word, `*?[\`) {
			return prog.unmatched(name, pattern)
		}
		next := prog.sub(word)
		if next == nil {
			return fmt.Sprintf("programs: %q matches nothing: %s has no subcommand %q that is known; it has %s", pattern, name, word, prog.some(name))
		}
		prog = next
	}
	if prog.branches() {
		return fmt.Sprintf("programs: %q matches nothing: facts name the subcommand, too, as in %s; write %q for all of them", pattern, prog.some(pattern), pattern+" *")
	}
	return ""
}

// unmatched says why a pattern with * and its like in the place of a subcommand matches none.
func (p *Program) unmatched(name, pattern string) string {
	for _, command := range p.commands(name) {
		text, _, open := strings.Cut(command, "*") // any word may stand there
		literal := pattern[:strings.IndexAny(pattern, `*?[\`)]
		if ok, err := path.Match(pattern, command); ok && err == nil || open && (strings.HasPrefix(text, literal) || strings.HasPrefix(literal, text)) {
			return ""
		}
	}
	return fmt.Sprintf("programs: %q matches nothing: there is %s", pattern, p.some(name))
}

// branches reports a program whose first operand is a subcommand.
func (p *Program) branches() bool { return slices.Contains(p.Operands, Sub) }

// commands are the whole names of what is below a program.
func (p *Program) commands(name string) []string {
	if !p.branches() {
		return []string{name}
	}
	below := make([]*Program, 0, len(p.Subs)+len(p.packed))
	for i := range p.Subs {
		below = append(below, &p.Subs[i])
	}
	for _, packed := range p.packed {
		below = append(below, unpack(packed))
	}
	var all []string
	for _, sub := range below {
		for _, n := range sub.Names {
			all = append(all, sub.commands(name+" "+n)...)
		}
	}
	return all
}

// some are a few of the names of what is below a program.
func (p *Program) some(name string) string {
	var all []string
	for _, command := range p.commands(name) {
		if !strings.Contains(command, "*") {
			all = append(all, command)
		}
	}
	const most = 4
	if len(all) > most {
		all = append(all[:most:most], "…")
	}
	return strings.Join(all, ", ")
}
