package shell

import (
	"slices"
	"strings"
)

// What is called need not be named where it is called: a name may stand for it, a text may name it, and both may be put together.

// joinTexts makes one text of those that are put together: "rm" + "Sync", in perl and PHP "sys" . "tem".
func (sc *scan) joinTexts() {
	sign := map[string]string{"javascript": "+", "python": "+", "ruby": "+", "php": ".", "perl": ".", "lua": "..", "go": "+", "java": "+"}[sc.lang.Name]
	if sign == "" {
		return
	}
	out := sc.tokens[:0:0]
	from := 0
	for i := 0; i < len(sc.tokens); i++ {
		text, end := sc.joinedTexts(i, sign)
		if end > i+1 {
			out = append(append(out, sc.tokens[from:i]...), token{kind: textToken, text: text})
			from = end
			i = end - 1
		}
	}
	if from > 0 {
		sc.tokens = append(out, sc.tokens[from:]...)
	}
}

// joinedTexts are the texts from i on with the sign between them, and the place behind the last. A text of which something else is asked is none of them.
func (sc *scan) joinedTexts(i int, sign string) (string, int) {
	var b strings.Builder
	end := i
	for k := i; sc.plainText(k) && !sc.asked(k+1, sign); {
		b.WriteString(sc.tokens[k].text)
		end = k + 1
		if k = end + len(sign); !sc.follows(end, sign) {
			break
		}
	}
	return b.String(), end
}

// plainText reports a known text at k.
func (sc *scan) plainText(k int) bool {
	return k < len(sc.tokens) && sc.tokens[k].plain()
}

// plain reports a text that is known.
func (t *token) plain() bool { return t.kind == textToken && t.part == "" }

// follows reports that the characters of sign stand at k.
func (sc *scan) follows(k int, sign string) bool {
	for i := range len(sign) {
		if sc.sign(k+i) != sign[i:i+1] {
			return false
		}
	}
	return true
}

// asked reports that what stands before k is not all of a value: "b" in "a" + "b".repeat(3).
func (sc *scan) asked(k int, sign string) bool {
	return oneWord(" [ ( * % . = ", sc.sign(k)) && !sc.follows(k, sign)
}

// sameNames notes names that are given what another name stands for (o = os, f = os.system), a module, or a function that the code writes down.
func (sc *scan) sameNames() {
	ts := sc.tokens
	for i := 1; i+1 < len(ts); i++ {
		if !ts[i].is("=") || ts[i-1].kind != nameToken || sc.compares(i) {
			continue
		}
		switch first := ts[i+1]; {
		case oneWord(" require await ", first.text):
			sc.gives(&sc.required, i, first.text)
			sc.givesModule(i)
		case oneWord(` sub fn function static \ `, first.text):
			sc.gives(&sc.closures, i, first.text)
		case first.kind == nameToken && (i+2 == len(ts) || !ts[i+2].is("(") && !ts[i+2].is("[") && !ts[i+2].is(".")):
			sc.gives(&sc.stands, i, first.text)
		}
	}
}

// gives notes what the name before the sign at i is given first.
func (sc *scan) gives(names *map[string]string, i int, what string) {
	if *names == nil {
		*names = map[string]string{}
	}
	if _, ok := (*names)[sc.tokens[i-1].text]; !ok {
		(*names)[sc.tokens[i-1].text] = what
	}
}

// givesModule notes that the name before the sign at i is given a module, or a member of one.
func (sc *scan) givesModule(i int) {
	k := i + 4
	if sc.tokens[i+1].text == "await" {
		k++
	}
	module := sc.loaded(k)
	if module != "" && sc.sign(k+1) == "." && k+2 < len(sc.tokens) {
		module += "." + sc.tokens[k+2].text
	}
	if module != "" {
		sc.gives(&sc.moduleOf, i, module)
	}
}

// byText judges a text that names what is called: fs["rmSync"](…), PHP's "system"(…), perl's &{"system"}(…).
func (sc *scan) byText(i int, t token) {
	at := func(k int, c string) bool { return sc.sign(k) == c }
	named := token{kind: nameToken, text: t.text}
	switch {
	case at(i-1, "[") && at(i+1, "]"):
		if sc.lang.Name == "lua" && i > 1 && sc.tokens[i-2].kind == nameToken {
			named.text = sc.tokens[i-2].text + "." + t.text
		}
		sc.name(i+1, named)
	case sc.lang.Name == "php" && at(i+1, "("):
		sc.name(i, named)
	case sc.lang.Name == "php" && (at(i+1, ")") && at(i+2, "(")), sc.lang.Name == "perl" && at(i-2, "&") && at(i-1, "{") && at(i+1, "}"):
		sc.name(i+1, named)
	case sc.lang.Name == "php" && sc.lang.reaches(t.text): // for another function to call
		sc.note(Code, sc.lang.Name, t.text)
	}
}

// reaches reports the whole name of a call that runs commands, or deletes.
func (l *Language) reaches(name string) bool {
	return slices.ContainsFunc(l.Calls, func(c Call) bool {
		return c.Name == name && (strings.HasSuffix(c.Does, string(Script)) || strings.HasSuffix(c.Does, string(Deletes)))
	})
}

// holders are objects whose members reach outside.
var holders = []string{"process", "os", "io", "globalThis", "global", "window", "Deno", "Bun", "_G", "_ENV"}

// nameless reports a call at i of what is not named there, and whose name is not known.
func (sc *scan) nameless(i int) bool {
	t := sc.tokens[i]
	opens := i+1 < len(sc.tokens) && sc.tokens[i+1].is("(")
	switch sc.lang.Name {
	case "javascript", "lua":
		return t.is("]") && opens && sc.computed(i)
	case "php", "perl":
		return t.kind == nameToken && t.text[0] == '$' && opens && sc.variable(i) || sc.lang.Name == "perl" && t.is("{") && i > 0 && sc.tokens[i-1].is("&") && !sc.plainText(i+1)
	case "awk":
		return t.kind == nameToken && t.text[0] == '@' && opens
	}
	return false
}

// computed reports a member by a name that is put together, or one of a module by a name that another holds.
func (sc *scan) computed(end int) bool {
	open := end - 1
	for depth := 1; open >= 0; open-- {
		if sc.tokens[open].is("]") {
			depth++
		} else if sc.tokens[open].is("[") {
			if depth--; depth == 0 {
				break
			}
		}
	}
	if open < 1 {
		return false
	}
	inside := sc.tokens[open+1 : end]
	texts := slices.ContainsFunc(inside, func(t token) bool { return t.kind == textToken })
	names := slices.ContainsFunc(inside, func(t token) bool { return t.kind == nameToken })
	return len(inside) > 1 && texts || names && sc.module(open-1)
}

// module reports that a module, or what is as good as one, stands at k: require("fs"), or a name that was given it.
func (sc *scan) module(k int) bool {
	if k > 2 && sc.tokens[k].is(")") {
		return sc.tokens[k-3].text == "require"
	}
	name := sc.tokens[k].text
	if sc.tokens[k].kind != nameToken {
		return false
	}
	return slices.Contains(holders, name) || slices.Contains(holders, sc.stands[name]) || sc.required[name] != "" || sc.alias[name] != ""
}

// variable reports a variable of perl's or PHP's that is called, and is no function that the code itself has written down.
func (sc *scan) variable(i int) bool {
	name := sc.tokens[i].text
	if strings.Contains(name, ".") && !strings.Contains(name, ".$") { // a method
		return false
	}
	if oneWord(" my our local for foreach ", sc.word(i-1)) {
		return false
	}
	return sc.closures[name] == ""
}
