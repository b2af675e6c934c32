package audit

import (
	"slices"
	"strings"

	"fettle/internal/pattern"
)

// pyLine is one logical line with the depth of its block.
type pyLine struct {
	depth  int
	number int
	words  []string // its tokens' text
}

func (l pyLine) text() string { return strings.Join(l.words, " ") }

// pyLogical reads the logical lines of Python source, every statement on its own and without comments.
func pyLogical(src []byte) ([]pyLine, bool) {
	tokens, err := pyTokens(src)
	if err != nil {
		return nil, false
	}
	var lines []pyLine
	var cur pyLine
	depth := 0
	for _, t := range pyBlocks((&form{}).pyComments(tokens)) {
		switch t.kind {
		case pyIndent:
			depth++
		case pyDedent:
			depth--
		case pyNewline:
			lines, cur = append(lines, cur), pyLine{}
		default:
			if len(cur.words) == 0 {
				cur.depth, cur.number = depth, t.line
			}
			cur.words = append(cur.words, t.text)
		}
	}
	return lines, true
}

// block is the lines of the block that the statement at i opens.
func block(lines []pyLine, i int) []pyLine {
	end := i + 1
	for end < len(lines) && lines[end].depth > lines[i].depth {
		end++
	}
	return lines[i+1 : end]
}

func pyDefs(src []byte) ([]def, bool) {
	lines, ok := pyLogical(src)
	if !ok {
		return nil, false
	}
	var all []def
	var scope []pyLine // the statements whose blocks are open
	var decorators []string
	for i, l := range lines {
		for len(scope) > 0 && scope[len(scope)-1].depth >= l.depth {
			scope = scope[:len(scope)-1]
		}
		if l.words[0] == "@" {
			decorators = append(decorators, l.text())
			continue
		}
		words := l.words
		if words[0] == "async" {
			words = words[1:]
		}
		if len(words) > 1 && words[0] == "def" && !inFunction(scope) {
			all = append(all, pyDef(words[1], scope, decorators, l, block(lines, i)))
		}
		if len(words) > 1 && words[0] == "class" {
			l.words = append(slices.Clone(l.words), decorators...) // a skipped class skips its tests
		}
		scope = append(scope, l)
		decorators = nil
	}
	return all, true
}

func inFunction(scope []pyLine) bool {
	return slices.ContainsFunc(scope, func(l pyLine) bool { return l.words[0] == "def" || l.words[0] == "async" && l.words[1] == "def" })
}

func pyDef(name string, scope []pyLine, decorators []string, head pyLine, body []pyLine) def {
	d := def{name: name, line: head.number, public: !strings.HasPrefix(name, "_"), decorated: len(decorators) > 0}
	d.test = strings.HasPrefix(name, "test")
	for i := len(scope) - 1; i >= 0; i-- {
		if scope[i].words[0] != "class" {
			d.conditional = true
			continue
		}
		d.name = scope[i].words[1] + "." + d.name
		d.public = d.public && !strings.HasPrefix(scope[i].words[1], "_")
		decorators = append(decorators, scope[i].text())
	}
	var text []string
	for _, l := range body {
		text = append(text, strings.Repeat(" ", l.depth-head.depth)+l.text())
	}
	d.body = strings.Join(text, "\n")
	d.empty = pyEmpty(body)
	d.alwaysTrue = len(body) == 1 && body[0].text() == "return True"
	d.swallowed = swallowed(body)
	if d.test {
		d.checks = pyChecks(body)
		for _, l := range body {
			d.skip = max(d.skip, pySkip(l.text()))
		}
		for _, t := range decorators {
			d.skip = max(d.skip, pySkip(t))
			d.rows += pyRows(t)
		}
	}
	return d
}

// pyEmpty reports whether a body does nothing, or only says that it is not implemented. A docstring does not count.
func pyEmpty(body []pyLine) bool {
	for i, l := range body {
		t := l.text()
		docstring := i == 0 && len(l.words) == 1 && strings.ContainsAny(t, `'"`)
		if !docstring && t != "pass" && t != "..." && !strings.HasPrefix(t, "raise NotImplementedError") {
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
func pyChecks(body []pyLine) int {
	n := 0
	for i := 0; i < len(body); i++ {
		l := body[i]
		t := l.text()
		switch {
		case l.depth == body[0].depth && l.words[0] == "return":
			return n
		case t == "try :" && caught(body, i), l.words[0] == "with" && pySuppress.MatchString(t), t == "if False :", t == "if 0 :":
			i += len(block(body, i))
		case l.words[0] == "assert":
			if !pyConstant.MatchString(t) && !assertedTuple(l.words) {
				n++
			}
		case pyCheck.MatchString(t):
			n++
		}
	}
	return n
}

// caught reports whether a handler of the try statement at i swallows a failed assertion.
func caught(lines []pyLine, i int) bool {
	for j := i + 1 + len(block(lines, i)); j < len(lines) && lines[j].depth == lines[i].depth; j += 1 + len(block(lines, j)) {
		if lines[j].words[0] != "except" {
			return false
		}
		if pyBroad.MatchString(lines[j].text()) && swallows(block(lines, j)) {
			return true
		}
	}
	return false
}

func swallows(handler []pyLine) bool {
	return !slices.ContainsFunc(handler, func(l pyLine) bool { return l.words[0] == "raise" || pyCheck.MatchString(l.text()) })
}

// swallowed counts the handlers of a body that catch every error and raise none.
func swallowed(body []pyLine) int {
	n := 0
	for i, l := range body {
		if l.words[0] == "except" && pyBroad.MatchString(l.text()) && swallows(block(body, i)) {
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

func pySkip(text string) skip {
	switch {
	case !pySkipping.MatchString(text):
		return runs
	case pyMachine.MatchString(text):
		return skipsIf
	}
	return skipsAlways
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
