package code

import (
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// goPackages are the names by which a package may be called that has no other: the last part of its path without the version, and without what says that
// it is for Go, as in go-shellquote and mmap-go.
func goPackages(path string) []string {
	parts := strings.Split(path, "/")
	name := parts[len(parts)-1]
	if len(parts) > 1 && goVersion.MatchString(name) {
		name = parts[len(parts)-2]
	}
	name, _, _ = strings.Cut(name, ".v")
	bare := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(name, "go-"), "gopher-"), "-go"), ".go")
	if bare == name || bare == "" {
		return []string{name}
	}
	return []string{name, bare}
}

var goVersion = pattern.New(`^v\d+$`)

// goStatement judges a statement that is given first, or after a context or a place for the result.
func goStatement(c *call) *hit {
	for i := range min(len(c.args), 3) {
		if h := c.sql(c.args[i]); h != nil && c.s.foreign(c.node(i)) {
			return h
		}
		if c.args[i].isText {
			return nil
		}
	}
	return nil
}

// executableMemory judges memory from which code can be run, whatever it holds.
func executableMemory(c *call) *hit {
	for _, a := range c.nodes {
		if execMemory.MatchString(c.s.unfolded(a)) {
			return c.hit(Native, Danger)
		}
	}
	return nil
}

var (
	execMemory = pattern.New(`PROT_EXEC|PAGE_EXECUTE|\bEXEC\b|0x40\b`)
	injects    = pattern.New(`^(VirtualAlloc(Ex)?|VirtualProtect(Ex)?|CreateRemoteThread(Ex)?|WriteProcessMemory|RtlMoveMemory|NtCreateThreadEx|QueueUserAPC)$`)
)

// goUnverified judges a token that is read and never checked.
func goUnverified(c *call) *hit {
	if checking.MatchString(c.s.file.Source) || strings.Contains(c.s.file.Source, ".Verify(") {
		return nil // its head says with which key
	}
	return c.hit(Weakening, Danger)
}

// goPage judges a page that is made by templates for plain text: nothing in it is escaped.
func goPage(c *call) *hit {
	src := c.s.file.Source
	if !strings.Contains(src, `"text/template"`) || strings.Contains(src, `"html/template"`) || !writesResponse(c.node(0)) {
		return nil
	}
	f := c.n.Function()
	if plainTypes.MatchString(f.Text()) || !pages.MatchString(src) {
		return nil
	}
	return &hit{Injection, Danger, "text/template"}
}

var (
	plainTypes = pattern.New(`text/(plain|csv|css|x-|event-stream|javascript)|application/`)
	pages      = pattern.New("(?i)text/html|\\.(go)?html?\"|[\"`>\\s]<(/|!|[a-z][a-z0-9]*[\\s>])")
)

// writesResponse reports the answer to a request.
func writesResponse(n *program.Node) bool {
	if n == nil {
		return false
	}
	if n.Role != program.Name {
		return strings.HasSuffix(n.Text(), ".Writer") || strings.HasSuffix(n.Text(), ".Response()")
	}
	_, p := parameterOf(n)
	return strings.Contains(p.Text(), "ResponseWriter")
}

// everywhere reports an address at which all machines of the network may ask.
func everywhere(v value) bool {
	return v.known() && (strings.HasPrefix(v.text, ":") || strings.HasPrefix(v.text, "0.0.0.0") || strings.HasPrefix(v.text, "[::]")) ||
		v.isText && (strings.HasPrefix(v.text, "0.0.0.0:") || strings.HasPrefix(v.text, ":"))
}

// goProfiles judges the door for profiles and debuggers that is open to all.
func goProfiles(c *call) *hit {
	if handler := c.node(1); handler.Is(program.Null) && strings.Contains(c.s.file.Source, `"net/http/pprof"`) && everywhere(c.arg(0, "")) {
		return &hit{Weakening, Danger, "net/http/pprof"}
	}
	return nil
}

// goServer is goProfiles for a server that is written out.
func goServer(s *scan, v *program.Node) *hit {
	options := v.Up(program.Map)
	if options == nil || strings.Contains(options.Text(), "Handler:") || !strings.HasSuffix(strings.TrimSpace(strings.SplitN(options.Text(), "{", 2)[0]), "http.Server") ||
		!strings.Contains(s.file.Source, `"net/http/pprof"`) || !everywhere(s.eval(v, 0)) {
		return nil
	}
	return &hit{Weakening, Danger, "net/http/pprof"}
}

// acceptsHost judges what says whether the other machine is the right one; it may stand in a conversion, or be given by a function.
func acceptsHost(s *scan, v *program.Node) *hit {
	if v.Is(program.Call) {
		callee := v.Kid(program.Callee)
		if made := s.body(callee.Name); callee.Is(program.Name) && made != nil {
			for at := range made.Walk() {
				if at.Role == program.Return && at.Function() == made && s.accepts(at.Kid(program.Value)) {
					return &hit{Weakening, Danger, "HostKeyCallback"}
				}
			}
			return nil
		}
		if strings.HasSuffix(callee.Text(), "HostKeyCallback") {
			v = v.Kid(program.Arg)
		}
	}
	return given(s.accepts(v), Weakening, "HostKeyCallback")
}

// acceptsOrigin judges what says whether another page may speak for a visitor.
func acceptsOrigin(s *scan, v *program.Node) *hit {
	if s.accepts(v) {
		return &hit{Weakening, Review, "CheckOrigin"}
	}
	return nil
}

// goSets judges what is put in the place of the library's own, and where a request leads that is passed on.
func goSets(s *scan, a setting) *hit {
	switch object := a.target.Kid(program.Object); {
	case a.path == "crypto/rand.Reader":
		return &hit{Interference, Danger, a.path}
	case a.path == "net/http.DefaultTransport", a.path == "net/http.DefaultClient":
		return &hit{Interference, Review, a.path}
	case a.target.Role != program.Attr:
	case a.name == "URL" && s.isRequest(object), a.name == "Host" && object.Is(program.Attr) && object.Name == "URL" && s.isRequest(object.Kid(program.Object)):
		if address.takes(s.taint(a.value, 0)) && !s.looked(a.node, a.value) {
			return &hit{Injection, Review, a.target.Text() + ": an address to fetch of a request"}
		}
	}
	return nil
}
