package search

import (
	"slices"
	"strings"

	"fettle/internal/code"
	"fettle/internal/runner"
)

// mostExamples bounds how many of a function's documented examples are looked at.
const mostExamples = 20

// documented are the calls that the documentation of the functions that are changed shows, each with what it says that comes of it.
func documented(hits []hit) (out []runner.Example) {
	seen := map[*code.Node]bool{}
	for _, x := range hits {
		for p := &x.proposal; p != nil; p = p.second {
			fn := p.site.Function().Outermost()
			if fn != nil && !seen[fn] {
				seen[fn] = true
				out = append(out, examples(fn)...)
			}
		}
	}
	return out
}

// examples are the calls of a function in the comment before it or the text that it begins with, where what they give stands behind them or, as
// in a session at a prompt, below them.
func examples(fn *code.Node) (out []runner.Example) {
	name := named(fn)
	if name == "" {
		return nil
	}
	lines := strings.Split(documentation(fn), "\n")
	for i, line := range lines {
		line = uncommented(line)
		rest := line
		for {
			at := code.Word(rest, name, 0)
			if at < 0 {
				break
			}
			args, after, ok := arguments(rest[at+len(name):])
			rest = rest[at+len(name):]
			if !ok {
				continue
			}
			want := result(after)
			if strings.TrimSpace(after) == "" && strings.HasPrefix(line, ">>>") && i+1 < len(lines) {
				want = uncommented(lines[i+1])
			}
			if want != "" && len(out) < mostExamples {
				out = append(out, runner.Example{Function: name, Args: args, Want: want})
			}
		}
	}
	return out
}

// documentation is what stands before a function, behind whatever comes before that, and in it before its first statement.
func documentation(fn *code.Node) string {
	src := fn.File.Source
	from := 0
	for _, n := range fn.File.Root.Kids {
		if n.End <= fn.Start {
			from = max(from, n.End)
		}
	}
	to := fn.Start
	if body := fn.Kid(code.Body); body != nil {
		for _, stmt := range body.All(code.Stmt) {
			if to = stmt.Start; !stmt.Is(code.Eval) || !stmt.Kid(code.Value).Is(code.Str) {
				break
			}
			to = stmt.End
		}
	}
	return src[min(from, to):to]
}

// uncommented is a line without what makes it a comment.
func uncommented(line string) string {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"/**", "/*", "//", "*", "#", `"""`, "'''"} {
		line = strings.TrimSpace(strings.TrimPrefix(line, mark))
	}
	for _, mark := range []string{"*/", `"""`, "'''"} {
		line = strings.TrimSpace(strings.TrimSuffix(line, mark))
	}
	return line
}

// arguments are what stands in the parentheses that a text begins with, and what follows these.
func arguments(text string) (args, after string, ok bool) {
	text = strings.TrimLeft(text, " ")
	if !strings.HasPrefix(text, "(") {
		return "", "", false
	}
	nested(text, func(at int, _ byte, depth int) bool {
		if ok = depth == 0; ok {
			args, after = strings.TrimSpace(text[1:at]), text[at+1:]
		}
		return !ok
	})
	return args, after, ok
}

// becomes are the ways in which people write that a call gives something, longer ones first.
var becomes = []string{"should return", "should be", "# =>", "# ->", "// =>", "// ->", "===", "-->", "==>", "==", "=>", "->", "➞", "→", "returns", "gives", "is", "=", "//", "#"}

// result is what a line says that a call before it gives.
func result(after string) string {
	after = strings.TrimSpace(after)
	i := slices.IndexFunc(becomes, func(b string) bool { return strings.HasPrefix(after, b) })
	if i < 0 {
		return ""
	}
	want := strings.TrimSpace(after[len(becomes[i]):])
	if last := strings.LastIndex(want, " == "); last >= 0 { // a sum, and what it comes to
		want = want[last+4:]
	}
	return strings.TrimRight(strings.TrimSpace(want), ".;")
}
