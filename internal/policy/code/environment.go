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
	told := strings.TrimSpace(strings.ReplaceAll(v.text, unknown, "")) // a part that is not known is often what the variable held before
	switch {
	case h == nil:
		return nil
	case h.class == Weakening:
		if name != "GIT_SSL_NO_VERIFY" && v.known() && v.text != "0" { // Git asks only whether it is set
			return nil
		}
	case told != "" || v.known():
		if (*shell.Policy)(nil).Judge("export "+shell.Quote(name+"="+told), where).Decision == shell.Allow {
			return nil
		}
	}
	return h
}

// exportsAs judges a variable that is given an expression: nothing is no value, and what it held before is put back.
func (s *scan) exportsAs(name string, n *program.Node) *hit {
	if variables()[name] == nil || s.truth(n, false, 0) == nothing || s.heldBefore(name, n) {
		return nil
	}
	return s.exports(name, s.eval(n, 0))
}

// heldBefore reports what the environment says of the variable itself.
func (s *scan) heldBefore(name string, n *program.Node) bool {
	if strings.HasSuffix(s.eval(n, 0).path, "."+name) {
		return true
	}
	asked := s.written(n)
	if !asked.Is(program.Call) {
		return false
	}
	c := s.newCall(asked, s.eval(asked.Kid(program.Callee), 0).path)
	return getters[c.path] && c.arg(0, "").text == name
}

// getters are functions that give what a variable holds.
var getters = set("os.environ.get os.environ.pop os.getenv os.Getenv os.LookupEnv syscall.Getenv System.getenv Deno.env.get")

// exported judges what an entry of something that is an environment is given.
func (s *scan) exported(n *program.Node, name string, v *program.Node) *hit {
	if variables()[name] == nil || !s.isEnvironment(n) {
		return nil
	}
	return s.exportsAs(name, v)
}

// environments matches what environments are called: a variable, a member, an argument, an option.
var environments = pattern.New(`(?i)(^|[._]|[a-z])env(iron(b|ment)?)?(s|vars|_vars|ironment_variables)?(\.copy)?(\(\))?$`)

// surroundsAll reports an environment, by what it is called, or by what it is.
func (s *scan) surroundsAll(n *program.Node) bool {
	return n != nil && (environments.MatchString(n.Text()) || s.rules.environment[s.eval(n, 0).path])
}

// isEnvironment reports that an entry, an argument by name, or what is set, belongs to an environment: by what holds it, takes it, or what it is copied from.
func (s *scan) isEnvironment(n *program.Node) bool {
	if !n.Is(program.Pair, program.Keyword) {
		return s.surroundsAll(n.Kid(program.Target).Kid(program.Object))
	}
	table := n.Parent
	if n.Is(program.Keyword) && environments.MatchString(table.Kid(program.Callee).Text()) || s.fillsEnvironment(table) || slices.ContainsFunc(table.All(program.Elem), func(e *program.Node) bool {
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
	}
	return s.fillsEnvironment(table.Parent)
}

// fillsEnvironment reports a call of something of an environment, or that copies one: os.environ.update(…), dict(os.environ, …).
func (s *scan) fillsEnvironment(n *program.Node) bool {
	return n.Is(program.Call) && (s.surroundsAll(n.Kid(program.Callee).Kid(program.Object)) || s.surroundsAll(n.Kid(program.Arg)))
}

// exportsBy judges a call that gives one variable a value, or several: by their names as arguments.
func (s *scan) exportsBy(c *call) *hit {
	callee := c.n.Kid(program.Callee)
	if name := c.arg(0, ""); setters[c.path] || callee.Is(program.Attr) && setterMethods[callee.Name] && s.surroundsAll(callee.Kid(program.Object)) {
		if c.node(1) == nil {
			return nil
		}
		return s.exportsAs(name.text, c.node(1))
	}
	for _, a := range c.n.All(program.Arg) {
		if a.Role == program.Keyword {
			if h := s.exported(a, a.Name, a.Kid(program.Value)); h != nil {
				return h
			}
		}
	}
	return nil
}

// setters are functions that set a variable, setterMethods those of an environment.
var (
	setters       = set("os.putenv os.Setenv syscall.Setenv Deno.env.set")
	setterMethods = set("put setdefault __setitem__ set putIfAbsent setenv")
)

// exportsAll judges an environment that is put together elsewhere, or of texts: NAME=value.
func (s *scan) exportsAll(name string, v *program.Node) *hit {
	if !environments.MatchString(name) {
		return nil
	}
	var found *hit
	s.hunts(v, func(n *program.Node) bool {
		switch n.Role {
		case program.Pair, program.Keyword:
			name, v := n.Name, n.Kid(program.Value)
			if n.Role == program.Pair {
				name = s.key(n.Kid(program.Key))
			}
			if v != nil && !s.isEnvironment(n) { // which is judged where it stands
				found = s.exportsAs(name, v)
			}
		case program.Str, program.Arith, program.Call, program.Name:
			v := s.eval(n, 0)
			for _, e := range append(slices.Clone(v.list), v) {
				if variable, t, ok := strings.Cut(e.text, "="); ok && found == nil {
					found = s.exports(variable, text(t))
				}
			}
		default: // is no part of an environment
		}
		return found != nil
	}, s.mixes)
	return found
}

// mixes are what a call puts to an environment.
func (s *scan) mixes(n *program.Node, path string) []*program.Node {
	if path == "dict" || path == "Object.assign" || path == "os.environ.copy" {
		return n.All(program.Arg)
	}
	return append(s.lists(n, path), s.copies(n, path)...)
}
