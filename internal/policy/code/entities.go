package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// Objects whose members a request names itself: it sets what nobody meant it to, that somebody is an admin or owns something.

// mergers are functions that put all members of others into their first argument.
var mergers = set(`Object.assign lodash.merge lodash.assign lodash.extend lodash.defaultsDeep lodash-es.merge lodash-es.assign lodash/merge lodash/assign _.merge _.assign _.extend underscore.extend
	jQuery.extend $.extend deepmerge merge-deep object-assign`)

// byName are functions that set a member under the name among their arguments, by their paths, with its place and how many they have.
var byName = map[string][2]int{"setattr": {1, 3}, "BeanUtils.populate": {1, 2}, "BeanUtils.setProperty": {1, 3}, "PropertyUtils.setProperty": {1, 3}, "Reflect.set": {1, 3}}

// bulk judges a member that is set under the name that a request says.
func (s *scan) bulk(n *program.Node) *hit {
	callee, args := n.Kid(program.Callee), n.All(program.Arg)
	path := s.eval(callee, 0).path
	if at, ok := byName[path]; ok && len(args) == at[1] {
		return s.chosenName(n, args[at[0]], path)
	}
	if s.isScript() && mergers[path] && len(args) > 1 && !s.fresh(args[0]) {
		for _, a := range args[1:] {
			if h := s.chosenName(n, operand(a), path); h != nil {
				return h
			}
		}
	}
	if !callee.Is(program.Attr) || len(args) != 1 {
		return nil
	}
	switch {
	case s.file.Lang == syntax.Python && callee.Name == "update" && strings.HasSuffix(callee.Kid(program.Object).Text(), ".__dict__"):
		return s.chosenName(n, operand(args[0]), "__dict__.update")
	case s.file.Lang == syntax.Go && callee.Name == "FieldByName" && strings.Contains(n.Statement().Text(), "Set"):
		return s.chosenName(n, args[0], "reflect.FieldByName")
	}
	return nil
}

// operand is what a spread takes apart, or the node itself.
func operand(n *program.Node) *program.Node {
	if n.Is(program.Spread) {
		return n.Kid(program.Operand)
	}
	return n
}

// chosenName judges a name, or an object with names, that a request says and nothing looks at.
func (s *scan) chosenName(n, of *program.Node, path string) *hit {
	if of.Is(program.Map) || s.taint(of, 0).from != said || s.looked(n, of) || s.typed(of) {
		return nil
	}
	return &hit{Injection, Review, path + ": members that a request names"}
}

// fresh reports an object that is made where it stands: it has nothing that could be overwritten.
func (s *scan) fresh(n *program.Node) bool {
	if n = s.written(n); n.Is(program.Map, program.List) {
		return true
	}
	return n.Is(program.Call) && (strings.HasPrefix(n.Text(), "new ") || makesAnew.MatchString(n.Kid(program.Callee).Text()))
}

var makesAnew = pattern.New(`(^|\.)(create|build|structuredClone|cloneDeep|clone|assign)$|^Object\.`)

// typed reports what comes from an object of a class that says which members it has: frameworks make one of what a request says, and leave out the rest.
func (s *scan) typed(n *program.Node) bool {
	starts := []*program.Node{operand(n)}
	for _, f := range s.flowsInto(operand(n)) {
		starts = append(starts, f.node)
	}
	return slices.ContainsFunc(starts, func(from *program.Node) bool {
		return s.hunts(from, func(at *program.Node) bool {
			t := strings.TrimSpace(strings.TrimLeft(s.typeOf(at), ": "))
			return t != "" && !openTypes.MatchString(t)
		}, func(at *program.Node, _ string) []*program.Node { return at.Kid(program.Callee).All(program.Object) })
	})
}

// flowsInto are what flows to a name; nothing to anything else.
func (s *scan) flowsInto(n *program.Node) []flow {
	if !n.Is(program.Name) {
		return nil
	}
	return s.givenTo(n)
}

// openTypes matches types of which nobody knows what members they have.
var openTypes = pattern.New(`^(any|unknown|object|Record<|Partial<|\{|[dD]ict\b|Any\b|Mapping|MutableMapping|str\b|string\b|Map<|(Http\w*|Servlet|Web|Multipart\w*)?Request\b|Express|http\.|\*?(http|gin|echo|fiber))`)
