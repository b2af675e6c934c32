package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Agents' clients run commands in the person's own shell, which may be zsh. What it understands otherwise than bash does is judged in a second reading, and the stricter of the
// two counts: the first element of an array is 1, $a is all of them, $a[1] needs no braces, path is PATH, the last command of a pipe runs in the shell itself, and some functions
// run without being called.

// readOtherwise are parts of commands of which zsh makes something else. What has none of them, and no subscript, is read once.
const readOtherwise = "=( *( ?( path= path+= path[ argv read mapfile alias chpwd zshexit TRAP _handler typeset declare zsh -A"

// otherwiseInZsh reports a command that zsh may read otherwise.
func otherwiseInZsh(command string) bool {
	if speaks(command, readOtherwise) {
		return true
	}
	for i := 1; i < len(command); i++ {
		if c := command[i-1]; command[i] == '[' && (c == '_' || c == '}' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z') {
			return true
		}
	}
	return false
}

// bySelf are functions that zsh runs by itself.
const bySelf = " chpwd precmd preexec periodic zshexit zshaddhistory command_not_found_handler "

// runsItself reports the name of a function that zsh runs without being asked.
func (s *shell) runsItself(name string) bool {
	return s.zsh && (oneWord(bySelf, name) || strings.HasPrefix(name, "TRAP"))
}

// place is where an element is that a subscript names. Zsh counts from 1, and has none at 0.
func (s *shell) place(i int, placed bool) (int, bool) {
	switch {
	case !s.zsh || !placed || i < 0:
		return i, placed
	case i == 0:
		return 1 << 30, true
	}
	return i - 1, true
}

// zshList is what zsh takes for a list where bash takes one element: $a, and ${a[2,4]}.
func (s *shell) zshList(p *syntax.ParamExp, list []value) ([]value, bool) {
	if !s.zsh {
		return nil, false
	}
	span, ok := p.Index.(*syntax.BinaryArithm)
	switch {
	case p.Index == nil:
		return list, true
	case !ok || span.Op != syntax.Comma:
		return nil, false
	}
	from, ok := number(span.X)
	to, also := number(span.Y)
	if from < 0 {
		from += len(list) + 1
	}
	if to < 0 {
		to += len(list) + 1
	}
	if !ok || !also || from < 1 {
		return []value{anything}, true
	}
	return list[min(from-1, len(list)):max(min(to, len(list)), min(from-1, len(list)))], true
}

// parts are those of a word as zsh reads it, for which $a[1] is an element.
func (s *shell) parts(all []syntax.WordPart) []syntax.WordPart {
	if !s.zsh {
		return all
	}
	out := slices.Clone(all)
	for i := 0; i+1 < len(out); i++ {
		p, short := out[i].(*syntax.ParamExp)
		if !short || !p.Short || p.Param == nil || !subscripted(out[i+1]) {
			continue
		}
		end := i + 1 // of the subscript, in which something may be expanded
		for end < len(out) && !closes(out[end]) {
			end++
		}
		if end == len(out) {
			continue
		}
		index, rest, _ := strings.Cut(out[end].(*syntax.Lit).Value, "]")
		element := *p
		element.Short, element.Index = false, &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: "?"}}}
		if end == i+1 {
			element.Index = zshIndex(index[1:])
		}
		out = slices.Concat(out[:i], []syntax.WordPart{&element, &syntax.Lit{Value: rest}}, out[end+1:])
	}
	return out
}

func subscripted(p syntax.WordPart) bool {
	lit, ok := p.(*syntax.Lit)
	return ok && strings.HasPrefix(lit.Value, "[")
}

func closes(p syntax.WordPart) bool {
	lit, ok := p.(*syntax.Lit)
	return ok && strings.Contains(lit.Value, "]")
}

// zshIndex is a subscript: a place, or the first and the last of several.
func zshIndex(text string) syntax.ArithmExpr {
	lit := func(text string) syntax.ArithmExpr {
		return &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: text}}}
	}
	if from, to, several := strings.Cut(text, ","); several {
		return &syntax.BinaryArithm{Op: syntax.Comma, X: lit(from), Y: lit(to)}
	}
	return lit(text)
}

// tied gives PATH what path is given, and the positional parameters what argv is: in zsh they are the same.
func (s *shell) tied(name string, list []value) {
	switch {
	case !s.zsh:
	case name == "path":
		var folders value
		for i, v := range list {
			if i > 0 {
				folders = folders.plus(known(":"))
			}
			folders = folders.plus(v)
		}
		s.assignTo("PATH", folders)
	case name == "argv":
		s.args, s.more = slices.Clone(list), false
	}
}

// zshShell reports that a text is run by zsh: that was called, or its first line names it.
func (s *shell) zshShell(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return s.begins == "zsh" || strings.HasPrefix(line, "#!") && slices.Contains(strings.FieldsFunc(line, func(c rune) bool { return c == '/' || c == ' ' }), "zsh")
}

// asZsh adds what the command would do in zsh.
func (r *reader) asZsh(command string, at Place) {
	again := newReader(r.policy, at) // not where bash has copied things
	again.interpret(command, true)
	for _, f := range again.facts {
		if !slices.ContainsFunc(r.facts, func(g Fact) bool { return f.equal(&g) }) {
			r.facts = append(r.facts, f)
		}
	}
}
