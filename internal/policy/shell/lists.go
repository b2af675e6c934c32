package shell

import (
	slashpath "path"
	"slices"
	"strings"
)

// A name may hold a list of known texts, or of such lists. One that goes through it holds one of them after the other, so the code is judged once for each.

// mostTurns is how many of a list's elements are looked at.
const mostTurns = 16

// listIn are the elements of the list that stands at i, where it is made of known texts and of such lists alone, and the place behind it.
func listIn(tokens []token, i int) (elements [][]token, end int) {
	for i+1 < len(tokens) && tokens[i].is("[") && tokens[i+1].is("]") { // Go: []string{
		i += 2
	}
	if i < len(tokens) && tokens[i].text == "string" {
		i++
	}
	if i < 0 || i >= len(tokens) || tokens[i].turn() != 1 {
		return nil, i
	}
	depth := 1
	var element []token
	for k := i + 1; k < len(tokens); k++ {
		t := &tokens[k]
		turn := t.turn()
		depth += turn
		switch {
		case t.is("\n"):
			continue
		case depth == 0 || depth == 1 && t.is(","):
			if element != nil {
				elements, element = append(elements, element), nil
			}
			if depth == 0 {
				return elements, k + 1
			}
			continue
		case turn == 0 && !t.plain() && !t.is(","):
			return nil, i
		}
		element = append(element, *t)
	}
	return nil, i
}

// listOf are elements as a list that every language's calls are given as one.
func listOf(elements [][]token) []token {
	list := []token{{kind: otherToken, text: "["}}
	for _, e := range elements {
		list = append(append(list, e...), token{kind: otherToken, text: ","})
	}
	return append(list, token{kind: otherToken, text: "]"})
}

// goesThrough notes which element of a list names hold in this turn, and reports whether the word at i says that they go through one: in and of
// behind for, range, foreach, and JavaScript's and Ruby's calls of a list.
func (b *binder) goesThrough(i int) bool {
	var names []string
	var list [][]token
	switch word := b.word(i); {
	case oneWord(" in of ", word):
		if names = b.loopNames(i - 1); names != nil {
			list = b.elements(i + 1)
		}
	case word == "range" && b.sign(i-1) == "=": // for _, name := range list
		names, list = []string{b.word(i - 3)}, b.elements(i+1)
	case word == "foreach" && b.word(i+3) == "as": // ($list as $name)
		names, list = []string{b.word(i + 4)}, b.elements(i+2)
	case oneWord(" for foreach ", word) && b.word(i+1) == "my": // my $name (@list)
		if names, list = []string{b.word(i + 2)}, b.elements(i+4); list == nil {
			list = b.elements(i + 3)
		}
	case oneWord(" forEach map each ", word) && b.sign(i-2) == "]":
		names, list = []string{b.firstWord(i + 1)}, b.listBefore(i-2)
	}
	if list == nil {
		return false
	}
	b.lastTurn = max(b.lastTurn, min(len(list), mostTurns)-1)
	for _, name := range names {
		delete(b.holds, name)
		delete(b.params, name)
	}
	if b.turn >= len(list) {
		return true
	}
	each := [][]token{list[b.turn]}
	if len(names) > 1 {
		each, _ = listIn(list[b.turn], 0)
	}
	for k, name := range names[:min(len(names), len(each))] {
		b.holds[name] = each[k]
	}
	return true
}

// elements are those of the list that the name at i holds, or that stands there.
func (b *binder) elements(i int) [][]token {
	tokens := b.tokens[min(i, len(b.tokens)):]
	if held := b.holds[b.word(i)]; held != nil {
		tokens = held
	}
	list, _ := listIn(tokens, 0)
	return list
}

// loopNames are the names, from the last at i back to what begins a loop, that go through a list: for a, b in; for (const [a, b] of. nil: no loop begins there.
func (sc *scan) loopNames(i int) (names []string) {
	for ; i > 0; i-- {
		switch word := sc.word(i); {
		case oneWord(" for const let var my ", word):
			slices.Reverse(names)
			return names
		case word != "":
			names = append(names, word)
		case !oneWord(" , ( ) [ ] ", sc.sign(i)):
			return nil
		}
	}
	return nil
}

// listBefore is the list that ends at i.
func (sc *scan) listBefore(i int) [][]token {
	depth := 0
	for begin := i; begin >= 0; begin-- {
		if depth -= sc.tokens[begin].turn(); depth == 0 {
			list, _ := listIn(sc.tokens, begin)
			return list
		}
	}
	return nil
}

// firstWord is the first name behind signs, and behind Ruby's do: ((name) =>, do |name|.
func (sc *scan) firstWord(i int) string {
	for oneWord(" ( { | ", sc.sign(i)) || sc.word(i) == "do" {
		i++
	}
	return sc.word(i)
}

// foundBelow is what is known of the names that Python's code goes through by the name at i, where it looks for files in a folder of the project by a pattern:
// for p in Path("src").rglob("*.py"). Empty: it does not, or they may be anything.
func (sc *scan) foundBelow(i int) string {
	if sc.lang.Name != "python" || sc.word(i-1) != "for" || sc.word(i+1) != "in" {
		return ""
	}
	k := i + 2
	for oneWord(" sorted list set tuple ", sc.word(k)) && sc.sign(k+1) == "(" {
		k += 2
	}
	folder := ""
	switch name := sc.word(k); {
	case oneWord(" glob iglob glob.glob glob.iglob ", name):
	case lastName(name) == "Path" && sc.sign(k+1) == "(" && sc.plainText(k+2) && sc.sign(k+3) == ")":
		folder, k = sc.tokens[k+2].text, k+5
	case sc.plainText(k):
		folder, k = sc.tokens[k].text, k+2
	default:
		return ""
	}
	if folder != "" && (sc.sign(k-1) != "." || !oneWord(" glob rglob ", sc.word(k))) || sc.sign(k+1) != "(" || !sc.plainText(k+2) || !oneWord(" ) , ", sc.sign(k+3)) {
		return ""
	}
	return belowFolder(folder, sc.tokens[k+2].text)
}

// belowFolder is what is known of the names that a pattern fits below a folder of the project. Right in the project that is only said of names of which none steers anything.
func belowFolder(folder, pattern string) string {
	path := slashpath.Join(folder, pattern)
	before, _, _ := cutAny(path, "*?[")
	dir := strings.TrimPrefix(before[:strings.LastIndexByte(before, '/')+1], "./")
	name := slashpath.Base(pattern)
	end := ending(name)
	if remade(name) {
		end = "/" + name
	}
	if slashpath.IsAbs(path) || path[0] == '~' || strings.Contains(path, "..") || strings.Contains("/"+dir, "/.") || strings.ContainsAny(end, "*?[") || strings.ContainsRune(path, hole) {
		return ""
	}
	if dir == "" && (end == "" || slices.Contains(mixedEndings, end)) {
		return ""
	}
	return "./" + dir + string(hole) + end
}
