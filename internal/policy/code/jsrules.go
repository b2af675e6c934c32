package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// jsWorker judges a thread or worker whose code is a text: with eval, of a data: address, or of a blob.
func jsWorker(c *call) *hit {
	n, v := c.node(0), c.arg(0, "")
	if n == nil {
		return nil
	}
	text := c.s.unfolded(n)
	switch {
	case c.on("eval"), strings.HasPrefix(v.text, "data:"), strings.Contains(text, `"data:`), strings.Contains(text, "`data:"), strings.Contains(text, "'data:"):
		if v.known() {
			return c.hit(Dynamic, Note)
		}
		return c.hit(Dynamic, Danger)
	case strings.Contains(text, "createObjectURL") && strings.Contains(text, "Blob"):
		for at := range c.s.written(n).Walk() {
			if at.Role == program.List && c.s.foreign(at) {
				return c.hit(Dynamic, Review)
			}
		}
	}
	return nil
}

// unsafeSchemas are those of js-yaml by which a document makes functions.
var unsafeSchemas = pattern.New(`FULL|js-yaml-js-types`)

// jsInspector judges the door for debuggers, by which anybody who reaches it runs code.
func jsInspector(c *call) *hit {
	if host := c.arg(1, "host"); host.known() && !strings.HasPrefix(host.text, "127.") && host.text != "localhost" && host.text != "::1" {
		return c.hit(Weakening, Danger)
	}
	return c.hit(Weakening, Review)
}

// jsRepl judges a prompt that reads its code from somewhere else than the terminal.
func jsRepl(c *call) *hit {
	if in := c.named["input"]; in != nil && in.Text() != "process.stdin" {
		return c.hit(Dynamic, Danger)
	}
	if in := c.node(1); in != nil && in.Text() != "process.stdin" {
		return c.hit(Dynamic, Danger)
	}
	return nil
}

// granting matches statements by which a request becomes somebody's, functions that decide who that is, and files that do check a token.
var (
	granting = pattern.New(`(?i)\b(req|request|ctx|context|state|session|locals|socket|conn)\w*\.(\w+\.)?(user|auth|account|session|identity|claims|principal|token|jwt|userId|uid)\b\s*=`)
	deciding = pattern.New(`(?i)auth|login|log_?in|sign_?in|verif|protect|guard|middleware|current_?user|is_?(admin|valid)|require_?(user|admin|login)|permission|get_?(user|session)`)
	checking = pattern.New(`(?i)\b(jwt|jsonwebtoken|jose|JWT)?\.?(verify|jwtVerify|verifyToken|verifyJwt|ParseWithClaims|verifyAsync|createVerifier)\(|\.require\(|jwt\.Parse\(`)
)

// jsDecodes judges what a token says when nobody checks who wrote it.
func jsDecodes(c *call) *hit {
	grants := granting.MatchString(c.statement()) || deciding.MatchString(function(c.n))
	switch {
	case c.on("complete") && !granting.MatchString(c.statement()):
		return nil // its head says which key to check it with
	case len(c.args) > 2 && c.path == "jwt-simple.decode":
		unchecked, _ := c.s.says(c.node(2))
		return given(unchecked, Weakening, c.path)
	case strings.Contains(c.path, "jwt-simple"):
		return nil
	case grants && !checking.MatchString(c.s.file.Source):
		return c.hit(Weakening, Danger)
	case granting.MatchString(c.statement()):
		return c.hit(Weakening, Review)
	case strings.Contains(c.path, "jwt-decode") || checking.MatchString(c.s.file.Source):
		return nil // pages show what their own token says
	}
	return c.hit(Weakening, Review)
}

// jsSafety matches functions on which safety rests; no program has its own in their place.
var jsSafety = pattern.New(`^(crypto\.(timingSafeEqual|random\w+|getRandomValues|verify|scrypt\w*|pbkdf2\w*|createHash|createHmac)|bcrypt(js)?\.(compare|hash)\w*|argon2\.(verify|hash)|jsonwebtoken\.(verify|decode)|tls\.(checkServerIdentity|createSecureContext|connect)|(dompurify|DOMPurify)\.sanitize|validator\.\w+|express-rate-limit\.\w+)$`)

// jsDefines judges what is put under a name in something by way of a function.
func jsDefines(c *call) *hit {
	of := c.arg(0, "")
	if strings.HasSuffix(of.path, ".prototype") && builtin(strings.TrimSuffix(of.path, ".prototype")) {
		return c.hit(Interference, Review)
	}
	names := []string{c.arg(1, "").text}
	if c.path == "Object.assign" && c.node(1).Is(program.Map) {
		names = names[:0]
		for _, e := range c.node(1).All(program.Elem) {
			names = append(names, c.s.key(firstOf(e.Kid(program.Key), e)))
		}
	}
	for _, name := range names {
		if path := of.member(name).path; name != "" && jsSafety.MatchString(path) {
			return &hit{Interference, Danger, path}
		}
	}
	return nil
}

func firstOf(n, otherwise *program.Node) *program.Node {
	if n != nil {
		return n
	}
	return otherwise
}

// Entries of objects, and members, by their names.

func innerHTML(s *scan, v *program.Node) *hit {
	if s.eval(v, 0).known() || !s.foreign(v) || stored.MatchString(s.eval(v, 0).path) && !strings.HasPrefix(s.eval(v, 0).path, "document.") {
		return nil
	}
	return &hit{Injection, Danger, "innerHTML"}
}

func acceptsAll(name string) func(*scan, *program.Node) *hit {
	return func(s *scan, v *program.Node) *hit { return given(s.accepts(v), Weakening, name) }
}

// mongoCode judges a condition that the database carries out as a program.
func mongoCode(s *scan, v *program.Node) *hit {
	if v.Is(program.Function) || s.eval(v, 0).known() || !s.foreign(v) {
		return nil
	}
	return &hit{Injection, Danger, "$where"}
}

// hooked judges commands that a package runs on every machine on which it is installed.
func hooked(s *scan, v *program.Node) *hit {
	if !strings.Contains(s.file.Source, "package.json") || !v.Is(program.Str, program.Name, program.Arith) || !inScripts(v) {
		return nil
	}
	return &hit{Interference, Danger, "scripts of package.json"}
}

// inScripts reports an entry of what is called scripts.
func inScripts(v *program.Node) bool {
	for at := v.Parent; at != nil && !at.Is(program.Function, program.Block); at = at.Parent {
		if at.Role == program.Pair && at.Kid(program.Key).Text() == "scripts" {
			return true
		}
		if t := at.Kid(program.Target); t != nil && strings.Contains(t.Text(), "scripts") {
			return true
		}
	}
	return false
}

// unquoted judges { raw: x }, which Bun's shell takes as it is.
func unquoted(s *scan, v *program.Node) *hit {
	at := v.Up(program.Str)
	if at == nil || at.Parent == nil || at.Parent.Kid(program.Callee).Text() != "$" || !s.foreign(v) {
		return nil
	}
	return &hit{Process, Danger, "raw"}
}

func noAlgorithm(_ *scan, v *program.Node) *hit {
	return given(strings.ToLower(strings.Trim(v.Text(), "\"'`")) == "none" || strings.Contains(strings.ToLower(v.Text()), `"none"`) && v.Is(program.List), Weakening, "no algorithm")
}

// Deep merges: what a key says must be looked at before an object of its name is gone into.
var (
	guarded   = pattern.New(`__proto__|\bprototype\b|Object\.create\(null\)|new Map|hasOwn(Property)?(\.call)?\(\s*(target|dest|dst|to|base|a|acc|obj|result|into)\b`)
	untrusted = pattern.New(`JSON\.parse|JSON5\.parse|\.json\(\)|\b(req|request|ctx|event)\.(body|query|params|request)|\.search(Params)?\b`)
)

// jsMerges judges a function that goes into an object by the keys of another, which came as text.
func jsMerges(s *scan, f *program.Node) *hit {
	name := f.Name
	if name == "" && f.Parent.Is(program.Assign) {
		name = f.Parent.Kid(program.Target).Text()
	}
	if name = name[strings.LastIndexByte(name, '.')+1:]; name == "" || !descends(f, name) && !walksDown(f) || guarded.MatchString(f.Text()) {
		return nil
	}
	for n := range s.file.Root.Walk() {
		if n.Role != program.Call || f.Holds(n.Start, n.End) {
			continue
		}
		if callee := n.Kid(program.Callee); callee == nil || callee.Name != name {
			continue
		}
		if slices.ContainsFunc(n.All(program.Arg), func(a *program.Node) bool { return untrusted.MatchString(s.unfolded(a)) || s.taint(a, 0).from == said }) {
			return &hit{Interference, Danger, "__proto__"}
		}
	}
	return nil
}

// descends reports a function that calls itself with what stands under a computed key of what it is given, and sets such keys.
func descends(f *program.Node, name string) bool {
	params := make(map[string]bool)
	for _, p := range f.All(program.Params) {
		params[p.Name] = true
		if t := p.Kid(program.Target); t != nil {
			params[t.Name] = true
		}
	}
	member := func(n *program.Node) bool {
		return n.Is(program.Index) && params[n.Kid(program.Object).Text()] && n.Kid(program.At).Is(program.Name)
	}
	sets, goes := false, false
	for n := range f.Walk() {
		switch n.Role {
		case program.Assign:
			sets = sets || member(n.Kid(program.Target))
		case program.Call:
			if callee, args := n.Kid(program.Callee), n.All(program.Arg); callee != nil && callee.Name == name && len(args) > 1 {
				into := args[0]
				for into.Is(program.Logic, program.Group) {
					into = firstOf(into.Kid(program.Left), into.Kid(program.Operand))
				}
				goes = goes || member(into)
			}
		default: // neither
		}
	}
	return sets && goes
}

// walksDown reports a function that takes a path of keys apart and sets what stands at its end.
func walksDown(f *program.Node) bool {
	text := f.Text()
	if !strings.Contains(text, ".split(") && !strings.Contains(text, ".match(") {
		return false
	}
	sets, goes := false, strings.Contains(text, ".reduce(")
	for n := range f.Walk() {
		if n.Role != program.Assign {
			continue
		}
		t, v := n.Kid(program.Target), n.Kid(program.Value)
		if t.Is(program.Index) && t.Kid(program.At).Is(program.Name, program.Index) {
			sets = true
		}
		goes = goes || t.Is(program.Name) && strings.Contains(v.Text(), t.Name+"[")
	}
	return sets && goes
}

// What a page knows of its visitor, and by which it is carried away.
var (
	cookies = pattern.New(`document\.cookie|JSON\.stringify\((window\.)?(local|session)Storage\)|\.\.\.(local|session)Storage\b`)
	carries = pattern.New(`(?i)\.(src|href|action)$|(^|\.)location$`)
)

// unlessOwn judges a condition of a database that is a program.
func unlessOwn(c *call) *hit {
	if c.node(0) == nil {
		return nil
	}
	return mongoCode(c.s, c.node(0))
}

// jsCipher judges the names of ciphers that keep nothing secret.
func jsCipher(c *call) *hit {
	name := strings.ToLower(c.arg(0, "algorithm").text)
	if strings.HasPrefix(name, "des-") || strings.HasPrefix(name, "rc4") || strings.HasPrefix(name, "rc2") || strings.HasSuffix(name, "-ecb") || name == "des" {
		return c.hit(Weakening, Review)
	}
	return nil
}

// jsUndoes judges what is put in the place of what protects, and addresses that carry a secret.
func jsUndoes(s *scan, a setting) *hit {
	switch {
	case a.name == "quote" && strings.HasSuffix(a.path, "$.quote"):
		return given(!strings.HasPrefix(s.eval(a.value, 0).path, "zx."), Weakening, "$.quote")
	case carries.MatchString(a.target.Text()) && cookies.MatchString(s.unfolded(a.value)):
		return &hit{Secrets, Danger, "a secret to " + a.target.Text()}
	case a.target.Role != program.Name && jsSafety.MatchString(a.path):
		return &hit{Interference, Danger, a.path}
	}
	return nil
}
