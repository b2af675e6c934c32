package shell

import "strings"

// A name that goes through a list of known texts holds one of them after the other, so the code is judged once for each.

// mostTurns is how many texts of a list are looked at.
const mostTurns = 16

// goesThrough notes which text of a list a name holds in this turn, and reports whether the word at i says that it goes through one: in and of
// behind for, range, foreach, and JavaScript's and Ruby's calls of a list.
func (b *binder) goesThrough(i int) bool {
	name, list := "", []string(nil)
	switch word := b.word(i); {
	case word == "in" && b.word(i-2) == "for", word == "of" && oneWord(" const let var ", b.word(i-2)):
		name, list = b.word(i-1), b.texts(i+1)
	case word == "range" && b.sign(i-1) == "=": // for _, name := range list
		name, list = b.word(i-3), b.texts(i+1)
	case word == "foreach" && b.word(i+3) == "as": // ($list as $name)
		name, list = b.word(i+4), b.texts(i+2)
	case oneWord(" for foreach ", word) && b.word(i+1) == "my": // my $name (@list)
		if name, list = b.word(i+2), b.texts(i+4); list == nil {
			list = b.listAt(i + 3)
		}
	case oneWord(" forEach map each ", lastName(word)):
		of, _, _ := strings.Cut(word, ".")
		if name, list = b.firstWord(i+1), b.lists[of]; b.sign(i-2) == "]" {
			list = b.listBefore(i - 2)
		}
	}
	if list == nil {
		return false
	}
	delete(b.holds, name)
	delete(b.params, name)
	if b.lastTurn = max(b.lastTurn, min(len(list), mostTurns)-1); b.turn < len(list) {
		b.hold(name, list[b.turn])
	}
	return true
}

// texts is the list that the name at i holds, or that stands there.
func (b *binder) texts(i int) []string {
	if list := b.lists[b.word(i)]; list != nil {
		return list
	}
	return b.listAt(i)
}

// listBefore is the list of known texts that ends at i.
func (sc *scan) listBefore(i int) []string {
	begin := i
	for begin > 0 && sc.sign(begin) != "[" {
		begin--
	}
	return sc.listAt(begin)
}

// firstWord is the first name behind signs, and behind Ruby's do: ((name) =>, do |name|.
func (sc *scan) firstWord(i int) string {
	for oneWord(" ( { | ", sc.sign(i)) || sc.word(i) == "do" {
		i++
	}
	return sc.word(i)
}

// listAt is the list of known texts that stands at i; nil if it is none.
func (sc *scan) listAt(i int) (list []string) {
	for oneWord(" [ ] ", sc.sign(i)) && sc.word(i+2) == "string" || sc.word(i) == "string" { // Go: []string{
		i++
	}
	if !oneWord(" [ ( { ", sc.sign(i)) {
		return nil
	}
	for i++; ; i++ {
		switch sign := sc.sign(i); {
		case sc.plainText(i) && oneWord(" , ] ) } \n ", sc.sign(i+1)):
			list = append(list, sc.tokens[i].text)
		case oneWord(" ] ) } ", sign):
			return list
		case sign != "," && sign != "\n":
			return nil
		}
	}
}
