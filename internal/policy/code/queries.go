package code

import (
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// Questions in other languages than SQL, and texts with lines that mean something: what is spliced into them changes what they ask.

var (
	// ldapFilters matches a filter of a directory (RFC 4515) in which a value is compared that is not known.
	ldapFilters = pattern.New(`\([\w.;-]+[~<>]?=\**` + unknown)
	// xpaths matches a condition of XPath on a text that is not known.
	xpaths = pattern.New(`\[[^\]]*=\s*['"]` + unknown)
	// mailHeads matches the head of a mail with a line that is not known, and others behind it.
	mailHeads = pattern.New(`(?i)(^|\n)(from|to|cc|bcc|subject|reply-to):[^\r\n]*` + unknown)
)

// Where such questions are asked: in sources that name what answers them. Others search in texts, and select parts of pages.
var (
	directories = pattern.New(`(?i)ldap|javax\.naming|DirContext|\b(ou|dc)=`)
	documentXML = pattern.New(`(?i)xpath|lxml`)
)

// asks judges the arguments of a call that are questions of a kind, by place or name: foreign values spliced into one. What a program looks for in a
// document by itself is for a person to see.
func (c *call) asks(kind *pattern.Pattern) *hit {
	within, grade := directories, Danger
	if kind == xpaths {
		within, grade = documentXML, Review
	}
	if receiver := c.receiver(); !within.MatchString(c.s.file.Source) || receiver == "re" || receiver == "Pattern" || receiver == "d3" {
		return nil
	}
	judged := func(n *program.Node) *hit {
		if kind == xpaths && c.s.taint(n, 0).from == said {
			return c.hit(Injection, Danger)
		}
		return c.hit(Injection, grade)
	}
	for i, v := range c.args {
		if v.isText && kind.MatchString(v.text) && c.s.foreign(c.node(i)) {
			return judged(c.node(i))
		}
	}
	for _, n := range c.named {
		if v := c.s.eval(n, 0); v.isText && kind.MatchString(v.text) && c.s.foreign(n) {
			return judged(n)
		}
	}
	return nil
}

func asksOf(kind *pattern.Pattern) func(*call) *hit {
	return func(c *call) *hit { return c.asks(kind) }
}

// mails judges a mail whose head says what a request says: a line break in it makes lines of its own.
func mails(c *call) *hit {
	for i, v := range c.args {
		if v.isText && mailHeads.MatchString(v.text) && c.s.foreign(c.node(i)) && c.s.taint(c.node(i), 0).from == said {
			return c.hit(Injection, Review)
		}
	}
	return nil
}

// proofs are members by which somebody shows who he is.
var proofs = pattern.New(`(?i)^(passw(or)?d|pass|pwd|token|secret|pin|otp|code|reset_?token|api_?key)$`)

// objects matches what of a request may be an object: its body and its query; addresses and headers are texts.
var objects = pattern.New(`\b(body|query)\b|\.json\(`)

// documents judges a search of documents by what a request says: an object in the place of a text is a condition, which all of them may meet.
func documents(c *call) *hit {
	n := c.node(0)
	if n == nil {
		return nil
	}
	n = c.s.written(n)
	if n.Is(program.Attr, program.Call) && c.s.source(n) == said {
		return c.hit(Injection, Review)
	}
	if !n.Is(program.Map) {
		return nil
	}
	for _, e := range n.All(program.Elem) {
		name, v := e.Name, e
		if e.Role == program.Pair {
			name, v = c.s.key(e.Kid(program.Key)), e.Kid(program.Value)
		}
		if v != nil && proofs.MatchString(name) && !v.Is(program.Call, program.Str) && c.s.taint(v, 0).from == said && objects.MatchString(c.n.Text()+c.s.unfolded(v)) && !c.s.looked(c.n, v) {
			return c.hit(Injection, Review)
		}
	}
	return nil
}

// remote judges a command that another machine's shell carries out.
func remote(c *call) *hit {
	if !strings.HasPrefix(c.object().path, "ssh2.") && !strings.HasPrefix(c.object().path, "node-ssh.") {
		return nil
	}
	v := c.arg(0, "")
	if v.known() || c.node(0) == nil || !c.s.foreign(c.node(0)) {
		return nil
	}
	return c.hit(Process, Danger)
}
