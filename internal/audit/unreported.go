package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"fettle/internal/audit/examples"
	"fettle/internal/audit/functions"
	"fettle/internal/audit/parts"
	"fettle/internal/audit/trees"
	"fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/phrase"
	"fettle/internal/syntax"
)

// reportedNoMore looks for functions that reported an error before, and give an empty result, or success, in its place now: by a handler that catches every error, asks nothing of it
// and says nothing; in Go by an error that is set aside, or answered by none.
func reportedNoMore(f *fileView) []Finding {
	if f.test || f.programBefore == nil || f.programAfter == nil {
		return nil
	}
	was := parts.Functions(f.programBefore)
	is := parts.Functions(f.programAfter)
	var all []Finding
	for _, name := range slices.Sorted(maps.Keys(is)) {
		old, now := was[name], is[name]
		if old == nil || parts.Bare(old.Text()) == parts.Bare(now.Text()) {
			continue
		}
		places := silences(now)
		lost := reports(now) < reports(old)
		if len(places) <= len(silences(old)) {
			places = dropsPromised(old, now)
		}
		if len(places) <= len(silences(old)) || !lost && !claims(places[len(places)-1]) {
			continue
		}
		all = append(all, Finding{Line: places[len(places)-1].Line(), Effect: Ask, Evidence: fmt.Sprintf("%s reported an error, and gives %q in its place: that hides a fault", name, phrase.Clip(placeText(places[len(places)-1])))})
	}
	return all
}

// placeText is what stands at a place where an error is silenced, on one line.
func placeText(n *code.Node) string { return strings.Join(strings.Fields(n.Text()), " ") }

// silences are the places of a function where an error comes to nothing.
func silences(fn *code.Node) []*code.Node {
	var all []*code.Node
	for n := range fn.Own() {
		switch {
		case fn.File.Lang == syntax.Go:
			if setsErrorAside(n) || answersByNone(n) {
				all = append(all, n)
			}
		case n.Role == code.Other && handlerHead.MatchString(n.Text()) && functions.CatchesAll(n) && silent(n.Kid(code.Body)):
			all = append(all, n)
		case n.Role == code.Call && parts.LastName(n) == "catch" && parts.IsScript(fn.File.Lang) && len(n.All(code.Arg)) == 1 && n.All(code.Arg)[0].Role == code.Function && silent(n.All(code.Arg)[0].Kid(code.Body)):
			all = append(all, n)
		}
	}
	return all
}

var handlerHead = pattern.New(`^catch\b`)

// silent reports whether a handler does nothing but give a constant, or go on.
func silent(body *code.Node) bool {
	if body == nil {
		return false
	}
	if body.Role != code.Block {
		return plainValue(body)
	}
	for _, s := range body.Kids {
		switch {
		case s.Is(code.Return) && (len(s.Kids) == 0 || plainValue(s.Kids[0])), s.Is(code.Continue, code.Break, code.Pass):
		case s.Is(code.Eval) && s.Kid(code.Value).Is(code.Assign) && plainValue(s.Kid(code.Value).Kid(code.Value)), s.Is(code.Assign) && plainValue(s.Kid(code.Value)):
		default:
			return false
		}
	}
	return true
}

// plainValue reports whether a value is a constant that says little: empty, nothing, yes. That the answer is no may be what a failure means.
func plainValue(n *code.Node) bool {
	for n.Is(code.Group) {
		n = n.Kid(code.Operand)
	}
	if n.Is(code.Bool) {
		return strings.EqualFold(n.Text(), "true")
	}
	return parts.Value(n) && examples.Weight(examples.Literals(n)) == 0 || n.Is(code.Null) || namedPlain.MatchString(parts.Bare(n.Text())) || emptyMade.MatchString(parts.Bare(n.Text()))
}

// namedPlain matches such constants that have a name of their own: BigDecimal.ONE.
var namedPlain = pattern.New(`^(?:\w+\.)+(?:ZERO|ONE|TEN|EMPTY\w*|NONE|TRUE|NaN|M(?:IN|AX)_VALUE)$`)

// emptyMade matches calls that give something empty.
var emptyMade = pattern.New(`^(new)?[\w.<>]*\b(empty\w*|of|none|HashMap|ArrayList|HashSet|Map|Set|resolve)(<[\w,?]*>)?\((\[\]|\{\}|null|undefined|true)?\)$`)

// claims reports whether a handler says that all went well.
func claims(n *code.Node) bool {
	for k := range n.Walk() {
		if k.Is(code.Return) && len(k.Kids) == 1 && k.Kids[0].Is(code.Bool) && strings.EqualFold(k.Kids[0].Text(), "true") {
			return true
		}
	}
	return false
}

// reports counts where a function reports an error: it throws one, refuses what it promised, or gives one to who called.
func reports(fn *code.Node) int {
	sum := len(throwsOf(fn))
	for n := range fn.Own() {
		switch {
		case n.Role == code.Raise, n.Role == code.Call && (parts.LastName(n) == "panic" || parts.LastName(n) == "reject"):
			sum++
		case n.Role == code.Return && fn.File.Lang == syntax.Go && givesError(fn) && len(n.Kids) > 0 && !n.Kids[len(n.Kids)-1].Is(code.Null):
			sum++
		}
	}
	return sum
}

// throwsOf are the errors that a method of Java's says it throws.
func throwsOf(fn *code.Node) []string {
	body := fn.Kid(code.Body)
	if fn.File.Lang != syntax.Java || body == nil {
		return nil
	}
	if m := throwing.FindStringSubmatch(fn.Text()[:body.Start-fn.Start]); m != nil {
		return trees.Items(m[1])
	}
	return nil
}

var throwing = pattern.New(`\)\s*throws\s+([\w.,\s]+)$`)

// dropsPromised are the handlers of a method of Java's that do nothing with an error which the method promised before, and does not now.
func dropsPromised(old, now *code.Node) []*code.Node {
	gone := slices.DeleteFunc(throwsOf(old), func(e string) bool { return slices.Contains(throwsOf(now), e) })
	var all []*code.Node
	for n := range now.Own() {
		if n.Role != code.Other || !handlerHead.MatchString(n.Text()) || !silent(n.Kid(code.Body)) && !givesNo(n.Kid(code.Body)) {
			continue
		}
		head, _, _ := strings.Cut(n.Text(), "{")
		if len(gone) > 0 && (functions.CatchesAll(n) || slices.ContainsFunc(gone, func(e string) bool { return parts.Mentions([]byte(head), e[strings.LastIndex(e, ".")+1:]) })) {
			all = append(all, n)
		}
	}
	return all
}

// givesNo reports whether a handler does nothing but say no.
func givesNo(body *code.Node) bool {
	return body != nil && len(body.Kids) == 1 && body.Kids[0].Is(code.Return) && len(body.Kids[0].Kids) == 1 && body.Kids[0].Kids[0].Is(code.Bool)
}

// givesError reports whether the last of what a function of Go's gives is an error.
func givesError(fn *code.Node) bool { return lastError.MatchString(fn.Type) }

var (
	lastError = pattern.New(`\berror\s*\)?$`)
	errorName = pattern.New(`^(err|e|\w*Err)$`)
)

// setsErrorAside reports whether a statement of Go's drops the last of what a call gives.
func setsErrorAside(n *code.Node) bool {
	if n.Role != code.Assign || n.Up(code.Function) == nil || !givesError(n.Function()) {
		return false
	}
	to := n.All(code.Target)
	return len(to) > 0 && to[len(to)-1].Text() == "_" && len(n.All(code.Value)) == 1 && n.Kid(code.Value).Is(code.Call)
}

// answersByNone reports whether an if of Go's finds an error, makes nothing of it, and gives none.
func answersByNone(n *code.Node) bool {
	if n.Role != code.If || !n.Kid(code.Cond).Is(code.Compare) || n.Kid(code.Cond).Op != "!=" || !givesError(n.Function()) {
		return false
	}
	left, right := n.Kid(code.Cond).Kid(code.Left), n.Kid(code.Cond).Kid(code.Right)
	if !right.Is(code.Null) || !errorName.MatchString(left.Text()) {
		return false
	}
	for _, s := range n.Kid(code.Then).Kids {
		if !s.Is(code.Return) || len(s.Kids) == 0 || !s.Kids[len(s.Kids)-1].Is(code.Null) {
			return false
		}
	}
	return len(n.Kid(code.Then).Kids) > 0
}
