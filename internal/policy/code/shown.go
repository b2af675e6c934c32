package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// What is shown whole that holds secrets: requests in logs, the environment in answers.

var (
	// loggers matches what logs are written by, notes the methods that write, and notePaths functions that do.
	loggers   = pattern.New(`(?i)(^|[._])(log(ger|ging)?|winston|pino|bunyan|slog|zap|sugar|glog|logrus|zerolog|loguru|app\.logger|console|req\.log|LOG)(\(\))?$`)
	notes     = set("info debug warn warning error log critical exception trace fatal Print Printf Println Info Debug Warn Error Infof Debugf Warnf Errorf Infow Debugw Fatalf Panicf InfoContext DebugContext notice verbose")
	notePaths = set("print pprint.pprint System.out.println System.err.println System.out.printf fmt.Println fmt.Printf")
)

// bodies are members of requests that hold all that somebody says, passwords among it, by languages.
var bodies = map[syntax.Lang]map[string]bool{
	syntax.Python:     set("form json get_json POST body data headers cookies COOKIES META values environ"),
	syntax.JavaScript: set("body headers cookies rawBody rawHeaders signedCookies"),
	syntax.Go:         set("Form PostForm Header"),
	syntax.Java:       set("getParameterMap getCookies"),
}

// records judges a log that is given all of what a request says.
func (s *scan) records(n *program.Node) *hit {
	callee := n.Kid(program.Callee)
	path := s.eval(callee, 0).path
	if !notePaths[path] && (!callee.Is(program.Attr) || !notes[callee.Name] || !loggers.MatchString(callee.Kid(program.Object).Text()) && !strings.HasPrefix(s.eval(callee.Kid(program.Object), 0).path, "logging.")) || s.tries(n) {
		return nil
	}
	for _, a := range n.All(program.Arg) {
		if s.hunts(a, s.isWhole, s.copies) {
			return &hit{Secrets, Review, "all of a request is logged"}
		}
		if !notePaths[path] && s.hunts(a, isProof, s.copies) {
			return &hit{Secrets, Review, "a password is logged"}
		}
	}
	return nil
}

// unsaid matches names of what nobody may read in a log.
var unsaid = pattern.New(`(?i)^(passw(or)?d|passwd|pwd|passphrase|private_?key|api_?key|card_?number|cvv|cvc|ssn|(access|refresh)_?token)$`)

// isProof reports a variable or a member by whose name somebody shows who he is.
func isProof(n *program.Node) bool {
	return n.Is(program.Name, program.Attr) && unsaid.MatchString(n.Name) && n.Part != program.Callee && n.Part != program.Object
}

// isWhole reports all of what a request says, or its headers, and no part of it.
func (s *scan) isWhole(n *program.Node) bool {
	lang := s.file.Lang
	if s.isScript() {
		lang = syntax.JavaScript
	}
	switch n.Role {
	case program.Attr:
		return bodies[lang][n.Name] && s.isRequest(n.Kid(program.Object))
	case program.Call:
		callee := n.Kid(program.Callee)
		object := callee.Kid(program.Object)
		if lang == syntax.Go && s.eval(callee, 0).path == "net/http/httputil.DumpRequest" {
			return len(n.All(program.Arg)) == 2 && s.isRequest(n.All(program.Arg)[0])
		}
		if !callee.Is(program.Attr) || !bodies[lang][n.Calls()] {
			return false
		}
		return lang == syntax.Java && s.javaAsked(n, "getParameterMap", object) == said || lang != syntax.Java && s.isRequest(object) && len(n.All(program.Arg)) == 0
	case program.Name: // ({ body }) =>
		return lang == syntax.JavaScript && bodies[lang][n.Name] && s.isUnpacked(n)
	default:
		return false
	}
}

// isUnpacked reports a name that a parameter makes which takes a request apart.
func (s *scan) isUnpacked(n *program.Node) bool {
	for f := n.Function(); f != nil; f = outer(f) {
		if all := s.ways().given[f][n.Name]; len(all) > 0 {
			return slices.ContainsFunc(all, func(g flow) bool { return g.from == said && g.node == nil })
		}
	}
	return false
}

// copying are functions that give all of what they are given, in other words; copyingMethods those of what they are called on.
var (
	copying = set(`JSON.stringify JSON.parse str dict repr json.dumps json.loads pprint.pformat util.inspect util.format node:util.inspect fmt.Sprint fmt.Sprintf fmt.Sprintln String String.valueOf Object.entries Object.fromEntries Object.assign
		list tuple sorted structuredClone encoding/json.Marshal encoding/json.MarshalIndent string Map.copyOf TreeMap HashMap Objects.toString flask.jsonify jsonify lodash.cloneDeep zap.Any slog.Any go.uber.org/zap.Any log/slog.Any
		copy.copy copy.deepcopy maps.Clone strings.Join strings.NewReader bytes.NewReader bytes.NewBuffer bytes.NewBufferString []byte urllib.parse.urlencode base64.b64encode
		zlib.compress gzip.compress bytes bytearray URLSearchParams Buffer.from btoa BodyPublishers.ofString HttpRequest.BodyPublishers.ofString`)
	copyingMethods = set("items entries copy to_dict toString decode encode map format flat entrySet toJSON stringify")
)

// copies are what a call copies whole.
func (s *scan) copies(n *program.Node, path string) []*program.Node {
	callee, args := n.Kid(program.Callee), n.All(program.Arg)
	switch {
	case copying[path]:
		return args
	case callee.Is(program.Attr) && (callee.Name == "join" || callee.Name == "format" || callee.Name == "writeValueAsString"):
		return append(slices.Clone(args), callee.All(program.Object)...)
	case callee.Is(program.Attr) && copyingMethods[callee.Name]:
		return callee.All(program.Object)
	}
	return nil
}

// answering are functions and methods that give what somebody asked for, with the place of it.
var (
	answeringPaths = set(`flask.jsonify jsonify django.http.JsonResponse django.http.HttpResponse flask.Response flask.make_response starlette.responses.JSONResponse fastapi.responses.JSONResponse fastapi.responses.PlainTextResponse
		rest_framework.response.Response aiohttp.web.json_response sanic.response.json quart.jsonify Response.json Response NextResponse.json next/server.NextResponse.json ResponseEntity.ok fmt.Fprint fmt.Fprintln fmt.Fprintf`)
	answering     = set("json send JSON Encode jsonp end html text String IndentedJSON write Write WriteString body ok println print")
	answerObjects = pattern.New(`(?i)^(res|resp|response|reply|rep|c|ctx|context|w|self|out|e)\b|NewEncoder\(|Response|getWriter|\.status\(`)
)

// discloses judges an answer that holds all of the environment.
func (s *scan) discloses(n *program.Node) *hit {
	callee := n.Kid(program.Callee)
	if path := s.eval(callee, 0).path; !answeringPaths[path] && (!callee.Is(program.Attr) || !answering[callee.Name] || !answerObjects.MatchString(callee.Kid(program.Object).Text())) {
		return nil
	}
	if strings.HasPrefix(s.eval(callee, 0).path, "fmt.F") && !writesResponse(n.Kid(program.Arg)) {
		return nil
	}
	for _, a := range n.All(program.Arg) {
		if a.Is(program.Keyword) {
			a = a.Kid(program.Value)
		}
		if s.surrounds(a) {
			return &hit{Secrets, Danger, "the environment in an answer"}
		}
	}
	return nil
}

// surrounds reports what holds all of the environment.
func (s *scan) surrounds(n *program.Node) bool {
	return s.hunts(n, func(at *program.Node) bool {
		if !at.Is(program.Name, program.Attr, program.Call) {
			return false
		}
		path := s.eval(at, 0).path
		if at.Is(program.Call) {
			if len(at.All(program.Arg)) > 0 {
				return false
			}
			path = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(path, "()"), ".items"), ".copy")
		}
		return s.rules.environment[path]
	}, s.copies)
}

// handlerMarks matches decorators and annotations of what answers requests.
var handlerMarks = pattern.New(`^@(\w+\.)*(route|get|post|put|patch|delete|api_route|api_view|\w*Mapping|GET|POST|Path|Get|Post|ReadOperation)\b`)

// answersWith judges what a handler gives back.
func (s *scan) answersWith(n *program.Node) *hit {
	f := n.Function()
	if f == nil || s.file.Lang == syntax.Go {
		return nil
	}
	marked := false
	for d := range decorated(f) {
		marked = marked || handlerMarks.MatchString(d)
	}
	if !marked {
		return nil
	}
	for _, v := range n.All(program.Value) {
		if s.surrounds(v) {
			return &hit{Secrets, Danger, "the environment in an answer"}
		}
	}
	return nil
}
