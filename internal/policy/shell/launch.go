package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// launch runs a text in a shell of its own. It has what was exported to it: functions, and variables. What else a variable holds
// it has only if the variable was in the environment before, which is not known: then both is judged.
func (s *shell) launch(text, zero value, args []value) value {
	texts := s.launched(text, zero, args, false)
	if s.keepsBack(text.text) {
		texts = append(texts, s.launched(text, zero, args, true)...)
	}
	return s.hear(texts)
}

// starts runs a text in a shell that a program starts for it, up to its end and what runs then.
func (s *shell) starts(text value) value {
	sub := s.fork()
	sub.zsh, sub.lastpipe = false, false
	return s.hear(sub.ended(sub.evaluate(text)))
}

// launched runs the text with the functions that are exported, and without any: the name may have been unset by what starts it.
func (s *shell) launched(text, zero value, args []value, only bool) []value {
	sub, zsh := s.fork(), s.zshShell(text.text)
	sub.funcs, sub.names, sub.lists = s.exportedFunctions(), table[value]{}, table[[]value]{}
	sub.inside, sub.local, sub.modes, sub.tested = false, table[saved]{}, modes{exporting: sub.exporting, zsh: zsh, lastpipe: zsh}, false
	sub.zero, sub.args, sub.more = zero, args, false
	if only {
		for name := range s.vars.m {
			if at, _ := s.attrs.get(name); !at.exported && !s.exporting {
				sub.vars.drop(name)
			}
		}
	}
	return sub.ended(sub.evaluate(text))
}

// exportedFunctions are those that a shell which is started here has, too.
func (s *shell) exportedFunctions() table[*syntax.Stmt] {
	var out table[*syntax.Stmt]
	for name, body := range s.funcs.m {
		if at, _ := s.attrs.get(name + "()"); at.exported || s.exporting {
			out.set(name, body)
		}
	}
	return out
}

// keepsBack reports a text that names a variable which is not known to be exported.
func (s *shell) keepsBack(text string) bool {
	if !strings.Contains(text, "$") || s.exporting {
		return false
	}
	for name := range s.vars.m {
		if at, _ := s.attrs.get(name); !at.exported && name != "PWD" && name != "OLDPWD" && strings.Contains(text, name) {
			return true
		}
	}
	return false
}
