package shell

import (
	slashpath "path"
	"strings"
)

// Secrets that code looks for by the names in a folder, or by a pattern, and then reads or copies one by one: no name of any of them stands in it.

// patterned are the listers that take a pattern.
const patterned = " glob iglob rglob globsync "

// seeks notes secrets among what the call at i finds, which is given texts, and asked of a folder.
func (sc *scan) seeks(i int, given, maker []string) {
	if sc.sought != "" || sc.pretending || len(given)+len(maker) == 0 {
		return
	}
	if len(maker) > 0 {
		given = []string{sc.joined(append(maker[len(maker)-1:len(maker):len(maker)], given[:min(1, len(given))]...))}
	}
	path := sc.path(given[0])
	switch last := strings.ToLower(lastName(sc.word(i))); {
	case last == "rglob" && len(maker) > 0: // in whatever folder below it
		path = slashpath.Dir(path) + "/*/" + slashpath.Base(path)
		fallthrough
	case oneWord(patterned, last):
		path = patterns(known(path)).text
	}
	if sc.locate(value{text: path}, sc.cwd).zone == Secrets {
		sc.sought = path
	}
}
