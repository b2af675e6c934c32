package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// Doors: a word that stands in the source lets in whoever says it, and an address that whoever asks writes himself says where he is.

var (
	// passwords matches literals that look like one: letters, with a digit or a hyphen among them.
	passwords = pattern.New(`^['"` + "`" + `][^\s/\\<>(){}'"]{6,64}['"` + "`" + `]$`)
	lettered  = pattern.New(`[A-Za-z]`)
	odd       = pattern.New(`[0-9-]`)
	// protocol matches what requests say as a matter of course.
	protocol = pattern.New(`(?i)^['"` + "`" + `](same-(origin|site)|cross-(origin|site)|no-(cache|store|cors)|keep-alive|utf-?(8|16)|iso-8859-\d+|windows-125\d|x-www-form-urlencoded|max-age.*|http-?\d.*|https?|text-\w+|read-only|v\d[\w.-]*|[\d.:-]+|` +
		`(GET|POST|PUT|DELETE|PATCH)\w*|sha-?\d+|(en|de|fr|es|pt|zh)-\w+|XMLHttpRequest|localhost[\w.:-]*|[\d.]+|rfc\d+|base64(url)?|[a-z]+-?(asc|desc|by|at|type|only))['"` + "`" + `]$`)
	// exalts matches statements that make somebody more than he was, passes those that let a request through.
	exalts = pattern.New(`(?i)(is_?)?(admin|super_?user|staff|root|owner)['"]?\]?\s*[:=]\s*(true|1\b|['"])|\broles?['"]?\]?\s*[:=]\s*\[?\s*['"](admin|root|owner|super|staff)|set_?(is_?)?(admin|role|superuser)\(\s*(true|['"](admin|root|owner))|(grant|login_?as|sign_?in_?as|impersonate)\w*\(`)
	passes = pattern.New(`\bnext\(\s*\)|\bdoFilter\(|\.ServeHTTP\(|\bcall_next\(|\bget_response\(|\bc\.Next\(`)
	agreed = pattern.New(`(?i)\breturn\s+(true|nil\b)|return\s+(await\s+)?(next|call_next|handler)\(`)
	turned = pattern.New(`(?i)\b40[13]\b|forbidden|unauthori[sz]ed|access_?denied|permission_?denied|\breturn\s+false\b`)
)

// looksSecret reports a literal that looks like a password.
func looksSecret(n *program.Node) bool {
	text := n.Text()
	return passwords.MatchString(text) && lettered.MatchString(text) && odd.MatchString(text) && !protocol.MatchString(text)
}

// door judges a comparison of what a request says with a word of the source, by which a guard opens.
func (s *scan) door(n *program.Node) *hit {
	l, r := s.sides(n)
	if l == nil || r == nil || s.tries(n) {
		return nil
	}
	word := s.written(r)
	asked := l
	if !word.Is(program.Str) {
		word, asked = s.written(l), r
	}
	if !word.Is(program.Str) || !looksSecret(word) || !s.presented(asked) {
		return nil
	}
	if s.opensWith(n, strings.HasPrefix(n.Op, "!") || n.Parent.Is(program.Not)) {
		return &hit{Weakening, Review, "a word of the source opens a door"}
	}
	return nil
}

// presented reports what whoever asks shows: a part of a request, or what a guard is given under the name of a proof.
func (s *scan) presented(n *program.Node) bool {
	if s.taint(n, 0).from == said {
		return true
	}
	return n.Is(program.Name) && proofs.MatchString(n.Name) && definer(n) != nil && decides(n)
}

// decides reports a function that decides who may do something.
func decides(n *program.Node) bool {
	name := function(n)
	return admits.MatchString(name) || deciding.MatchString(name) || proving.MatchString(name)
}

// proving matches functions that look whether somebody is who he says.
var proving = pattern.New(`(?i)(check|match|compare|test)\w*_?(passw|pwd|pin|secret|credential|token|otp|key)`)

// opensWith reports whether a condition, once it is met alone, lets somebody in; denied: once it is not.
func (s *scan) opensWith(n *program.Node, denied bool) bool {
	at := n
	for up := at.Parent; up.Is(program.Group, program.Not) || up.Is(program.Logic) && eitherWay(up.Op) != denied; up = at.Parent {
		at = up
	}
	up := at.Parent
	switch {
	case up.Is(program.If) && at.Part == program.Cond:
		return letsIn(n, up.Kid(program.Then).Text(), denied)
	case denied:
		return false
	case up.Is(program.Choice) && at.Part == program.Cond:
		return exalts.MatchString(up.Parent.Text())
	case up.Is(program.Return), at.Part == program.Body:
		return decides(n)
	case up.Is(program.Assign, program.Pair):
		return exalted.MatchString(firstOf(up.Kid(program.Target), up.Kid(program.Key)).Text())
	}
	return false
}

// letsIn reports what is done under a condition that lets somebody in; denied: that turns him away where it is not met.
func letsIn(n *program.Node, then string, denied bool) bool {
	if denied {
		return turned.MatchString(then)
	}
	return exalts.MatchString(then) || passes.MatchString(then) || agreed.MatchString(then) && decides(n)
}

// exalted matches what says that somebody is more than others.
var exalted = pattern.New(`(?i)(^|[._\]['"])(is_?)?(admin|super_?user|staff|root|owner|authori[sz]ed|allowed|trusted)\w*['"]?\]?$`)

// eitherWay reports an operator of which one side is enough.
func eitherWay(op string) bool { return op == "||" || op == "or" }

// believed are headers in which whoever asks says himself what a guard must find out; counted: not where it only counts how often; words: what it is compared
// with stands in the source.
var believed = []struct {
	header         *pattern.Pattern
	counted, words bool
	name           string
}{
	{pattern.New("(?i)['\"`](HTTP_)?(x[-_]forwarded[-_]for|x[-_]real[-_]ip|x[-_]client[-_]ip|true[-_]client[-_]ip|x[-_]originating[-_]ip)['\"`]"), true, false, "a header says from where somebody asks"},
	{pattern.New("(?i)(header.*|\\b(req|request|ctx|context|c)\\.get\\(\\s*)['\"`](HTTP_)?x[-_][\\w-]*(debug|admin|role|user|internal|bypass|auth|super|staff|trust)[\\w-]*['\"`]"), false, true, "a header says who asks"},
}

// among are functions that look whether something is one of several, or begins so.
var among = set("includes has contains Contains startsWith startswith HasPrefix indexOf in ip_in_network isLoopback IsLoopback is_loopback is_private isPrivate IsPrivate matches test")

// believes judges a guard that believes what a request says of the address from which it comes, or of who asks.
func (s *scan) believes(n *program.Node) *hit {
	if !admits.MatchString(function(n)) {
		return nil
	}
	sides := s.questioned(n)
	for _, b := range believed {
		for _, side := range sides {
			if side == nil || b.counted && rating.MatchString(function(n)) || !b.header.MatchString(s.unfolded(side)) {
				continue
			}
			if !b.words || slices.ContainsFunc(sides, func(other *program.Node) bool { return other != side && s.isWords(other) }) {
				return &hit{Weakening, Review, b.name}
			}
		}
	}
	return nil
}

// isWords reports a text that stands in the source, or a list of such.
func (s *scan) isWords(n *program.Node) bool {
	n = s.written(n)
	if n.Is(program.List) {
		all := n.All(program.Elem)
		return len(all) > 0 && !slices.ContainsFunc(all, func(e *program.Node) bool { return !s.eval(e, 0).known() })
	}
	return n.Is(program.Str) && len(n.Kids) == 0
}

// questioned are the parts of a node that asks whether something is the same, one of several, or begins so; none of another, nor of one that asks whether it is there.
func (s *scan) questioned(n *program.Node) []*program.Node {
	l, r := s.sides(n)
	switch {
	case l != nil && (presence(l) || presence(r)):
		return nil
	case l != nil:
		return []*program.Node{l, r}
	case n.Is(program.Call) && among[n.Calls()]:
		return append(n.All(program.Arg), n.Kid(program.Callee).Kid(program.Object))
	case n.Is(program.Compare, program.Arith) && (n.Op == "in" || n.Op == "not in"):
		return []*program.Node{n.Kid(program.Left), n.Kid(program.Right)}
	}
	return nil
}

// rating matches functions that count how often somebody asks.
var rating = pattern.New(`(?i)rate|limit|throttl|quota|bucket`)

// admits matches functions, and classes, that decide who may do something.
var admits = pattern.New(`(?i)guard|is_?admin|allow|authori[sz]|permi(t|ssion)|can_?(activate|access|edit|delete|view)|require_?(admin|role|user|auth|login)|has_?(role|permission|access)`)
