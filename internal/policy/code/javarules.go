package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// javaName is a path of Java without the package: classes are told by their own names, however they were imported.
func javaName(path string) string {
	parts := strings.Split(path, ".")
	for i, p := range parts {
		if p != "" && p[0] >= 'A' && p[0] <= 'Z' {
			return strings.Join(parts[i:], ".")
		}
	}
	return path
}

// javaBuilder judges a process that is put together in steps: p.command("sh", "-c", x).
func javaBuilder(c *call) *hit {
	if len(c.args) == 1 && c.args[0].isList {
		return c.argv(c.args[0])
	}
	return c.argv(value{isList: true, list: c.args})
}

// reflectedHarm are methods that nobody has to look up by their names.
var reflectedHarm = []string{"exec", "start", "load", "loadLibrary", "exit", "halt", "defineClass", "getRuntime"}

func javaReflection(c *call) *hit {
	v := c.arg(0, "")
	switch {
	case v.known() && slices.Contains(reflectedHarm, v.text):
		return c.hit(Dynamic, Danger)
	case v.known():
		return nil
	}
	return c.hit(Dynamic, Review)
}

// javaEval judges text that a script engine is given: a receiver that is not this class's own.
func javaEval(c *call) *hit {
	if len(c.args) == 0 || c.arg(0, "").known() || c.receiver() == "" || c.receiver() == "this" {
		return nil
	}
	if _, isNumber := c.args[0], c.args[0].number != ""; isNumber {
		return nil
	}
	return c.hit(Dynamic, Review)
}

// yamlOf judges SnakeYAML's reader, which makes objects of any class unless it is told otherwise.
func yamlOf(c *call) *hit {
	callee := c.n.Kid(program.Callee)
	if c.object().path != "Yaml()" || strings.Contains(c.s.unfolded(callee), "SafeConstructor") {
		return nil
	}
	return c.hit(Deserialization, Danger)
}

func jndi(c *call) *hit {
	if len(c.args) == 0 || c.arg(0, "").known() || c.object().path != "InitialContext()" && !contexts.MatchString(c.receiver()) {
		return nil
	}
	return c.hit(Deserialization, Danger)
}

var contexts = pattern.New(`(?i)^(ctx|context|initialcontext|jndi)$`)

// weakCipher judges the names of ciphers that keep nothing secret.
func weakCipher(c *call) *hit {
	name := strings.ToUpper(c.arg(0, "").text)
	if strings.HasPrefix(name, "DES") || strings.HasPrefix(name, "RC4") || strings.HasPrefix(name, "RC2") || strings.Contains(name, "/ECB/") || name == "AES" { // AES alone is AES/ECB
		return c.hit(Weakening, Review)
	}
	return nil
}

// writesPage judges HTML that is sent with values in it.
func writesPage(c *call) *hit {
	writer := strings.Contains(c.receiver(), "getWriter()")
	if v := c.arg(0, ""); writer && v.isText && !v.known() && strings.Contains(v.text, "<") {
		return c.hit(Injection, Danger)
	}
	format := c.arg(0, "")
	if !writer && !strings.HasSuffix(c.s.typeOf(c.n.Kid(program.Callee).Kid(program.Object)), "PrintWriter") || !format.isText || !strings.Contains(format.text, "<") || !strings.Contains(format.text, "%s") || len(c.args) < 2 {
		return nil
	}
	if n := c.node(1); c.s.taint(n, 0).from == said && !c.s.looked(c.n, n) {
		return c.hit(Injection, Danger)
	}
	return nil
}

// properties are settings of the virtual machine that decide whom it trusts.
var properties = pattern.New(`trustURLCodebase|^java\.security\.(policy|manager)|trustStore$|^jdk\.tls\.|allowUnsafe|disableHostnameVerification`)

// javaHandle judges methods that are looked up by their names, for a later call: findVirtual(Runtime.class, "exec", type).
func javaHandle(c *call) *hit {
	v := c.arg(1, "")
	switch {
	case v.known() && slices.Contains(reflectedHarm, v.text):
		return c.hit(Dynamic, Danger)
	case v.known() || len(c.args) < 2:
		return nil
	}
	return c.hit(Dynamic, Review)
}

// javaNamed is javaHandle for libraries that tests use, too.
func javaNamed(c *call) *hit {
	if v := c.arg(1, ""); v.known() && slices.Contains(reflectedHarm, v.text) {
		return c.hit(Dynamic, Danger)
	}
	return nil
}

// javaXML judges readers of XML, which fetch what a document names unless they are told not to.
func javaXML(c *call) *hit {
	at := c.n.Function()
	if at == nil {
		at = c.s.file.Root
	}
	if text := at.Text(); c.s.hardens(at, 2) || strings.Contains(text, ".newDocument()") && !strings.Contains(text, ".parse(") {
		return nil
	}
	return c.hit(Deserialization, Review)
}

// hardening are settings of readers of XML by which they fetch nothing, with the value that does it.
var hardening = map[string]string{
	"disallow-doctype-decl": "true", "SUPPORT_DTD": "false", "supportDTD": "false", "IS_SUPPORTING_EXTERNAL_ENTITIES": "false",
	"isSupportingExternalEntities": "false", "external-general-entities": "false", "ACCESS_EXTERNAL_DTD": `""`, "accessExternalDTD": `""`,
}

// hardens reports code that tells a reader of XML to fetch nothing, by itself or by a function of the file.
func (s *scan) hardens(root *program.Node, deep int) bool {
	asked := make(map[*program.Node]bool)
	for n := range root.Walk() {
		callee := n.Kid(program.Callee)
		if n.Role != program.Call || callee == nil {
			continue
		}
		if f := s.body(callee.Name); f != nil && deep > 0 && f != root && !asked[f] {
			if asked[f] = true; s.hardens(f, deep-1) {
				return true
			}
		}
		args := n.All(program.Arg)
		if !strings.HasPrefix(callee.Name, "set") || len(args) != 2 {
			continue
		}
		name := args[0].Text() + s.eval(args[0], 0).text
		for setting, off := range hardening {
			if strings.Contains(name, setting) && s.is(args[1], off) {
				return true
			}
		}
	}
	return false
}

// is reports a value that says what is written: yes, no, or a text.
func (s *scan) is(n *program.Node, what string) bool {
	yes, no := s.says(n)
	return yes && what == "true" || no && what == "false" || n.Text() == what
}

// javaEnds judges that processes are looked for which the program did not start, and ended.
func javaEnds(c *call) *hit {
	at := c.n.Function()
	if at == nil || !strings.Contains(at.Text(), "destroy") {
		return nil
	}
	return c.hit(Process, Review)
}

// anyClass matches what lets a document say of which class an object is made.
var anyClass = pattern.New(`^@JsonTypeInfo\([^)]*\b(MINIMAL_)?CLASS\b`)

// hashes are what an encoder of passwords has that is one.
var hashes = pattern.New(`(?i)digest|hash|b?crypt|argon|pbkdf|mac\b|delegate|\.encode\(`)

// javaEncoder judges an encoder of passwords that leaves them as they are.
func javaEncoder(c *call) *hit {
	return given(strings.Contains(c.n.Text(), "{") && !hashes.MatchString(c.n.Text()), Weakening, "PasswordEncoder")
}

// javaAccepts judges what is asked whether a certificate or a host is the right one, and says yes to all.
func javaAccepts(c *call) *hit {
	for _, a := range c.nodes {
		if a.Is(program.Function, program.Name) && c.s.accepts(a) {
			return c.hit(Weakening, Danger)
		}
	}
	return nil
}

// javaDecodes judges what a token says in a file that checks none.
func javaDecodes(c *call) *hit {
	if checking.MatchString(c.s.file.Source) {
		return nil
	}
	return c.hit(Weakening, Review)
}

// draftBy is draft for methods of what is called so.
func draftBy(receiver *pattern.Pattern, i int) func(*call) *hit {
	return func(c *call) *hit {
		if !receiver.MatchString(c.receiver()) {
			return nil
		}
		return c.draft(i)
	}
}

var engines = pattern.New(`(?i)engine|jinjava|pebble|jexl|freemarker|velocity|handlebars`)
