package locate

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
)

// What the words of a test's name count, and around how many lines of a suspect they are looked for.
const (
	wordShare  = 0.3 // where every word stands there; of fewer, less
	wordWindow = 3
	mostNamed  = 3 // words that are told
)

// ByName ranks suspects again by what the failing tests are called: of lines that tests tell little apart, those are likelier at fault that speak of
// what a test is about. A word counts the more the fewer suspects speak of it, so those that stand everywhere, as "test" in a test's name, count
// nothing. read hands out a file's text; what it cannot read has no words.
//
// Names say where a person looks first, not what an edit can mend: the search ranks without them.
func ByName(suspects []Suspect, tests []string, read func(file string) ([]byte, error)) []Suspect {
	asked := map[string]string{}
	for _, t := range tests {
		maps.Copy(asked, wordsOf(t))
	}
	files := map[string][]map[string]string{} // by file: each line's words
	around := make([]map[string]bool, len(suspects))
	in := map[string]int{} // suspects that speak of a word
	for i, x := range suspects {
		if _, known := files[x.File]; !known {
			files[x.File] = lineWords(x.File, read)
		}
		around[i] = map[string]bool{}
		all := files[x.File]
		for n := max(x.Line-wordWindow, 1); n <= min(x.EndLine+wordWindow, len(all)); n++ {
			for w := range all[n-1] {
				if asked[w] != "" {
					around[i][w] = true
				}
			}
		}
		for w := range around[i] {
			in[w]++
		}
	}
	rare := func(w string) float64 { return math.Log(float64(len(suspects)+1) / float64(in[w]+1)) }
	total := 0.0
	for w := range in {
		total += rare(w)
	}
	if total == 0 {
		return suspects
	}
	type ranked struct {
		Suspect
		share float64
	}
	all := make([]ranked, len(suspects))
	for i, x := range suspects {
		told := slices.SortedFunc(maps.Keys(around[i]), func(a, b string) int { return cmp.Or(cmp.Compare(rare(b), rare(a)), cmp.Compare(a, b)) })
		told = slices.DeleteFunc(told, func(w string) bool { return rare(w) == 0 })
		said := 0.0
		for _, w := range told { // in order: sums of the same numbers are the same
			said += rare(w)
		}
		share := wordShare * said / total
		x.Score = 1 - (1-x.Score)*(1-share)
		if len(told) > 0 {
			for i, w := range told {
				told[i] = asked[w]
			}
			x.Why += fmt.Sprintf("; speaks of %s, as the test's name does", strings.Join(told[:min(len(told), mostNamed)], ", "))
		}
		all[i] = ranked{x, share}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.share, a.share)) })
	out := make([]Suspect, len(all))
	for i, x := range all {
		out[i] = x.Suspect
	}
	return out
}

// lineWords are the words of each line of a file.
func lineWords(file string, read func(file string) ([]byte, error)) (out []map[string]string) {
	text, err := read(file)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		out = append(out, wordsOf(line))
	}
	return out
}

// wordsOf are the words in a text, those apart that a name joins, in lower case, by what is left of them without the endings of English: of
// "TestFieldsByName", test, field, by, name.
func wordsOf(text string) map[string]string {
	out := map[string]string{}
	var word []rune
	end := func() {
		if len(word) > 1 {
			lower := strings.ToLower(string(word))
			out[stem(lower)] = lower
		}
		word = word[:0]
	}
	runes := []rune(text)
	for i, r := range runes {
		if !unicode.IsLetter(r) {
			end()
			continue
		}
		next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if n := len(word); unicode.IsUpper(r) && n > 0 && (unicode.IsLower(word[n-1]) || next) { // fooBar, HTTPServer
			end()
		}
		word = append(word, r)
	}
	end()
	return out
}

// shortest is how many letters of a word an ending leaves.
const shortest = 3

func stem(word string) string {
	for _, ending := range []string{"ing", "ed", "es", "s"} {
		if rest, ok := strings.CutSuffix(word, ending); ok && len(rest) >= shortest {
			return rest
		}
	}
	return word
}
