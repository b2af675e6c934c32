package node

import (
	"context"
	"strconv"
	"strings"

	"fettle/internal/code"
	"fettle/internal/syntax"
)

// literals are the values that a list of arguments writes out; false where it says anything else. Nothing is run to find out.
func literals(ctx context.Context, args string) ([]any, bool) {
	f, err := code.Read(ctx, syntax.JavaScript, "example.js", []byte("["+args+"]"))
	if err != nil || f.Tree.Root().HasError() || len(f.Root.Kids) != 1 {
		return nil, false
	}
	v, ok := written(f.Root.Kids[0].Kid(code.Value))
	list, isList := v.([]any)
	return list, ok && isList
}

// mostWords bounds how many words behind a value are passed over.
const mostWords = 12

// beginning is the value that a text begins with; words may follow.
func beginning(ctx context.Context, text string) (any, bool) {
	for range mostWords {
		if v, ok := literals(ctx, text); ok && len(v) == 1 {
			return v[0], true
		}
		at := strings.LastIndexAny(text, " \t")
		if at < 0 {
			break
		}
		text = strings.TrimRight(text[:at], " \t,;:.")
	}
	return nil, false
}

// words are how other languages, and people, write what JavaScript calls otherwise.
var words = map[string]any{"True": true, "False": false, "None": nil}

func written(n *code.Node) (any, bool) {
	if n == nil {
		return nil, false
	}
	text := n.Text()
	switch n.Role {
	case code.Null:
		return nil, text == "null"
	case code.Bool:
		return text == "true", true
	case code.Name:
		v, ok := words[text]
		return v, ok
	case code.Int, code.Float:
		if i, err := strconv.ParseInt(text, 0, 64); err == nil {
			return i, true
		}
		f, err := strconv.ParseFloat(text, 64)
		return f, err == nil
	case code.Unary:
		v, ok := written(n.Kid(code.Operand))
		switch v := v.(type) {
		case int64:
			return -v, ok && n.Op == "-"
		case float64:
			return -v, ok && n.Op == "-"
		}
		return nil, false
	case code.Str:
		return str(n)
	case code.List:
		out := []any{}
		for _, k := range n.All(code.Elem) {
			v, ok := written(k)
			if !ok {
				return nil, false
			}
			out = append(out, v)
		}
		return out, true
	case code.Map:
		return object(n)
	default:
		return nil, false
	}
}

// str is what a string literal without escapes says, or one that Go reads as well.
func str(n *code.Node) (any, bool) {
	text := n.Text()
	if len(n.Kids) > 0 || len(text) < 2 {
		return nil, false
	}
	if !strings.Contains(text, `\`) {
		return text[1 : len(text)-1], true
	}
	v, err := strconv.Unquote(`"` + strings.ReplaceAll(strings.ReplaceAll(text[1:len(text)-1], `\'`, `'`), `"`, `\"`) + `"`)
	return v, err == nil && text[0] == '\''
}

func object(n *code.Node) (any, bool) {
	out := map[string]any{}
	for _, pair := range n.Kids {
		key, value := pair.Kid(code.Key), pair.Kid(code.Value)
		if pair.Role != code.Pair || key == nil || value == nil {
			return nil, false
		}
		name := key.Text()
		if key.Is(code.Str) {
			v, ok := str(key)
			if !ok {
				return nil, false
			}
			name = v.(string)
		}
		v, ok := written(value)
		if !ok {
			return nil, false
		}
		out[name] = v
	}
	return out, true
}
