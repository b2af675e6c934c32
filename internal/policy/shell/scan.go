package shell

import (
	"slices"
	"strings"
)

// Language says what code of an interpreter does, by the names of what it calls. It is not a parser: names and texts are
// enough for the few lines that people write into a command, and what hides behind other means is asked about.
type Language struct {
	Name    string   `json:"name"`
	Comment []string `json:"comment"` // what begins one
	Quotes  string   `json:"quotes"`  // characters that enclose a text
	Shell   string   `json:"shell"`   // the quote whose text is run by a shell
	Calls   []Call   `json:"calls"`
	Ask     []string `json:"ask"` // names and texts that hide what happens
}

// Call is what calling a function does with its arguments.
type Call struct {
	Name string `json:"name"` // with its module, as in "os.remove", or its last name alone if that is enough
	Does string `json:"does"` // a [Role] for its first argument, "argv" for a list, or an effect ("send!"); traits behind it
}

func languageNamed(name string) *Language {
	for i := range languages {
		if languages[i].Name == name {
			return &languages[i]
		}
	}
	return nil
}

// scan goes through the tokens of one piece of code.
type scan struct {
	*shell
	lang   *Language
	tokens []token
	alias  map[string]string // names that stand for others: import os as o, from os import system
}

func (sc *scan) run() {
	sc.imports()
	sc.fold()
	for i, t := range sc.tokens {
		if !sc.step() {
			return
		}
		switch t.kind {
		case shellToken:
			sc.starts(t.value())
		case nameToken:
			sc.name(i, t)
		case textToken:
			if sc.lang.Name == "awk" {
				sc.piped(i, t)
				sc.reads(t.value())
			}
			if i > 0 && sc.tokens[i-1].is("[") && i+1 < len(sc.tokens) && sc.tokens[i+1].is("]") { // fs["rmSync"](…)
				sc.name(i+1, token{kind: nameToken, text: t.text})
			}
			if slices.Contains(sc.lang.Ask, t.text) {
				sc.fact(Fact{Kind: Code, Target: sc.lang.Name, By: t.text})
			}
		case otherToken:
		}
	}
}

// piped judges awk's texts behind or before a pipe, which are commands, and behind an arrow, which are files.
func (sc *scan) piped(i int, t token) {
	at := func(k int) string {
		if k < 0 || k >= len(sc.tokens) || sc.tokens[k].kind != otherToken {
			return ""
		}
		return sc.tokens[k].text
	}
	switch {
	case at(i-1) == "|" || at(i+1) == "|":
		sub := sc.fork()
		sub.in = anything
		sub.script(t.value())
	case at(i-1) == ">":
		sc.writeFile(t.value(), "awk")
	case at(i-1) == "<":
		sc.readFile(t.value(), "awk")
	}
}

// reads judges a text in awk's code that is the name of a file with secrets, where the code opens files by names that it keeps.
func (sc *scan) reads(name value) {
	if slices.ContainsFunc(sc.tokens, func(t token) bool { return t.kind == nameToken && (t.text == "getline" || t.text == "ARGV") }) {
		if sc.locate(name, sc.cwd).zone == Secrets {
			sc.readFile(name, "awk")
		}
	}
}

// value is what is known of a text.
func (t token) value() value {
	if t.open {
		return anything
	}
	return known(t.text)
}

// imports notes which names stand for others. It knows Python's forms; other languages' calls are known by their last names.
func (sc *scan) imports() {
	sc.alias = map[string]string{}
	ts := sc.tokens
	for i := 0; i+1 < len(ts); i++ {
		switch {
		case ts[i].text == "from" && i+3 < len(ts) && ts[i+2].text == "import":
			module := ts[i+1].text
			for j := i + 3; j < len(ts) && ts[j].kind == nameToken; j++ {
				name, as := ts[j].text, ts[j].text
				if j+2 < len(ts) && ts[j+1].text == "as" {
					as = ts[j+2].text
					j += 2
				}
				sc.alias[as] = module + "." + name
				if j+1 >= len(ts) || ts[j+1].text != "," {
					break
				}
				j++
			}
		case ts[i].text == "as" && i > 0 && i+1 < len(ts) && ts[i-1].kind == nameToken:
			if _, done := sc.alias[ts[i+1].text]; !done && i >= 2 && (ts[i-2].text == "import" || ts[i-2].text == ",") {
				sc.alias[ts[i+1].text] = ts[i-1].text
			}
		}
	}
}

// name judges a name: what it calls, or that it hides something.
func (sc *scan) name(i int, t token) {
	name := t.text
	if full, ok := sc.alias[name]; ok {
		name = full
	} else if head, rest, ok := strings.Cut(name, "."); ok {
		if full, known := sc.alias[head]; known {
			name = full + "." + rest
		}
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	if slices.Contains(sc.lang.Ask, name) || slices.Contains(sc.lang.Ask, last) {
		sc.fact(Fact{Kind: Code, Target: sc.lang.Name, By: name})
		return
	}
	for k := range sc.lang.Calls {
		c := &sc.lang.Calls[k]
		if c.Name == name || c.Name == last || strings.HasSuffix(name, "."+c.Name) {
			args := sc.arguments(i)
			if strings.HasPrefix(c.Does, "self ") {
				args = []argument{{text: sc.receiver(i, name)}}
			}
			sc.call(c, args)
			return
		}
	}
}

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
	var r argumentReader
	for _, t := range ts {
		if r.take(t) {
			break
		}
	}
	return append(r.done, r.now)
}

// receiver is what a method is called on: Path("x").unlink() is called on x. Where it is no call, it is not known.
func (sc *scan) receiver(i int, name string) value {
	if strings.Contains(name, ".") || i < 2 || !sc.tokens[i-1].is(".") || !sc.tokens[i-2].is(")") {
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
}

// take reads one token, and reports whether the call ends with it.
func (r *argumentReader) take(t token) bool {
	switch t.kind {
	case textToken, shellToken:
		r.put(t.value())
	case nameToken:
		if !prefixName(t.text) {
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
		r.list = r.list || c == "[" && r.depth == 0 && r.parts == 0
		r.depth++
	case ")", "]", "}":
		r.depth--
		return r.depth < 0
	case ",":
		if r.depth == 0 {
			r.done = append(r.done, r.now)
			r.now, r.parts, r.list = argument{}, 0, false
		} else if !r.list || r.depth > 1 {
			r.put(anything)
		}
	case ";":
		return r.depth == 0
	case "\n":
		return r.depth == 0 && r.parts > 0
	case "+", ".":
	case ":", "=":
		r.parts++ // a keyword or an option: what follows is no text of the argument itself
	default:
		r.put(anything)
	}
	return false
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

// call does what a call stands for.
func (sc *scan) call(c *Call, args []argument) {
	arg := args[0]
	v := &invocation{shell: sc.shell, prog: &Program{}, name: sc.lang.Name}
	if effect, ok := strings.CutSuffix(c.Does, "!"); ok {
		kind, target, _ := strings.Cut(effect, ":")
		v.effect(Effect{Kind: Kind(kind), Target: target})
		return
	}
	does, more, _ := strings.Cut(strings.TrimPrefix(c.Does, "self "), " ")
	if more != "" {
		v.traits = append(v.traits, Trait(more))
	}
	if arg.text.empty() && arg.list == nil {
		arg.text = anything
	}
	switch {
	case does == "argv" && arg.list != nil:
		sc.shell.run(arg.list)
	case does == "argv":
		if len(args) > 1 && args[1].list != nil { // spawn("rm", ["-rf", "/"])
			sc.shell.run(append([]value{arg.text}, args[1].list...))
			return
		}
		if list := texts(args); len(list) > 1 && !strings.ContainsAny(arg.text.text, " \x00") { // system("rm", "-rf", "/")
			sc.shell.run(list)
			return
		}
		sc.starts(arg.text)
	case Role(does) == Own:
		v.name = c.Name
		for _, a := range args {
			for _, t := range append(a.list, a.text) {
				v.path(t)
			}
		}
	case Role(does) == Copies || Role(does) == Moves:
		for _, a := range args[:min(2, len(args))] {
			v.uses = append(v.uses, use{Role(does), a.text})
		}
		v.apply()
	case does == "open":
		sc.open(v, arg.text, args)
	default:
		v.uses = []use{{Role(does), arg.text}}
		v.apply()
	}
}

// texts are the arguments that are texts.
func texts(args []argument) []value {
	var out []value
	for _, a := range args {
		if a.list == nil && !a.text.empty() {
			out = append(out, a.text)
		}
	}
	return out
}

// open is a call that reads or writes a file by its mode, the second argument.
func (sc *scan) open(v *invocation, name value, args []argument) {
	role := Reads
	if command, pipe := strings.CutPrefix(strings.TrimSpace(name.text), "|"); pipe && sc.lang.Name == "ruby" {
		sc.starts(value{command, name.from})
		return
	}
	for _, a := range args[1:] {
		if mode := a.text.text; len(mode) <= 3 && strings.ContainsAny(mode, "wax+\x00") || strings.HasPrefix(mode, ">") {
			role = Writes
		}
	}
	v.uses = []use{{role, name}}
	v.apply()
}
