package audit

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/undefined"
	"fettle/internal/lang"
	"fettle/internal/names"
	"fettle/internal/syntax"
)

// nameRules look for code that cannot run.
var nameRules = []Rule{
	{"undefined-name", "a name is used that nothing defines, or not any more", each(undefinedNames)},
}

// undefinedNames looks for names that the change made undefined; where something that nobody sees may define them, a person is asked.
func undefinedNames(v *patchView, f *fileView) []Finding {
	var all []Finding
	for _, u := range undefinedUses(v, f) {
		found := Finding{Line: u.Line, Effect: Ask, Evidence: u.Evidence()}
		if u.Sure {
			found.Effect = Refuse
		}
		all = append(all, found)
	}
	slices.SortFunc(all, func(a, b Finding) int { return cmp.Or(a.Line-b.Line, strings.Compare(a.Evidence, b.Evidence)) })
	return all
}

func undefinedUses(v *patchView, f *fileView) []undefined.Use {
	l := syntax.LangOf(f.path)
	switch {
	case f.formatted, len(f.after) == 0, !f.text():
		return nil
	case l == syntax.Go:
		return undefined.Go(f.before, f.after, func() ([]undefined.Sibling, bool) { return v.goSiblings(f.path) })
	case l == syntax.Java:
		return undefined.Java(f.programBefore, f.programAfter)
	case !names.Knows(l, f.path):
		return nil
	}
	return undefined.Script(l, f.path, f.before, f.after)
}

// goSiblings are the files of Go's in a file's folder, and whether these are all that there are.
func (v *patchView) goSiblings(file string) (all []undefined.Sibling, whole bool) {
	own := func(name string) bool { return path.Ext(name) == ".go" && path.Dir(name) == path.Dir(file) }
	changed := make(map[string]bool)
	for _, o := range v.files {
		if changed[o.path] = true; own(o.path) {
			all = append(all, undefined.Sibling{Before: o.before, After: o.after})
		}
	}
	if v.list == nil {
		return all, false
	}
	whole = !lang.IsVendored(file)
	for _, name := range v.list() {
		if !own(name) || changed[name] {
			continue
		}
		f, err := v.source(name)
		if err != nil {
			whole = false
			continue
		}
		all = append(all, undefined.Sibling{Before: f.Data, After: f.Data})
	}
	return all, whole
}
