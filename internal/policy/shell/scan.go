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
	Ask     []string `json:"ask"`   // names and texts that hide what happens
	Known   []string `json:"known"` // of a compiled language: names that run the project's own, or only show something
}

// Call is what calling a function does with its arguments.
type Call struct {
	Name string `json:"name"` // with its module, as in "os.remove", or its last name alone if that is enough; "ENV.*" are all of an object's others
	// Does is a [Role] for its first argument (behind "at 1" for the second, behind "each" for every one, behind "self" for what it is called on, behind "member" for its own last name), "argv" for a list, "chain" for one that
	// calls behind it make longer, "git" for one that is named as a command of git's, or an effect ("send!"); traits stand behind it.
	Does string `json:"does"`
}

// each begins what becomes of every argument.
const each = "each "

// role is what becomes of the argument that counts, whichever it is, and how.
func (c *Call) role() (does, trait string) {
	does = c.Does
	for _, which := range []string{"at 1 ", each, "self ", "member "} {
		does = strings.TrimPrefix(does, which)
	}
	does, trait, _ = strings.Cut(does, " ")
	return does, trait
}

// compiled reports a language in which too much may be hidden for a whole program to be allowed for what is seen of it, as in those that are compiled.
func (l *Language) compiled() bool {
	return oneWord(" go rust java c r elixir julia ", l.Name)
}

// scan goes through the tokens of one piece of code.
type scan struct {
	*shell
	lang   *Language
	tokens []token
	alias  map[string]string // names that stand for others: import os as o, from os import system
	stands map[string]string // names that are given what others stand for: o = os

	moduleOf map[string]string // names that JavaScript is given modules by, or members of them: r = require("x").y

	required, closures map[string]string // names that are given modules, and functions that the code writes down

	wanders bool // it goes to another folder, where a relative path is another
	reaches bool // there is a call that the language describes

	stakes

	environ bool // it makes a text of the environment, or sends it

	defined map[string]bool // the functions that it writes down; nil: not looked for

	handedTo   int  // how many arguments it is given when it is started
	inside     bool // all that it is given when it is started is known, and lies in the project
	pretending bool // it is a test that has a home, or folders, of its own

	turn, lastTurn int // which of a list's texts a name holds that goes through it, and the last of the longest list
}

func (sc *scan) run() {
	sc.pretending = sc.pretends()
	sc.follow()
	sc.abroad = sc.abroad || sc.brings && !sc.stays()
}

// follow judges the code, as it stands and with what names hold in their places.
func (sc *scan) follow() {
	sc.joinTexts()
	sc.imports()
	sc.sameNames()
	sc.loads()
	sc.wanders = slices.ContainsFunc(sc.tokens, func(t token) bool { return t.kind == nameToken && strings.EqualFold(lastName(t.text), "chdir") })
	sc.ownPlace()
	sc.fold()
	if !sc.wanders {
		sc.bind(false)
	}
	sc.judge()
	// What names hold comes on top of what is known without it: whoever is wrong about them has allowed nothing.
	for tokens := sc.tokens; sc.reaches && sc.turn <= sc.lastTurn && sc.step(); sc.turn++ {
		if sc.tokens = tokens; !sc.bind(true) {
			return
		}
		sc.judge()
	}
}

// tags are names in front of texts that JavaScript has a shell run.
const tags = " $ sh bash exec execa shell command "

// judge goes through the tokens.
func (sc *scan) judge() {
	defer func(was value) { sc.cwd = was }(sc.cwd)
	sc.weigh()
	for i, t := range sc.tokens {
		sc.goes(i)
		sc.ofModule(i)
		if sc.nameless(i) {
			sc.reaches = true
			sc.note(Code, sc.lang.Name, "a call that names nothing")
		}
		switch t.kind {
		case shellToken:
			sc.reaches = true
			sc.command(t.value())
		case nameToken:
			sc.name(i, t)
			if sc.lang.Name == "awk" && sc.pipes(i, t) {
				sc.note(Code, "awk", "a command that is put together")
			}
		case textToken:
			if sc.lang.Name == "awk" {
				sc.piped(i, t)
				sc.reads(t.value())
			}
			if sc.lang.Name == "javascript" && oneWord(tags, lastName(sc.word(i-1))) { // $`rm -rf x`
				sc.surely(func() { sc.command(t.value()) })
			}
			sc.byText(i, t)
			if slices.Contains(sc.lang.Ask, t.text) {
				sc.note(Code, sc.lang.Name, t.text)
			}
		case otherToken:
		}
	}
	if sc.environ {
		sc.sendsEnvironment()
	}
	sc.takesAway()
}

// piped judges awk's texts behind or before a pipe, which are commands, and behind an arrow, which are files.
func (sc *scan) piped(i int, t token) {
	switch {
	case sc.sign(i-1) == "|" || sc.sign(i+1) == "|":
		sub := sc.fork()
		sub.in = anything
		sub.script(t.value())
	case sc.sign(i-1) == ">":
		sc.writeFile(t.value(), "awk")
	case sc.sign(i-1) == "<":
		sc.readFile(t.value(), "awk")
	}
}

// pipes reports a name in awk's code that stands for a command, or the end of an expression that does: before a pipe to getline, or behind one.
func (sc *scan) pipes(i int, t token) bool {
	at := func(k int, texts ...string) bool {
		return k >= 0 && k < len(sc.tokens) && slices.Contains(texts, sc.tokens[k].text)
	}
	if t.text != "getline" {
		return at(i-1, "|") && !at(i-2, "|") || at(i-1, "&") && at(i-2, "|")
	}
	k := i - 1
	if at(k, "&") {
		k--
	}
	return k > 0 && at(k, "|") && !at(k-1, "|") && (sc.tokens[k-1].kind != textToken || k > 1 && (sc.tokens[k-2].kind != otherToken || at(k-2, ")")))
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
	if t.part != "" {
		return value{text: t.part}
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

// name judges a name: what it calls, or that it hides something; and what it was given to stand for.
func (sc *scan) name(i int, t token) {
	if sc.required[t.text] != "" && sc.follows(i+1, "=") || sc.lang.Name == "javascript" && (sc.taken(i) || sc.ofExpression(i) || sc.declares(i)) { // where it is given the module, nothing is called
		return
	}
	name := standsFor(sc.alias, t.text)
	sc.judgeName(i, name)
	if other := standsFor(sc.stands, name); other != name {
		sc.judgeName(i, standsFor(sc.alias, other))
	}
	if module := standsFor(sc.moduleOf, name); module != name && sc.sign(i+1) == "(" {
		sc.judgeName(i, module)
	}
}

// taken reports a name that only says what is taken from a module: import { rmSync } from "fs", const { rmSync } = require("fs").
func (sc *scan) taken(i int) bool {
	if sc.sign(i+1) == "(" {
		return false
	}
	begin := i
	for begin > 0 && i-begin < longStatement && (sc.word(begin) != "" || oneWord(" , : \n ", sc.sign(begin))) {
		begin--
	}
	return sc.sign(begin) == "{" && (oneWord(" import type const let var ", sc.word(begin-1)) || sc.sign(begin-1) == "," && sc.word(begin-3) == "import")
}

// declares reports the word import of a declaration that gives nothing of a module another name: what it imports is judged where it is called. What leads out of the project
// is not known.
func (sc *scan) declares(i int) bool {
	for k := i + 1; sc.tokens[i].text == "import" && k < len(sc.tokens) && k-i < longStatement; k++ {
		switch {
		case sc.plainText(k):
			module := sc.tokens[k].text
			return (k == i+1 || sc.word(k-1) == "from") && !strings.HasPrefix(module, "/") && !strings.Contains(strings.TrimPrefix(module, "node:"), ":") && !strings.Contains(module, "..")
		case sc.word(k) == "as" && sc.sign(k-1) != "*", oneWord(" ( ; = . ", sc.sign(k)):
			return false
		}
	}
	return false
}

// ofExpression reports a method of a regular expression that is written out, /a+/.exec(text), and not one behind a comment.
func (sc *scan) ofExpression(i int) bool {
	return sc.sign(i-1) == "." && sc.sign(i-2) == "/" && sc.sign(i-3) != "*"
}

// standsFor is a name with what it, or its first part, stands for in its place.
func standsFor(names map[string]string, name string) string {
	if full, ok := names[name]; ok {
		return full
	}
	if head, rest, ok := strings.Cut(name, "."); ok {
		if full, ok := names[head]; ok {
			return full + "." + rest
		}
	}
	return name
}

// judgeName judges a name as it is.
func (sc *scan) judgeName(i int, name string) {
	last := lastName(name)
	if slices.Contains(sc.lang.Ask, name) || slices.Contains(sc.lang.Ask, last) {
		kind := Code
		if oneWord(evaluators, last) && sc.ofAddress(i) {
			kind = Remote
		}
		sc.note(kind, sc.lang.Name, name)
		return
	}
	for k := range sc.lang.Calls {
		c := &sc.lang.Calls[k]
		object, all := strings.CutSuffix(c.Name, "*")
		if all && strings.HasPrefix(name, object) || strings.HasSuffix(c.Name, last) && (c.Name == name || c.Name == last || strings.HasSuffix(name, "."+c.Name)) {
			if sc.reaches = true; sc.step() {
				sc.called(c, i, name)
			}
			return
		}
	}
	if strings.Contains(strings.ToLower(last), "git") && sc.sign(i+1) == "(" && !sc.defines(last) && sc.step() { // a wrapper from elsewhere
		sc.reaches = true
		if args := values(sc.arguments(i)); oneWord(gitDestroys, args[0].text) {
			sc.strictly(func() { sc.shell.run(append([]value{known("git")}, args...)) })
			return
		}
	}
	sc.undescribed(i, name)
}

// ofAddress reports that the call at i is given what an address holds, or is itself given to what waits for that: eval(get("http://…")), fetch("http://…").then(eval).
func (sc *scan) ofAddress(i int) bool {
	k, end := i+1, len(sc.tokens)
	if strings.HasSuffix(sc.word(i-2), "then") && sc.sign(i-1) == "(" {
		k, end = 0, i
	}
	for depth := 0; k < end; k++ {
		t := &sc.tokens[k]
		switch {
		case t.kind == textToken && isAddress(t.text):
			return true
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		}
		if end > i && depth <= 0 && (t.is(")") || t.is(";") || t.is("\n")) {
			break
		}
	}
	return false
}

// called does what a call stands for that begins at a name.
func (sc *scan) called(c *Call, i int, name string) {
	sc.environ = sc.environ || c.Does == "print:the environment!" && sc.keepsAll(i)
	args := sc.arguments(i)
	switch first, _, _ := strings.Cut(c.Does, " "); first {
	case "open":
		if of := sc.receiver(i, name); sc.lang.Name == "python" && sc.sign(i-1) == "." { // Path("x").open("a")
			args = append([]argument{{text: of}}, args...)
		}
	case "self":
		args = []argument{{text: sc.receiver(i, name)}}
	case "member":
		args = []argument{{text: known(lastName(name))}}
	case "chain":
		sc.shell.run(sc.chain(i))
		return
	case "git": // a library's call is named as git's command
		argv := values(args)
		if last := lastName(name); last != "raw" && last != "execute" {
			argv = append([]value{known(strings.ReplaceAll(last, "_", "-"))}, argv...)
		}
		if argv[0].text == "clean" { // simple-git forces it
			argv = append(argv, known("-f"))
		}
		sc.shell.run(append([]value{known("git")}, argv...))
		return
	case "at":
		if args = args[1:]; len(args) == 0 {
			return
		}
	}
	sc.call(c, args)
}

// call does what a call stands for.
func (sc *scan) call(c *Call, args []argument) {
	arg := args[0]
	v := &invocation{shell: sc.shell, prog: &Program{}, name: sc.lang.Name}
	if effect, ok := strings.CutSuffix(c.Does, "!"); ok {
		kind, target, _ := strings.Cut(effect, ":")
		v.effect(Effect{Kind: Kind(kind), Target: target})
		return
	}
	does, more := c.role()
	if more != "" {
		v.traits = append(v.traits, Trait(more))
	}
	if arg.text.empty() && arg.list == nil {
		arg.text = anything
	}
	args[0] = arg
	sc.mayTake(c, args)
	switch {
	case does == "argv":
		sc.argv(args)
	case does == "shell":
		sc.command(args[0].text)
	case Role(does) == Own:
		v.name = c.Name
		for _, a := range args {
			for _, t := range append(a.list, a.text) {
				v.path(t)
			}
		}
	case Role(does) == Moves && strings.HasPrefix(arg.text.text, string(hole)): // of one file, to the code
		role := Writes
		if from := sc.ofListing(v, Deletes, arg.text); from != arg.text { // and what it was called is gone
			role, args[0].text = Deletes, from
		}
		v.takes(role, args[:min(2, len(args))], role == Writes)
	case Role(does) == Copies || Role(does) == Moves:
		if oneWord(" shutil.copytree cpSync File.cp_r ", c.Name) { // what is in the folder goes into one that is there
			v.flags = append(v.flags, "onto")
		}
		args[0].text = sc.ofListing(v, Role(does), arg.text)
		for _, a := range args[:min(2, len(args))] {
			v.uses = append(v.uses, use{Role(does), a.text})
		}
		v.apply()
	case does == "open":
		sc.open(v, arg.text, args)
	default:
		args[0].text = sc.ofListing(v, Role(does), arg.text)
		v.takes(Role(does), args, strings.HasPrefix(c.Does, each))
	}
}

// argv runs a program with its arguments, however they are given.
func (sc *scan) argv(args []argument) {
	first, list := args[0].text, texts(args)
	switch {
	case args[0].list != nil:
		sc.shell.run(args[0].list)
	case len(args) > 1 && args[1].list != nil: // spawn("rm", ["-rf", "/"])
		sc.shell.run(append([]value{first}, args[1].list...))
	case len(list) > 1 && !strings.ContainsAny(first.text, " \x00"): // system("rm", "-rf", "/")
		sc.shell.run(list)
	default:
		sc.command(first)
	}
}

// command judges a command of which not all may be known: what is known of it is judged with variables in the place of the rest.
func (sc *scan) command(text value) {
	sc.starts(text)
	if text.holed() && strings.Trim(text.text, marks) != "" {
		sc.starts(value{strings.ReplaceAll(text.text, string(hole), "${put_in}"), text.from})
	}
}

// takes notes what becomes of the first argument, or of all of them. What is deleted may stand behind options.
func (v *invocation) takes(role Role, args []argument, all bool) {
	for role == Deletes && len(args) > 1 && strings.HasPrefix(args[0].text.text, "-") {
		args = args[1:]
	}
	if !all {
		args = args[:1]
	}
	for _, val := range values(args) {
		v.uses = append(v.uses, use{role, val})
	}
	v.apply()
}

// values are those of arguments, and of the lists among them.
func values(args []argument) (out []value) {
	for _, a := range args {
		switch {
		case a.list != nil:
			out = append(out, a.list...)
		case a.text.empty():
			out = append(out, anything)
		default:
			out = append(out, a.text)
		}
	}
	return out
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
	v.uses = []use{{role, sc.ofListing(v, role, name)}}
	v.apply()
}
