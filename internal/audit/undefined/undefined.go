// Package undefined answers "which names does a change leave in use that nothing defines?".
//
// In Python, JavaScript and TypeScript no compiler says so ([Script]); what Go's and Java's would say ([Go], [Java]), whoever reads the change hears before. A name that was
// missing already is nobody's fault, and where names come from where nobody can look, there is no opinion.
//
// Two versions of one file go in, for Go with a way to ask for those beside it. Names that are reached by a path (members, fields) are not looked at.
package undefined

import (
	"context"

	"fettle/internal/names"
	"fettle/internal/syntax"
)

// Use is a name that is used where nothing defines it.
type Use struct {
	Name  string
	Line  int  // of its first use
	Taken bool // the change took its definition away
	Sure  bool // else something that nobody sees here may define it
}

// Evidence is what there is to say of it.
func (u Use) Evidence() string {
	if u.Taken {
		return u.Name + " is used here, and the change took its definition away"
	}
	return u.Name + " is used here, and nothing defines it: define it, import it, or call what there is"
}

// Script looks for names that the change made undefined: it took the definition or the import away, or brought in the use. In a file that
// gets names from where nobody can see (a script that shares them with others, one that lacked names before) only the first can be told; in
// JavaScript the host may define what no list knows, so the second is not sure.
func Script(l syntax.Lang, path string, before, after []byte) []Use {
	is, err := names.Read(context.Background(), l, path, after)
	if err != nil || is.Broken || is.Open || len(is.Undefined) == 0 {
		return nil // what cannot be read is judged by the rules that need no tree
	}
	was, err := names.Read(context.Background(), l, path, before)
	if err != nil {
		return nil
	}
	unseen := is.Shared || len(was.Undefined) > 0
	var all []Use
	for _, use := range is.Undefined {
		taken := was.Binds(use.Name)
		if was.Lacks(use.Name) || !taken && unseen {
			continue
		}
		all = append(all, Use{Name: use.Name, Line: use.Line, Taken: taken, Sure: taken || l == syntax.Python})
	}
	return all
}
