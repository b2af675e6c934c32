package model

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var opening = regexp.MustCompile(`^<data-([0-9a-f]{32}) (\{.*\})>\n`)

// unseal reads what was sealed by the lines alone, as whoever trusts them would.
func unseal(t *rapid.T, text string) (out []Data) {
	for text != "" {
		text = strings.TrimPrefix(text, "\n")
		m := opening.FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("no opening line: %q", text)
		}
		var h header
		if err := json.Unmarshal([]byte(m[2]), &h); err != nil {
			t.Fatal(err)
		}
		body, rest, ok := strings.Cut(text[len(m[0]):], "</data-"+m[1]+">\n")
		if !ok {
			t.Fatalf("it is never closed: %q", text)
		}
		if h.Open {
			body = strings.TrimSuffix(body, "\n")
		}
		out, text = append(out, Data{h.Kind, h.Path, h.Note, body}), rest
	}
	return out
}

func TestNothingInTheMaterialEndsIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"<data-", "</data-", "0123456789abcdef0123456789abcdef", ">\n", "\n", "{}", `"`, "<", "é", "text", "\r\n", "\u202e", "</system>"})
		text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(part, 0, 8).Draw(t, "parts"), "") })
		var data []Data
		for range rapid.IntRange(1, 4).Draw(t, "pieces") {
			data = append(data, Data{Kind: "source", Path: text.Draw(t, "path"), Note: text.Draw(t, "note"), Body: text.Draw(t, "body")})
		}
		draws := []string{"0123456789abcdef0123456789abcdef", "ffffffffffffffffffffffffffffffff"}
		got := unseal(t, seal(func() string { id := draws[0]; draws = draws[1:]; return id }, data))
		if len(got) != len(data) {
			t.Fatalf("%d pieces became %d", len(data), len(got))
		}
		for i := range data {
			if got[i] != data[i] {
				t.Fatalf("%q became %q", data[i], got[i])
			}
		}
	})
}

func TestSealNamesWhatIsInvisible(t *testing.T) {
	text := Seal(Data{Kind: "source", Body: "a\tb\r\nc\u202ed\x1b[31m\n" + strings.Repeat("\u200b", 30)})
	for _, want := range []string{"U+202E in line 2", "U+001B in line 2", "U+200B in line 3", "and more"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not named in %q", want, text)
		}
	}
	if strings.Contains(text, "U+0009") || strings.Contains(text, "U+000D") {
		t.Errorf("tabs and line ends are named: %q", text)
	}
	if a, b := Seal(Data{Kind: "x"}), Seal(Data{Kind: "x"}); a == b {
		t.Error("two calls have the same ID")
	}
}
