package shell

import "slices"

// Most code looks at the environment, and hands it on to the programs that it starts. Code that makes a text of all of it, or gives it to a call that sends,
// and reaches the network, sends the secrets that stand in it.

// asText are the last names of calls that make a text of what they are given, or send it.
const asText = " dumps dump stringify repr str urlencode encode to_json b64encode Request urlopen post put patch request fetch send sendall write "

// keepsAll reports that the whole environment, which stands at i, is made a text or sent, or that what it is put into is.
func (sc *scan) keepsAll(i int) bool {
	if !oneWord(" ) , } \n ; ", sc.sign(i+1)) && !oneWord(" items entries copy toObject dotenv_values ", lastName(sc.word(i))) && i+1 < len(sc.tokens) {
		return false // one variable of it
	}
	if sc.madeText(i) {
		return true
	}
	eq := i
	for eq > 0 && i-eq < longStatement && (sc.sign(eq) != "=" || sc.compares(eq)) {
		if sc.word(eq) == "return" {
			return sc.givenBack(eq)
		}
		if eq--; sc.sign(eq) == ";" || sc.sign(eq) == "\n" && sc.sign(eq-1) != "{" && sc.sign(eq-1) != "," && sc.sign(eq-1) != "(" {
			return false
		}
	}
	holder := sc.assigned(eq)
	if sc.sign(eq-1) == "]" { // payload["env"] = …
		holder = sc.word(eq - 4)
	}
	return slices.ContainsFunc(sc.indices(holder), func(k int) bool { return k > eq && sc.madeText(k) })
}

// givenBack reports that what the function gives back in which i stands is made a text or sent.
func (sc *scan) givenBack(i int) bool {
	for ; i > 0; i-- {
		if oneWord(definers, sc.word(i-1)) {
			name := sc.word(i)
			return slices.ContainsFunc(sc.indices(name), func(k int) bool { return k != i && sc.madeText(k) })
		}
	}
	return false
}

// indices are where a name stands.
func (sc *scan) indices(name string) (all []int) {
	for k := range sc.tokens {
		if name != "" && sc.word(k) == name {
			all = append(all, k)
		}
	}
	return all
}

// madeText reports that what stands at i is made a text, or sent, by a call, at most so many brackets around it.
func (sc *scan) madeText(i int) bool {
	const around = 4
	for range around {
		open, _ := sc.around(i)
		if oneWord(asText, lastName(sc.word(open-1))) {
			return true
		}
		if i = open - 1; i <= 0 {
			break
		}
	}
	return false
}

// sendsEnvironment notes that the environment is sent to whatever the code reaches elsewhere.
func (sc *scan) sendsEnvironment() {
	for i := range sc.facts {
		f := &sc.facts[i]
		if (f.Kind == Send || f.Kind == Fetch) && !f.Is(Local) {
			sc.fact(Fact{Kind: Send, Target: f.Target, Traits: []Trait{Secret}, By: sc.lang.Name})
		}
	}
}

// runsText are calls that run a text, or a file, as code, whatever it is.
const runsText = " eval exec execfile run_path run_module exec_module import_module runInThisContext runInNewContext "

// takesAway notes that what lies in a folder where secrets are kept is sent elsewhere by code that does not say which of it, and that code which loads something runs what
// is not known: it may be just that. Each by itself is much more often harmless.
func (sc *scan) takesAway() {
	var sent *Fact
	keeps, some, loads := false, false, false
	for i := range sc.facts {
		switch f := &sc.facts[i]; {
		case f.Kind == Send && !f.Is(Local):
			sent = f
		case f.Kind == Fetch && !f.Is(Local) && f.By != "":
			loads = true
		case f.Kind == Read:
			keeps = keeps || sc.keepsSecrets(located{path: f.Target})
			some = some || f.Is(Vague)
		}
	}
	if sent != nil && keeps && some {
		sc.fact(Fact{Kind: Send, Target: sent.Target, Traits: []Trait{Secret}, By: sc.lang.Name})
	}
	for i := 0; loads && i < len(sc.tokens); i++ {
		if !sc.evaluates(i) {
			continue
		}
		sc.fact(Fact{Kind: Code, Target: sc.lang.Name, Traits: []Trait{Guessed}})
		break
	}
}

// evaluates reports a name by which code is run that is a text. A model, or a table, has an eval of its own, and JavaScript's exec may be a regular expression's or run a program.
func (sc *scan) evaluates(i int) bool {
	name := sc.word(i)
	last := lastName(name)
	own := oneWord(" eval exec ", last) && (name != last || sc.sign(i-1) == "." || last == "exec" && sc.lang.Name != "python")
	return oneWord(runsText, last) && !own
}
