package shell

import (
	"slices"
	"strings"
)

// mostBound is how often what names hold is put in their places, since what comes of that may be held by another name.
const mostBound = 3

// bind puts known texts in the places of the names that hold them, in the order in which the code is written. It reports whether there were any.
func (sc *scan) bind() bool {
	found := false
	for range mostBound {
		if !sc.bindOnce() {
			break
		}
		found = true
		sc.fold()
		if sc.lang.Name == "rust" || sc.lang.Name == "java" {
			sc.goOn()
		}
	}
	return found
}

// goOn puts what is asked of known paths in their places: "/a".join("b") is "/a/b".
func (sc *scan) goOn() {
	out := make([]token, 0, len(sc.tokens))
	for i := 0; i < len(sc.tokens); i++ {
		t, end := sc.tokens[i], i+1
		if t.kind == textToken {
			end = sc.same(&t, i+1)
		}
		out = append(out, t)
		i = end - 1
	}
	sc.tokens = out
}

func (sc *scan) bindOnce() bool {
	var holds map[string]string
	var out []token
	from := 0
	for i, t := range sc.tokens {
		switch {
		case t.is("=") && !sc.compares(i):
			name := sc.assigned(i)
			if text, ok := sc.held(i + 1); ok && name != "" {
				if holds == nil {
					holds = map[string]string{}
				}
				holds[name] = text
			} else {
				delete(holds, name)
			}
		case t.kind == nameToken && holds != nil && sc.used(i):
			head, member, more := strings.Cut(t.text, ".")
			text, ok := holds[head]
			if !ok {
				break
			}
			if out == nil {
				out = make([]token, 0, len(sc.tokens)+len(sc.tokens)/8)
			}
			out = append(append(out, sc.tokens[from:i]...), token{kind: textToken, text: text})
			if from = i + 1; more {
				out = append(out, token{kind: otherToken, text: "."}, token{kind: nameToken, text: member})
			}
		}
	}
	if out == nil {
		return false
	}
	sc.tokens = append(out, sc.tokens[from:]...)
	return true
}

// compares reports a sign of equality that is part of another: ==, !=, <=, +=.
func (sc *scan) compares(i int) bool {
	is := func(k int, signs ...string) bool {
		return k >= 0 && k < len(sc.tokens) && slices.ContainsFunc(signs, sc.tokens[k].is)
	}
	return is(i+1, "=", ">", "~") || is(i-1, "=", "!", "<", ">", "+", "-", "*", "/", "|", "&", "%")
}

// assigned is the name that the sign of assignment at i gives something to; of several, the first.
func (sc *scan) assigned(i int) string {
	k := i - 1
	if k >= 0 && sc.tokens[k].is(":") {
		k--
	}
	if k >= 2 && sc.tokens[k].kind == nameToken && sc.tokens[k-1].is(":") { // name: type = …
		k -= 2
	}
	for k >= 2 && sc.tokens[k].kind == nameToken && sc.tokens[k-1].is(",") && sc.lang.Name == "go" {
		k -= 2
	}
	if k < 0 || sc.tokens[k].kind != nameToken {
		return ""
	}
	return sc.tokens[k].text
}

// held is the text that stands at i, if nothing else belongs to it.
func (sc *scan) held(i int) (string, bool) {
	if i >= len(sc.tokens) || sc.tokens[i].kind != textToken || sc.tokens[i].open {
		return "", false
	}
	ends := i+1 == len(sc.tokens) || slices.ContainsFunc([]string{"\n", ";", "}"}, sc.tokens[i+1].is)
	return sc.tokens[i].text, ends
}

// used reports a name that stands for what it holds: no member of something, and nothing that is given a value.
func (sc *scan) used(i int) bool {
	if i > 0 && sc.tokens[i-1].is(".") {
		return false
	}
	for k := i + 1; k < len(sc.tokens) && k < i+3; k++ {
		if sc.tokens[k].is("=") && !sc.compares(k) {
			return false
		}
		if !sc.tokens[k].is(":") {
			break
		}
	}
	return true
}

// chain is a command that Rust puts together: Command::new("rm").arg("-rf").args(["a", "b"]).
func (sc *scan) chain(i int) []value {
	var argv []value
	for k := i; k+1 < len(sc.tokens) && sc.tokens[k].kind == nameToken && sc.tokens[k+1].is("("); {
		takes := k == i || sc.tokens[k].text == "arg" || sc.tokens[k].text == "args"
		depth, known := 0, len(argv)
		for k++; k < len(sc.tokens); k++ {
			switch t := sc.tokens[k]; {
			case t.is("("):
				depth++
			case t.is(")"):
				depth--
			case takes && t.kind == textToken:
				argv = append(argv, t.value())
			}
			if depth == 0 {
				break
			}
		}
		if takes && len(argv) == known {
			argv = append(argv, anything)
		}
		for k++; k < len(sc.tokens) && (sc.tokens[k].is("\n") || sc.tokens[k].is(".") || sc.tokens[k].is("?")); k++ {
		}
	}
	return argv
}
