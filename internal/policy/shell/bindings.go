package shell

import (
	"slices"
	"strings"
)

// mostBound is how often what names hold is put in their places, since what comes of that may be held by another name.
const mostBound = 3

// bind puts known texts in the places of the names that hold them, in the order in which the code is written, or of those that hold one and nothing else. It reports whether there were any.
func (sc *scan) bind(all bool) bool {
	found := false
	for range mostBound {
		if !sc.bindOnce(all) {
			break
		}
		found = true
		sc.fold()
		sc.goOn()
	}
	return found
}

// goOn puts what is asked of known paths in their places: "/a".join("b") is "/a/b".
func (sc *scan) goOn() {
	out := make([]token, 0, len(sc.tokens))
	for i := 0; i < len(sc.tokens); i++ {
		t, end := sc.tokens[i], i+1
		if t.plain() {
			end = sc.same(&t, i+1)
		}
		out = append(out, t)
		i = end - 1
	}
	sc.tokens = out
}

// binder puts known texts in the places of the names that hold them, in one pass.
type binder struct {
	*scan
	holds, params map[string][]token
	calls         map[string][]value // what functions are given
	out           []token
	from          int // the first of the scan's tokens that is not in out yet
}

// bindOnce puts texts in the places of names, which is all that it reports: those that hold one and nothing else, or what each holds where it stands.
func (sc *scan) bindOnce(all bool) bool {
	b := &binder{scan: sc, holds: map[string][]token{}}
	if all {
		b.calls = sc.handedOver()
	} else {
		for name, text := range sc.constants() {
			b.hold(name, text)
		}
	}
	for i := range sc.tokens {
		if !all || !b.learn(i) {
			b.replace(i)
		}
	}
	if b.out == nil {
		return false
	}
	sc.tokens = append(b.out, sc.tokens[b.from:]...)
	return true
}

func (b *binder) hold(name, text string) {
	t := token{kind: textToken, text: text}
	if strings.ContainsRune(text, hole) { // as of a text with a value in it
		t.text, t.part = strings.ReplaceAll(text, string(hole), "{}"), text
	}
	b.holds[name] = []token{t}
}

// learn notes what a name holds from i on, and reports whether i is where it is given that.
func (b *binder) learn(i int) bool {
	switch t := b.tokens[i]; {
	case t.is("=") && !b.compares(i) && b.word(i+1) != "shift":
		name := b.assigned(i)
		delete(b.holds, name)
		delete(b.params, name)
		if text, ok := b.held(i + 1); ok {
			b.hold(name, text)
		} else if list, end := listIn(b.tokens, i+1); list != nil && b.ends(end) {
			b.holds[name] = listOf(list)
		}
		delete(b.holds, "") // a member by its name in brackets
	case t.kind == nameToken && b.writtenDown(i):
		b.params = b.takesOver(i+1, b.calls[t.text])
	case t.kind == nameToken:
		return b.goesThrough(i)
	default:
		return false
	}
	return true
}

// replace puts what is known of a name in its place, or in the text at i in which it stands.
func (b *binder) replace(i int) {
	switch t := b.tokens[i]; {
	case t.part != "":
		b.fillIn(i)
	case t.kind == nameToken && b.used(i) && b.word(i-1) != "for":
		held := b.inPlaceOf(t.text)
		if len(held) > 2 && held[0].is("[") && oneWord(" * . ", b.sign(i-1)) { // *list, ...list
			held = held[1 : len(held)-1]
		}
		if held != nil {
			b.swap(i, held...)
		}
	}
}

// swap puts others in the place of the token at i.
func (b *binder) swap(i int, others ...token) {
	b.out = append(append(b.out, b.tokens[b.from:i]...), others...)
	b.from = i + 1
}

// fillIn puts what is known of names into the text at i in which they stand.
func (b *binder) fillIn(i int) {
	t := b.tokens[i]
	open := false
	for _, opener := range b.lang.openers() {
		var filled strings.Builder
		for {
			head, tail, found := strings.Cut(t.text, opener)
			name, after, closed := strings.Cut(tail, "}")
			if !found || !closed {
				break
			}
			filled.WriteString(head)
			if held := b.inPlaceOf(name); len(held) == 1 && held[0].part == "" {
				filled.WriteString(held[0].text)
			} else {
				filled.WriteString(opener + name + "}")
				open = true
			}
			t.text = after
		}
		filled.WriteString(t.text)
		t.text = filled.String()
	}
	if open {
		t.part = b.lang.holes(t.text)
	} else {
		t.part = b.lang.knownPart(`"`, t.text)
	}
	if t.text != b.tokens[i].text {
		b.swap(i, t)
	}
}

// inPlaceOf is what the first part of a name holds, with the rest of it behind; nil if it is not known.
func (b *binder) inPlaceOf(name string) []token {
	head, member, more := strings.Cut(name, ".")
	held := b.params[head]
	if held == nil {
		held = b.holds[head]
	}
	if held == nil || !more {
		return held
	}
	return append(slices.Clip(held), token{kind: otherToken, text: "."}, token{kind: nameToken, text: member})
}

// handedOver are the arguments that functions which the code writes down are given, where there is among them what somebody would miss, or a command that destroys.
func (sc *scan) handedOver() map[string][]value {
	calls := map[string][]value{}
	for i, t := range sc.tokens {
		name := lastName(t.text)
		if oneWord(" forEach map each ", name) && sc.sign(i-2) == "]" { // a function is called with each
			if list := sc.listBefore(i - 2); sc.turn < len(list) && len(list[sc.turn]) == 1 {
				calls[sc.firstWord(i+1)] = []value{list[sc.turn][0].value()}
			}
		}
		if t.kind != nameToken || sc.sign(i+1) != "(" || calls[name] != nil || sc.writtenDown(i) || !sc.defines(name) {
			continue
		}
		if _, end := sc.around(i + 2); sc.sign(end) != ")" || !sc.step() {
			continue // there is too much of it
		}
		args := values(sc.arguments(i))
		if slices.ContainsFunc(args, func(v value) bool { return destroys(v.text) || oneWord(gitDestroys, v.text) || sc.missed(v.text) }) {
			calls[name] = args
		}
	}
	return calls
}

// writtenDown reports the name of a function where it is written down.
func (sc *scan) writtenDown(i int) bool {
	return oneWord(definers, sc.word(i-1)) || sc.sign(i+1) == "=" && sc.defines(sc.word(i))
}

// takesOver is what the parameters of a function, which begin at k, hold when it is called. One that takes several takes the rest.
func (sc *scan) takesOver(k int, args []value) map[string][]token {
	params := map[string][]token{}
	last := ""
	for end := k + longStatement; k < end && len(args) > 0; k++ {
		name, sign := sc.word(k), sc.sign(k)
		switch {
		case oneWord(" ) > ; ", sign):
			return params
		case sign == ",": // behind which the next one stands
		case last != "" || name == "" || oneWord(" function async my self cls ", name) || oneWord(" perl php ", sc.lang.Name) && !oneWord(" $ @ ", name[:1]):
			continue
		}
		last = name
		for several := oneWord(" * . ", sc.sign(k-1)) || sc.sign(k+1) == "." || name == "@_"; name != "" && len(args) > 0; args = args[1:] {
			if params[name] != nil {
				if !several {
					break
				}
				params[name] = append(params[name], token{kind: otherToken, text: ","})
			}
			params[name] = append(params[name], token{kind: textToken, text: args[0].text})
		}
	}
	return params
}

// constants are the names that the code gives one known text and nothing else.
func (sc *scan) constants() map[string]string {
	holds, other := map[string]string{}, map[string]bool{}
	for i := range sc.tokens {
		name, _, member := strings.Cut(sc.word(i), ".")
		if name == "" || other[name] {
			continue
		}
		if found := sc.foundBelow(i); found != "" && holds[name] == "" {
			holds[name] = found
			continue
		}
		k := sc.givenAt(i)
		text, ok := sc.held(k + 1)
		_, again := holds[name]
		switch {
		case ok && !again && !member && sc.sign(k) == "=" && (sc.word(i-1) != "" || oneWord(" \n ; { } ", sc.sign(i-1)) || i == 0 || sc.lang.Name == "javascript" && sc.sign(i-1) == ","):
			holds[name] = text
		case !sc.operand(i, member):
			other[name] = true
		}
	}
	for name := range other {
		delete(holds, name)
	}
	return holds
}

// givenAt is where the sign of assignment would stand by which the name at i is given something.
func (sc *scan) givenAt(i int) int {
	k := i + 1
	if sc.lang.Name == "go" && sc.sign(k) == "," && sc.word(k+1) == "err" {
		k += 2
	}
	if sc.sign(k) == ":" {
		k++
	}
	return k
}

// operand reports a name that surely is given nothing where it stands: an argument of a call, a part of an expression, or what is asked of a member.
func (sc *scan) operand(i int, member bool) bool {
	if sc.changed(i) || sc.sign(i+1) == "(" && !member {
		return false
	}
	switch before := sc.sign(i - 1); before {
	case "+", "/", "=":
		return true
	case "(", ",":
		return sc.handed(i, i)
	case "\n", ";", "{":
		return member || sc.sign(i+1) == "\n" || i+1 == len(sc.tokens)
	}
	return oneWord(" if not and or in return await exists ", sc.word(i-1))
}

// changed reports a name that is given something where it stands, or something else than it held.
func (sc *scan) changed(i int) bool {
	k := i + 1
	for k < i+3 && oneWord(" + - * / | & % . < > ? ", sc.sign(k)) {
		k++
	}
	return sc.sign(k) == "=" && (k > i+1 || sc.sign(k+1) != "=")
}

// handed reports that what stands from first to last is an argument of a call, or in a list that is one, and none of the parameters of a function.
func (sc *scan) handed(first, last int) bool {
	open, end := sc.enclosing(first, last)
	name := sc.word(open - 1)
	if name == "" && sc.sign(open) == "[" && open < first {
		return sc.handed(open, end)
	}
	return name != "" && sc.sign(end) == ")" && !oneWord(definers+"lambda for catch my our list foreach ", name) && !oneWord(definers, sc.word(open-2)) &&
		!sc.follows(end+1, "=>") && (sc.sign(end+1) != "{" || name == "if")
}

// around are the parentheses in which a token stands, or zero.
func (sc *scan) around(i int) (open, end int) { return sc.enclosing(i, i) }

// enclosing are the parentheses in which the tokens from first to last stand.
func (sc *scan) enclosing(first, last int) (open, end int) {
	depth := 0
	for open = first; open > 0 && first-open < longStatement && depth <= 0; open-- {
		depth += sc.tokens[open-1].turn()
	}
	depth = 0
	for end = last; end+1 < len(sc.tokens) && end-last < longStatement && depth >= 0; end++ {
		depth += sc.tokens[end+1].turn()
	}
	return open, end
}

// turn is one for what opens brackets, and less than none for what closes them.
func (t *token) turn() int {
	switch {
	case t.kind != otherToken:
	case oneWord(" ( [ { ", t.text):
		return 1
	case oneWord(" ) ] } ", t.text):
		return -1
	}
	return 0
}

// word is the name that stands at k; empty if there is none.
func (sc *scan) word(k int) string {
	if k < 0 || k >= len(sc.tokens) || sc.tokens[k].kind != nameToken {
		return ""
	}
	return sc.tokens[k].text
}

// compares reports a sign of equality that is part of another: ==, !=, <=, +=.
func (sc *scan) compares(i int) bool {
	return oneWord(" = > ~ ", sc.sign(i+1)) || oneWord(" = ! < > + - * / | & % ", sc.sign(i-1))
}

// assigned is the name that the sign of assignment at i gives something to; of several, the first.
func (sc *scan) assigned(i int) string {
	k := i - 1
	if sc.sign(k) == ":" {
		k--
	}
	if sc.word(k) != "" && sc.sign(k-1) == ":" { // name: type = …
		k -= 2
	}
	for sc.word(k) != "" && sc.sign(k-1) == "," && sc.lang.Name == "go" {
		k -= 2
	}
	return sc.word(k)
}

// held is the text that stands at i, if nothing else belongs to it.
func (sc *scan) held(i int) (string, bool) {
	if i < 0 || !sc.plainText(i) {
		return "", false
	}
	return sc.tokens[i].text, sc.ends(i + 1)
}

// ends reports that a value ends before what stands at i.
func (sc *scan) ends(i int) bool {
	return i == len(sc.tokens) || oneWord(" \n ; } ", sc.sign(i)) || sc.lang.Name == "javascript" && sc.sign(i) == ","
}

// used reports a name that stands for what it holds: no member of something, and nothing that is given a value.
func (sc *scan) used(i int) bool {
	k := i + 1
	if sc.sign(k) == ":" {
		k++
	}
	return (sc.sign(i-1) != "." || sc.sign(i-2) == ".") && (sc.sign(k) != "=" || sc.compares(k))
}

// chain is a command that Rust puts together: Command::new("rm").arg("-rf").args(["a", "b"]).
func (sc *scan) chain(i int) []value {
	var argv []value
	for k := i; sc.word(k) != "" && sc.sign(k+1) == "("; {
		takes := k == i || oneWord(" arg args ", sc.word(k))
		depth, known := 0, len(argv)
		for k++; k < len(sc.tokens); k++ {
			if takes && sc.tokens[k].kind == textToken {
				argv = append(argv, sc.tokens[k].value())
			}
			if depth += sc.tokens[k].turn(); depth == 0 {
				break
			}
		}
		if takes && len(argv) == known {
			argv = append(argv, anything)
		}
		for k++; oneWord(" \n . ? ", sc.sign(k)); k++ {
		}
	}
	return argv
}
