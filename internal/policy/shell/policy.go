package shell

import (
	"path"
	"slices"
	"strings"

	"fettle/internal/glob"
)

// Policy is what people add to the rules and programs that fettle comes with. The zero Policy adds nothing.
//
// Programs and Rules are of whoever is guarded: a rule of theirs comes before fettle's, and may be stricter or, where fettle's is not final,
// less strict; a program of theirs takes the place of fettle's description of it. Stricter are a project's rules. A repository is written by others, and
// read before anybody has decided to trust it: it must not weaken its reader's guard. So its rules count only where they are stricter than all
// others, and it describes no programs at all: to describe a program is to allow it.
//
// [Policy.Compiled] and [Decompiled] carry a policy to where nothing reads YAML.
type Policy struct {
	Programs []Program `json:"programs,omitempty"`
	Rules    []Rule    `json:"rules,omitempty"`
	Stricter []Rule    `json:"stricter,omitempty"`
}

// Class is a kind of harm.
type Class string

// Rule says what becomes of a fact. It matches a fact that is of one of its kinds, lies in one of its zones, has all of its
// traits and none of those without, and whose target and program match one of its patterns. What it does not name, it does not ask for.
type Rule struct {
	ID          string   `json:"id"`
	Kinds       []Kind   `json:"kinds"`
	Zones       []Zone   `json:"zones,omitempty"`
	Traits      []Trait  `json:"traits,omitempty"`
	Without     []Trait  `json:"without,omitempty"`
	Targets     []string `json:"targets,omitempty"`  // patterns as of path.Match; of paths in the project, as of glob.Match from there, too
	Programs    []string `json:"programs,omitempty"` // patterns as of path.Match, for the program
	Decision    Decision `json:"decision"`
	Final       bool     `json:"final,omitempty"`
	Class       Class    `json:"class,omitempty"`
	Reason      string   `json:"reason,omitempty"` // {target} and {by} stand for the fact's
	Alternative string   `json:"alternative,omitempty"`
}

// none is the policy that adds nothing.
var none = &Policy{}

func (p *Policy) orDefault() *Policy {
	if p == nil {
		return none
	}
	return p
}

// matches reports whether the rule is about the fact.
func (r *Rule) matches(f *Fact) bool {
	return (len(r.Kinds) == 0 || slices.Contains(r.Kinds, f.Kind)) &&
		(len(r.Zones) == 0 || slices.Contains(r.Zones, f.Zone)) &&
		!slices.ContainsFunc(r.Traits, func(t Trait) bool { return !f.Is(t) }) &&
		!slices.ContainsFunc(r.Without, f.Is) &&
		(matchesPattern(r.Targets, f.Target) || matchesPath(r.Targets, f.rel) ||
			strings.Contains(f.Target, "://") && matchesPath(r.Targets, f.Target)) && matchesPattern(r.Programs, f.By)
}

// matchesPath reports a path in the project, or an address, that is meant by one of the patterns.
func matchesPath(patterns []string, rel string) bool {
	return rel != "" && slices.ContainsFunc(patterns, func(p string) bool { return glob.Match(strings.TrimPrefix(p, "./"), rel) })
}

func matchesPattern(patterns []string, s string) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, s)
		return ok && err == nil || p == s
	})
}

// first is the first rule of a list that is about the fact.
func first(rules []Rule, f *Fact) *Rule {
	for i := range rules {
		if rules[i].matches(f) {
			return &rules[i]
		}
	}
	return nil
}

// unruled is what becomes of a fact that no rule is about.
var unruled = Rule{ID: "unruled", Decision: Ask, Class: "unknown", Reason: "no rule says that {target} may be done", Alternative: "the person names it in a rule of ~/.config/fettle/policy.yaml"}

// ruleFor is the rule that decides about a fact.
func (p *Policy) ruleFor(f *Fact) *Rule {
	r := first(rules(), f)
	if r == nil {
		r = &unruled
	}
	if own := first(p.Rules, f); own != nil && (!r.Final || own.Decision > r.Decision) {
		r = own
	}
	if project := first(p.Stricter, f); project != nil && project.Decision > r.Decision {
		r = project
	}
	return r
}

// loosened is the rule of the policy that lets a fact happen which fettle's own rules would not, or ask about.
func (p *Policy) loosened(f *Fact) *Rule {
	if len(p.Rules) == 0 {
		return nil
	}
	r := p.ruleFor(f)
	if plain := none.ruleFor(f); r.Decision < plain.Decision {
		return r
	}
	return nil
}

// Decide makes a verdict of the facts: the strictest of what the rules say of each.
func (p *Policy) Decide(facts []Fact) Verdict {
	v := Verdict{Facts: facts}
	var decides *Fact
	if facts == nil {
		v.Facts = []Fact{}
	}
	for i := range facts {
		f := &facts[i]
		r := p.orDefault().ruleFor(f)
		if own := p.orDefault().loosened(f); own != nil && !slices.Contains(v.Loosened, own.ID) {
			v.Loosened = append(v.Loosened, own.ID)
		}
		emptied := f.Kind == Empty && decides != nil && f.Target == decides.Target // who writes ">" says that a file is written, too
		if r.Decision < v.Decision || r.Decision == v.Decision && (v.Decision == Allow || v.Final || !r.Final) && (!emptied || r.Final != v.Final) {
			continue
		}
		decides = f
		v.Decision, v.Final, v.Class, v.Rule = r.Decision, r.Final, r.Class, r.ID
		v.Reason, v.Alternative = r.fill(r.Reason, f), r.fill(r.Alternative, f)
	}
	return v
}

// Grounds are the facts of a verdict that weigh as much as the one that decided it.
func (p *Policy) Grounds(v Verdict) []Fact {
	var all []Fact
	for i := range v.Facts {
		if v.Decision > Allow && p.orDefault().ruleFor(&v.Facts[i]).Decision == v.Decision {
			all = append(all, v.Facts[i])
		}
	}
	return all
}

// Usual reports that what becomes of a fact is for fettle's own rules to say, and for none that people have made.
func (p *Policy) Usual(f Fact) bool { return p.orDefault().ruleFor(&f) == none.ruleFor(&f) }

// takingAway are words by which a program that installs, or keeps copies elsewhere, does something else.
const takingAway = " clean purge prune remove uninstall rm un r unlink dedupe use default alias enable disable forget delete "

// fill puts the fact's own words into a rule's text.
func (r *Rule) fill(text string, f *Fact) string {
	by := f.By
	if by == "" {
		by = "the command"
	}
	target := f.Target
	if target == "" || target == f.By { // what it is done to is not named
		text, target = strings.ReplaceAll(text, ": {target}", ""), "this"
		switch f.Kind {
		case Install:
			target = "packages"
		case Fetch, Send:
			target = "another machine"
		default:
		}
	}
	verb, _, _ := strings.Cut(f.Target, " ")
	if takes := oneWord(takingAway, verb) || oneWord(takingAway, f.By[strings.LastIndexByte(f.By, ' ')+1:]); takes && f.Kind == Install {
		text = strings.ReplaceAll(text, "install {target}, and packages run code when they are installed", strings.TrimSuffix("change what is installed, or which of it is used: "+target, ": packages"))
		text = strings.ReplaceAll(text, "use what the project's lock file or manifest names (npm ci, uv sync), or tell the person what is missing", "leave it as it is, or tell the person what has to change")
	} else if takes && f.Kind == Send {
		text = strings.ReplaceAll(text, "send something to {target}", "change what is kept elsewhere: {target}")
	}
	switch f.Kind {
	case Delete:
		text = strings.ReplaceAll(text, "would change", "would delete")
	case Empty:
		text = strings.ReplaceAll(text, "would change", "would empty")
	default:
	}
	if f.Kind == Unknown && f.By != "" && f.By != target { // a part of what a known program does
		text = strings.ReplaceAll(text, "nothing is known of {target}", "{by} would use {target}, and what becomes of that is not known")
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "{by}", by), "{target}", target)
}
