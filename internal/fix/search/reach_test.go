package search

import (
	"os"
	"slices"
	"strings"
	"testing"

	"fettle/internal/syntax"
	"fettle/scripts/benchrepair/rows"
)

// TestReach measures which references of the corpus that FETTLE_CORPUS names are among the candidates at all, as if every line were equally
// suspicious and nothing were known of types: FETTLE_CORPUS_LANGUAGE and FETTLE_CORPUS_ROW choose rows.
func TestReach(t *testing.T) {
	if os.Getenv("FETTLE_CORPUS_LANGUAGE") == "" {
		t.Skip("FETTLE_CORPUS_LANGUAGE names no rows")
	}
	all, err := rows.All()
	if err != nil {
		t.Fatal(err)
	}
	reached, total := 0, 0
	var ranks []int
	by := map[string]int{}
	for _, r := range all {
		if r.Language != os.Getenv("FETTLE_CORPUS_LANGUAGE") || os.Getenv("FETTLE_CORPUS_ROW") != "" && r.ID != os.Getenv("FETTLE_CORPUS_ROW") {
			continue
		}
		total++
		src := r.Files[r.Source]
		want := tokens(t, r.Source, r.Reference)
		n, found := 0, ""
		all, err := Reach(t.Context(), r.Source, []byte(src), 1, strings.Count(src, "\n")+1)
		if err != nil {
			t.Fatal(err)
		}
		for idea, text := range all {
			n++
			if quick(text, r.Reference) && slices.Equal(tokens(t, r.Source, text), want) {
				found = idea
				break
			}
			if n == 60_000 {
				break
			}
		}
		if found == "" {
			t.Logf("%-28s not among %d", r.ID, n)
			if os.Getenv("FETTLE_CORPUS_DIFF") != "" {
				t.Log(diffLines(src, r.Reference))
			}
			continue
		}
		reached++
		by[found]++
		ranks = append(ranks, n)
		t.Logf("%-28s %5d  %s", r.ID, n, found)
	}
	slices.Sort(ranks)
	if reached > 0 {
		t.Logf("reached %d of %d; rank median %d, p90 %d; %v", reached, total, ranks[reached/2], ranks[reached*9/10], by)
	}
}

// quick is a cheap look: the same letters.
func quick(a, b string) bool {
	return letters(a) == letters(b)
}

func letters(s string) int {
	n := 0
	for _, r := range s {
		if !strings.ContainsRune(" \t\r\n();", r) {
			n++
		}
	}
	return n
}

func tokens(t *testing.T, path, src string) []string {
	tree, err := syntax.Parse(t.Context(), syntax.LangOf(path), []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for n := range tree.Root().Walk() {
		if n.IsExtra() || n.Is("comment", "line_comment", "block_comment", "parenthesized_expression") {
			continue
		}
		leaf := true
		for range n.Children() {
			leaf = false
			break
		}
		if leaf && strings.TrimSpace(n.Text()) != "" && n.Text() != ";" && n.Text() != "(" && n.Text() != ")" {
			out = append(out, n.Text())
		} else if n.Is("block", "if_statement", "for_statement", "while_statement", "return_statement", "expression_statement") {
			out = append(out, "<"+n.Kind()+">")
		}
	}
	return out
}

func diffLines(a, b string) string {
	al, bl := strings.Split(a, "\n"), strings.Split(b, "\n")
	for len(al) > 0 && len(bl) > 0 && al[0] == bl[0] {
		al, bl = al[1:], bl[1:]
	}
	for len(al) > 0 && len(bl) > 0 && al[len(al)-1] == bl[len(bl)-1] {
		al, bl = al[:len(al)-1], bl[:len(bl)-1]
	}
	return "\n      -" + strings.Join(al, "\n      -") + "\n      +" + strings.Join(bl, "\n      +")
}
