package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/policy/shell"
)

// Variables of the environment by which other code gets into every program that is started, or by which these check nothing any more: whatever they are
// set by.

// variables are those, by what they do.
var variables = pattern.Table(func() map[string]*hit {
	return mentionsOf(
		mentionRow{Interference, Danger, "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES PYTHONSTARTUP PYTHONINSPECT NODE_OPTIONS BASH_ENV GIT_SSH_COMMAND"},
		mentionRow{Interference, Review, "LD_LIBRARY_PATH"},
		mentionRow{Weakening, Danger, "NODE_TLS_REJECT_UNAUTHORIZED PYTHONHTTPSVERIFY GIT_SSL_NO_VERIFY"},
	)
})

// exports judges a variable that is given a value.
func (s *scan) exports(name string, v value) *hit {
	h := variables()[name]
	if v.number != "" {
		v = text(v.number)
	}
	told := strings.ReplaceAll(v.text, unknown, "") // a part that is not known is often what the variable held before
	switch {
	case h == nil:
		return nil
	case h.class == Weakening:
		if v.known() && (v.text == "" || (v.text == "0") == (name == "GIT_SSL_NO_VERIFY")) {
			return nil
		}
	case told != "" || v.known():
		if (*shell.Policy)(nil).Judge("export "+shell.Quote(name+"="+told), where).Decision == shell.Allow {
			return nil
		}
	}
	return h
}

// exported judges what an entry of something that is an environment is given.
func (s *scan) exported(n *program.Node, name string, v *program.Node) *hit {
	if variables()[name] == nil || s.truth(v, false, 0) == nothing || !s.isEnvironment(n) {
		return nil
	}
	return s.exports(name, s.eval(v, 0))
}

// environments matches what environments are called: a variable, a member, an argument, an option.
var environments = pattern.New(`(?i)(^|[._]|[a-z])env(iron(b|ment)?)?(s|vars|_vars|ironment_variables)?(\.copy)?(\(\))?$`)

// surroundsAll reports an environment, by what it is called, or by what it is.
func (s *scan) surroundsAll(n *program.Node) bool {
	return n != nil && (environments.MatchString(n.Text()) || s.rules.environment[s.eval(n, 0).path])
}

// isEnvironment reports that an entry, or what is set, belongs to an environment: by what holds it, takes it, or what it is copied from.
func (s *scan) isEnvironment(n *program.Node) bool {
	if n.Role != program.Pair {
		return s.surroundsAll(n.Kid(program.Target).Kid(program.Object))
	}
	table := n.Parent
	if slices.ContainsFunc(table.All(program.Elem), func(e *program.Node) bool {
		return e.Role == program.Spread && s.surroundsAll(e.Kid(program.Operand))
	}) {
		return true
	}
	switch up := table.Parent; {
	case up.Is(program.Keyword):
		return environments.MatchString(up.Name)
	case up.Is(program.Pair):
		return environments.MatchString(s.key(up.Kid(program.Key)))
	case up.Is(program.Assign):
		return s.surroundsAll(up.Kid(program.Target))
	case up.Is(program.Call):
		return s.surroundsAll(up.Kid(program.Callee).Kid(program.Object)) || s.surroundsAll(up.Kid(program.Arg))
	}
	return false
}

// exportsBy judges a call that gives one variable a value, or several: by their names as arguments.
func (s *scan) exportsBy(c *call) *hit {
	callee := c.n.Kid(program.Callee)
	if name := c.arg(0, ""); setters[c.path] || callee.Is(program.Attr) && setterMethods[callee.Name] && s.surroundsAll(callee.Kid(program.Object)) {
		return s.exports(name.text, c.arg(1, ""))
	}
	for _, a := range c.n.All(program.Arg) {
		if a.Role == program.Keyword && variables()[a.Name] != nil {
			return s.exports(a.Name, s.eval(a.Kid(program.Value), 0))
		}
	}
	return nil
}

// setters are functions that set a variable, setterMethods those of an environment.
var (
	setters       = set("os.putenv os.Setenv syscall.Setenv Deno.env.set")
	setterMethods = set("put setdefault __setitem__ set putIfAbsent setenv")
)

// exportsList judges an environment that is a list of texts, NAME=value.
func (s *scan) exportsList(name string, v *program.Node) *hit {
	if !environments.MatchString(name) {
		return nil
	}
	for k := range v.Walk() {
		if !k.Is(program.Str, program.Arith, program.Call, program.Name) {
			continue
		}
		v := s.eval(k, 0)
		for _, e := range append(slices.Clone(v.list), v) {
			variable, t, ok := strings.Cut(e.text, "=")
			if h := s.exports(variable, text(t)); ok && h != nil {
				return h
			}
		}
	}
	return nil
}
