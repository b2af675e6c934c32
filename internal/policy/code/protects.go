package code

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// protects matches names of what lets nobody in who must not be: decorators, annotations, handlers between a route and its own.
var protects = pattern.New(`(?i)(login|auth|admin|role|permission|token|jwt|session|user|staff|access|csrf|scope)s?_?(is_?)?(required|protect(ed)?|guard|check|classes)\b|\b(requires?|ensure|check|verify|is|must|with|needs?|only|assert)_?(be_?)?(log(ged)?_?in|auth|admin|role|permission|user|account|token|jwt|session|staff|owner|super|csrf|signed|scope)|\b(jwt|auth|authenticate|authorize|protect(ed)?|roles?_(accepted|required)|permissions?_required|user_passes_test|pre_?authorize|post_?authorize|secured|roles_?allowed|use_?guards|passport\.authenticate|csrf\w*|Depends\(get_current\w*)\b`)

// demanded matches decorators that let nobody in without something, and ofRequests those of them that are about how a request is built.
var (
	demanded   = pattern.New(`(?i)\w_required\b`)
	ofRequests = pattern.New(`(?i)(get|post|put|patch|delete|http|methods?|params?|args?|fields?|json|body|data|form|content_?type|https|ssl|ajax|htmx|header)s?_required\b`)
)

// protecting reports the name of what lets nobody in who must not be.
func protecting(name string) bool {
	return protects.MatchString(name) || demanded.MatchString(name) && !ofRequests.MatchString(name)
}

// handler is what a file lets others call, and what protects it.
type handler struct {
	line    int
	address string // where a decoration says it: "get /users"
	guards  []string
	open    []string // what opens it to everybody
}

// handlers are those of a file: a route by its method and address, a function or class by its name, all of the file under an empty name.
type handlers map[string]handler

// lost lists what protected a handler before a change, and does not after it: who may call a route is not asked any more. What became a protection of
// the whole file is not lost, nor what is gone with its handler.
func lost(before, after *program.File) []Capability {
	if before == nil || after == nil || !protected.MatchString(before.Source) && !protecting(before.Source) && !opens.MatchString(after.Source) {
		return nil
	}
	was, is := handled(before), handled(after)
	all := opened(was, is)
	for name, had := range was {
		has, still := is[name]
		if !still {
			has, still = is.at(had.address)
		}
		if name == "" { // each handler may have it now
			still = (len(is) > 1 || len(has.guards) > 0) && is.count() < was.count()
		}
		gone := slices.DeleteFunc(slices.Clone(had.guards), func(g string) bool { return slices.Contains(has.guards, g) })
		if still && len(gone) > 0 && !is.around(name, was) {
			all = append(all, Capability{Class: Weakening, Grade: Review, Name: strings.Join(gone, ", ") + " is gone", Function: name, Line: max(has.line, 1)})
		}
	}
	slices.SortFunc(all, func(a, b Capability) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(a.Function+a.Name, b.Function+b.Name))
	})
	return all
}

// protected matches what protects in other ways than by names of its own.
var protected = pattern.New(`Mixin|_classes\b|(?i)\.(require|requires|protect|guard)\(|has_?(any_?)?(role|authority)\(|\.authenticated\(`)

// count is how many protections there are.
func (all handlers) count() int {
	n := 0
	for _, h := range all {
		n += len(h.guards)
	}
	return n
}

// around reports whether what holds a handler, its class or the file, is protected by more than it was.
func (all handlers) around(name string, was handlers) bool {
	for name != "" {
		name = name[:max(0, strings.LastIndexByte(name, '.'))]
		if len(all[name].guards) > len(was[name].guards) {
			return true
		}
	}
	return false
}

// note adds a handler, where there is none of that name yet, and what protects it.
func (all handlers) note(name string, at *program.Node, guards ...string) {
	h, ok := all[name]
	if !ok {
		h.line = at.Line()
	}
	h.guards = append(h.guards, guards...)
	all[name] = h
}

// at is the only handler of an address, by whatever name.
func (all handlers) at(address string) (found handler, ok bool) {
	for _, h := range all {
		if address != "" && h.address == address {
			if ok {
				return handler{}, false
			}
			found, ok = h, true
		}
	}
	return found, ok
}

// addresses matches decorations that say where a handler is reached: @app.get("/users"), @GetMapping("/users").
var addresses = pattern.New(`@[\w.]*?(\w+)\(\s*(?:value\s*=\s*)?["']([^"']*)["']`)

// addressed notes where a function or class is reached, and what opens it.
func (all handlers) addressed(n *program.Node) {
	for d := range decorated(n) {
		h := all[function(n)]
		if m := addresses.FindStringSubmatch(d); m != nil && !protecting(m[1]) {
			h.address = strings.ToLower(m[1]) + " " + m[2]
		}
		if o := opens.FindString(d); o != "" {
			h.open = append(h.open, o)
		}
		all[function(n)] = h
	}
}

// handled are the handlers of a source.
func handled(f *program.File) handlers {
	all := handlers{"": {}}
	for n := range f.Root.Walk() {
		switch {
		case n.Role == program.Function && n.Name != "":
			all.note(function(n), n, decorations(n)...)
			all.addressed(n)
		case n.Role == program.Class && n.Name != "":
			all.note(n.Name, n, decorations(n)...)
			all.addressed(n)
			all.listed(n)
		case n.Role == program.Call && n.Kid(program.Callee).Is(program.Attr, program.Name):
			all.route(n)
		}
	}
	return all
}

// mixins are bases of Django's views that protect them.
var mixins = pattern.New(`(Login|Permission|Staff|UserPasses\w*)\w*Mixin$`)

// compared is a protection's text as it is compared: without blanks, and with one kind of quotation marks.
func compared(text string) string {
	return strings.NewReplacer(" ", "", "\n", "", "\t", "", "'", `"`).Replace(text)
}

// decorated are the decorators and annotations of a function or class. Java's are parts of it; elsewhere they stand before it, as what a
// neighbour wears is part of the neighbour.
func decorated(n *program.Node) iter.Seq[string] {
	return func(yield func(string) bool) {
		if n.File.Lang != syntax.Java {
			for d := n.Prev(); d != nil && strings.HasPrefix(d.Text(), "@") && !d.Is(program.Function, program.Class) && yield(d.Text()); {
				d = d.Prev()
			}
			return
		}
		for part := range n.File.Tree.Enclosing(n.Start, n.End).NamedChildren() {
			for mark := range part.NamedChildren() {
				if part.Kind() == "modifiers" && mark.Is("annotation", "marker_annotation") && !yield(mark.Text()) {
					return
				}
			}
		}
	}
}

// decorations are those that protect it, and what else does: bases that are made for it, and parameters that are asked of who may have them.
func decorations(n *program.Node) []string {
	var all []string
	note := func(text string) {
		if name, _, _ := strings.Cut(text, "("); strings.HasPrefix(text, "@") && (protecting(name) || strings.Contains(text, "Depends(") && protects.MatchString(text)) {
			all = append(all, compared(text))
		}
	}
	for d := range decorated(n) {
		note(d)
	}
	for _, base := range n.All(program.Arg) { // class A(LoginRequiredMixin, View)
		if n.Role == program.Class && mixins.MatchString(base.Text()) {
			all = append(all, base.Text())
		}
	}
	for _, p := range n.All(program.Params) {
		if _, who, ok := strings.Cut(p.Text(), "Depends("); ok && (protects.MatchString(who) || strings.HasPrefix(who, "get_current")) {
			all = append(all, strings.TrimSuffix(compared(who), ")"))
		}
	}
	return all
}

// verbs are the methods by which routers are told of handlers; in lower case.
var verbs = set("get post put patch delete all any head options handle handlefunc route method group path re_path")

// routed is the address of a chain: app.route("/a").get(show).post(requireUser, add).
func routed(n *program.Node) string {
	for at := n.Kid(program.Callee).Kid(program.Object); at.Is(program.Call); at = at.Kid(program.Callee).Kid(program.Object) {
		if args := at.All(program.Arg); at.Calls() == "route" && len(args) == 1 && args[0].Is(program.Str) {
			return strings.Trim(args[0].Text(), "\"'`")
		}
	}
	return ""
}

// route notes what stands between an address and its handler, and what a router does before all of them: r.get("/a", requireUser, show), r.use(requireUser).
func (all handlers) route(n *program.Node) {
	name, args := strings.ToLower(n.Calls()), n.All(program.Arg)
	if len(args) == 0 {
		all.matched(n)
		return
	}
	key := ""
	switch address := routed(n); {
	case name == "use":
	case verbs[name] && address != "":
		key = name + " " + address
		all.note(key, n)
	case verbs[name] && args[0].Is(program.Str) && len(args) > 1:
		key = strings.TrimSuffix(name, "func") + " " + strings.Trim(args[0].Text(), "\"'`") // handle and handlefunc say the same
		all.note(key, n)
	default:
		all.matched(n)
		return
	}
	for _, a := range args {
		called := a
		if a.Role == program.Call {
			called = a.Kid(program.Callee)
		}
		if text := called.Text(); called.Is(program.Name, program.Attr) && (protecting(text) || around(a)) {
			if !slices.ContainsFunc(a.All(program.Arg), func(x *program.Node) bool { return x.Is(program.Name, program.Attr, program.Function) }) {
				text = a.Text() // and not what it lets in: requireRole("admin"), but requireUser(show)
			}
			all.note(key, n, compared(text))
		}
	}
}

// arounds matches methods that are put around a handler, and let through to it whom they know.
var arounds = pattern.New(`^([rR]equires?|[pP]rotect|[gG]uard|[aA]uthenticated|[sS]ecured|RequireRole|WithAuth)$`)

// around reports a method that is put around a handler.
func around(n *program.Node) bool {
	return n.Is(program.Call) && n.Kid(program.Callee).Is(program.Attr) && arounds.MatchString(n.Calls()) &&
		slices.ContainsFunc(n.All(program.Arg), func(x *program.Node) bool { return x.Is(program.Name, program.Attr, program.Function) })
}
