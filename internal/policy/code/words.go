package code

import (
	"slices"

	program "fettle/internal/code"
	"fettle/internal/syntax"
)

// Words of a command that a request chooses, as many as it likes: among them options by which programs write files, start others, or talk to machines.

// shellWords are functions that make words of a text as a shell does, by their paths.
const shellWords = `shlex.split github.com/google/shlex.Split github.com/kballard/go-shellquote.Split github.com/mattn/go-shellwords.Parse shell-quote.parse string-argv
	string-argv.parseArgsStringToArgv shellwords.split Commandline.translateCommandline`

// splitting are these and others that make words of one, splittingMethods those of the text itself.
var (
	splitting        = set(shellWords + " strings.Fields strings.Split strings.SplitN re.split")
	splittingMethods = set("split getlist getParameterValues splitToList getAll")
)

// worded judges a program that is started with words into which a request's text was taken apart.
func (s *scan) worded(n *program.Node) *hit {
	path := s.detours(s.eval(n.Kid(program.Callee), 0).path)
	if !starters[path] && n.Calls() != "command" || n.Calls() == "command" && s.file.Lang != syntax.Java {
		return nil
	}
	for i, a := range positional(n) {
		if i == 0 && !a.Is(program.List, program.Spread) && len(positional(n)) > 1 && s.file.Lang != syntax.Python {
			continue // the program
		}
		if i == 1 && s.isScript() && s.takenOut(a) && s.taint(a, 0).from == said && !s.looked(n, a) { // spawn("git", req.body.args)
			return &hit{Process, Review, path + ": options of a request"}
		}
		if s.hunts(a, func(at *program.Node) bool { return s.words(n, at) }, s.lists) {
			return &hit{Process, Review, path + ": options of a request"}
		}
	}
	return nil
}

// takenOut reports a member of something, whatever it is called here; a list that is put together is none.
func (s *scan) takenOut(n *program.Node) bool {
	w := s.written(n)
	if w.Is(program.Attr, program.Index) {
		return true
	}
	all := s.bindings(w, s.identifier(w.Name))
	return w.Is(program.Name) && len(all) == 1 && all[0].member != ""
}

// words reports words of a request: a list of its own, or its text taken apart, at which nothing looks.
func (s *scan) words(start, n *program.Node) bool {
	of := n
	switch {
	case n.Is(program.Spread):
		of = n.Kid(program.Operand)
		if of.Is(program.Map) || s.hasSpread(of) {
			return false
		}
	case n.Is(program.Call):
		callee := n.Kid(program.Callee)
		switch {
		case splitting[s.eval(callee, 0).path]:
			of = n.Kid(program.Arg)
		case !callee.Is(program.Attr) || !splittingMethods[callee.Name]:
			return false
		}
	default:
		return false
	}
	return s.taint(of, 0).from == said && !s.looked(start, of)
}

// hasSpread reports a call of the file's own, or a list that is put together: what is in it is looked at by itself.
func (s *scan) hasSpread(n *program.Node) bool {
	return n.Is(program.List) || s.carriedOut(n) != nil || s.written(n).Is(program.List) || n.Is(program.Call) && n.Calls() == "append"
}

// gathering are functions that make a list of their arguments, by their paths; gatheringMethods those of a list that make another one of it.
var (
	gathering        = set("append list tuple slices.Concat Arrays.asList List.of ArrayList Array.from Stream.concat Stream.of Arrays.stream List.copyOf itertools.chain")
	gatheringMethods = set("concat toArray toList flat flatten stream")
)

// lists are what a call puts to a list, or lists again.
func (s *scan) lists(n *program.Node, path string) []*program.Node {
	callee, args := n.Kid(program.Callee), n.All(program.Arg)
	switch {
	case gathering[path]:
		return args
	case callee.Is(program.Attr) && gatheringMethods[callee.Name]:
		return append(slices.Clone(args), callee.All(program.Object)...)
	}
	return nil
}
