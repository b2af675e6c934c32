// Package configs answers "does this configuration demand as much as it did?": it reads two versions of one as their tool reads them, with what the tool does where nothing is said, and compares what comes out ([Judge]). So a
// setting that stands elsewhere, or says the same in other words, demands no less, and what it does not understand in full it does not vouch for.
//
// It knows tools and their settings. Who changed a file, what is said to whom, and what follows from it, others know; and what is unproven here, they judge setting by setting.
package configs

import (
	"path"
	"reflect"
	"slices"
	"strings"

	"fettle/internal/audit/trees"
	"fettle/internal/pattern"
)

// Judgement is what is said of a change to a configuration that was read as its tool reads it, from the least that is known on.
type Judgement int

// What can be said of one.
const (
	Unproven      Judgement = iota // something in it is not understood, or demands less: others have to look at its settings one by one
	MatterOfTaste                  // all of it is understood, and what some of it means a person knows
	NoLess                         // it demands what it did, or more
)

// reader compares two versions of what one tool reads.
type reader func(before, after trees.Tree) Judgement

// toolFile is a file that a tool reads, with how it is written.
type toolFile struct {
	files *pattern.Pattern
	parse func([]byte) (trees.Tree, error)
	read  reader
}

// wholes is the table of them.
var wholes = []toolFile{
	{pattern.New(`^tsconfig(\..+)?\.json$`), trees.JSON, tsconfig},
	{pattern.New(`^\.?ruff\.toml$`), trees.TOML, ruff},
	{pattern.New(`^pyproject\.toml$`), trees.TOML, pyproject},
	{pattern.New(`^\.?mypy\.ini$`), trees.INI, mypySections},
	{pattern.New(`^\.?pytest\.ini$`), trees.INI, pytestSection},
	{pattern.New(`^\.golangci\.ya?ml$`), trees.YAML, golangci},
	{pattern.New(`^\.rubocop\.yml$`), trees.YAML, rubocop},
	{pattern.New(`^\.?codecov\.ya?ml$`), trees.YAML, codecov},
	{pattern.New(`^phpstan\.neon(\.dist)?$`), trees.YAML, phpstan},
	{pattern.New(`^sonar-project\.properties$`), trees.Properties, sonar},
	{pattern.New(`^\.pre-commit-config\.ya?ml$`), trees.YAML, precommit},
	{pattern.New(`^tox\.ini$`), trees.INI, tox},
	{pattern.New(`^package\.json$`), trees.JSON, npmScripts},
	{pattern.New(`^pom\.xml$`), trees.XML, mavenTests},
	{pattern.New(`^\.gitlab-ci\.ya?ml$`), trees.YAML, gitlab},
	{pattern.New(`^\.(github|gitea|forgejo)/workflows/[\w.-]+\.ya?ml$`), trees.YAML, workflow},
	{pattern.New(`^(GNUm|m|M)akefile$`), trees.Makefile, makeTargets},
	{pattern.New(`^\.eslintrc(\.json)?$`), trees.JSON, eslintrc},
	{pattern.New(`^\.eslintrc\.ya?ml$`), trees.YAML, eslintrc},
}

// Judge compares two versions of a configuration, by its name, if its tool is known. What one of them lacks altogether is for others.
func Judge(name string, before, after []byte) Judgement {
	if len(before) == 0 || len(after) == 0 {
		return Unproven
	}
	for _, w := range wholes {
		if !w.files.MatchString(path.Base(name)) && !w.files.MatchString(name) {
			continue
		}
		was, err := w.parse(before)
		if err != nil {
			return Unproven
		}
		is, err := w.parse(after)
		if err != nil {
			return Unproven
		}
		return w.read(was, is)
	}
	return eslintFlat(name, before, after)
}

// turn is what it means that a setting is another one; nil is what is not there.
type turn func(was, is any) Judgement

// demand is in which direction settings demand more, by the keys down to them, with slashes between.
type demand struct {
	keys *pattern.Pattern
	turn turn
}

func towards(keys string, t turn) demand { return demand{pattern.New(`^(?:` + keys + `)$`), t} }

// judgeBy compares two trees by a table: what differs and is in none of its rows is not understood.
func judgeBy(was, is trees.Tree, table []demand) Judgement {
	to := NoLess
	each := func(keys string, a, b any) {
		i := slices.IndexFunc(table, func(d demand) bool { return d.keys.MatchString(keys) })
		if i < 0 {
			to = Unproven
			return
		}
		to = min(to, table[i].turn(a, b))
	}
	differences(was, is, "", table, each)
	return to
}

// differences tells of each value that two trees do not share, with its keys: of a mapping that is in the table, as a whole.
func differences(was, is trees.Tree, above string, table []demand, tell func(keys string, was, is any)) {
	for _, k := range keysOf(was, is) {
		a, b := was[k], is[k]
		if reflect.DeepEqual(a, b) {
			continue
		}
		keys := above + k
		inner := trees.Is(a) && (b == nil || trees.Is(b)) || a == nil && trees.Is(b)
		if inner && !slices.ContainsFunc(table, func(d demand) bool { return d.keys.MatchString(keys) }) {
			differences(trees.Of(a), trees.Of(b), keys+"/", table, tell)
			continue
		}
		tell(keys, a, b)
	}
}

// keysOf are the keys of two trees, sorted, each once.
func keysOf(a, b trees.Tree) []string {
	var all []string
	for k := range a {
		all = append(all, k)
	}
	for k := range b {
		if _, both := a[k]; !both {
			all = append(all, k)
		}
	}
	slices.Sort(all)
	return all
}

// ifSo is noLess where something holds.
func ifSo(holds bool) Judgement {
	if holds {
		return NoLess
	}
	return Unproven
}

// free is said of what does not say what is checked.
func free(_, _ any) Judgement { return NoLess }

// taste is said of what a project may want one way or another.
func taste(_, _ any) Judgement { return MatterOfTaste }

// on is said of a switch by which more is demanded. What is not there may be either.
func on(was, is any) Judgement {
	return ifSo(trees.TruthOf(trees.Text(is)) == trees.Yes || trees.TruthOf(trees.Text(was)) == trees.No)
}

// off is said of one by which less is.
func off(was, is any) Judgement {
	return ifSo(trees.TruthOf(trees.Text(is)) == trees.No || trees.TruthOf(trees.Text(was)) == trees.Yes)
}

// offByItself is said of one that is off where nothing is said of it.
func offByItself(was, is any) Judgement { return ifSo(is == nil || off(was, is) == NoLess) }

// onByItself is said of one that is on where it is set, and off where nothing is said of it.
func onByItself(was, is any) Judgement {
	return ifSo(was == nil && trees.TruthOf(trees.Text(is)) == trees.Yes || on(was, is) == NoLess)
}

// rises is said of the least that there has to be.
func rises(was, is any) Judgement {
	x, known := trees.Number(was)
	y, also := trees.Number(is)
	return ifSo(also && (was == nil || known && y >= x))
}

// falls is said of the most that there may be. One that is new may be more than what counts by itself.
func falls(was, is any) Judgement {
	x, known := trees.Number(was)
	y, also := trees.Number(is)
	return ifSo(known && also && y <= x)
}

// fallsToNone is said of a tolerance: there is none where nothing is said.
func fallsToNone(was, is any) Judgement { return ifSo(is == nil || falls(was, is) == NoLess) }

// grows is said of a list of what is looked at, which has to be there already: one that is new may be less than all.
func grows(was, is any) Judgement {
	return ifSo(was != nil && is != nil && len(trees.Without(partsIn(was), partsIn(is))) == 0)
}

// growsFromNone is said of a list of what is looked at beside the rest.
func growsFromNone(was, is any) Judgement {
	return ifSo(len(trees.Without(partsIn(was), partsIn(is))) == 0)
}

// growsToAll is said of one without which everything is looked at.
func growsToAll(was, is any) Judgement { return ifSo(is == nil || grows(was, is) == NoLess) }

// shrinks is said of a list of files that are left out: each that is has to lie in what was left out already. Whether others are made by tools, as they are called, a person knows.
func shrinks(was, is any) Judgement {
	switch fresh := uncovered(partsIn(was), partsIn(is), covers); {
	case len(fresh) == 0:
		return NoLess
	case len(handmadeOf(fresh)) == 0:
		return MatterOfTaste
	}
	return Unproven
}

// shrinksExactly is said of a list of names that are left out.
func shrinksExactly(was, is any) Judgement {
	return ifSo(len(trees.Without(partsIn(is), partsIn(was))) == 0)
}

// partsIn is a list of texts, which may also be one text with commas or on lines.
func partsIn(v any) []string {
	var all []string
	for _, w := range trees.Words(v) {
		for part := range strings.FieldsFuncSeq(w, func(r rune) bool { return r == '\n' || r == ',' }) {
			if part = strings.TrimSpace(part); part != "" {
				all = append(all, part)
			}
		}
	}
	return all
}

// prefixed reports whether a code of a rule stands for a family to which another one belongs: E for E501, not for EM101, and ALL for each.
func prefixed(wide, narrow string) bool {
	rest, inside := strings.CutPrefix(narrow, wide)
	return wide == "ALL" || inside && (rest == "" || rest[0] >= '0' && rest[0] <= '9' || wide == "PL")
}

// split takes some keys out of a tree, and gives both.
func split(t trees.Tree, keys ...string) (taken, rest trees.Tree) {
	taken, rest = trees.Tree{}, trees.Tree{}
	for k, v := range t {
		if slices.Contains(keys, k) {
			taken[k] = v
		} else {
			rest[k] = v
		}
	}
	return taken, rest
}
