package configs

import (
	"context"
	"fmt"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/audit/trees"
	"fettle/internal/code"
	"fettle/internal/syntax"
)

// codeValue is a value that a program writes out. What is no literal is its text, marked as what it is.
func codeValue(n *code.Node) any {
	switch {
	case n == nil:
		return nil
	case n.Role == code.Str && len(n.Kids) == 0:
		return strings.Trim(n.Text(), "'\"`")
	case n.Is(code.Int, code.Float, code.Bool):
		return n.Text()
	case n.Role == code.List:
		all := []any{}
		for _, k := range n.Kids {
			all = append(all, codeValue(k))
		}
		return all
	case n.Role == code.Map:
		all := trees.Tree{}
		for i, k := range n.Kids {
			if k.Role != code.Pair || k.Kid(code.Key) == nil {
				all[fmt.Sprintf("…%d", i)] = asCode(k)
				continue
			}
			key := strings.Trim(k.Kid(code.Key).Text(), "'\"`")
			if _, twice := all[key]; twice {
				key += "…"
			}
			if all[key] = codeValue(k.Kid(code.Value)); all[key] == nil {
				all[key] = asCode(k)
			}
		}
		return all
	}
	return asCode(n)
}

func asCode(n *code.Node) string { return "code:" + parts.Bare(n.Text()) }

// readProgram reads one; nil, where it cannot be read.
func readProgram(name string, src []byte) *code.File {
	f, err := code.Read(context.Background(), syntax.LangOf(name), name, src)
	if err != nil {
		return nil
	}
	return f
}
