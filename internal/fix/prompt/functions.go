package prompt

import (
	"strings"

	"fettle/internal/code"
)

// functionAt is the outermost function or method around a line; nil if there is none, or the language is not known.
func functionAt(f *file, line int) *code.Node {
	if f.code == nil || line < 1 {
		return nil
	}
	for n := range f.code.Root.Walk() {
		if own := plainSpan(f, n); n.Is(code.Function) && own.from <= line && line <= own.to {
			return n
		}
	}
	return nil
}

// functionNamed is the function that a test's id ends with the name of.
func functionNamed(f *file, id string) *code.Node {
	if f.code == nil || id == "" {
		return nil
	}
	for n := range f.code.Root.Walk() {
		if n.Is(code.Function) && n.Name != "" && code.Word(id, n.Name, 0) >= 0 {
			return n
		}
	}
	return nil
}

func plainSpan(f *file, n *code.Node) stretch {
	return stretch{f.code.Tree.Position(n.Start).Line, f.code.Tree.Position(max(n.Start, n.End-1)).Line}
}

// span is the lines of a function, with the comments and decorators above it.
func span(f *file, n *code.Node) stretch {
	s := plainSpan(f, n)
	lines := strings.Split(string(f.data), "\n")
	for s.from > 1 {
		above := strings.TrimSpace(lines[s.from-2])
		if !strings.HasPrefix(above, "@") && !strings.HasPrefix(above, "#") && !strings.HasPrefix(above, "//") && !strings.HasPrefix(above, "*") && !strings.HasPrefix(above, "/*") {
			break
		}
		s.from--
	}
	return s
}

// headEnd is the last line of what stands above the first function or class; 0 if there is nothing.
func headEnd(f *file) int {
	if f.code == nil {
		return 0
	}
	for n := range f.code.Root.Walk() {
		if n.Is(code.Function, code.Class) {
			end := span(f, n).from - 1
			for end > 0 && strings.TrimSpace(strings.Split(string(f.data), "\n")[end-1]) == "" {
				end--
			}
			return min(end, wideFunction)
		}
	}
	return 0
}
