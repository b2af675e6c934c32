package configs

import (
	"path"
	"reflect"
	"slices"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/audit/trees"
	"fettle/internal/code"
	"fettle/internal/pattern"
)

// eslintrc compares settings of ESLint's as its older versions have them: rules for all, and others for some files.
func eslintrc(was, is trees.Tree) Judgement {
	a, restA := split(was, "rules", "overrides")
	b, restB := split(is, "rules", "overrides")
	if reflect.DeepEqual(restA, restB) {
		return lintsAsMuch(append([]any{trees.Tree{"rules": a["rules"]}}, trees.List(a["overrides"])...), append([]any{trees.Tree{"rules": b["rules"]}}, trees.List(b["overrides"])...))
	}
	return Unproven
}

var (
	eslintFile = pattern.New(`^eslint\.config\.[cm]?[jt]s$`)
	// listing are calls that give what they are given as one list of settings.
	listing = pattern.New(`^((\w+)\.config|defineConfig|config|tseslint)$`)
)

// eslintFlat compares settings of ESLint's that a program lists. All that stands around the list has to be as it was.
func eslintFlat(name string, before, after []byte) Judgement {
	if !eslintFile.MatchString(path.Base(name)) {
		return Unproven
	}
	was, aroundWas := flatList(readProgram(name, before))
	is, aroundIs := flatList(readProgram(name, after))
	if was == nil || is == nil || aroundWas != aroundIs {
		return Unproven
	}
	return lintsAsMuch(was, is)
}

// flatList is the list of settings that a program exports, and what stands around it; nil, if it exports none.
func flatList(f *code.File) (list []any, around string) {
	if f == nil {
		return nil, ""
	}
	for n := range f.Root.Walk() {
		var items []*code.Node
		switch {
		case n.Role == code.List:
			items = n.Kids
		case n.Role == code.Call && listing.MatchString(n.Kid(code.Callee).Text()):
			if items = n.All(code.Arg); len(items) == 1 && items[0].Role == code.List {
				items = items[0].Kids
			}
		default:
			continue
		}
		if len(items) == 0 || n.Function() != nil && n.Function() != f.Root {
			continue
		}
		list = []any{}
		for _, item := range items {
			list = append(list, codeValue(item))
		}
		rest := f.Source[:n.Start] + "[]" + f.Source[n.End:]
		return list, parts.Bare(rest)
	}
	return nil, ""
}

// lintsAsMuch compares two lists of settings of which the later count: those that were there have to be there in order, with rules that are no less grave, and those between them may
// only add to them.
func lintsAsMuch(was, is []any) Judgement {
	next := 0
	all := lints{was}
	for _, now := range is {
		switch {
		case next < len(was) && (reflect.DeepEqual(was[next], now) || all.graver(trees.Of(was[next]), trees.Of(now))):
			next++
		case !all.addsRules(trees.Of(now)):
			return Unproven
		}
	}
	return ifSo(next == len(was))
}

// lints is a list of settings, of which the later count.
type lints struct{ all []any }

// graver reports whether settings differ in rules alone, each of which is at least as grave as it was, with the same options.
func (l lints) graver(was, is trees.Tree) bool {
	a, restA := split(was, "rules")
	b, restB := split(is, "rules")
	if len(was) == 0 || len(is) == 0 || !reflect.DeepEqual(restA, restB) {
		return false
	}
	old, now := trees.Of(a["rules"]), trees.Of(b["rules"])
	for name, v := range old {
		x, optionsX := graveness(v)
		y, optionsY := graveness(now[name])
		switch {
		case reflect.DeepEqual(v, now[name]), x == 0 && now[name] == nil:
		case x < 0 || now[name] != nil && y < 0:
			return false
		case x > y && !l.hasStandIn(now, name, x, optionsX), x > 0 && x <= y && !reflect.DeepEqual(optionsX, optionsY):
			return false
		}
	}
	for name, v := range now {
		if _, was := old[name]; !was && !l.addsRule(now, name, v) {
			return false
		}
	}
	return true
}

// graveness is how grave what a rule finds is, 2 for an error, and with which options; -1, where nobody can tell.
func graveness(v any) (how int, options []any) {
	list := trees.List(v)
	if len(list) == 0 {
		return -1, nil
	}
	how = -1
	if word := trees.Text(list[0]); word == "0" || word == "1" || word == "2" {
		how = int(word[0] - '0')
	} else if s, known := Severity(word); known {
		how = s
	}
	return how, list[1:]
}

// addsRules reports whether settings that are new only have more looked for: in some files or all, errors, and no rule is off unless another one does its work.
func (l lints) addsRules(t trees.Tree) bool {
	rules := trees.Of(t["rules"])
	for key := range t {
		if key != "rules" && key != "files" && key != "name" {
			return false
		}
	}
	for name, v := range rules {
		if !l.addsRule(rules, name, v) {
			return false
		}
		if how, options := graveness(v); how == 0 && l.optionsOf(name) || len(options) > 0 {
			return false
		}
	}
	return len(rules) > 0
}

// addsRule reports whether a rule that is new among others finds errors by what it is told elsewhere, or leaves its work to another one.
func (l lints) addsRule(rules trees.Tree, name string, v any) bool {
	how, options := graveness(v)
	return how == 2 && len(options) == 0 || how == 0 && l.hasStandIn(rules, name, 2, nil)
}

// knowing are plugins whose rules do what the rule of ESLint's own of the same name does, and know more of the code.
var knowing = []string{"@typescript-eslint", "@stylistic", "@stylistic/ts", "@stylistic/js", "@babel"}

// hasStandIn reports whether a rule's work is done, as gravely and with the same options, by that of the same name of a plugin that is known, which nothing takes back elsewhere.
func (l lints) hasStandIn(rules trees.Tree, name string, grave int, options []any) bool {
	if strings.Contains(name, "/") {
		return false
	}
	for _, plugin := range knowing {
		lower := func(settings any) bool {
			v := trees.At(trees.Of(settings), "rules", plugin+"/"+name)
			how, _ := graveness(v)
			return v != nil && how < grave
		}
		if how, has := graveness(rules[plugin+"/"+name]); how >= grave && !slices.ContainsFunc(l.all, lower) && (reflect.DeepEqual(options, has) || len(options) == 0 && len(has) == 0) {
			return true
		}
	}
	return false
}

// optionsOf reports whether a rule has options anywhere.
func (l lints) optionsOf(name string) bool {
	for _, settings := range l.all {
		if _, options := graveness(trees.At(trees.Of(settings), "rules", name)); len(options) > 0 {
			return true
		}
	}
	return false
}
