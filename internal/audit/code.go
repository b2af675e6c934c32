package audit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"fettle/internal/audit/functions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
)

// codeRules look for code that was taken away instead of mended.
var codeRules = []Rule{
	{"placeholder", "a function's body was replaced by nothing, or by saying that it is not implemented", each(placeholders)},
	{"elided", "a comment stands where code should be: \"rest unchanged\"", each(elided)},
	{"deleted-function", "a function is gone", deletedFunctions},
	{"duplicate", "a function or a class is defined twice, so that one hides the other", each(duplicates)},
}

func placeholders(_ *patchView, f *fileView) []Finding {
	var all []Finding
	for _, d := range f.functionsAfter {
		if !d.Empty || !emptied(f.functionsBefore, f.functionsAfter, d) {
			continue
		}
		if last, _ := functions.ByName(f.functionsAfter, d.Name); d.Decorated && !last.Empty {
			continue // an overload: the last of its name is what is called
		}
		all = append(all, Finding{Line: d.Line, Effect: Refuse, Evidence: d.Name + " lost its body: write the whole function"})
	}
	return append(all, f.unfinished(all)...)
}

// emptied reports whether a function that does nothing now did something before. Of several that have its name, as in the branches of a condition, the one in its
// place; if there are more or fewer of them now, it is so where more are empty than were, or where none is left that does something.
func emptied(before, after []functions.Function, now functions.Function) bool {
	alike := func(all []functions.Function) (same []functions.Function, empty int) {
		for _, o := range all {
			if o.Name == now.Name && o.Key == now.Key {
				same = append(same, o)
				if o.Empty {
					empty++
				}
			}
		}
		return same, empty
	}
	was, emptyBefore := alike(before)
	is, emptyAfter := alike(after)
	switch {
	case len(was) == 0:
		o, existed := functions.ByName(before, now.Name)
		return existed && !o.Empty
	case len(was) == len(is):
		i := slices.IndexFunc(is, func(o functions.Function) bool { return o.Line == now.Line })
		return i >= 0 && !was[i].Empty
	default:
		return emptyAfter > emptyBefore || emptyAfter == len(is) && emptyBefore < len(was)
	}
}

// elisions match comments that as a whole say that code was left out: "rest of the file unchanged", "... existing code ...".
var elisions = []*pattern.Pattern{
	pattern.New(`(?i)^(#|//|/\*|<!--|--)\W*(the )?(rest|remainder|remaining|existing|previous|other)\b(\W+\w+){0,5}\W+(unchanged|same|before|omitted|here)\W*$`),
	pattern.New(`(?i)^(#|//|/\*|<!--|--)\s*[(\[]?\s*(\.\.\.|…)\W*(the )?(rest|existing|remaining|other|previous|unchanged|same|snip|omitted)\b(\W+\w+){0,5}\W*$`),
}

func elided(_ *patchView, f *fileView) []Finding {
	var all []Finding
	for _, l := range f.newLines() {
		if slices.ContainsFunc(elisions, func(e *pattern.Pattern) bool { return e.MatchString(l.text) }) {
			all = append(all, Finding{Line: l.number, Effect: Refuse, Evidence: fmt.Sprintf("%q stands for code that was left out: write all of it", phrase.Clip(l.text))})
		}
	}
	return all
}

// deletedFunctions looks for functions that are in none of the patch's files any more. A public one may be used from
// outside, so a person decides; that a private one went is worth a note.
func deletedFunctions(v *patchView) []Finding {
	var all []Finding
	for _, f := range v.files {
		if !f.readable() || f.test && len(f.defsBefore) == 0 {
			continue // the checks will say so
		}
		exports := sync.OnceValue(func() map[string]bool { return parts.Exports(f.programBefore) })
		for _, d := range f.functionsBefore {
			if d.Test || v.has(d) {
				continue
			}
			found := Finding{Path: f.path, Line: d.Line, Effect: Note, Evidence: d.Name + " is gone"}
			if (d.Public && !v.keptInside(f, d.Name) || d.Node != nil && functions.IsPublic(d.Node, exports)) && !v.retold(f).Around {
				found.Effect = Ask
				found.Evidence = d.Name + " is gone, and others may use it: mend it, or let a person confirm"
			}
			all = append(all, found)
		}
	}
	return all
}

// has reports whether a function of this name is in any file after the patch.
func (v *patchView) has(d functions.Function) bool {
	for _, f := range v.files {
		if _, ok := functions.ByName(f.functionsAfter, d.Name); ok {
			return true
		}
	}
	return false
}

// duplicates looks for plain functions and classes that stand twice in one scope of a file. Where the language allows it, the later one
// silently hides the earlier.
func duplicates(_ *patchView, f *fileView) []Finding {
	before := repeated(slices.Concat(f.functionsBefore, classes(f.programBefore)))
	var all []Finding
	after := repeated(slices.Concat(f.functionsAfter, classes(f.programAfter)))
	for _, name := range slices.Sorted(maps.Keys(after)) {
		d := after[name]
		if _, was := before[name]; !was {
			all = append(all, Finding{Line: d.Line, Effect: Refuse, Evidence: d.Name + " is defined a second time and hides the first: change the first instead"})
		}
	}
	return all
}

func repeated(all []functions.Function) map[string]functions.Function {
	seen, twice := make(map[string]bool), make(map[string]functions.Function)
	for _, d := range all {
		if d.Decorated || d.Conditional || d.Name == "init" || d.Name == "_" {
			continue
		}
		key := cmp.Or(d.Key, d.Name)
		if seen[key] {
			twice[key] = d
		}
		seen[key] = true
	}
	return twice
}

// classes are those of a program that stand in nothing else. Interfaces may be told in parts.
func classes(f *code.File) []functions.Function {
	if f == nil {
		return nil
	}
	var all []functions.Function
	for n := range f.Root.Walk() {
		if n.Role != code.Class || n.Name == "" || n.Up(code.Class) != nil || n.Function() != nil {
			continue
		}
		if head, _, _ := strings.Cut(n.Text(), n.Name); strings.Contains(head, "class ") {
			all = append(all, functions.Function{Name: n.Name, Key: "class " + n.Name, Line: n.Line(), Conditional: n.Up(code.If) != nil || n.Parent.Role == code.Other})
		}
	}
	return all
}
