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
func javaBuilder(c *call) *hit { return c.argv(value{isList: true, list: c.args}) }

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
	if c.object().path != "Yaml()" || strings.Contains(textOf(callee), "SafeConstructor") {
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
	if strings.HasPrefix(name, "DES") || strings.HasPrefix(name, "RC4") || strings.HasPrefix(name, "RC2") || strings.Contains(name, "/ECB/") {
		return c.hit(Weakening, Review)
	}
	return nil
}

// written judges HTML that is sent with values in it.
func written(c *call) *hit {
	if v := c.arg(0, ""); strings.Contains(c.receiver(), "getWriter()") && v.isText && !v.known() && strings.Contains(v.text, "<") {
		return c.hit(Injection, Danger)
	}
	return nil
}

// properties are settings of the virtual machine that decide whom it trusts.
var properties = pattern.New(`trustURLCodebase|^java\.security\.(policy|manager)|trustStore$|^jdk\.tls\.|allowUnsafe|disableHostnameVerification`)
