package shell

import (
	"strings"
)

// A call that the tables do not describe may do anything to what it is given. Most are given nothing that matters. One that is given a path that somebody would miss, or a command
// that destroys, is judged by what its name speaks of, and asked about where that says nothing.

// harmlessCalls are the last names, in small letters, of calls that only look at a path, compute with it or say it, and words behind which parentheses may stand and that call nothing.
const harmlessCalls = " puts p echo log info debug warn warning error die exit raise throw repr len length type list " +
	"tuple set dict map array filter sorted sort any all push append add extend insert split strip replace replaceall sub " +
	"removeprefix removesuffix includes contains test search indexof index join dumps stat lstat statsync " +
	"access getsize getmtime which disk_usage normalize relative relative_to " +
	"splitext resolve expanduser file url mkdir makedirs " +
	"mkdirsync mkdir_p get equals if else while for unless in and or not return yield await with switch catch lambda new function def func my let " +
	"import require from then "

// Parts of names, in small letters, by what they speak of.
const (
	removesFiles = "rmtree rm_rf rmrf rmdir rimraf unlink removetree remove_tree removedir remove_dir removeall deletedir delete_dir emptydir empty_dir shred trash wipe"
	takesAway    = "remove delete purge erase truncate" // files, or members of a list: app.delete("/"), items.remove("/")
	looks        = "read load parse get open find list scan walk glob input from stat hash"
	changes      = "write save dump append to_ export extract copy output"
	starts       = "run exec spawn system popen shell command invoke"
	computes     = "match quote format render argument diff sha md5 count print str path name with json"
	questions    = "is has assert expect exists should check validate" // begin them
)

// Words, each with a blank on both sides.
const (
	// evaluators run a text as code.
	evaluators = " eval exec assert create_function instance_eval class_eval module_eval runInThisContext runInNewContext "
	// definers stand before the name of a function that is written down.
	definers = " def function sub func fn fun class "
	// listers give the names in a folder, or go there.
	listers = " walk listdir scandir iterdir glob iglob rglob readdir readdirsync opendir children each_child chdir finddepth listfiles read_dir recursivedirectoryiterator walkdir globsync nftw ftw fts_open "
	// listings are programs that do.
	listings = " find fd ls du tree locate "
	// beginnings are those of commands that are looked at where a call is given them.
	beginnings = " rm rmdir unlink shred dd truncate mkfs wipefs git find mv chmod chown sudo doas sh bash "
	// removers are those of commands, and of parts of one, that delete.
	removers = " rm rmdir unlink shred -delete "
	// gitDestroys are git's commands that may throw work away, and discards, with strokes for blanks, are parts of texts by which they do.
	gitDestroys = " reset clean checkout restore stash push rebase "
	discards    = "--hard clean_-f clean_-d clean_-x -fdx -xfd -fdq stash_drop stash_clear checkout_-- checkout_. restore_. push_--force push_-f"
)

// oneWord reports one of the words of a list.
func oneWord(list, word string) bool { return word != "" && strings.Contains(list, " "+word+" ") }

// speaks reports a name with one of the parts in it.
func speaks(name, parts string) bool {
	for _, part := range strings.Fields(parts) {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// wordsOf are the words that stand behind another in a table of lines. A map of them would be built whenever the guard's hook starts.
func wordsOf(table, first string) []string {
	for _, line := range strings.Split(table, "\n") {
		if name, words, _ := strings.Cut(line, ": "); name == first {
			return strings.Fields(words)
		}
	}
	return nil
}

// destroys reports a text that may be, or begin, a command which destroys.
func destroys(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return oneWord(beginnings, word)
}

// sign is the character that stands at k; empty if there is none, or something else.
func (sc *scan) sign(k int) string {
	if k < 0 || k >= len(sc.tokens) || sc.tokens[k].kind != otherToken {
		return ""
	}
	return sc.tokens[k].text
}

// given are the known texts that the call at i is given, also in lists and by name; those that calls within it are given are not.
func (sc *scan) given(i int) (texts []string) {
	depth, inner := 0, 0
	for k := i + 1; k < len(sc.tokens); k++ {
		switch sc.sign(k) {
		case "(":
			if before := sc.sign(k - 1); depth > 0 && inner == 0 && (before == "" || before == ")" || before == "]") {
				inner = depth + 1
			}
			depth++
		case ")":
			if depth == inner {
				inner = 0
			}
			depth--
		default:
			compared := sc.sign(k-1) == "=" && sc.sign(k-2) != "" || sc.sign(k+1) == "="
			if inner == 0 && sc.plainText(k) && !compared && sc.sign(k+1) != ":" {
				texts = append(texts, sc.tokens[k].text)
			}
		}
		if depth == 0 {
			break
		}
	}
	return texts
}

// maker are the texts that stand in the call whose value the call at i belongs to: f("x").g() is called on f("x").
func (sc *scan) maker(i int) (texts []string) {
	k := i - 1
	for oneWord(" - > . ", sc.sign(k)) {
		k--
	}
	for depth := 0; k < i-1 && k > 0; k-- {
		switch sc.sign(k) {
		case ")":
			depth++
		case "(":
			depth--
		default:
			if depth > 0 && sc.plainText(k) {
				texts = append(texts, sc.tokens[k].text)
			}
		}
		if depth == 0 {
			break
		}
	}
	return texts
}

// loaded is the module that JavaScript loads in the parentheses that end at k: require("x").
func (sc *scan) loaded(k int) string {
	if sc.lang.Name == "javascript" && sc.sign(k) == ")" && k > 2 && sc.plainText(k-1) && oneWord(" require import ", sc.tokens[k-3].text) {
		return sc.tokens[k-1].text
	}
	return ""
}

// ofModule judges a call of what a module is, or of one of its members, by the module's name: require("x")(…), require("x").y(…).
func (sc *scan) ofModule(i int) {
	if module := sc.loaded(i); module != "" && sc.sign(i+1) == "(" {
		sc.judgeName(i, module)
	}
	if module := sc.loaded(i - 2); module != "" && sc.tokens[i].kind == nameToken {
		sc.judgeName(i, module+"."+sc.tokens[i].text)
	}
}

// undescribed judges the call at i, of which the tables know nothing.
func (sc *scan) undescribed(i int, name string) {
	lower := strings.ToLower(name)
	if !sc.atStake || sc.sign(i+1) != "(" || onlyLooks(lower) || sc.defines(name) {
		return
	}
	sc.reaches = true // what names hold counts here
	given := sc.given(i)
	does, surely := spokenOf(lower, given)
	if does == "none" && !speaks(lower, starts) {
		return
	}
	if !sc.testing {
		sc.commanded(name, lower, given)
	}
	if strings.HasPrefix(does, "delete") {
		given = append(given, sc.maker(i)...)
	}
	for _, text := range given {
		if path := sc.path(text); sc.missed(text) && (surely || !sc.testing && path != "/") && sc.step() {
			sc.doesTo(path, name, does, surely)
		}
	}
}

// onlyLooks reports a name in small letters of what only looks, asks or computes.
func onlyLooks(lower string) bool {
	last := lastName(lower)
	return oneWord(harmlessCalls, last) || oneWord(listers, last) || begins(last, strings.Fields(questions))
}

// spokenOf is what a name in small letters speaks of, as the tables write it, and whether it can be nothing else: remove may be a list's.
func spokenOf(lower string, given []string) (does string, surely bool) {
	words := " " + strings.NewReplacer(".", " ", "-", " ", "_", " ").Replace(lower) + " "
	last := lastName(lower)
	surely = speaks(lower, removesFiles) || strings.Contains(words, " rm ")
	mode := false // in which a file is written
	for _, text := range given {
		mode = mode || text != "" && strings.Trim(text, "wax+bt") == ""
	}
	switch {
	case surely || speaks(lower, takesAway) || strings.Contains(words, " del "):
		does = "delete recursive"
	case mode || speaks(last, changes):
		does = "write"
	case speaks(last, looks):
		does = "read"
	case speaks(last, computes):
		does = "none"
	}
	return does, surely
}

// doesTo judges a call that is given a path which somebody would miss.
func (sc *scan) doesTo(path, name, does string, surely bool) {
	zone := sc.locate(known(path), sc.cwd).zone
	if does == "" && zone == Secrets {
		does = "read"
	}
	switch {
	case does != "" && (surely || zone != Above || path == sc.at.Home):
		sc.call(&Call{Does: does}, []argument{{text: known(path)}})
	case does != "read" && zone != Device:
		sc.strange(name, path)
	}
}

// begins reports a name that one of the words begins.
func begins(name string, words []string) bool {
	for _, word := range words {
		if strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

// strange notes a call of which nothing is known, and what it is given.
func (sc *scan) strange(name, given string) {
	sc.fact(Fact{Kind: Unknown, Target: given, By: name, Traits: []Trait{Named}})
}

// commanded judges a command that a call is given, as one text or word for word. What would be denied is, if the name speaks of running it; else it is asked about.
func (sc *scan) commanded(name, lower string, given []string) {
	before := len(sc.facts)
	for _, text := range append(given[:len(given):len(given)], strings.Join(given, " ")) {
		if destroys(text) && strings.Contains(text, " ") && sc.step() {
			sc.strictly(func() { sc.starts(known(text)) })
		}
	}
	if len(sc.facts) > before && !speaks(lower, starts) {
		sc.facts = sc.facts[:before]
		sc.strange(name, strings.Join(given, " "))
	}
}

// defines reports a function that the code itself writes down, and which is read where it stands. All of them are looked for at once: a text may hold thousands of calls.
func (sc *scan) defines(name string) bool {
	if sc.defined == nil {
		sc.defined = map[string]bool{}
		writes, behind := false, false // a function begins in what is left of the line, from i+2 on and from i+1 on
		for i := len(sc.tokens) - 1; i > 0; i-- {
			t := sc.tokens[i]
			if t.kind == nameToken && (oneWord(definers, sc.tokens[i-1].text) || sc.sign(i+1) == "=" && writes) {
				sc.defined[t.text] = true
			}
			writes = behind
			switch sign := sc.sign(i); {
			case sign == "\n" || sign == ";":
				behind = false
			case sc.follows(i, "=>") || oneWord(" lambda sub fn function ", t.text):
				behind = true
			}
		}
	}
	return sc.defined[name]
}
