package code

import (
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// source is who chose an expression's value, as far as the expression itself says it.
func (s *scan) source(n *program.Node) source {
	switch {
	case n.Role == program.Attr && n.Part == program.Callee && s.file.Lang == syntax.Java:
		return own // judged with its call
	case n.Role == program.Attr:
		object := n.Kid(program.Object)
		if from := s.fields()[n.Name]; from != own && s.isRequest(object) {
			return from
		}
		return s.entryName(n.Name, object)
	case n.Role == program.Call:
		return s.asks(n)
	case n.Role == program.Index && s.isRequest(n.Kid(program.Object)) && s.file.Lang == syntax.JavaScript:
		return s.fields()[s.eval(n.Kid(program.At), 0).text]
	default:
		return own
	}
}

var (
	goContexts = pattern.New(`\b(gin|echo|fiber|iris)\.(Context|Ctx)\b`)
	goAsks     = set("Query Param PostForm DefaultQuery DefaultPostForm GetHeader Cookie Cookies QueryParam Params FormValue GetQuery GetPostForm QueryArray URLParam PostValue GetRawData")
	// pythonAsks are methods of a handler of tornado, javaAsks those of a servlet's request; whatever they are called on.
	pythonAsks = set("get_argument get_query_argument get_body_argument get_arguments get_cookie")
	javaAsks   = set("getParameter getParameterValues getParameterMap getHeader getQueryString getPathInfo getPart getParts getReader getSubmittedFileName getOriginalFilename " +
		"getQueryParams queryParam pathParam formParam getPathParameter pathVariable")
	javaPlaces = set("getRequestURI getRequestURL getServletPath getServerName")
	requests   = pattern.New(`(?i)(request|req|httpreq|exchange|ctx|context)(\(\))?$`)
)

// asks is what a call asks a request for.
func (s *scan) asks(n *program.Node) source {
	callee := n.Kid(program.Callee)
	name := n.Calls()
	switch s.file.Lang {
	case syntax.Go:
		if s.goAsked(callee) {
			return said
		}
	case syntax.Python:
		if pythonAsks[name] && strings.HasPrefix(callee.Text(), "self.") {
			return said
		}
		if entryNames[name] && s.hasArchives() {
			return entry
		}
	case syntax.Java:
		return s.javaAsked(n, name, callee.Kid(program.Object))
	default:
		if object := callee.Kid(program.Object); callee.Is(program.Attr) && name == "get" && object.Is(program.Name) && (object.Name == "req" || object.Name == "request" || headerNames.MatchString(n.Kid(program.Arg).Text())) && s.isRequest(object) {
			return said
		}
	}
	return own
}

// headerNames matches names of headers, for which contexts are asked as requests are; under other names they keep what is the program's own.
var headerNames = pattern.New("(?i)^['\"`](x-|authorization|cookie|referr?er|origin|host|user-agent|content-|accept|forwarded)")

// goAsked reports a call of a request's, or of the router that has taken its path apart.
func (s *scan) goAsked(callee *program.Node) bool {
	object, name := callee.Kid(program.Object), callee.Name
	return callee.Is(program.Attr) && (name == "URLParam" && object.Text() == "chi" || name == "Vars" && object.Text() == "mux" || goAsks[name] && goContexts.MatchString(s.typeOf(object)))
}

func (s *scan) javaAsked(n *program.Node, name string, object *program.Node) source {
	if object == nil {
		return own
	}
	of := s.typeOf(object)
	switch {
	case strings.HasSuffix(of, "Entry") && (name == "getName" || name == "getPath" || name == "getFileName" || name == "toString"), name == "getName" && s.isEntry(object):
		return entry
	case name == "getOriginalFilename" || name == "getSubmittedFileName":
		return said
	case !javaAsks[name] && !javaPlaces[name] || of != "" && !strings.Contains(of, "Request") && !strings.Contains(of, "Context") || of == "" && !requests.MatchString(object.Text()):
		return own
	case javaPlaces[name] || referrer.MatchString(n.Text()):
		return located
	default:
		return said
	}
}

// typeOf is the declared type of a name, without its package's path.
func (s *scan) typeOf(n *program.Node) string {
	if !n.Is(program.Name) {
		return ""
	}
	types := s.declaredTypes()
	for scope := n.Function(); ; scope = outer(scope) {
		if t := types[scope][n.Name]; t != "" || scope == nil {
			return t
		}
	}
}

// declaredTypes are the types that are written for names, by the function in which they are; nil is the file.
func (s *scan) declaredTypes() map[*program.Node]map[string]string {
	if s.types != nil {
		return s.types
	}
	s.types = make(map[*program.Node]map[string]string)
	declare := func(scope *program.Node, name, t string) {
		if s.types[scope] == nil {
			s.types[scope] = make(map[string]string)
		}
		if name != "" && t != "" && s.types[scope][name] == "" {
			s.types[scope][name] = t
		}
	}
	for n := range s.file.Root.Walk() {
		switch {
		case n.Part == program.Params:
			declare(n.Function(), n.Name, n.Type)
		case n.Is(program.Assign, program.Each) && n.Type != "":
			if t := n.Kid(program.Target); t != nil {
				declare(n.Function(), t.Name, n.Type)
			}
		}
	}
	return s.types
}

// holders are what a request is a member of.
var holders = set("self flask quart bottle web cherrypy cls c ctx context info this")

// isRequest reports a request that somebody else sent: by the type of a parameter in Go, by what everybody calls it elsewhere.
func (s *scan) isRequest(n *program.Node) bool {
	switch {
	case n == nil:
		return false
	case s.file.Lang == syntax.Go && n.Is(program.Name):
		return strings.HasSuffix(s.typeOf(n), "http.Request")
	case s.file.Lang == syntax.Go:
		return false
	case n.Is(program.Attr):
		return (n.Name == "request" || n.Name == "req") && holders[n.Kid(program.Object).Text()]
	case !n.Is(program.Name):
		return false
	}
	switch n.Name {
	case "request", "req":
	case "ctx", "event", "context":
		if s.file.Lang == syntax.Python {
			return false
		}
	default:
		return false
	}
	path := s.eval(n, 0).path
	s.ways()
	return !strings.HasPrefix(path, "urllib") && !strings.HasPrefix(path, "http.") && !s.madeHere(n)
}

// filled notes what calls write into variables that they are given: a body that is read, a form that is taken apart.
func (s *scan) filled(n *program.Node) {
	if s.file.Lang != syntax.Go {
		return
	}
	callee, args := n.Kid(program.Callee), n.All(program.Arg)
	if !callee.Is(program.Attr) || len(args) == 0 {
		return
	}
	last := args[len(args)-1]
	if last.Role == program.Unary {
		last = last.Kid(program.Operand)
	}
	if !last.Is(program.Name) {
		return
	}
	object := callee.Kid(program.Object)
	switch callee.Name {
	case "Decode":
		if from := object.Kid(program.Arg); object.Is(program.Call) && from != nil {
			s.give(n.Function(), last.Name, flow{node: from})
		}
	case "Unmarshal":
		s.give(n.Function(), last.Name, flow{node: args[0]})
	case "Bind", "BindJSON", "BindQuery", "ShouldBind", "ShouldBindJSON", "ShouldBindQuery", "ShouldBindUri", "BodyParser", "QueryParser", "ReadJSON":
		if goContexts.MatchString(s.typeOf(object)) {
			s.give(n.Function(), last.Name, flow{from: said})
		}
	}
}

// parameters notes which parameters of a function hold what a request says: those of a handler.
func (s *scan) parameters(fn *program.Node) {
	params := fn.All(program.Params)
	switch s.file.Lang {
	case syntax.Python:
		s.pythonParameters(fn, params)
	case syntax.Java:
		for _, p := range params {
			if javaMarked.MatchString(p.Text()) && !harmlessTypes.MatchString(p.Type) {
				s.give(fn, p.Name, flow{from: said})
			}
		}
		s.entryHandler(fn, params)
	case syntax.Go:
	default:
		s.scriptParameters(fn, params)
	}
}

var (
	javaMarked    = pattern.New(`@(RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|RequestPart|ModelAttribute|MatrixVariable|QueryParam|PathParam|FormParam|HeaderParam|CookieParam|QueryValue|Body)\b`)
	tsMarked      = pattern.New(`^@(Query|Param|Body|Headers|Req|UploadedFile)\(`)
	harmlessTypes = pattern.New(`^(Optional\[|Optional<|Annotated\[)?(int|long|short|double|float|bool|boolean|Integer|Long|Double|Boolean|BigDecimal|UUID|uuid\.UUID|date|datetime|LocalDate|Instant|number|Decimal)\b`)
	services      = pattern.New(`(Request|Response|Session|Tasks|WebSocket|Service|Client|Repository|Depends\(.*|Database|Settings|Connection|Pool|User|Engine)\]?$`)
	routes        = pattern.New(`^@[\w.]+\.(route|get|post|put|patch|delete|head|options|api_route|websocket|any)\(\s*f?["']|^@(route|get|post|put|delete|api_view)\(`)
	converted     = pattern.New(`<(int|float|uuid|any\([^)]*\)):(\w+)>|\{(\w+):(int|float|uuid)\}`)
)

// pythonParameters are those of a function that is the handler of a route.
func (s *scan) pythonParameters(fn *program.Node, params []*program.Node) {
	var written []string
	for d := fn.Prev(); d != nil && strings.HasPrefix(d.Text(), "@"); d = d.Prev() {
		if routes.MatchString(d.Text()) {
			written = append(written, d.Text())
		}
	}
	if len(written) == 0 {
		return
	}
	route := strings.Join(written, "")
	numbers := strings.Join(converted.FindAllString(route, -1), "")
	for _, p := range params {
		if p.Name == "" || p.Name == "self" || p.Name == "request" || p.Name == "req" || harmlessTypes.MatchString(p.Type) || services.MatchString(p.Type) || strings.Contains(numbers, ":"+p.Name+">") ||
			strings.Contains(numbers, "{"+p.Name+":") {
			continue
		}
		if made := p.Kid(program.Value); made.Is(program.Call) && !asksFor[made.Calls()] {
			continue // what the framework makes for it
		}
		if p.Type == "" && !strings.Contains(route, p.Name) && !p.Kid(program.Value).Is(program.Call) {
			continue
		}
		s.give(fn, s.identifier(p.Name), flow{from: said})
	}
}

// asksFor are the defaults by which a handler says what it takes from a request.
var asksFor = set("Query Path Body Form File Header Cookie")

// scriptParameters are those that take a request apart, and those that are marked.
func (s *scan) scriptParameters(fn *program.Node, params []*program.Node) {
	answers := len(params) > 1 && responses[strings.TrimLeft(params[1].Text(), "_")]
	for i, p := range params {
		if p.Role == program.Param && tsMarked.MatchString(p.Text()) && !harmlessTypes.MatchString(p.Type) {
			s.give(fn, p.Name, flow{from: said})
		}
		pattern := p
		if p.Role == program.Param && len(p.Kids) > 0 {
			pattern = p.Kids[0]
		}
		if pattern.Role == program.Map {
			s.unpacked(fn, pattern, i == 0 && answers)
		}
	}
	s.entryHandler(fn, params)
}

// responses are the names of a handler's second parameter.
var responses = set("res response reply next rep resp")

// unpacked gives the fields of a request that a parameter takes apart; the request may be one of a context's members itself.
func (s *scan) unpacked(fn, pattern *program.Node, isRequest bool) {
	for _, e := range pattern.All(program.Elem) {
		if e.Role == program.Pair {
			key, to := strings.Trim(e.Kid(program.Key).Text(), `"'`), e.Kid(program.Value)
			switch from := scriptFields[key]; {
			case to == nil:
			case (key == "req" || key == "request") && to.Role == program.Map:
				s.unpacked(fn, to, true)
			case isRequest && from != own:
				s.taken(fn, to, flow{from: from})
			}
			continue
		}
		if e.Role == program.Assign {
			e = e.Kid(program.Target)
		}
		if from := scriptFields[e.Name]; isRequest && from != own {
			s.give(fn, e.Name, flow{from: from})
		}
	}
}
