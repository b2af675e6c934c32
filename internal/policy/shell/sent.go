package shell

import "slices"

// Most code looks at the environment, and hands it on to the programs that it starts. Code that makes a text of all of it, or gives it to a call that sends,
// and reaches the network, sends the secrets that stand in it.

// asText are the last names of calls that make a text of what they are given, or send it.
const asText = " dumps dump stringify repr str urlencode encode to_json b64encode Request urlopen post put patch request fetch send sendall write "

// keepsAll reports a call, at most so many brackets around the name at i, that makes a text of the whole environment or sends it.
func (sc *scan) keepsAll(i int) bool {
	if !oneWord(" ) , } ", sc.sign(i+1)) {
		return false // one variable of it
	}
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
	for _, f := range slices.Clone(sc.facts) {
		if (f.Kind == Send || f.Kind == Fetch) && !f.Is(Local) {
			sc.fact(Fact{Kind: Send, Target: f.Target, Traits: []Trait{Secret}, By: sc.lang.Name})
		}
	}
}
