package shell

import "strings"

// argument is one argument of a call: a text if it is known, or the texts of a list.
type argument struct {
	text value
	list []value
}

// arguments reads what stands behind a name, in parentheses or without them.
func (sc *scan) arguments(i int) []argument {
	ts := sc.tokens[i+1:]
	if len(ts) > 0 && ts[0].is("(") {
		ts = ts[1:]
	}
	r := argumentReader{tuples: sc.lang.Name == "python"}
	for k, t := range ts {
		if prefixName(t.text) && k+1 < len(ts) && ts[k+1].kind == textToken {
			continue
		}
		if r.take(t) {
			break
		}
	}
	return append(r.done, r.now)
}

// receiver is what a method is called on: Path("x").unlink() is called on x. Where it is no call, it is not known.
func (sc *scan) receiver(i int, name string) value {
	if strings.Contains(name, ".") || i < 2 || !sc.tokens[i-1].is(".") {
		return anything
	}
	if of := sc.tokens[i-2]; of.kind == textToken { // File("x").deleteRecursively(), where the name's object is its text
		return of.value()
	}
	if !sc.tokens[i-2].is(")") {
		return anything
	}
	depth := 0
	for k := i - 2; k > 0; k-- {
		switch {
		case sc.tokens[k].is(")"):
			depth++
		case sc.tokens[k].is("("):
			depth--
		}
		if depth == 0 {
			if sc.plainText(k+1) && k+2 == i-2 && sc.word(k-1) == "" { // ("x" / "y").unlink(), of which one text was made
				return known(sc.tokens[k+1].text)
			}
			if maker := sc.tokens[k-1].text; maker == "Path" || strings.HasSuffix(maker, ".Path") || strings.HasSuffix(maker, "PosixPath") {
				if args := sc.arguments(k - 1); len(args) == 1 {
					return args[0].text
				}
			}
			break
		}
	}
	return anything
}

func (t token) is(text string) bool { return t.kind == otherToken && t.text == text }

// argumentReader puts the arguments of a call together.
type argumentReader struct {
	done  []argument
	now   argument
	parts int  // of this argument, so far
	depth int  // of brackets
	list  bool // this argument is a list
	tuple bool // it may be one without square brackets

	tuples bool // the language has such lists
}

// take reads one token, and reports whether the call ends with it.
func (r *argumentReader) take(t token) bool {
	switch t.kind {
	case textToken, shellToken:
		r.put(t.value())
	case nameToken:
		switch {
		case oneWord(" List.of Arrays.asList ", t.text) && r.parts == 0:
			r.list = true
		case !oneWord(" new String ", t.text):
			r.put(anything)
		}
	case otherToken:
		return r.punctuation(t.text)
	}
	return false
}

func (r *argumentReader) punctuation(c string) bool {
	switch c {
	case "(", "[", "{":
		first := r.depth == 0 && r.parts == 0
		r.list, r.tuple = r.list || c == "[" && first, r.tuple || r.tuples && c == "(" && first
		r.depth++
	case ")", "]", "}":
		r.depth--
		return r.depth < 0
	case ",":
		r.comma()
	case ";":
		return r.depth == 0
	case "\n":
		return r.depth == 0 && r.parts > 0
	case "&", "*":
		if r.parts > 0 && (c == "&" || !r.list) { // a star before an argument, or in a list, only takes a list apart
			r.put(anything)
		}
	case "/":
		r.put(r.slash())
	case "+", ".":
	case ":", "=":
		r.parts++ // a keyword or an option: what follows is no text of the argument itself
	default:
		r.put(anything)
	}
	return false
}

// comma ends an argument, or an element of a list.
func (r *argumentReader) comma() {
	if r.tuple && r.depth == 1 && !r.list && r.parts > 0 {
		r.list, r.now = true, argument{list: []value{r.now.text}}
	}
	if r.depth == 0 {
		r.done = append(r.done, r.now)
		r.now, r.parts, r.list, r.tuple = argument{}, 0, false, false
	} else if !r.list || r.depth > 1 {
		r.put(anything)
	}
}

// slash is the sign between the parts of Python's paths. Where the first is not known, it may be any other.
func (r *argumentReader) slash() value {
	if strings.HasPrefix(r.now.text.text+string(hole), string(hole)) {
		return anything
	}
	return known("/")
}

// put adds a part to the argument, or an element to its list.
func (r *argumentReader) put(v value) {
	switch {
	case r.list:
		r.now.list = append(r.now.list, v)
	case r.parts == 0:
		r.now.text = v
	default:
		r.now.text = r.now.text.plus(v)
	}
	r.parts++
}

// prefixName reports letters before a Python text: f, r, b.
func prefixName(s string) bool { return len(s) <= 2 && strings.Trim(s, "fFrRbBuU") == "" }
