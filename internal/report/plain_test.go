package report_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"fettle/internal/report"
)

func TestPlain(t *testing.T) {
	coloured := report.Style{Color: true}
	for _, c := range []struct {
		style      report.Style
		text, want string
	}{
		{coloured, "größe 日本\u3000é🙂\n\tx", "größe 日本\u3000é🙂\n\tx"},
		{coloured, "\x1b]0;title\x07", `\x1b]0;title\a`},
		{coloured, "\x1b[2J\x1b[1;1H", `\x1b[2J\x1b[1;1H`},
		{coloured, "done\r\x1b[Kgone", `done\r\x1b[Kgone`},
		{coloured, "\x1b[8m\x1b[31;8mhidden", `\x1b[8m\x1b[31;8mhidden`},
		{coloured, "\u009b2J\x9b2J", `\u009b2J\x9b2J`},
		{coloured, "a\u202egnp.\u200b\ufeff\U000e0041\x7f", `a\u202egnp.\u200b\ufeff\U000e0041\x7f`},
		{coloured, "cut off \x1b", `cut off \x1b`},
		{coloured, coloured.Bad("x") + coloured.Bold("\x1b"), "\x1b[31mx\x1b[0m\x1b[1m\\x1b\x1b[0m"},
		{report.Style{}, coloured.Warn("x"), `\x1b[33mx\x1b[0m`},
	} {
		got := c.style.Plain(c.text)
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
		if again := c.style.Plain(got); again != got {
			t.Errorf("%q is not the same when it is spelled out again: %q", got, again)
		}
	}
}

// A name cannot tell a line of its own.
func TestWriteLine(t *testing.T) {
	var b bytes.Buffer
	report.WriteLine(&b, "%s, %v in %s:\n%s", "a\nb", errors.New("c\nd"), time.Second, report.Block("one\ntwo"))
	if want := "a\\nb, c\\nd in 1s:\none\ntwo\n"; b.String() != want {
		t.Errorf("%q, want %q", &b, want)
	}
}
