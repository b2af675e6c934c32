package accounts

import (
	"strconv"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// canon is an expression in one spelling: without white space and comments, with what names stand for, and operations in parentheses.
func (r *teller) canon(n *code.Node) string {
	switch {
	case n == nil:
		return ""
	case n.Is(code.Name):
		return r.called(n)
	case n.Is(code.Group):
		return r.canon(n.Kid(code.Operand))
	case n.Is(code.Str) && len(n.Kids) > 0:
		return r.parts(n)
	case parts.Literal(n):
		return spelledLiteral(n.Text())
	case parts.Truth(n) != "":
		return parts.Truth(n)
	case n.Is(code.Attr):
		return r.member(n)
	case n.Is(code.Index):
		return r.element(n)
	case n.Is(code.Unary) && n.Op == "-" && parts.Literal(n.Kid(code.Operand)):
		return "-" + r.canon(n.Kid(code.Operand))
	case n.Is(code.Compare, code.Arith, code.Logic, code.Not, code.Unary, code.Choice):
		return "(" + r.parts(n) + ")"
	case n.Is(code.Function):
		return r.lambda(n)
	case n.Is(code.Keyword):
		return n.Name + "=" + r.canon(n.Kid(code.Value))
	case len(n.Kids) == 0:
		return strings.Join(strings.Fields(uncommented(n, n.Text())), " ")
	}
	return r.parts(n)
}

// called is what a name stands for.
func (r *teller) called(n *code.Node) string {
	if text, known := r.env[n.Name]; known && n.Part != code.Key {
		return text
	}
	if n.Name == "vi" && parts.IsScript(n.File.Lang) {
		return "jest" // Vitest's object has the same methods
	}
	return n.Name
}

// member is a part of something: of a row the value that stands there.
func (r *teller) member(n *code.Node) string {
	object := n.Kid(code.Object)
	if object.Is(code.Name) {
		if text, there := r.rows[object.Name][n.Name]; there {
			return text
		}
		if object.Name == "ioutil" {
			return renamedIO(n.Name)
		}
	}
	return r.canon(object) + "." + n.Name
}

// element is what stands in one place of something: of a row the value there.
func (r *teller) element(n *code.Node) string {
	if object := n.Kid(code.Object); object.Is(code.Name) && n.Kid(code.At) != nil {
		if text, there := r.rows[object.Name][strings.Trim(r.canon(n.Kid(code.At)), `"`)]; there {
			return text
		}
	}
	return r.parts(n)
}

// renamedIO is what os and io call a function that was in io/ioutil.
func renamedIO(name string) string {
	switch name {
	case "TempDir":
		return "os.MkdirTemp"
	case "TempFile":
		return "os.CreateTemp"
	case "ReadDir":
		return "os.ReadDir"
	case "ReadAll", "Discard", "NopCloser":
		return "io." + name
	}
	return "os." + name
}

// lambda is a function that is a value.
func (r *teller) lambda(n *code.Node) string {
	inner := &teller{root: n, env: make(map[string]string), rows: r.rows, next: r.next, depth: r.depth}
	for k, text := range r.env {
		inner.env[k] = text
	}
	var params []string
	for _, p := range patterns(n.All(code.Params)) {
		for _, name := range parts.Targets(p) {
			params = append(params, inner.name(name))
		}
		if p.Role == code.Param {
			params = append(params, inner.name(p.Name))
		}
	}
	return "fn(" + strings.Join(params, ",") + "){" + spellFacts(inner.one(parts.Statements(n)...)) + "}"
}

// spellFacts is what a block does as one text.
func spellFacts(all []fact) string {
	var texts []string
	for _, f := range all {
		text := f.text
		if len(f.inner) > 0 {
			text += "{" + spellFacts(f.inner) + "}"
		}
		if f.demand {
			text = "demand " + text
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ";")
}

// parts spells what a node holds, with what stands between.
func (r *teller) parts(n *code.Node) string {
	var b strings.Builder
	at := n.Start
	for _, k := range n.Kids {
		if k.Start < at {
			continue
		}
		b.WriteString(between(n, n.File.Source[at:k.Start]))
		b.WriteString(r.canon(k))
		at = k.End
	}
	rest := between(n, n.File.Source[at:max(at, n.End)])
	b.WriteString(strings.TrimPrefix(rest, ","))
	return strings.TrimSuffix(b.String(), ";")
}

// between is what stands between two parts: words keep a blank around them.
func between(n *code.Node, text string) string {
	if n.Role != code.Str {
		text = strings.Join(strings.Fields(uncommented(n, text)), " ")
		if strings.ContainsFunc(text, func(c rune) bool { return c < 0x80 && parts.IsWord(byte(c)) }) {
			return " " + text + " "
		}
		text = strings.ReplaceAll(text, " ", "")
		text = strings.NewReplacer(",]", "]", ",)", ")", ",}", "}").Replace(text)
	}
	return text
}

var (
	hashComment  = pattern.New(`#[^\n]*`)
	slashComment = pattern.New(`//[^\n]*|/\*(?s:.*?)\*/`)
)

// uncommented is what stands between parts, without comments. A text that may hold quotes stays as it is.
func uncommented(n *code.Node, text string) string {
	if strings.ContainsAny(text, "\"'`") {
		return text
	}
	if n.File.Lang == syntax.Python {
		return hashComment.ReplaceAllString(text, "")
	}
	return slashComment.ReplaceAllString(text, "")
}

// spelledLiteral is a literal in one spelling for all languages, in which no two that differ are the same.
func spelledLiteral(text string) string {
	switch text {
	case "True", "true":
		return "true"
	case "False", "false":
		return "false"
	case "None", "nil", "null":
		return "null"
	}
	if i := strings.IndexAny(text, "'\"`"); i >= 0 && i <= 2 {
		quote, body := text[i:i+1], text[i:]
		if long := strings.Repeat(quote, 3); len(body) >= 6 && strings.HasPrefix(body, long) && strings.HasSuffix(body, long) {
			body = body[3 : len(body)-3]
		} else if len(body) > 1 {
			body = body[1 : len(body)-1]
		}
		prefix := strings.Trim(strings.ToLower(text[:i]), "u")
		if quote == "`" && strings.ContainsAny(body, "\\\n") {
			prefix += "`"
		}
		return prefix + `"` + strings.NewReplacer(`\"`, `"`, `\'`, `'`).Replace(body) + `"`
	}
	plain := strings.ReplaceAll(text, "_", "")
	if i, err := strconv.ParseInt(strings.TrimRight(plain, "lLnN"), 0, 64); err == nil {
		return strconv.FormatInt(i, 10)
	}
	if f, err := strconv.ParseFloat(strings.TrimRight(plain, "lLfFdDn"), 64); err == nil {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return text
}

// temporaryFolder stands for a folder of Go's own that is gone after the test.
const temporaryFolder = "t.TempDir()"

// temporary reports whether an assignment makes a folder of Go's that is gone after the test, by hand.
func temporary(n *code.Node) bool {
	value, targets := n.Kid(code.Value), n.All(code.Target)
	if n.File.Lang != syntax.Go || len(targets) != 2 || !value.Is(code.Call) || !targets[0].Is(code.Name) || !targets[1].Is(code.Name) {
		return false
	}
	if name := parts.Bare(value.Kid(code.Callee).Text()); name != "ioutil.TempDir" && name != "os.MkdirTemp" {
		return false
	}
	args := value.All(code.Arg)
	return len(args) > 0 && args[0].Text() == `""` && strings.Contains(parts.Bare(n.Parent.Text()), "os.RemoveAll("+targets[0].Name+")")
}
