package shell

import (
	"slices"
	"strings"
)

// stakes are what is at stake where code runs, as far as texts and calls in it tell: of what is not known where it is deleted, they say what it may be.
type stakes struct {
	atStake  bool   // there is something in it that a call which is not described should not be given
	stayed   int    // whether it names something outside of the project: not (1), or so (-1); zero: not looked for
	searched string // a folder whose names it asks for, and that somebody would miss
	sought   string // secrets that it looks for by their folder, or by a pattern
	near     string // a home, or what lies there, if the code names it
	roams    bool   // it lists a folder that is not known
	inquires bool   // it has a program list the names in folders
	inquired string // … of which this is a home, or lies there
	removes  bool   // there is a command in it, or a part of one, that deletes
	discard  bool   // … or one of git's that throws work away
}

// weigh notes whether there is anything in the code that a call which is not described should not be given, and which folder is listed that somebody would miss.
func (sc *scan) weigh() {
	sc.stakes, sc.defined = stakes{}, nil
	for _, t := range sc.tokens {
		if t.kind != textToken && t.kind != shellToken || sc.lang.Name == "awk" {
			continue
		}
		word, rest, _ := strings.Cut(t.text, " ")
		if oneWord(listings, word) {
			sc.asksFor(rest)
		}
		if t.kind == shellToken {
			continue
		}
		missed := sc.missed(t.text)
		sc.atStake = sc.atStake || missed || destroys(t.text)
		sc.removes = sc.removes || oneWord(removers, word)
		sc.discard = sc.discard || speaks(strings.ReplaceAll(t.text, " ", "_"), discards)
		if missed && sc.near == "" {
			sc.near = sc.atHome(t.text)
		}
	}
	for i := range sc.tokens {
		if sc.lister(i) {
			sc.looksInto(i)
		}
	}
}

// asksFor notes that the code has a program list the names in folders, some of which its command may name.
func (sc *scan) asksFor(folders string) {
	sc.inquires = true
	for _, folder := range strings.Fields(folders) {
		if folder = tilde(folder, sc.at.Home); sc.inquired == "" && sc.missed(folder) {
			sc.inquired = sc.atHome(folder)
		}
	}
}

// lister reports a name that gives the names in a folder, or goes there.
func (sc *scan) lister(i int) bool {
	return oneWord(listers, strings.ToLower(lastName(sc.word(i)))) || sc.lang.Name == "perl" && sc.word(i) == "find"
}

// looksInto notes into which folder the call at i looks.
func (sc *scan) looksInto(i int) {
	given, maker := sc.given(i), sc.maker(i)
	sc.seeks(i, given, maker)
	sc.roams = sc.roams || len(maker) == 0 && (len(given) == 0 || strings.Contains(given[0], "*") && sc.ofUnknown(i))
	for _, text := range append(given, maker...) {
		folder, _, _ := cutAny(text, "*?[{")
		if sc.missed(folder) && folder != "/" || sc.leaves(i, text) {
			sc.searched = sc.locate(known(sc.path(folder)), sc.cwd).path
		}
	}
}

// ofUnknown reports a method of something that is no module: self.folder.glob("*").
func (sc *scan) ofUnknown(i int) bool {
	of, _, member := strings.Cut(sc.word(i), ".")
	return member && !oneWord(" glob Dir fs ", of) || sc.sign(i-1) == "."
}

// leaves reports that the call at i goes to, or looks into, a folder that holds the project, seen from there, or all that there is.
func (sc *scan) leaves(i int, text string) bool {
	first, ok := sc.arguments(i)[0].text.exact()
	if !ok || first != text || sc.wanders && lastName(sc.word(i)) != "chdir" {
		return false
	}
	return text == "/" || strings.HasPrefix(text, "..") && !sc.locate(known(text), sc.cwd).in
}

// goes follows the code at i where it goes to a folder outside of the project that it names: from there on a relative path is another.
func (sc *scan) goes(i int) {
	if !sc.wanders || sc.pretending || !strings.EqualFold(lastName(sc.word(i)), "chdir") {
		return
	}
	k := i + 1
	if sc.sign(k) == "(" {
		k++
	}
	to := sc.at.Home // where no folder is named
	if sc.plainText(k) {
		to = sc.tokens[k].text
	} else if !oneWord(" perl ruby ", sc.lang.Name) || !oneWord(" ) ; \n ", sc.sign(k)) {
		return
	}
	if at := sc.locate(known(tilde(to, sc.at.Home)), sc.cwd); !at.several() && !at.zone.own() && at.zone != Scratch && at.path != sc.at.Root {
		sc.cwd = known(at.path)
	}
}

// ofListing is a name that is not known where it is changed and may be one of the names in a folder that somebody would miss, or where it is read or copied and may be one of secrets. Where the code names nothing outside of the project,
// what it deletes lies there.
func (sc *scan) ofListing(v *invocation, role Role, name value) value {
	removes := role == Deletes || role == Empties
	switch {
	case !strings.HasPrefix(name.text, string(hole)):
		return name
	case sc.searched != "" && (removes || role == Writes):
		v.traits = append(v.traits, Recursive)
		return value{sc.searched + "/" + string(star), name.from}
	case sc.sought != "" && (role == Reads || role == Copies):
		return value{sc.sought, name.from}
	case sc.searched == "" && role == Deletes && sc.stays():
		return value{"./" + string(hole), name.from}
	}
	return name
}

// outward are parts of names, in small letters, of what may lead out of the project: homes, the environment, arguments, and what is read.
const outward = options + " argv args home expand env input read load fetch request urlopen recv http check_output getoutput capture popen stdin prompt query cursor config setting getpw parse " +
	"parent dirname anchor pardir sep chr charcode decode bytes chdir eval exec shell spawn system gettempdir tmpdir tempdir"

// options are parts of names by which code reads the options that it is given when it is started, each of which has a value where it is not given.
const options = "argument argparse parse_args click typer flag"

// stays reports code that names nothing by which it could know a folder outside of the project.
func (sc *scan) stays() bool {
	if sc.abroad && !sc.brings {
		return false
	}
	if sc.stayed == 0 {
		sc.stayed = 1
		for i := range sc.tokens {
			if sc.leads(i) || sc.lister(i) && sc.listsAll(i) {
				sc.stayed = -1
				break
			}
		}
	}
	return sc.stayed > 0
}

// leadsOut reports an argument that may be a path outside of the project, or an option with one.
func (s *shell) leadsOut(arg value) bool {
	for part := range strings.SplitSeq(arg.text, "=") {
		if at := s.locate(value{text: part}, s.cwd); !at.in && at.zone != Scratch {
			return true
		}
	}
	return false
}

// readsText reports a call by which names may come out of a file: one that opens it otherwise than to write, or gives its lines.
func (sc *scan) readsText(i int, lower string) bool {
	if lastName(lower) != "open" {
		return oneWord(" file.foreach io.foreach files.lines ", lower) || speaks(lower, "scanner fgets getline scanf")
	}
	return sc.sign(i+1) == "(" && !slices.ContainsFunc(sc.given(i), func(text string) bool { return len(text) < 4 && strings.ContainsAny(text, "wax>") })
}

// listsAll reports a call for the names in the project's own folder, all of which nobody should delete.
func (sc *scan) listsAll(i int) bool {
	of := sc.arguments(i)[0].text
	if strings.Trim(of.text, "*/") == "" && oneWord(" rglob glob children iterdir ", lastName(sc.word(i))) {
		of = sc.receiver(i, sc.word(i))
	}
	return strings.Trim(of.text, "./*\x00") == "" || sc.locate(of, sc.cwd).path == sc.at.Root
}

// leads reports what may lead out of the project.
func (sc *scan) leads(i int) bool {
	t := sc.tokens[i]
	switch {
	case t.text == "parents" && sc.sign(i+1) == "=", strings.HasSuffix(t.text, ".parent.mkdir"): // mkdir(parents=True)
		return false
	case sc.inside && (speaks(strings.ToLower(t.text), options) || sc.handedTo > 0 && sc.argument(i)):
		return false
	}
	switch lower := strings.ToLower(t.text); t.kind {
	case nameToken:
		return speaks(lower, outward) && !oneWord(listers, lastName(lower)) || oneWord(" gets shift @_ ", t.text) || sc.readsText(i, lower)
	case otherToken:
		return false
	case textToken, shellToken:
	}
	text := t.value().text
	if t.part != "" { // what is put in has names of its own
		text = strings.ReplaceAll(text, string(hole), "x")
	}
	at := sc.locate(known(sc.path(text)), sc.cwd)
	return t.kind == shellToken || !at.in && at.zone != Scratch && at.zone != Nowhere
}

// argument reports one of the arguments by its number, but for the first, or how many there are: sys.argv[1], process.argv.slice(2), len(sys.argv).
func (sc *scan) argument(i int) bool {
	name := strings.TrimSuffix(sc.word(i), ".slice")
	if sc.word(i-2) == "len" || name == "process.argv.length" {
		return true
	}
	return strings.HasSuffix(name, ".argv") && oneWord(" [ ( ", sc.sign(i+1)) && sc.sign(i+2) != "0"
}

// path is a text as a path: a tilde is a home everywhere but in JavaScript.
func (sc *scan) path(text string) string {
	if sc.lang.Name == "javascript" {
		return text
	}
	return tilde(text, sc.at.Home)
}

// missed reports an absolute path that is none of the project's, and that somebody would miss: in a home, or of the system's as a whole.
func (sc *scan) missed(text string) bool {
	path := sc.path(text)
	if !strings.HasPrefix(path, "/") || strings.Contains(path, "\n") {
		return false
	}
	at := sc.locate(known(path), sc.cwd)
	_, below := within(sc.at.Home, at.path)
	switch at.zone {
	case Above:
		return !at.in && !strings.HasSuffix(at.path, "/tmp")
	case Secrets, Agent:
		return !at.in
	case Startup:
		return below || under(at.path, "/etc")
	case Home, Device:
		return true
	default:
		return false
	}
}

// atHome is a path that is missed, if it is a home, or lies in one and is nothing special there; empty, if it is neither.
func (sc *scan) atHome(text string) string {
	at := sc.locate(known(sc.path(text)), sc.cwd)
	if _, inside := within(at.path, sc.at.Home); at.zone == Home || at.path == sc.at.Home || inside && at.path != "/" {
		return at.path
	}
	return ""
}

// mayTake notes a call that deletes something of which nothing is known where the code lists a folder that is not known either, or that runs such a command, in code that names
// a home, or something there: that may be what it takes away.
func (sc *scan) mayTake(c *Call, args []argument) {
	if sc.pretending {
		return
	}
	does, more := c.role()
	unknown := strings.HasPrefix(args[0].text.text, string(hole))
	runs := (does == "argv" || does == "shell") && sc.openCommand(args)
	if runs && sc.discard {
		sc.fact(Fact{Kind: Discard, Target: "what is not committed", Traits: []Trait{Named, Guessed}, By: sc.lang.Name})
	}
	deletes := Role(does) == Deletes && unknown && (sc.roams || sc.inquires || more != "" && sc.lang.compiled())
	near := sc.near
	if near == "" && deletes {
		near = sc.inquired
	}
	if near != "" && (deletes || runs && sc.removes) {
		sc.fact(Fact{Kind: Delete, Target: value{text: near + "/" + string(hole)}.show(), Zone: Home, Traits: []Trait{Vague, Guessed}, By: sc.lang.Name})
	}
}

// pretends reports tests that have a home, or folders, of their own.
func (sc *scan) pretends() bool {
	return sc.testing && slices.ContainsFunc(sc.tokens, func(t token) bool {
		return t.kind == nameToken && speaks(strings.ToLower(t.text), "tmp temp mock patch fake stub setenv chdir")
	})
}

// openCommand reports a command that is not known, or one that destroys and is given something that is not.
func (sc *scan) openCommand(args []argument) bool {
	words := values(args)
	return words[0].holed() || destroys(words[0].text) && slices.ContainsFunc(words, value.holed)
}
