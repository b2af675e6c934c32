package prompt_test

import (
	"testing"

	"fettle/internal/fix/prompt"
)

// What is estimated is held against what a real tokenizer (that of Qwen2.5) makes of the same texts: not less than nine tenths of it, and not half as much again.
func TestTokens(t *testing.T) {
	for _, c := range []struct {
		text string
		real int
	}{
		{"Find the cause, and mend it where it is. Change as little as that takes; keep behaviour that nobody complains of.", 25},
		{"E   assert [1, 1, 1, 1, 1, 1, 1, 1] == [1, 10, 1, 10, 1, 10, 1, 10]\nE     At index 1 diff: 1 != 10\n", 71},
		{"12| def total(price):\n13|     return price - tax(price)\n14| \n15| \n16| def round_up(x):\n17|     return math.ceil(x * 100) / 100\n", 53},
		{"<data-qwkzhfyuioptbx {\"kind\":\"source\",\"lines\":\"1-13 of 13\",\"path\":\"solution.py\"}>\n", 30},
		{"func (r *reading) parses(c edit.Change, base edit.File) error {\n\tlang := syntax.LangOf(c.Path)\n\tif lang == \"\" || len(c.Edits) == 0 {\n\t\treturn nil\n\t}\n", 46},
		{"assert tuple(sort_third([5, 6, 3, 4, 8, 9, 2, 1])) == tuple([2, 6, 3, 4, 8, 9, 5, 1])", 54},
		{"Die Prüfung schlägt fehl, weil die Größe der Datei überschritten ist.", 22},
	} {
		if got := prompt.Tokens(c.text); got*10 < c.real*9 || got*2 > c.real*3 {
			t.Errorf("%.40q: %d, and it is %d", c.text, got, c.real)
		}
	}
	if got := prompt.Tokens(""); got != 0 {
		t.Errorf("nothing: %d", got)
	}
}
