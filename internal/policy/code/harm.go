package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// temporary are calls that make a new folder to work in: what is removed with it was made with it.
var temporary = pattern.New(`(?i)(^|\.)(mkdtemp|mkdtempsync|mkdirtemp|tempdir|createtempdirectory|temporarydirectory|gettempdir)\(\)`)

// folder judges a folder that is removed with all in it: one that is not known may be any, unless it was just made.
func (c *call) folder(p value) *hit {
	if strings.HasPrefix(p.text, "~/") {
		return c.removeAll(p, c.hit(Destruction, Review))
	}
	if p.isText && strings.Trim(strings.ReplaceAll(p.text, unknown, ""), "/") != "" || temporary.MatchString(p.path) || c.s.below(c.node(0)) {
		return c.removeAll(p, nil)
	}
	return c.removeAll(p, c.hit(Destruction, Review))
}

// below reports a path to what stands under a name of the source in some folder: of Python's ROOT / "build", or each of several.
func (s *scan) below(n *program.Node) bool {
	n = s.written(n)
	if s.besideModule(n) {
		return true
	}
	if s.file.Lang != syntax.Python || !n.Is(program.Arith) || n.Op != "/" {
		return false
	}
	last := n.Kid(program.Right)
	if v := s.eval(last, 0); v.isText {
		return inFolder(v)
	}
	all := s.flowsInto(last)
	return len(all) > 0 && !slices.ContainsFunc(all, func(f flow) bool {
		list := s.eval(f.node, 0)
		return f.by != each || len(list.list) == 0 || slices.ContainsFunc(list.list, func(v value) bool { return !inFolder(v) })
	})
}

// besideModule reports a folder of a name beside a module of JavaScript's, or the one above it: fileURLToPath(new URL("../dist/", import.meta.url)).
func (s *scan) besideModule(n *program.Node) bool {
	if !n.Is(program.Call) || n.Calls() != "fileURLToPath" {
		return false
	}
	args := s.written(n.Kid(program.Arg)).All(program.Arg)
	if len(args) != 2 || args[1].Text() != "import.meta.url" {
		return false
	}
	v := s.eval(args[0], 0)
	return v.known() && !strings.Contains(v.text, ":") && inFolder(text(strings.TrimPrefix(v.text, "../")))
}

// inFolder reports a text that names something in a folder, and neither that nor what is outside of it.
func inFolder(v value) bool {
	return v.known() && strings.Trim(v.text, "./") != "" && !strings.HasPrefix(v.text, "/") && !strings.HasPrefix(v.text, "~") && !slices.Contains(strings.Split(v.text, "/"), "..")
}

// recursive is folder for calls that remove a folder only when they are told to.
func recursive(c *call) *hit {
	if c.on("recursive") {
		return c.folder(c.arg(0, "path"))
	}
	return c.write(c.args...)
}

// endsWhileLoading judges an end with success of a process that was only loading a file. Under a condition it may be a program's own.
func endsWhileLoading(c *call) *hit {
	if len(c.args) > 1 || len(c.args) == 1 && c.args[0].number != "0" || c.n.Function() != nil || c.n.Up(program.If) != nil {
		return nil
	}
	return c.hit(Interference, Review)
}

// codeNames are names of numbers by which somebody shows who he is.
const codeNames = `(login|log_?in|sign_?in|reset|verif\w*|confirm\w*|invit\w*|access|recovery|backup|auth\w*|security|pairing|activation|unlock)_?(code|pin|key|link|id)s?(\b|_|[A-Z])`

// secretly matches the names of functions whose random numbers must not be guessed, tokens of languages left out.
var (
	secretly = pattern.New(`(?i)(otp|token|passw(or)?d|passphrase|secret|nonce|salt|csrf|session_?id|api_?key|one_?time|` + codeNames + `)`)
	words    = pattern.New(`(?i)tokeni[sz]|(next|peek|read|skip|parse|current)_?token`)
	hashed   = pattern.New(`(?i)passw(or)?d|passphrase`)
)

// forSecrets reports whether a call's function says that its numbers must not be guessed, or where that is called.
func (c *call) forSecrets() bool {
	name := function(c.n)
	if secretly.MatchString(name) && !words.MatchString(name) {
		return true
	}
	for f := c.n.Function(); f != nil; f = outer(f) {
		if c.s.calledForSecrets(f) {
			return true
		}
	}
	return false
}

// calledForSecrets reports whether a function is called in a statement that says that what it gives must not be guessed.
func (s *scan) calledForSecrets(f *program.Node) bool {
	if known, ok := s.secretive[f]; ok {
		return known
	}
	const longest = 300
	s.secretive[f] = slices.ContainsFunc(s.linked().callers[f], func(n *program.Node) bool {
		text := n.Statement().Text()
		return len(text) < longest && guessable.MatchString(text) && !words.MatchString(text)
	})
	return s.secretive[f]
}

// weakHash judges fast hashes of passwords.
func weakHash(c *call) *hit {
	name := strings.ToLower(c.path + c.arg(0, "").text)
	if !strings.Contains(name, "md5") && !strings.Contains(name, "sha1") && !strings.Contains(name, "sha-1") {
		return nil
	}
	if c.forSecrets() && predictable.MatchString(c.s.unfolded(c.n)) {
		return c.hit(Weakening, Review)
	}
	if hashed.MatchString(function(c.n)) || c.s.givenPasswords(c.n.Function()) || hashed.MatchString(c.line()) || hashed.MatchString(c.statement()) {
		return c.hit(Weakening, Review)
	}
	return nil
}

// givenPasswords reports a function of the file that calls give passwords.
func (s *scan) givenPasswords(f *program.Node) bool {
	return f != nil && slices.ContainsFunc(s.linked().callers[f], func(n *program.Node) bool {
		return slices.ContainsFunc(n.All(program.Arg), func(a *program.Node) bool { return hashed.MatchString(a.Text()) })
	})
}

// predictable matches what anybody can compute who knows when something was done.
var predictable = pattern.New(`(?i)\btime\(\)|\bnow\(|time\.time|Date\(\)|currentTimeMillis|nanoTime|Unix(Nano)?\(|random\(|getpid`)

// line is the line of the source on which a call begins.
func (c *call) line() string {
	if c.s.lines == nil {
		c.s.lines = strings.Split(c.s.file.Source, "\n")
	}
	lines := c.s.lines
	if at := c.n.Line() - 1; at < len(lines) {
		return lines[at]
	}
	return ""
}

// secretVariable matches an expression with one variable of the environment whose name says that it is secret.
var secretVariable = pattern.New(`(environ|getenv|Getenv|process\.env)\W[^)\]]*(TOKEN|SECRET|PASSWORD|PASSWD|_KEY|CREDENTIAL)`)

// sends judges what is given to another machine: the page's cookies and all of the environment in any place, a secret in the address, where it stays in logs.
func (s *scan) sends(n *program.Node, path string) {
	if h := s.rules.mentions[path]; h == nil || h.class != Network {
		if path = s.client(n.Kid(program.Callee)); path == "" {
			return
		}
	}
	for i, a := range n.All(program.Arg) {
		if s.surrounds(a) {
			s.add(n, &hit{Secrets, Danger, environmentTo + path})
			return
		}
		if cookies.MatchString(s.unfolded(a)) || i == 0 && slices.ContainsFunc(goesTo(a), func(to *program.Node) bool { return secretVariable.MatchString(s.unfolded(to)) }) {
			s.add(n, &hit{Secrets, Danger, "a secret to " + path})
			return
		}
	}
	if s.sendsMachine(n) {
		s.add(n, &hit{Secrets, Danger, "a machine's keys to " + path})
	}
}

// goesTo are the parts of a request's first argument that say where it goes: what has no name, and what is called so. Headers and the like are where keys belong.
func goesTo(a *program.Node) []*program.Node {
	switch {
	case a.Is(program.Keyword) && !addressNamed.MatchString(a.Name):
		return nil
	case !a.Is(program.Map):
		return []*program.Node{a}
	}
	var all []*program.Node
	for _, p := range a.Kids {
		if k := p.Kid(program.Key); k == nil || addressNamed.MatchString(k.Text()) {
			all = append(all, p)
		}
	}
	return all
}

// addressNamed matches how libraries call an address, and what is put at its end.
var addressNamed = pattern.New(`(?i)ur[il]|host|addr|endpoint|params|query|path`)

// client is the method of a client of the library's by which something is sent; empty: it is none.
func (s *scan) client(callee *program.Node) string {
	if !callee.Is(program.Attr) {
		return ""
	}
	object := callee.Kid(program.Object)
	switch _, ok := s.fetching(callee); {
	case ok, s.file.Lang == syntax.Go && clientMethods[callee.Name] && strings.HasSuffix(strings.TrimLeft(firstText(s.classOf(object), s.typeOf(object)), "*&"), "http.Client"):
		return callee.Name
	}
	return ""
}

// clientMethods are methods of Go's client of HTTP.
var clientMethods = set("Post PostForm Get Head")

func firstText(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}

// installs reports whether a command fetches packages that are not known.
func installs(list []value) bool {
	manager, verb, open := false, false, false
	for _, a := range list {
		switch {
		case !a.known():
			open = true
		case managers[a.text]:
			manager = true
		case a.text == "install" || a.text == "add" || a.text == "get":
			verb = true
		}
	}
	return manager && verb && open
}

var managers = set("pip pip3 npm yarn pnpm gem cargo go apt apt-get brew uv poetry")

// replaced are functions of libraries that a program must not put its own in the place of, by how they are called.
var replaced = pattern.New(`^(hmac|html|ssl|bcrypt|jwt|shlex|markupsafe|passlib|itsdangerous|bleach|werkzeug\.security|django\.utils\.(html|crypto)|time|random|unittest|datetime|json|os|subprocess|socket|math|hashlib|pytest|_pytest|assertpy|secrets|operator|functools|itertools|re|copy|decimal|numpy|hypothesis|hamcrest|nose)\.[\w.]+$`)

// replaces reports whether something is put in the place of a library's function.
func replaces(a setting) bool {
	return a.target.Role == program.Attr && replaced.MatchString(a.path) && !strings.Contains(a.path, "environ") && a.value.Is(program.Function, program.Name, program.Null)
}

// secretFiles matches names of files in a home folder that hold keys; each is a literal of its own.
var secretFiles = pattern.New("^['\"`]~?/?(\\.npmrc|\\.netrc|\\.pypirc|\\.git-credentials|\\.docker/config\\.json|\\.aws/credentials|\\.config/(gh/hosts\\.yml|gcloud/[\\w.]+)|\\.ssh/id_\\w+|\\.kube/config)['\"`]$")

// homeFolder matches ways to the user's home folder.
var homeFolder = pattern.New(`homedir\(|Path\.home\(|expanduser|UserHomeDir|user\.home|\bHOME\b|USERPROFILE`)

// collects joins what is harmless alone: keys of the home folder are named in a file that talks to another machine.
func (s *scan) collects() {
	network := slices.ContainsFunc(s.found, func(c Capability) bool { return c.Class == Network })
	if !network || !homeFolder.MatchString(s.file.Source) {
		return
	}
	var first *program.Node
	grade := Review // a tool's own
	for n := range s.file.Root.Walk() {
		if n.Role != program.Str || !secretFiles.MatchString(n.Text()) {
			continue
		}
		if first != nil && first.Text() != n.Text() {
			grade = Danger // of several
		} else {
			first = n
		}
	}
	if first != nil {
		s.add(first, &hit{Secrets, grade, "keys of the home folder"})
	}
}
