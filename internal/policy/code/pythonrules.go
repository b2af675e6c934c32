package code

import (
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// option is an argument by name that harms where it is on, or where it is off.
type option struct {
	on    bool
	class Class
	grade Grade
}

// pythonOptions turn a protection off, or code from elsewhere on, whoever takes them.
var pythonOptions = map[string]option{
	"trust_remote_code":                  {true, Dynamic, Danger},
	"allow_dangerous_deserialization":    {true, Deserialization, Danger},
	"allow_dangerous_code":               {true, Dynamic, Danger},
	"allow_dangerous_requests":           {true, Network, Review},
	"use_debugger":                       {true, Weakening, Review},
	"safe_mode":                          {false, Deserialization, Review},
	"weights_only":                       {false, Deserialization, Review},
	"verify_ssl":                         {false, Weakening, Danger},
	"ssl_verify":                         {false, Weakening, Danger},
	"verify_certs":                       {false, Weakening, Danger},
	"validate_certs":                     {false, Weakening, Danger},
	"check_hostname":                     {false, Weakening, Danger},
	"verify_signature":                   {false, Weakening, Danger},
	"tlsAllowInvalidCertificates":        {true, Weakening, Danger},
	"tlsAllowInvalidHostnames":           {true, Weakening, Danger},
	"tlsInsecure":                        {true, Weakening, Danger},
	"disable_ssl_certificate_validation": {true, Weakening, Danger},
}

// set reports whether a value that says yes, or no, is the harmful one.
func (o option) set(yes, no bool) bool { return o.on && yes || !o.on && no }

// keyword judges an argument by name.
func (s *scan) keyword(n *program.Node) {
	v := n.Kid(program.Value)
	if v == nil {
		return
	}
	if o, ok := s.rules.options[n.Name]; ok && o.set(s.says(v)) {
		s.add(n, &hit{o.class, o.grade, n.Name})
	}
	s.add(n, s.exportsAll(n.Name, v))
	s.add(n, pickles(n.Name, v))
	s.add(n, s.unchecked(n))
}

// unchecked judges an argument by which a client of HTTP, or of TLS, does not look who answers.
func (s *scan) unchecked(n *program.Node) *hit {
	v, calls := n.Kid(program.Value), n.Parent.Calls()
	_, no := s.says(v)
	switch {
	case n.Name == "verify" && no && talks[calls] && s.rules.calls[s.eval(n.Parent.Kid(program.Callee), 0).path] == nil, n.Name == "ssl" && no && talks[calls]:
		return &hit{Weakening, Danger, n.Name}
	case contextual[n.Name] && (talks[calls] || connecting[calls]) && s.blind(s.written(v)):
		return &hit{Weakening, Danger, "ssl.SSLContext"}
	}
	return nil
}

// contextual are arguments that take a context of TLS, connecting functions that do, besides clients of HTTP.
var (
	contextual = set("context ssl ssl_context")
	connecting = set("urlopen HTTPSConnection HTTPSHandler SMTP_SSL IMAP4_SSL POP3_SSL FTP_TLS starttls create_connection open_connection TCPConnector")
)

// blind reports a context of TLS that is made by itself and accepts any certificate, as nobody tells it to look.
func (s *scan) blind(n *program.Node) bool {
	if !n.Is(program.Call) || s.eval(n.Kid(program.Callee), 0).path != "ssl.SSLContext" || looking.MatchString(s.file.Source) {
		return false
	}
	of := s.newCall(n, "").arg(0, "protocol").path
	return of == "" || !strings.HasSuffix(of, "_CLIENT")
}

// looking matches what makes a context of TLS check certificates.
var looking = pattern.New(`CERT_REQUIRED|CERT_OPTIONAL`)

// talks are methods of clients of HTTP, which check certificates unless they are told not to.
var talks = set("get post put patch delete head options request send stream Session Client AsyncClient HTTPTransport AsyncHTTPTransport")

// jwtDecode judges a reader of tokens that does not look whether they are genuine, however its options are put together.
func jwtDecode(c *call) *hit {
	if c.off("verify") || c.off("verify_signature") || unverified.MatchString(c.s.unfolded(c.n)) {
		return c.hit(Weakening, Danger)
	}
	if a := c.named["algorithms"]; a != nil && algorithmNone.MatchString(a.Text()) {
		return c.hit(Weakening, Danger)
	}
	return nil
}

var (
	unverified    = pattern.New(`verify_signature['"]?\s*\]?\s*[:=]\s*False|fromkeys\([^)]*verify_signature[^)]*\)?\s*,\s*False`)
	algorithmNone = pattern.New(`(?i)['"]none['"]`)
)

// pythonXML judges a reader of XML, unless it is told to fetch nothing.
func pythonXML(c *call) *hit {
	parser := c.named["parser"]
	if parser == nil {
		parser = c.node(1)
	}
	if parser = c.s.written(parser); parser.Is(program.Call) && c.s.newCall(parser, "").off("resolve_entities") {
		return nil
	}
	return unlessKnown(Deserialization, Review)(c)
}

// pickles judges settings by which a queue or a session makes objects out of bytes: what=, {"what": …}, app.conf.what = ….
func pickles(name string, v *program.Node) *hit {
	if serializers.MatchString(name) && pickled.MatchString(v.Text()) {
		return &hit{Deserialization, Danger, name}
	}
	return nil
}

var (
	serializers = pattern.New(`(?i)(^|_)(serializer|accept_content)$`)
	pickled     = pattern.New(`(?i)['"]([\w.]*pickle(serializer)?|application/x-python-serialize)['"]`)
)

// djangoExtra judges the arguments of Django's extra(), each a list of texts that are put into the statement as they are.
func djangoExtra(c *call) *hit {
	for _, name := range []string{"where", "select", "tables", "order_by"} {
		n := c.named[name]
		if n == nil {
			continue
		}
		for k := range n.Walk() {
			if v := c.s.eval(k, 0); k.Is(program.Str, program.Arith, program.Call, program.Name) && v.isText && !v.known() && v.text != unknown {
				return c.hit(Injection, Danger)
			}
		}
	}
	return c.execute()
}

// statementPart judges a function that takes a part of a statement as it is.
func statementPart(c *call) *hit {
	for _, v := range []value{c.arg(0, "sql"), c.arg(-1, "text")} {
		if v.isText && !v.known() && v.text != unknown {
			return c.hit(Injection, Danger)
		}
	}
	return nil
}

// endsOthers judges that a process is ended by its number: one that was started here is not meant.
func endsOthers(c *call) *hit {
	callee := c.n.Kid(program.Callee)
	if callee == nil {
		return nil
	}
	object := callee.Kid(program.Object)
	if c.s.eval(object, 0).path == "psutil.Process()" {
		made := object
		for _, b := range c.s.bindings(object, c.s.identifier(object.Name)) {
			if object.Is(program.Name) && b.node != nil {
				made = b.node
			}
		}
		of := made.Kid(program.Arg)
		if made.Is(program.Call) && of != nil && !startedHere.MatchString(of.Text()) {
			return &hit{Process, Review, "psutil.Process." + callee.Name}
		}
		return nil
	}
	if !object.Is(program.Name) {
		return nil
	}
	for _, f := range c.s.givenTo(object) {
		if f.by == each && f.node.Is(program.Call) && strings.HasPrefix(c.s.eval(f.node.Kid(program.Callee), 0).path, "psutil.process_iter") {
			return &hit{Process, Review, "psutil.Process." + callee.Name}
		}
	}
	return nil
}

var startedHere = pattern.New(`(?i)^(self\.)?_?(proc|process|popen|p|child|server|worker|daemon)\w*\.pid$`)

// roundTrip reports what is read out of the bytes that are written in the same expression: pickle.loads(pickle.dumps(x)).
func (s *scan) roundTrip(n *program.Node) bool {
	call := n.Parent
	for call.Is(program.Attr) {
		call = call.Parent
	}
	if !call.Is(program.Call) || call.Kid(program.Callee) == nil || call.Calls() != "loads" && call.Calls() != "load" {
		return false
	}
	arg := call.Kid(program.Arg)
	if !arg.Is(program.Call) {
		return false
	}
	read, written := s.eval(call.Kid(program.Callee), 0).path, s.eval(arg.Kid(program.Callee), 0).path
	return strings.TrimSuffix(read, ".loads")+".dumps" == written
}

// setsAttribute judges what setattr puts in the place of a library's function.
func setsAttribute(c *call) *hit {
	if name := c.arg(1, ""); name.known() && c.arg(0, "").outside() && replaced.MatchString(c.arg(0, "").member(name.text).path) && c.node(2).Is(program.Function, program.Name, program.Null) {
		return &hit{Interference, Review, c.arg(0, "").member(name.text).path}
	}
	if name := c.arg(1, ""); name.known() && theirs(c.arg(0, "").member(name.text)) && c.node(2) != nil {
		return c.s.wrapping(c.arg(0, "").member(name.text).path, c.node(2), "")
	}
	return nil
}

// frameText judges a formula for a table of pandas, in which anything of Python's can be called.
func frameText(c *call) *hit {
	n := c.node(0)
	if n == nil || c.path == "query" && !frames.MatchString(c.s.file.Source) || c.s.taint(n, 0).from != said || c.s.looked(c.n, n) {
		return nil
	}
	return c.hit(Dynamic, Danger)
}

var frames = pattern.New(`(?m)^\s*(import|from)\s+(pandas|dask|modin|geopandas)\b`)
