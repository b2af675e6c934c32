package functions

import (
	"slices"
	"strings"

	"fettle/internal/audit/python"
	"fettle/internal/pattern"
)

func pyFunctions(src []byte) ([]Function, bool) {
	lines, ok := python.Lines(src)
	if !ok {
		return nil, false
	}
	var all []Function
	var scope []python.Line // the statements whose blocks are open
	var decorators []string
	for i, l := range lines {
		for len(scope) > 0 && scope[len(scope)-1].Depth >= l.Depth {
			scope = scope[:len(scope)-1]
		}
		if l.Words[0] == "@" {
			decorators = append(decorators, l.Text())
			continue
		}
		words := l.Words
		if words[0] == "async" {
			words = words[1:]
		}
		if len(words) > 1 && words[0] == "def" && !inFunction(scope) {
			all = append(all, pyFunction(words[1], scope, decorators, l, python.Block(lines, i)))
		}
		if len(words) > 1 && words[0] == "class" {
			l.Words = append(slices.Clone(l.Words), decorators...) // a skipped class skips its tests
		}
		scope = append(scope, l)
		decorators = nil
	}
	return all, true
}

func inFunction(scope []python.Line) bool {
	return slices.ContainsFunc(scope, func(l python.Line) bool { return l.Words[0] == "def" || l.Words[0] == "async" && l.Words[1] == "def" })
}

func pyFunction(name string, scope []python.Line, decorators []string, head python.Line, body []python.Line) Function {
	d := Function{Name: name, Line: head.Number, Public: !strings.HasPrefix(name, "_"), Decorated: len(decorators) > 0}
	d.Test = strings.HasPrefix(name, "test")
	for i := len(scope) - 1; i >= 0; i-- {
		if scope[i].Words[0] != "class" {
			d.Conditional = true
			continue
		}
		d.Name = scope[i].Words[1] + "." + d.Name
		d.Public = d.Public && !strings.HasPrefix(scope[i].Words[1], "_")
		decorators = append(decorators, scope[i].Text())
	}
	var text []string
	for _, l := range body {
		text = append(text, strings.Repeat(" ", l.Depth-head.Depth)+l.Text())
	}
	d.Body = strings.Join(text, "\n")
	d.Empty = pyEmpty(body)
	d.AlwaysTrue = len(body) == 1 && body[0].Text() == "return True"
	d.Swallowed = swallowed(body)
	if d.Test {
		d.Checks = pyChecks(body)
		for _, l := range body {
			d.Skip = max(d.Skip, pySkip(l.Text()))
		}
		for _, t := range decorators {
			d.Skip = max(d.Skip, pySkip(t))
			d.Rows += pyRows(t)
		}
	}
	return d
}

// pyEmpty reports whether a body does nothing, or only says that it is not implemented. A docstring does not count.
func pyEmpty(body []python.Line) bool {
	for i, l := range body {
		t := l.Text()
		docstring := i == 0 && len(l.Words) == 1 && strings.ContainsAny(t, `'"`)
		if !docstring && t != "pass" && t != "..." && t != "return" && !strings.HasPrefix(t, "raise NotImplementedError") {
			return false
		}
	}
	return true
}

var (
	pyCheck    = pattern.New(`(^|\W)(assert\w+|assert_\w+|assert|raises\w*|warns|fail\w*|approx_equal) (\(|.)`)
	pyConstant = pattern.New(`^assert (True|1|not False|not 0|"[^"]+"|'[^']+')( ,.*)?$|^assert .* or (True|1)( ,.*)?$`)
	pySkipping = pattern.New(`(^|\W)(skip|skipif|skipIf|skipUnless|skipTest|SkipTest|xfail|expectedFailure|importorskip)(\W|$)`)
	pyMachine  = pattern.New(`sys \. (platform|version_info|implementation)|os \. name|platform \. \w+ \(|importorskip`)
	pyBroad    = pattern.New(`^except( \(? ?.*\b(AssertionError|Exception|BaseException)\b.*)? :$`)
	pySuppress = pattern.New(`suppress \( .*\b(AssertionError|Exception|BaseException)\b`)
)

// pyChecks counts the statements of a test that can fail it: assertions that are no constants, are reached, and whose
// failure nobody catches.
func pyChecks(body []python.Line) int {
	n := 0
	for i := 0; i < len(body); i++ {
		l := body[i]
		t := l.Text()
		switch {
		case l.Depth == body[0].Depth && l.Words[0] == "return":
			return n
		case t == "try :" && caught(body, i), l.Words[0] == "with" && pySuppress.MatchString(t), t == "if False :", t == "if 0 :":
			i += len(python.Block(body, i))
		case l.Words[0] == "assert":
			if !pyConstant.MatchString(t) && !assertedTuple(l.Words) {
				n++
			}
		case pyCheck.MatchString(t):
			n++
		}
	}
	return n
}

// caught reports whether a handler of the try statement at i swallows a failed assertion.
func caught(lines []python.Line, i int) bool {
	for j := i + 1 + len(python.Block(lines, i)); j < len(lines) && lines[j].Depth == lines[i].Depth; j += 1 + len(python.Block(lines, j)) {
		if lines[j].Words[0] != "except" {
			return false
		}
		if pyBroad.MatchString(lines[j].Text()) && swallows(python.Block(lines, j)) {
			return true
		}
	}
	return false
}

func swallows(handler []python.Line) bool {
	return !slices.ContainsFunc(handler, func(l python.Line) bool { return l.Words[0] == "raise" || pyCheck.MatchString(l.Text()) })
}

// swallowed counts the handlers of a body that catch every error and raise none.
func swallowed(body []python.Line) int {
	n := 0
	for i, l := range body {
		if l.Words[0] == "except" && pyBroad.MatchString(l.Text()) && swallows(python.Block(body, i)) {
			n++
		}
	}
	return n
}

// assertedTuple recognises "assert (x, 'message')", which is always true.
func assertedTuple(words []string) bool {
	if len(words) < 4 || words[1] != "(" || words[len(words)-1] != ")" {
		return false
	}
	depth, comma := 0, false
	for i, w := range words[1:] {
		switch w {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
			if depth == 0 && i < len(words)-2 {
				return false
			}
		case ",":
			comma = comma || depth == 1
		}
	}
	return comma
}

func pySkip(text string) Skip {
	switch {
	case !pySkipping.MatchString(text):
		return Runs
	case pyMachine.MatchString(text):
		return SkipsIf
	}
	return SkipsAlways
}

// pyRows counts the cases of a parametrize decorator: the commas that part them, and one.
func pyRows(decorator string) int {
	if !strings.Contains(decorator, "parametrize (") {
		return 0
	}
	depth, rows, after := 0, 0, ""
	for _, w := range strings.Fields(decorator) {
		switch w {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth == 2 && after != "," && after != "[" && after != "(" {
				rows++
			}
			depth--
		case ",":
			if depth == 2 {
				rows++
			}
		}
		after = w
	}
	return rows
}
