package shell

import (
	"encoding/binary"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// The programs and the rules that fettle comes with are packed into one text each, and so is each language, which the linker lays out in a third of the room that their Go values take; the programs' are squeezed besides. The guard's hook,
// which starts for every tool call, unpacks the few that a command names, and of their subcommands the one that is called.

// arities are the arities in the order of their packed numbers.
var arities = [...]Arity{None, Required, Optional}

// Pack is a program as one text, to be put into the table of those that fettle comes with.
func (p *Program) Pack() string {
	var b packing
	b.texts(p.Names)
	b.text(string(p.Style))
	b.size(map[bool]int{true: 1}[p.Strict])
	b.text(p.Prints)
	b.text(p.Special)
	b.size(len(p.Options))
	for _, o := range p.Options {
		b.texts(o.Names)
		b.size(slices.Index(arities[:], o.Value))
		b.texts(o.Acts)
	}
	b.texts(texted(p.Operands))
	for _, effects := range [][]Effect{p.Does, p.Bare} {
		b.size(len(effects))
		for _, e := range effects {
			b.text(string(e.Kind))
			b.text(e.Target)
			b.texts(texted(e.Traits))
		}
	}
	b.size(len(p.Subs))
	for i := range p.Subs {
		b.text(p.Subs[i].Pack())
	}
	return string(b)
}

func texted[T ~string](list []T) (all []string) {
	for _, one := range list {
		all = append(all, string(one))
	}
	return all
}

// packing appends to a text what an unpacker takes from it.
type packing []byte

func (b *packing) size(n int) { *b = binary.AppendUvarint(*b, uint64(n)) }

func (b *packing) text(s string) {
	b.size(len(s))
	*b = append(*b, s...)
}

func (b *packing) texts(list []string) {
	b.size(len(list))
	for _, s := range list {
		b.text(s)
	}
}

// unpacker is the rest of a packed text.
type unpacker string

func (u *unpacker) size() int {
	n := 0
	for shift := 0; ; shift += 7 {
		c := (*u)[0]
		*u = (*u)[1:]
		if n |= int(c&0x7f) << shift; c < 0x80 {
			return n
		}
	}
}

func (u *unpacker) text() string {
	n := u.size()
	s := string((*u)[:n])
	*u = (*u)[n:]
	return s
}

func list[T ~string](u *unpacker) []T {
	n := u.size()
	if n == 0 {
		return nil
	}
	all := make([]T, n)
	for i := range all {
		all[i] = T(u.text())
	}
	return all
}

func (u *unpacker) effects() []Effect {
	all := make([]Effect, u.size())
	for i := range all {
		all[i] = Effect{Kind(u.text()), u.text(), list[Trait](u)}
	}
	return all
}

// unpack is a packed program. Its subcommands stay packed.
func unpack(packed string) *Program {
	u := unpacker(packed)
	p := &Program{Names: list[string](&u), Style: Style(u.text()), Strict: u.size() == 1, Prints: u.text(), Special: u.text(), Options: make([]Option, u.size())}
	for i := range p.Options {
		p.Options[i] = Option{list[string](&u), arities[u.size()], list[string](&u)}
	}
	p.Operands, p.Does, p.Bare = list[Role](&u), u.effects(), u.effects()
	p.packed = list[string](&u)
	return p
}

// called reports that a packed program is called so.
func called(packed, name string) bool {
	u := unpacker(packed)
	for range u.size() {
		if isSub(u.text(), name) {
			return true
		}
	}
	return false
}

// isSub reports the name of a subcommand, or what stands for it: a name that ends in a star stands for all that begin so, "*" for any.
func isSub(known, name string) bool {
	prefix, all := strings.CutSuffix(known, "*")
	return known == name || all && strings.HasPrefix(name, prefix)
}

// Pack is a language as one text. What its calls do is told by number: many do the same.
func (l *Language) Pack() string {
	var b packing
	b.text(l.Name)
	b.texts(l.Comment)
	b.text(l.Quotes)
	b.text(l.Shell)
	b.texts(l.Ask)
	b.texts(l.Known)
	var does []string
	for _, c := range l.Calls {
		if !slices.Contains(does, c.Does) {
			does = append(does, c.Does)
		}
	}
	b.texts(does)
	b.size(len(l.Calls))
	for _, c := range l.Calls {
		b.text(c.Name)
		b.size(slices.Index(does, c.Does))
	}
	return string(b)
}

func unpackLanguage(packed string) *Language {
	u := unpacker(packed)
	l := &Language{Name: u.text(), Comment: list[string](&u), Quotes: u.text(), Shell: u.text(), Ask: list[string](&u), Known: list[string](&u)}
	does := list[string](&u)
	l.Calls = make([]Call, u.size())
	for i := range l.Calls {
		l.Calls[i] = Call{u.text(), does[u.size()]}
	}
	return l
}

// languages are the languages that were asked about already.
var languages [len(packedLanguages)]atomic.Pointer[Language]

// languageNamed is a language that fettle comes with; nil if it has none of that name.
func languageNamed(name string) *Language {
	for i := range packedLanguages {
		if u := unpacker(packedLanguages[i]); u.text() != name {
			continue
		}
		l := languages[i].Load()
		if l == nil {
			l = unpackLanguage(packedLanguages[i])
			languages[i].Store(l)
		}
		return l
	}
	return nil
}

// PackRules is a list of rules as one text.
func PackRules(rules []Rule) string {
	var b packing
	b.size(len(rules))
	for _, r := range rules {
		b.text(r.ID)
		for _, names := range [][]string{texted(r.Kinds), texted(r.Zones), texted(r.Traits), texted(r.Without), r.Targets, r.Programs} {
			b.texts(names)
		}
		b.size(int(r.Decision))
		b.size(map[bool]int{true: 1}[r.Final])
		b.text(string(r.Class))
		b.text(r.Reason)
		b.text(r.Alternative)
	}
	return string(b)
}

// rules are those that fettle comes with.
var rules = sync.OnceValue(func() []Rule {
	u := unpacker(packedRules)
	all := make([]Rule, u.size())
	for i := range all {
		all[i] = Rule{ID: u.text(), Kinds: list[Kind](&u), Zones: list[Zone](&u), Traits: list[Trait](&u), Without: list[Trait](&u), Targets: list[string](&u), Programs: list[string](&u),
			Decision: Decision(u.size()), Final: u.size() == 1, Class: Class(u.text()), Reason: u.text(), Alternative: u.text()}
	}
	return all
})

// unpacked are the programs that were asked about already.
var unpacked [len(programAt) - 1]atomic.Pointer[Program]

// builtIn is one of the programs that fettle comes with.
func builtIn(i int) *Program {
	if p := unpacked[i].Load(); p != nil {
		return p
	}
	p := unpack(loosen(packedSigns, signAt[:], packedPrograms[programAt[i]:programAt[i+1]]))
	unpacked[i].Store(p)
	return p
}
