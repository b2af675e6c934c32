package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// lasting are commands that end as they always do, whatever happens elsewhere.
var lasting = []string{"true", ":", "false", "sleep", "echo", "printf", "["}

// exits are the commands with which a loop ends, or waits for what it has started.
var exits = []string{"break", "exit", "return", "wait", "read", "exec", "fg", "continue"}

// endless reports a loop that nothing ends: its condition depends on nothing, and nothing in its body leaves it or waits.
func endless(cond, body []*syntax.Stmt) bool {
	for _, st := range cond {
		switch c := st.Cmd.(type) {
		case *syntax.CallExpr:
			if !constant(c) {
				return false
			}
		case *syntax.ArithmCmd, *syntax.TestClause:
			if names(c) {
				return false
			}
		default:
			return false
		}
	}
	ends, waits, lets := false, false, false
	for _, st := range body {
		syntax.Walk(st, func(n syntax.Node) bool {
			if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 {
				name := c.Args[0].Lit()
				ends = ends || slices.Contains(exits, name) && name != "wait"
				waits, lets = waits || name == "wait", lets || name == "disown"
			}
			return !ends
		})
	}
	return !ends && (!waits || lets) // what was let go is not waited for
}

// constant reports a command that is one of the lasting ones, of words that are known.
func constant(c *syntax.CallExpr) bool {
	for _, w := range c.Args {
		if _, plain := plainWord(w); !plain {
			return false
		}
	}
	if len(c.Args) == 0 || !slices.Contains(lasting, c.Args[0].Lit()) {
		return false
	}
	return c.Args[0].Lit() != "[" || len(c.Args) == 3 // [ 1 ]
}

// names reports a condition in which something is looked up: a variable, or a file.
func names(c syntax.Command) bool {
	found := false
	syntax.Walk(c, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.ParamExp, *syntax.CmdSubst, *syntax.UnaryTest:
			found = true
		case *syntax.Lit:
			found = found || strings.Trim(n.Value, "0123456789") != "" // in arithmetic, a word is a variable
		}
		return !found
	})
	return found
}

// without says that what the shell does next is in a loop that nothing ends.
func (s *shell) without(end bool, f func() value) value {
	if !end {
		return f()
	}
	s.every(func(w *shell) { w.endless++ })
	s.said = f()
	s.every(func(w *shell) { w.endless-- })
	s.said.from |= unending
	return s.said
}

// bombs notes a program that starts others for each line of an input without end, and waits for none of them.
func (v *invocation) bombs() {
	if v.in.from&unending == 0 {
		return
	}
	for _, jobs := range v.valuesOf(Jobs) {
		if n := strings.TrimLeft(jobs.text, "0"); n == "" || len(n) > 2 || strings.Trim(n, "0123456789") != "" {
			v.note(Bomb, v.name, v.name)
		}
	}
}

// flows are files without an end.
const flows = " /dev/zero /dev/full /dev/random /dev/urandom "

// onward are the programs that print for as long as they read.
const onward = " base64 bzip2 cat cut dd fold gzip hexdump lz4 nl od pigz pv rev tee tr xxd xz yes zstd "

// bounding are the options by which some of them end all the same.
const bounding = `dd: count=
hexdump: -n
od: -N --read-bytes
pv: -s -S
xxd: -l -len`

// holding are the programs that print nothing before they have read all.
const holding = " sort tac tail "

// stemmed is what a program prints, without end only where it passes on what has none.
func (s *shell) stemmed(name string, args []value, out value) value {
	if out.from&flowing == 0 {
		return out
	}
	given := func(options []string) bool {
		return slices.ContainsFunc(args, func(a value) bool {
			return slices.ContainsFunc(options, func(o string) bool { return strings.HasPrefix(a.text, o) })
		})
	}
	if !oneWord(onward, name) || given(wordsOf(bounding, name)) {
		out.from &^= flowing
	}
	if oneWord(holding, name) && !given([]string{"--random-source"}) {
		s.note(Bomb, name, name)
	}
	return out
}
