package shell

import (
	slashpath "path"
	"strings"
)

// Paths that are put together of pieces, of which only the first are known.

// separators are names of the sign between the parts of a path.
const separators = " os.sep os.path.sep sep posixpath.sep path.sep path.posix.sep File.SEPARATOR File.separator os.PathSeparator filepath.Separator "

// joinsList reports a call that puts a list together with a sign between its elements.
func joinsList(name string) bool {
	head, method := strings.CutSuffix(name, ".join")
	return name == "strings.Join" || method && oneWord(separators, head)
}

// foldPieces makes one text of the known pieces with which a path from the root begins, where what follows is not known: os.path.join("/", "home", user) is os.path.join("/home", user),
// and "/".join(["", "home", user]) has the same in it. A list of which all is known is the path itself.
func (sc *scan) foldPieces(i int, name string) {
	if sc.sign(i+1) != "(" || oneWord(definers, sc.word(i-1)) {
		return
	}
	begin, open := sc.listJoined(i, name)
	list := open > 0
	if !list {
		if open = i + 1; !puts(name) || sc.sign(i-1) == "." {
			return
		}
	}
	switch path, behind := sc.firstPieces(open+1, list); {
	case path == "":
	case list && behind == sc.closes(open):
		sc.put(begin, min(sc.closes(i+1)+1, len(sc.tokens)), path, false)
	default:
		sc.tokens = append(append(sc.tokens[:open+1:open+1], token{kind: textToken, text: path}), sc.tokens[behind:]...)
	}
}

// listJoined is where a call begins that puts a list together as a path, and where the list opens; zero, if the call at i is none.
func (sc *scan) listJoined(i int, name string) (begin, open int) {
	switch of := sc.sign(i-1) == "."; {
	case name == "strings.Join": // strings.Join([]string{ … }, "/")
		for open = i + 2; open < i+6 && sc.sign(open) != "{"; {
			open++
		}
		if last := sc.closes(open); sc.sign(last+1) == "," && sc.separates(last+2) > 0 {
			return i, open
		}
	case joinsList(name) && oneWord(" [ ( ", sc.sign(i+2)): // os.sep.join([ … ])
		return i, i + 2
	case name != "join" || !of:
	case i > 1 && sc.separates(i-2) > 0 && oneWord(" [ ( ", sc.sign(i+2)): // "/".join([ … ])
		return i - 2, i + 2
	case sc.sign(i-2) == "]" && sc.separates(i+2) > 0: // [ … ].join("/")
		begin = sc.opens(i - 2)
		return begin, begin
	}
	return 0, 0
}

// firstPieces is the path that the known pieces from k on make, and the place behind them; empty, if it does not begin at the root, or there is but one of them.
func (sc *scan) firstPieces(k int, list bool) (path string, behind int) {
	var parts []string
	for {
		n := 0
		switch {
		case sc.plainText(k):
			parts, n = append(parts, sc.tokens[k].text), 1
		case sc.separates(k) > 0:
			parts, n = append(parts, "/"), sc.separates(k)
		}
		if n == 0 {
			break
		}
		if end := sc.sign(k + n); end != "," {
			if oneWord(" ) ] } ", end) {
				behind = k + n
			} else {
				parts = parts[:len(parts)-1] // something is put to it
			}
			break
		}
		behind, k = k+n, k+n+1
	}
	if len(parts) < 2 || parts[0] != "" && parts[0][0] != '/' || parts[0] == "" && !list {
		return "", 0
	}
	if list {
		return slashpath.Clean(strings.Join(parts, "/")), behind
	}
	return slashpath.Clean(sc.joined(parts)), behind
}

// separates is how many tokens the sign between the parts of a path has that stands at k: "/", os.sep, string(os.PathSeparator); zero: there is none.
func (sc *scan) separates(k int) int {
	switch word := sc.word(k); {
	case sc.plainText(k) && sc.tokens[k].text == "/", oneWord(separators, sc.realName(word)):
		return 1
	case word == "string" && sc.sign(k+1) == "(" && oneWord(separators, sc.word(k+2)) && sc.sign(k+3) == ")":
		return 4
	}
	return 0
}

// closes is where what opens at k is closed, or the end of the code.
func (sc *scan) closes(k int) int {
	for depth := 0; k < len(sc.tokens); k++ {
		if depth += sc.tokens[k].turn(); depth == 0 {
			break
		}
	}
	return k
}

// opens is where what is closed at k opens, or the beginning of the code.
func (sc *scan) opens(k int) int {
	for depth := 0; k > 0; k-- {
		if depth += sc.tokens[k].turn(); depth == 0 {
			break
		}
	}
	return k
}
