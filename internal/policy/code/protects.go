package code

import (
	"context"
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
	"fettle/internal/syntax"
)

// protects matches names of what lets nobody in who must not be: decorators, annotations, handlers between a route and its own.
var protects = pattern.New(`(?i)(login|auth|admin|role|permission|token|jwt|session|user|staff|access|csrf|scope)s?_?(is_?)?(required|protect(ed)?|guard|check|classes)\b|\b(requires?|ensure|check|verify|is|must|with|needs?|only|assert)_?(be_?)?(log(ged)?_?in|auth|admin|role|permission|user|account|token|jwt|session|staff|owner|super|csrf|signed|scope)|\b(jwt|auth|authenticate|authorize|protect(ed)?|roles?_(accepted|required)|permissions?_required|user_passes_test|pre_?authorize|post_?authorize|secured|roles_?allowed|use_?guards|passport\.authenticate|csrf\w*|Depends\(get_current\w*)\b`)

// handlers are what a file lets others call, each with what protects it: a route by its method and address, a function by its name, all of a file under
// an empty name.
type handlers map[string][]string

// lost lists what protected a handler before a change, and does not after it: who may call a route is not asked any more. What became a protection of
// the whole file is not lost, nor what is gone with its handler.
func lost(ctx context.Context, path string, before, after []byte) []Capability {
	l := syntax.LangOf(path)
	if len(before) == 0 || len(after) == 0 || rules[l] == nil || !protects.MatchString(string(before)) && !strings.Contains(string(before), "Mixin") {
		return nil
	}
	was, is := handled(ctx, l, path, before), handled(ctx, l, path, after)
	var all []Capability
	for name, had := range was {
		has, still := is[name]
		if name == "" { // each handler may have it now
			still = (len(is) > 1 || len(has) > 0) && is.count() < was.count()
		}
		gone := slices.DeleteFunc(slices.Clone(had), func(g string) bool { return slices.Contains(has, g) })
		if still && len(gone) > 0 && !is.around(name, was) {
			all = append(all, Capability{Class: Weakening, Grade: Review, Name: strings.Join(gone, ", ") + " is gone", Function: name, Line: 1})
		}
	}
	slices.SortFunc(all, func(a, b Capability) int { return strings.Compare(a.Function+a.Name, b.Function+b.Name) })
	return all
}

// count is how many protections there are.
func (all handlers) count() int {
	n := 0
	for _, has := range all {
		n += len(has)
	}
	return n
}

// around reports whether what holds a handler, its class or the file, is protected by more than it was.
func (all handlers) around(name string, was handlers) bool {
	for name != "" {
		name = name[:max(0, strings.LastIndexByte(name, '.'))]
		if len(all[name]) > len(was[name]) {
			return true
		}
	}
	return false
}

// handled are the handlers of a source; of one that cannot be read there are none.
func handled(ctx context.Context, l syntax.Lang, path string, src []byte) handlers {
	all := handlers{"": nil}
	f, err := program.Read(ctx, l, path, src)
	if err != nil {
		return all
	}
	for n := range f.Root.Walk() {
		switch {
		case n.Role == program.Function && n.Name != "":
			all[function(n)] = append(all[function(n)], decorations(n)...)
		case n.Role == program.Class && n.Name != "":
			all[n.Name] = append(all[n.Name], decorations(n)...)
		case n.Role == program.Call && n.Kid(program.Callee).Is(program.Attr, program.Name):
			all.route(n)
		}
	}
	return all
}

// mixins are bases of Django's views that protect them.
var mixins = pattern.New(`(Login|Permission|Staff|UserPasses\w*)\w*Mixin$`)

// plainly is a protection's text as it is compared: without blanks, and with one kind of quotation marks.
func plainly(text string) string {
	return strings.NewReplacer(" ", "", "\n", "", "\t", "", "'", `"`).Replace(text)
}

// decorations are the decorators and annotations of a function or class that protect it.
func decorations(n *program.Node) []string {
	var all []string
	note := func(text string) {
		if name, _, _ := strings.Cut(text, "("); strings.HasPrefix(text, "@") && (protects.MatchString(name) || strings.Contains(text, "Depends(") && protects.MatchString(text)) {
			all = append(all, plainly(text))
		}
	}
	for d := n.Prev(); d != nil && strings.HasPrefix(d.Text(), "@"); d = d.Prev() {
		note(d.Text())
	}
	if n.File.Lang == syntax.Java {
		for part := range n.File.Tree.Enclosing(n.Start, n.End).NamedChildren() {
			for mark := range part.NamedChildren() {
				if part.Kind() == "modifiers" && mark.Is("annotation", "marker_annotation") {
					note(mark.Text())
				}
			}
		}
	}
	for _, base := range n.All(program.Arg) { // class A(LoginRequiredMixin, View)
		if n.Role == program.Class && mixins.MatchString(base.Text()) {
			all = append(all, base.Text())
		}
	}
	for _, p := range n.All(program.Params) {
		if _, who, ok := strings.Cut(p.Text(), "Depends("); ok && (protects.MatchString(who) || strings.HasPrefix(who, "get_current")) {
			all = append(all, strings.TrimSuffix(plainly(who), ")"))
		}
	}
	return all
}

// verbs are the methods by which routers are told of handlers; in lower case.
var verbs = set("get post put patch delete all any head options handle handlefunc route method group path re_path")

// route notes what stands between an address and its handler, and what a router does before all of them: r.get("/a", requireUser, show), r.use(requireUser).
func (all handlers) route(n *program.Node) {
	name, args := strings.ToLower(n.Calls()), n.All(program.Arg)
	if len(args) == 0 {
		return
	}
	key := ""
	switch {
	case name == "use":
	case verbs[name] && args[0].Is(program.Str) && len(args) > 1:
		key = name + " " + strings.Trim(args[0].Text(), "\"'`")
		if _, ok := all[key]; !ok {
			all[key] = nil
		}
	default:
		return
	}
	for _, a := range args {
		called := a
		if a.Role == program.Call {
			called = a.Kid(program.Callee)
		}
		if text := called.Text(); called.Is(program.Name, program.Attr) && protects.MatchString(text) {
			if !slices.ContainsFunc(a.All(program.Arg), func(x *program.Node) bool { return x.Is(program.Name, program.Attr, program.Function) }) {
				text = a.Text() // and not what it lets in: requireRole("admin"), but requireUser(show)
			}
			all[key] = append(all[key], plainly(text))
		}
	}
}

// claims matches headers by which whoever asks says himself who he is.
var claims = pattern.New(`(?i)header.*['"]x-[\w-]*(debug|admin|role|user|internal|bypass|auth|super|staff|trust)[\w-]*['"]`)

// admits matches functions, and classes, that decide who may do something.
var admits = pattern.New(`(?i)guard|is_?admin|allow|authori[sz]|permi(t|ssion)|can_?(activate|access|edit|delete|view)|require_?(admin|role|user|auth|login)|has_?(role|permission|access)`)

// claimed judges a guard that believes a header whatever it says of who asks.
func (s *scan) claimed(n *program.Node) *hit {
	if n.Op != "==" && n.Op != "===" && n.Op != "!=" && n.Op != "!==" || !admits.MatchString(function(n)) {
		return nil
	}
	l, r := n.Kid(program.Left), n.Kid(program.Right)
	for _, side := range [][2]*program.Node{{l, r}, {r, l}} {
		if claims.MatchString(side[0].Text()) && side[1].Is(program.Str) {
			return &hit{Weakening, Review, "a header says who asks"}
		}
	}
	return nil
}
