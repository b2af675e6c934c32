package accounts

import (
	"slices"

	"fettle/internal/audit/assertions"
	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// spread are the tests that together do and demand what one test did: each of its demands stands in one of them, behind all that had been done before it. None, where something is lost.
func spread(was account, all []testAccount, l lang.Language) []testAccount {
	var parts []testAccount
	for i, f := range was.facts {
		if f.skip || !f.asks() {
			continue
		}
		var needs []fact
		for _, done := range was.facts[:i] {
			if !done.demand || done.op == "throws" || done.mayChange() {
				needs = append(needs, done)
			}
		}
		at := slices.IndexFunc(all, func(t testAccount) bool {
			return slices.ContainsFunc(t.told, func(is account) bool {
				return marked(was.marks, is.marks, l) && begins(append(needs, f), is.facts)
			})
		})
		if at < 0 {
			return nil
		}
		parts = append(parts, all[at])
	}
	return parts
}

// asks reports whether a fact demands something, by itself or in its block.
func (f fact) asks() bool { return f.demand || slices.ContainsFunc(f.inner, fact.asks) }

var (
	ofObjects  = pattern.New(`\bv\d+\b|\b(self|this)\b`)
	onlyReads  = pattern.New(`\b((get|is|has|to|as)[A-Z]\w*|len|size|length|count|contains|equals|has|includes|String|Error|Len|Size|Has|Is|str|repr|list|dict|items|keys|values|isinstance)\(`)
	someCalled = pattern.New(`\w\(`)
)

// mayChange reports whether asking one thing may change what another is about: it calls something of an object that is more than read.
func (f fact) mayChange() bool {
	text := quotedText.ReplaceAllString(f.text, `""`)
	return ofObjects.MatchString(text) && someCalled.MatchString(onlyReads.ReplaceAllString(text, "<"))
}

// begins reports whether a test does at its beginning what had been done, in this order, and besides only demands. What it does behind that does not matter.
func begins(was, is []fact) bool {
	i := 0
	for _, f := range is {
		for i < len(was) && was[i].skip && !was[i].covers(f) {
			i++
		}
		switch {
		case i == len(was):
			return true
		case was[i].covers(f):
			i++
		case !f.demand || f.says == assertions.Nothing:
			return false
		}
	}
	return i == len(was)
}
