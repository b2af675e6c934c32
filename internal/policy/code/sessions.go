package code

import (
	"slices"
	"strings"

	program "fettle/internal/code"
	"fettle/internal/pattern"
)

// Other pages that may ask in the name of a visitor, with what his browser knows; and secrets of sessions that everybody knows.

// anyOrigin judges what says which pages may ask with cookies: all of them.
func anyOrigin(c *call) *hit {
	if !c.on("credentials") {
		return nil
	}
	origin := c.named["origin"]
	if origin == nil {
		return nil
	}
	if every, _ := c.s.says(origin); every || c.s.reflects(origin) {
		return c.hit(Weakening, Review)
	}
	return nil
}

// reflects reports a function that says of every origin that it may ask.
func (s *scan) reflects(n *program.Node) bool {
	f := s.written(n)
	if !f.Is(program.Function) {
		return false
	}
	params := f.All(program.Params)
	lets := func(v *program.Node) bool {
		yes, _ := s.says(v)
		return yes || v.Text() == params[0].Name
	}
	agrees := false
	for at := range f.Walk() {
		switch at.Role {
		case program.If, program.Choice, program.Logic, program.Switch, program.Compare, program.Raise:
			return false
		case program.Call:
			args := at.All(program.Arg)
			if len(args) == 2 && presence(args[0]) && len(params) > 1 && at.Calls() == params[len(params)-1].Name && lets(args[1]) {
				agrees = true
			} else {
				return false // somebody looks at it
			}
		default: // decides nothing
		}
	}
	return agrees || len(params) > 0 && slices.ContainsFunc(results(f), lets)
}

// Where pages that ask say from which origin they are, and what lets them ask with cookies.
var (
	itsOrigin = pattern.New(`(?i)headers?\b.{0,20}\borigin\b|(Get|get|getHeader|header)\(\s*["']Origin["']\s*\)|HTTP_ORIGIN`)
	cookied   = pattern.New(`(?i)access-control-allow-credentials['"]\s*[,:]\s*['"]?true`)
)

// mirrors judges an answer that lets every page ask, whatever its origin, with cookies.
func (s *scan) mirrors(n, origin *program.Node) *hit {
	if !itsOrigin.MatchString(s.unfolded(origin)) || !cookied.MatchString(s.file.Source) || s.looked(n, origin) {
		return nil
	}
	return &hit{Weakening, Review, "every origin may ask with cookies"}
}

// everyOrigin matches what stands for all origins.
var everyOrigin = pattern.New(`['"]\*['"]|\.\*['"]`)

// pythonOrigins judges the same of Python's: a star with credentials says every origin's own name.
func (s *scan) pythonOrigins(n *program.Node) *hit {
	if !slices.ContainsFunc(n.All(program.Arg), func(a *program.Node) bool { return a.Name == "supports_credentials" || a.Name == "allow_credentials" }) {
		return nil
	}
	c := s.newCall(n, s.eval(n.Kid(program.Callee), 0).path)
	for _, k := range [][2]string{{"allow_credentials", "allow_origins"}, {"allow_credentials", "allow_origin_regex"}, {"supports_credentials", "origins"}} {
		if v := c.named[k[1]]; v != nil && c.on(k[0]) && everyOrigin.MatchString(s.unfolded(v)) {
			return &hit{Weakening, Review, k[1]}
		}
	}
	return nil
}

// javaOrigins judges the same of Spring's, in one chain.
func javaOrigins(c *call) *hit {
	if _, no := c.s.says(c.node(0)); no {
		return nil
	}
	if f := firstOf(c.n.Function(), c.n); strings.Contains(f.Text(), `riginPatterns("*")`) || strings.Contains(f.Text(), `riginPattern("*")`) {
		return c.hit(Weakening, Review)
	}
	return nil
}

// secretNames matches settings by which sessions and tokens are signed.
var secretNames = pattern.New(`(?i)^((app_|flask_|django_|session_|jwt_|cookie_)?secret_?key|(jwt|session|cookie)_secret|signing_key)$`)

// knownSecret judges a secret for which a word of the source does where none is set: process.env.SECRET || "changeme".
func knownSecret(s *scan, v *program.Node) *hit {
	if v = s.written(v); v == nil || s.tries(v) {
		return nil
	}
	var asked, otherwise *program.Node
	switch args := v.All(program.Arg); {
	case v.Is(program.Logic) && (v.Op == "||" || v.Op == "??" || v.Op == "or"):
		asked, otherwise = v.Kid(program.Left), s.written(v.Kid(program.Right))
	case v.Is(program.Call) && len(args) == 2 && environs[s.eval(v.Kid(program.Callee), 0).path]:
		asked, otherwise = v, s.written(args[1])
	}
	if otherwise.Is(program.Str) && len(otherwise.Kids) == 0 && len(otherwise.Text()) > 2 && strings.Contains(s.unfolded(asked), "env") {
		return &hit{Weakening, Review, "a secret that stands in the source"}
	}
	return nil
}

// environs are functions that give a variable of the environment, or their second argument.
var environs = set("os.environ.get os.getenv")

// signsWith judges the secret with which a token is signed.
func signsWith(c *call) *hit {
	if c.node(1) == nil {
		return nil
	}
	return knownSecret(c.s, c.node(1))
}
