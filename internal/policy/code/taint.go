package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// source is who chose a value. A greater one chooses more freely.
type source uint8

const (
	own     source = iota // the program, as far as is known
	entry                 // an archive: the name of one of its entries
	located               // a request, by the address that it asks for
	said                  // a request, by what it says: its query, its form, its body, its headers
)

func (f source) String() string {
	return [...]string{"", "of an archive's entry", "of a request", "of a request"}[f]
}

// taint is what is known of where a value comes from.
type taint struct {
	from source
	head bool // the value may begin with what they chose
}

func (t taint) or(o taint) taint {
	return taint{max(t.from, o.from), t.head || o.head}
}

// behind is the taint of what stands behind something of the program's own.
func (t taint) behind() taint { return taint{from: t.from} }

// flow is one thing that a name was given.
type flow struct {
	node *program.Node
	from source // where it is known at once
	by   string // the member of what is taken apart
	call bool   // a call gives it to a parameter
}

// flows are the ways of values through one file, as far as they begin with somebody else.
type flows struct {
	given  map[*program.Node]map[string][]flow // by function; nil is the file
	taints answers[taint]
}

// ways are the flows of the file, noted when they are first asked for.
func (s *scan) ways() *flows {
	if s.flows == nil {
		s.flows = &flows{make(map[*program.Node]map[string][]flow), newAnswers[taint]()}
		for n := range s.file.Root.Walk() {
			s.plain.flowing(n)
		}
		clear(s.flows.taints.known) // what was asked while ways were still missing
	}
	return s.flows
}

func (s *scan) give(scope *program.Node, name string, f flow) {
	if name == "" || name == "_" || name == "err" {
		return
	}
	given := s.flows.given
	if given[scope] == nil {
		given[scope] = make(map[string][]flow)
	}
	given[scope][name] = append(given[scope][name], f)
}

// flowing notes what a node gives to names.
func (s *scan) flowing(n *program.Node) {
	switch n.Role {
	case program.Assign:
		if n.Part == program.Params {
			return
		}
		values := valuesOf(n)
		for i, t := range n.All(program.Target) {
			if len(values) > 0 {
				s.taken(n.Function(), t, flow{node: values[min(i, len(values)-1)]})
			}
		}
	case program.Each:
		given := s.iterated(n.Kid(program.Iter))
		for _, t := range n.All(program.Target) {
			for _, f := range given {
				s.taken(n.Function(), t, f)
			}
		}
	case program.Function:
		s.parameters(n)
	case program.Call:
		s.filled(n)
		s.handsTo(n)
		s.callsBack(n)
	default: // gives nothing
	}
}

// each stands for a member of a list, whichever it is.
const each = "[]"

// taken gives the parts of a value to the names that take it apart.
func (s *scan) taken(scope, t *program.Node, f flow) {
	switch t.Role {
	case program.Name, program.Param:
		s.give(scope, s.identifier(t.Name), f)
	case program.List:
		for _, e := range t.All(program.Elem) {
			s.taken(scope, e, f)
		}
	case program.Spread:
		if of := t.Kid(program.Operand); of != nil {
			s.taken(scope, of, f)
		}
	case program.Map:
		for _, e := range t.All(program.Elem) {
			name, to := e.Name, e
			switch e.Role {
			case program.Pair:
				name, to = strings.Trim(e.Kid(program.Key).Text(), `"'`), e.Kid(program.Value)
			case program.Assign: // with a default
				to = e.Kid(program.Target)
				name = to.Text()
			default:
			}
			inner := f
			if f.from == own && s.isRequest(f.node) {
				inner = flow{from: s.fields()[name]}
			}
			if to != nil {
				s.taken(scope, to, inner)
			}
		}
	default: // a part of something that has its name already
	}
}

// taint is what is known of where an expression's value comes from.
func (s *scan) taint(n *program.Node, depth int) taint {
	if n == nil {
		return taint{}
	}
	return s.ways().taints.to(n, depth, s.trace)
}

func (s *scan) trace(n *program.Node, depth int) taint {
	if from := s.source(n); from != own {
		return taint{from, true}
	}
	switch n.Role {
	case program.Name:
		return s.carried(n, depth)
	case program.Attr:
		return s.partOf(n, depth)
	case program.Index, program.Slice:
		return s.taint(n.Kid(program.Object), depth+1)
	case program.Call:
		return s.calls(n, depth)
	case program.Arith:
		return s.spliced(n, depth)
	case program.Str:
		return s.filledIn(n, depth)
	case program.Group, program.Wait, program.Spread:
		return s.taint(n.Kid(program.Operand), depth+1)
	case program.Unary:
		if n.Op == "-" || n.Op == "+" || n.Op == "~" {
			return taint{} // a number
		}
		return s.taint(n.Kid(program.Operand), depth+1)
	case program.Assign:
		return s.taint(n.Kid(program.Value), depth+1)
	case program.Choice:
		return s.taint(n.Kid(program.Then), depth+1).or(s.taint(n.Kid(program.Else), depth+1))
	case program.Logic:
		return s.taint(n.Kid(program.Left), depth+1).or(s.taint(n.Kid(program.Right), depth+1))
	case program.List:
		return s.joined(n.All(program.Elem), depth)
	case program.Comprehension:
		return s.taint(n.Kid(program.Body), depth+1)
	case program.Other: // a cast
		if len(n.Kids) > 0 {
			return s.taint(n.Kids[len(n.Kids)-1], depth+1)
		}
		return taint{}
	default:
		return taint{}
	}
}

// carried is what a name carries that was given to it where it stands.
func (s *scan) carried(n *program.Node, depth int) taint {
	return s.joint(s.givenTo(n), depth)
}

// joint is what any of several things may carry.
func (s *scan) joint(all []flow, depth int) taint {
	var t taint
	for _, f := range all {
		if f.from != own {
			t = t.or(taint{f.from, true})
		} else {
			t = t.or(s.taint(f.node, depth+1))
		}
		if t == (taint{said, true}) {
			break // there is no worse
		}
	}
	return t
}

// measures are members that are numbers, or yes and no: whoever chose the value, they lead nowhere.
var measures = set("length size count len Size Length type content_type contentType mimetype file_size isDirectory is_dir isFile date method status ContentLength Method Mode " +
	"startsWith startswith endsWith endswith includes has contains equals equalsIgnoreCase isdigit isalnum isidentifier isEmpty isBlank isPresent indexOf index find match matches test " +
	"hashCode hexdigest digest keys intValue longValue getSize getContentType isnumeric search to_i __len__ exists is_file isDir IsDir user session app log logger")

// leaves are members of paths that hold no folder.
var leaves = set("name stem suffix getFileName getName basename")

func (s *scan) partOf(n *program.Node, depth int) taint {
	object := n.Kid(program.Object)
	if measures[n.Name] {
		return taint{}
	}
	t := s.taint(object, depth+1)
	if t.from == own {
		return s.joint(s.fieldFlows(n), depth)
	}
	if leaves[n.Name] && s.isPath(object) {
		return taint{}
	}
	if n.Name == "searchParams" || n.Name == "Query" || n.Name == "RawQuery" {
		t.from = max(t.from, said) // a part of the address that says what one likes
	}
	return t
}

// isPath reports whether something is a path, and no text or request that has members of the same name.
func (s *scan) isPath(n *program.Node) bool {
	v := s.eval(n, 0)
	return v.isText || strings.HasSuffix(strings.TrimSuffix(v.path, "()"), "Path") || paths.MatchString(n.Text())
}

var paths = pattern.New(`^(pathlib\.)?(Pure(Posix|Windows)?)?Path\(|^(Path\.of|Paths\.get|new File)\(`)

// joined is the taint of texts that are put together, the first of them first.
func (s *scan) joined(parts []*program.Node, depth int) taint {
	var t taint
	for i, p := range parts {
		if p.Role == program.Keyword {
			continue
		}
		if in := s.taint(p, depth+1); i == 0 {
			t = in
		} else {
			t = t.or(in.behind())
		}
	}
	return t
}

// calls is the taint of what a call gives: what carries on is a method of a value of theirs, and a function that only puts texts together.
func (s *scan) calls(n *program.Node, depth int) taint {
	callee, args := n.Kid(program.Callee), n.All(program.Arg)
	if f := s.carriedOut(n); f != nil {
		return s.joint(back(f), depth)
	}
	if callee.Is(program.Attr) {
		if t := s.taint(callee, depth+1); t.from != own {
			if converts(n) {
				return taint{}
			}
			if referrer.MatchString(n.Text()) {
				t.from = min(t.from, located)
			}
			return t
		}
		if carriers[callee.Name] && !handsOn[s.eval(callee, 0).path] {
			return s.carriedBy(callee, args, depth)
		}
	}
	path := s.eval(callee, 0).path
	switch {
	case path == "fmt.Sprintf" || path == "String.format":
		return s.formatted(args, depth)
	case rooted[path] && len(args) > 0 && s.fromRoot(args[0]):
		return taint{} // what leads out of the root ends there
	case relative[path]:
		for _, a := range args {
			if t := s.taint(a, depth+1); t.head {
				return t
			}
		}
		return taint{}
	case handsOn[path]:
		return s.joined(args, depth)
	}
	return taint{}
}

// converts reports a method that makes a number of what it takes out, or leaves of a text what letters it allows.
func converts(n *program.Node) bool {
	for _, a := range n.All(program.Arg) {
		if a.Role == program.Keyword && a.Name == "type" && a.Kid(program.Value).Text() != "str" || strings.HasPrefix(a.Text(), "/") && n.Calls() != "get" {
			return true
		}
	}
	return n.Calls() == "replaceAll" || n.Calls() == "getlist" && len(n.All(program.Arg)) == 0
}

var referrer = pattern.New(`(?i)\breferr?er`)

// carriedBy is the taint of what a method makes of its arguments: a path put to another, a format filled in.
func (s *scan) carriedBy(callee *program.Node, args []*program.Node, depth int) taint {
	t := s.joined(args, depth)
	object := s.eval(callee.Kid(program.Object), 0)
	switch {
	case callee.Name == "format" && object.isText:
		t.head = t.from != own && open(before(object.text, "{"))
		return t
	case callee.Name == "join" && len(args) == 1:
		return t
	}
	return t.behind()
}

// before is what stands in a text before something, and all of it where that does not occur.
func before(text, what string) string {
	head, _, _ := strings.Cut(text, what)
	return head
}

// open reports whether the beginning of a text leaves open on which machine it leads.
func open(head string) bool {
	head = strings.TrimRight(head, unknown)
	_, rest, ok := strings.Cut(head, "://")
	return head == "" || head == "//" || ok && rest == "" || strings.HasSuffix(head, "redirect:")
}

// formatted is the taint of a format's verbs; one for numbers takes nothing else.
func (s *scan) formatted(args []*program.Node, depth int) taint {
	if len(args) == 0 {
		return taint{}
	}
	return s.verbs(s.eval(args[0], 0).part(), args[1:], depth)
}

func (s *scan) verbs(format string, args []*program.Node, depth int) taint {
	var t taint
	at := 0
	for _, a := range args {
		i := strings.IndexByte(format[at:], '%')
		for i >= 0 && strings.HasPrefix(format[at+i:], "%%") {
			at += i + 2
			i = strings.IndexByte(format[at:], '%')
		}
		if i < 0 {
			break
		}
		head := format[:at+i]
		at += i + 1
		if at < len(format) && strings.ContainsRune("dxXfeg0.", rune(format[at])) {
			continue
		}
		in := s.taint(a, depth+1)
		in.head = in.head && open(head)
		t = t.or(in)
	}
	return t
}

// spliced is the taint of texts that are added, and of a format in Python's old way.
func (s *scan) spliced(n *program.Node, depth int) taint {
	left, right := n.Kid(program.Left), n.Kid(program.Right)
	switch n.Op {
	case "%":
		args := []*program.Node{right}
		if right.Is(program.List) {
			args = right.All(program.Elem)
		}
		if v := s.eval(left, 0); v.isText {
			return s.verbs(v.text, args, depth)
		}
		return taint{}
	case "+", "/", ".":
	default:
		return taint{}
	}
	l, r := s.taint(left, depth+1), s.taint(right, depth+1)
	if v := s.eval(left, 0); l.from == own && (!v.isText || !open(v.text)) {
		r.head = false
	}
	return l.or(r)
}

// filledIn is the taint of what a text's places are filled with.
func (s *scan) filledIn(n *program.Node, depth int) taint {
	var t taint
	for _, k := range n.Kids {
		in := s.taint(k, depth+1)
		if in.from == own {
			continue
		}
		head := strings.TrimLeft(n.File.Source[n.Start:k.Start], "fFrRbB\"'`")
		in.head = in.head && open(strings.TrimRight(head, "${"))
		t = t.or(in)
	}
	return t
}

// fromRoot reports a path that begins at the root: no way up leads out of it.
func (s *scan) fromRoot(n *program.Node) bool {
	v := s.eval(n, 0)
	return v.isText && strings.HasPrefix(v.text, "/") && (v.text == "/" || strings.HasPrefix(v.text, "/"+unknown))
}

// rooted are functions that clean a path: of one from the root nothing is left that leads up.
var rooted = set("path.Clean path/filepath.Clean path.Join path/filepath.Join path.join path.normalize path.posix.normalize path.posix.join path.resolve os.path.normpath")

// relative are functions that give the last of their arguments that is a whole address.
var relative = set("URL urllib.parse.urljoin url.resolve urlparse.urljoin")

// carriers are methods that put their arguments to what they are called on.
var carriers = set("join joinpath resolve resolveSibling format concat JoinPath resolvePath")

// handsOn are functions that give back what they are given, put together or spelled otherwise.
var handsOn = set(`str bytes os.fspath os.path.join os.path.abspath os.path.realpath os.path.normpath os.path.expanduser posixpath.join pathlib.Path pathlib.PurePath pathlib.PurePosixPath
	anyio.Path urllib.parse.unquote urllib.parse.unquote_plus urllib.parse.urlunparse json.loads dict list
	String decodeURIComponent decodeURI path.join path.resolve path.normalize path.posix.join path.posix.normalize JSON.parse Buffer.from URLSearchParams url.pathToFileURL url.fileURLToPath
	path/filepath.Join path.Join fmt.Sprint strings.TrimSpace strings.TrimPrefix strings.TrimSuffix strings.ToLower strings.ToUpper strings.Trim strings.TrimLeft strings.TrimRight
	strings.Replace strings.ReplaceAll path.Clean path/filepath.Clean path/filepath.FromSlash path/filepath.Abs net/url.QueryUnescape net/url.PathUnescape net/url.JoinPath net/url.Parse
	io.ReadAll io/ioutil.ReadAll string []byte strings.Split strings.NewReader
	Path.of Paths.get File String.valueOf URI.create URI URLDecoder.decode Objects.toString Objects.requireNonNullElse Objects.requireNonNull Optional.ofNullable StringUtils.cleanPath`)

// fields are the members of requests by what they hold.
func (s *scan) fields() map[string]source {
	switch s.file.Lang {
	case syntax.Python:
		return pythonFields
	case syntax.Go:
		return goFields
	default:
		return scriptFields
	}
}

func fieldsOf(ofSaid, ofPlace string) map[string]source {
	all := make(map[string]source)
	for name := range set(ofSaid) {
		all[name] = said
	}
	for name := range set(ofPlace) {
		all[name] = located
	}
	return all
}

var (
	pythonFields = fieldsOf(`args form values json data files cookies headers get_json get_data GET POST FILES COOKIES META body query_params path_params query view_args query_string
		match_info forms params`, `url path full_path path_info base_url host referrer rel_url get_full_path build_absolute_uri get_host`)
	scriptFields = fieldsOf(`query params body cookies headers files file signedCookies rawBody param header queryStringParameters pathParameters formData json text`,
		`url originalUrl path hostname host baseUrl nextUrl`)
	goFields = fieldsOf("Form PostForm MultipartForm Header Body FormValue PostFormValue PathValue", "URL Host RequestURI Referer")
)

// madeHere reports whether a name was given something that is no request: what the program itself sends is called so, too.
func (s *scan) madeHere(n *program.Node) bool {
	name := s.identifier(n.Name)
	for scope := n.Function(); ; scope = outer(scope) {
		if slices.ContainsFunc(s.flows.given[scope][name], func(f flow) bool { return f.node != nil && !f.call }) {
			return true
		}
		if scope == nil || len(s.means(scope, name)) > 0 {
			return false
		}
	}
}
