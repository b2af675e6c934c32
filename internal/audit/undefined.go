package audit

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"fettle/internal/names"
	"fettle/internal/syntax"
)

// nameRules look for code that cannot run.
var nameRules = []Rule{
	{"undefined-name", "a name is used that nothing defines, or not any more", each(undefinedNames)},
}

// undefinedNames looks for names that the change made undefined: it took the definition or the import away, or brought in the use. In a file that
// gets names from where nobody can see (a script that shares them with others, one that lacked names before) only the first can be told; in
// JavaScript the host may define what no list knows, so the second is asked about.
func undefinedNames(v *patchView, f *fileView) []Finding {
	all := undefined(v, f)
	slices.SortFunc(all, func(a, b Finding) int { return cmp.Or(a.Line-b.Line, strings.Compare(a.Evidence, b.Evidence)) })
	return all
}

func undefined(v *patchView, f *fileView) []Finding {
	l := syntax.LangOf(f.path)
	switch {
	case f.formatted, len(f.after) == 0, !f.text():
		return nil
	case l == syntax.Go:
		return undefinedGo(v, f)
	case l == syntax.Java:
		return undefinedJava(f)
	}
	if !names.Knows(l, f.path) {
		return nil
	}
	is, err := names.Read(context.Background(), l, f.path, f.after)
	if err != nil || is.Broken || is.Open || len(is.Undefined) == 0 {
		return nil // what cannot be read is judged by the rules that need no tree
	}
	was, err := names.Read(context.Background(), l, f.path, f.before)
	if err != nil {
		return nil
	}
	unseen := is.Shared || len(was.Undefined) > 0
	var all []Finding
	for _, use := range is.Undefined {
		found := Finding{Line: use.Line, Effect: Refuse}
		switch taken := was.Binds(use.Name); {
		case was.Lacks(use.Name):
			continue
		case taken:
			found.Evidence = use.Name + " is used here, and the change took its definition away"
		case unseen:
			continue
		default:
			found.Evidence = use.Name + " is used here, and nothing defines it: define it, import it, or call what there is"
			if l != syntax.Python {
				found.Effect = Ask
			}
		}
		all = append(all, found)
	}
	return all
}
