package percent_test

import (
	"net/url"
	"testing"

	"fettle/internal/percent"
)

func TestDecode(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain": "plain", "a%2fb%2F": "a/b/", "%252e": "%2e", "100%": "100%", "100%2": "100%2", "%zz%41": "%zzA", "%+1": "%+1", "%00": "\x00",
	} {
		if got := percent.Decode(text); got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
}

// FuzzEncode: what is encoded is what net/url makes of it, and decoding gives it back.
func FuzzEncode(f *testing.F) {
	for _, text := range []string{"", "a b+c/d?e=f&g", "päss wörd%41", "\x00\xff~-_.!*'()$,;:@[]{}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := percent.Path(text), url.PathEscape(text); got != want {
			t.Errorf("in a path, %q is %q, not %q", text, got, want)
		}
		if got, want := percent.Query(text), url.QueryEscape(text); got != want {
			t.Errorf("in a query, %q is %q, not %q", text, got, want)
		}
		if got := percent.Decode(percent.Path(text)); got != text {
			t.Errorf("%q comes back as %q", text, got)
		}
		if plain, err := url.PathUnescape(text); err == nil && percent.Decode(text) != plain {
			t.Errorf("%q is decoded as %q, not %q", text, percent.Decode(text), plain)
		}
	})
}
