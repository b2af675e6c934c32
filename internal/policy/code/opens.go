package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// What lets everybody in, and was not there before: marks of handlers, entries of lists, and chains that say who may call which addresses.

// opens matches decorators and annotations by which everybody may call a handler, or other pages may.
var opens = pattern.New(`@?(csrf_exempt|csrf\.exempt|csrfExempt|PermitAll|AllowAnonymous|SkipAuth\w*|SkipCsrf\w*|login_not_required|IsPublic|AllowAny)\b|\bpermitAll\b`)

// opened lists which handlers a change opened to everybody that were there before.
func opened(was, is handlers) []Capability {
	var all []Capability
	for name, has := range is {
		had, ok := was[name]
		if !ok {
			had, ok = was.at(has.address)
		}
		for _, o := range has.open {
			if ok && !slices.Contains(had.open, o) {
				all = append(all, Capability{Class: Weakening, Grade: Review, Name: o + " opens it to everybody", Function: name, Line: max(has.line, 1)})
			}
		}
	}
	return all
}

// listings are members of Django's views by which they are protected.
var listings = set("permission_classes authentication_classes")

// listed notes what a class lists by which it is protected: permission_classes = [IsAdminUser].
func (all handlers) listed(class *program.Node) {
	for _, stmt := range class.Kid(program.Body).All(program.Stmt) {
		t, v := stmt.Kid(program.Target), stmt.Kid(program.Value)
		if stmt.Role != program.Assign || !t.Is(program.Name) || !listings[t.Name] || !v.Is(program.List) {
			continue
		}
		for _, e := range v.All(program.Elem) {
			if opens.MatchString(e.Text()) {
				h := all[class.Name]
				h.open = append(h.open, e.Text())
				all[class.Name] = h
			} else if e.Is(program.Name, program.Attr) {
				all.note(class.Name, class, e.Text())
			}
		}
	}
}

// Chains of Spring's that say who may call which addresses: requestMatchers("/admin/**").hasRole("ADMIN").
var (
	matchers = set("requestMatchers antMatchers mvcMatchers regexMatchers pathMatchers")
	grants   = set("hasRole hasAnyRole hasAuthority hasAnyAuthority authenticated fullyAuthenticated denyAll access")
)

// matched notes what such a chain says of some addresses.
func (all handlers) matched(n *program.Node) {
	of := n.Kid(program.Callee).Kid(program.Object)
	if !of.Is(program.Call) || !matchers[of.Calls()] {
		return
	}
	_, addresses, _ := strings.Cut(of.Text(), of.Calls())
	key := "addresses " + compared(addresses)
	switch {
	case grants[n.Calls()]:
		all.note(key, n, compared(strings.TrimPrefix(n.Text(), n.Kid(program.Callee).Kid(program.Object).Text()+".")))
	case n.Calls() == "permitAll":
		h := all[key]
		h.line, h.open = n.Line(), append(h.open, "permitAll")
		all[key] = h
	}
}
