package accounts

import (
	"strings"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// question is what a chain of AssertJ's or Truth's asks of what it is about, as the method that a plain assertion would call.
type question struct {
	method  string
	negated bool
	most    int // how many arguments it may have, each of which is asked for alone
}

// questions are those by the names of the chain.
var questions = map[string]question{
	"contains": {"contains", false, 20}, "doesNotContain": {"contains", true, 20},
	"containsKey": {"containsKey", false, 1}, "doesNotContainKey": {"containsKey", true, 1}, "containsValue": {"containsValue", false, 1}, "doesNotContainValue": {"containsValue", true, 1},
	"startsWith": {"startsWith", false, 1}, "doesNotStartWith": {"startsWith", true, 1}, "endsWith": {"endsWith", false, 1}, "doesNotEndWith": {"endsWith", true, 1}, "matches": {"matches", false, 1},
	"isEmpty": {"isEmpty", false, 0}, "isNotEmpty": {"isEmpty", true, 0}, "isPresent": {"isPresent", false, 0}, "isNotPresent": {"isPresent", true, 0},
}

// ofNumbers are what a chain asks of a number without an argument.
var ofNumbers = map[string]string{"isZero": "==", "isPositive": ">", "isNegative": "<"}

var (
	// described matches what a chain only says where it fails.
	described = pattern.New(`\.(?:as|describedAs|withFailMessage|overridingErrorMessage)\("(?:[^"\\]|\\.)*"(?:,[^()]*)?\)`)
	// listOf matches a list of Java's that is made of what is written in it.
	listOf = pattern.New(`^(?:(?:List|ImmutableList)\.of|Arrays\.asList|Collections\.singletonList)\((.*)\)$`)
	// sizeOf matches how many there are of something, as its class calls that.
	sizeOf = pattern.New(`^(.+)\.(?:size\(\)|length\(\)|length)$`)
	// madeAlone matches an argument that is no array: it is written out, or an object that is made there.
	madeAlone = pattern.New(`^new [\w.<>]+\(`)
)

// fluent tells a chain of Java's as what a plain assertion would ask: assertThat(l).contains(x) as l.contains(x). What has no such form is not told.
func (r *teller) fluent(n *code.Node, asked, chain string) (all []fact, ok bool) {
	if n.File.Lang != syntax.Java || constantText(asked) {
		return nil, false
	}
	chain = described.ReplaceAllString(chain, "")
	if rest, message := strings.CutPrefix(chain, ".hasMessageThat()"); message {
		asked, chain = asked+".getMessage()", rest
	}
	args := n.All(code.Arg)
	if inner, ordered := strings.CutSuffix(chain, ".inOrder"); ordered && strings.HasPrefix(inner, ".containsExactly(") && len(args) == 0 {
		return r.listed(asked, n.Kid(code.Callee).Kid(code.Object).All(code.Arg)), true
	}
	name := strings.TrimPrefix(chain, ".")
	switch {
	case len(args) == 1 && name == "hasMessageContaining":
		return r.questioned(questions["contains"], asked+".getMessage()", args), true
	case len(args) == 0 && ofNumbers[name] != "":
		return r.compared(ofNumbers[name], asked, "0", false), true
	case name == "containsExactly" && (len(args) == 1 || strings.Contains(n.File.Source, "org.assertj.")):
		return r.listed(asked, args), true
	case questions[name].asks(args):
		return r.questioned(questions[name], asked, args), true
	case len(args) == 1:
		return r.fluentlyCompared(name, asked, r.canon(args[0]))
	}
	return nil, false
}

// fluentlyCompared tells an end of a chain that compares what it is about, its message or its size with one value.
func (r *teller) fluentlyCompared(name, asked, with string) (all []fact, ok bool) {
	switch {
	case name == "hasMessage":
		return r.compared("==", asked+".getMessage()", with, false), true
	case name == "hasSize" || name == "hasLength":
		return r.compared("==", "len("+asked+")", with, false), true
	case twoSided[name] != "":
		return r.compared(twoSided[name], asked, with, asked == with), true
	}
	return nil, false
}

// asks reports whether a question can be told that has these arguments. That none of an array is there is another question than that the array is not.
func (q question) asks(args []*code.Node) bool {
	if q.method == "" || len(args) > q.most || len(args) == 0 && q.most > 0 {
		return false
	}
	for _, a := range args {
		if q.negated && !parts.Value(a) && !madeAlone.MatchString(a.Text()) {
			return false
		}
	}
	return true
}

// questioned tells a question as the conditions that a plain assertion would hold: one for each argument.
func (r *teller) questioned(q question, asked string, args []*code.Node) []fact {
	one := func(arg string) fact {
		f := fact{about: asked + "." + q.method + "(" + arg + ")", op: "true", says: assertions.Truthy, demand: true}
		if arg != "" {
			f.says = assertions.Within
		}
		if q.negated {
			f.op = "false"
		}
		f.text = f.about + " is " + f.op
		return f
	}
	if len(args) == 0 {
		return []fact{one("")}
	}
	var all []fact
	for _, a := range args {
		all = append(all, one(r.canon(a)))
	}
	return all
}

// listed tells that something holds these, and nothing else, in their order.
func (r *teller) listed(asked string, args []*code.Node) []fact {
	var texts []string
	for _, a := range args {
		texts = append(texts, r.canon(a))
	}
	return r.compared("==", asked, "["+strings.Join(texts, ",")+"]", false)
}

// plainJava is a value of Java's in the spelling of what chains ask for: sizes and lists, whichever class they are of.
func plainJava(text string) string {
	if m := sizeOf.FindStringSubmatch(text); m != nil {
		return "len(" + m[1] + ")"
	}
	if m := listOf.FindStringSubmatch(text); m != nil {
		return "[" + m[1] + "]"
	}
	return text
}

// ownChain reports whether what a chain of calls begins with is made by the file itself, so that nobody knows whether it asserts anything.
func ownChain(n *code.Node) bool {
	for n.Is(code.Call, code.Attr, code.Group, code.Wait) {
		n = n.Kids[0]
	}
	if !n.Is(code.Name) || !mayDefine(n.File.Source, n.Name) {
		return false
	}
	for k := range n.File.Root.Walk() {
		if k.Is(code.Function, code.Class) && parts.OwnName(k) == n.Name {
			return true
		}
	}
	return false
}

// mayDefine reports whether a name stands behind a word, as it does where something is called so, or before what it is given: most names do nowhere, and then no tree has to be gone through.
func mayDefine(src, name string) bool {
	for rest := src; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		head := strings.TrimRight(rest[:i], " \t\n*&")
		after := strings.TrimLeft(rest[i+len(name):], " \t")
		if head != "" && head != rest[:i] && (parts.IsWord(head[len(head)-1]) || head[len(head)-1] == '>' || head[len(head)-1] == ']') && !strings.HasSuffix(head, "return") && !strings.HasSuffix(head, "await") {
			return true
		}
		if strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==") {
			return true
		}
		rest = rest[i+len(name):]
	}
}
