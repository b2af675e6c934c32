package tool

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"fettle/internal/diag"
)

// at is a range of lines and columns; zero columns are left out.
func at(line, column, endLine, endColumn int) diag.Range {
	return diag.Range{Start: diag.Position{Line: line, Column: column}, End: diag.Position{Line: endLine, Column: endColumn}}
}

func TestReplacements(t *testing.T) {
	const accents = "é = '😀'  # old\nz\n"
	cases := []struct {
		name, text string
		r          diag.Replacement
		want       string // "!": it does not fit
	}{
		{"replaces", "haya15busa\n", diag.Replacement{Range: at(1, 5, 1, 7), Text: "14"}, "haya14busa\n"},
		{"inserts", "hayabusa\n", diag.Replacement{Range: at(1, 5, 1, 5), Text: "15"}, "haya15busa\n"},
		{"deletes a line by the start of the next", "a\nb\nc\n", diag.Replacement{Range: at(2, 1, 3, 1)}, "a\nc\n"},
		{"several lines", "a\nb\nc\n", diag.Replacement{Range: at(1, 2, 3, 1), Text: " and "}, "a and c\n"},
		{"whole lines", "a\nb\nc\n", diag.Replacement{Range: at(1, 0, 2, 0), Text: "x\ny"}, "x\ny\nc\n"},
		{"whole lines go", "a\nb\nc\n", diag.Replacement{Range: at(2, 0, 3, 0)}, "a\n"},
		{"a last line without an ending", "a\nb", diag.Replacement{Range: at(2, 0, 2, 0), Text: "c"}, "a\nc"},
		{"to the end of its line", "abc\r\nd\r\n", diag.Replacement{Range: at(1, 2, 1, 0)}, "a\r\nd\r\n"},
		{"at the end of the file", "a\n", diag.Replacement{Range: at(2, 1, 2, 1), Text: "b\n"}, "a\nb\n"},
		{"into nothing", "", diag.Replacement{Range: at(1, 1, 1, 1), Text: "b\n"}, "b\n"},
		{"line endings of the file", "a\r\nb\r\n", diag.Replacement{Range: at(1, 1, 2, 1), Text: "x\ny\r\n"}, "x\r\ny\r\nb\r\n"},
		{"behind a byte order mark", "\ufeffab\n", diag.Replacement{Range: at(1, 1, 1, 2), Text: "x"}, "\ufeffxb\n"},
		{"columns in bytes", accents, diag.Replacement{Range: at(1, 16, 1, 19), Text: "new"}, "é = '😀'  # new\nz\n"},
		{"in UTF-16", accents, diag.Replacement{Range: at(1, 13, 1, 16), Unit: diag.UTF16, Text: "new"}, "é = '😀'  # new\nz\n"},
		{"in characters", accents, diag.Replacement{Range: at(1, 12, 1, 15), Unit: diag.Characters, Text: "new"}, "é = '😀'  # new\nz\n"},
		{"a span in UTF-16", accents, diag.Replacement{Span: &diag.Span{Offset: 12, Length: 3}, Unit: diag.UTF16, Text: "new"}, "é = '😀'  # new\nz\n"},
		{"a span in characters, behind a mark", "\ufeff" + accents, diag.Replacement{Span: &diag.Span{Offset: 11, Length: 3}, Unit: diag.Characters}, "\ufeffé = '😀'  # \nz\n"},
		{"a span in bytes", accents, diag.Replacement{Span: &diag.Span{Offset: 15, Length: 3}, Text: "new"}, "é = '😀'  # new\nz\n"},
		{"past the line", "a\nb\n", diag.Replacement{Range: at(1, 1, 1, 3)}, "!"},
		{"past the file", "a\nb\n", diag.Replacement{Range: at(1, 1, 4, 1)}, "!"},
		{"past a last line without an ending", "a\nb", diag.Replacement{Range: at(2, 1, 3, 1)}, "!"},
		{"whole lines past the file", "a\n", diag.Replacement{Range: at(1, 0, 2, 0)}, "!"},
		{"a span past the file", "a\n", diag.Replacement{Span: &diag.Span{Offset: 1, Length: 2}}, "!"},
		{"inside of a character", accents, diag.Replacement{Range: at(1, 2, 1, 3)}, "!"},
		{"inside of a surrogate pair", accents, diag.Replacement{Range: at(1, 7, 1, 9), Unit: diag.UTF16}, "!"},
		{"backwards", "abc\n", diag.Replacement{Range: at(1, 3, 1, 2)}, "!"},
		{"nowhere", "abc\n", diag.Replacement{}, "!"},
		{"below zero", "abc\n", diag.Replacement{Range: at(1, -1, 1, 2)}, "!"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e, ok := newLined([]byte(c.text)).edit(c.r)
			got := "!"
			if ok {
				got = c.text[:e.Start] + string(e.New) + c.text[e.End:]
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Whatever a report says of whatever a file holds: what it replaces lies in the file and takes no character apart.
func TestReplacementsStayInTheFile(t *testing.T) {
	number := rapid.OneOf(rapid.IntRange(-1, 12), rapid.Int())
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab\r\né😀\ufeff")), 0, 20, -1).Draw(t, "text")
		r := diag.Replacement{
			Range: at(number.Draw(t, "line"), number.Draw(t, "column"), number.Draw(t, "end line"), number.Draw(t, "end column")),
			Unit:  rapid.SampledFrom([]diag.Unit{diag.Bytes, diag.UTF16, diag.Characters}).Draw(t, "unit"),
			Text:  rapid.SampledFrom([]string{"", "x", "x\ny"}).Draw(t, "new"),
		}
		if rapid.Bool().Draw(t, "span") {
			r.Span = &diag.Span{Offset: number.Draw(t, "offset"), Length: number.Draw(t, "length")}
		}
		e, ok := newLined([]byte(text)).edit(r)
		if !ok {
			return
		}
		if e.Start < 0 || e.End < e.Start || e.End > len(text) {
			t.Fatalf("%d to %d of %d bytes", e.Start, e.End, len(text))
		}
		if after := text[:e.Start] + string(e.New) + text[e.End:]; !utf8.ValidString(after) {
			t.Fatalf("%q is no text", after)
		}
	})
}
