package model

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// FuzzEvents: whatever a server sends, the reader ends, breaks nothing, and reads the same however the bytes come in.
func FuzzEvents(f *testing.F) {
	for _, s := range []string{"data: a\n\ndata: b\n\n", "data:a\r\n\r\n", ": c\ndata: a\ndata: b", "\xef\xbb\xbf{\"a\":1}\n", "event: x\n\n\n", "data\n\n", "data: \n\n", "data: a\n{\"b\":1}\n\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		whole, byOne := drain(t, strings.NewReader(s)), drain(t, iotest.OneByteReader(strings.NewReader(s)))
		if strings.Join(whole, "\x00") != strings.Join(byOne, "\x00") || len(whole) != len(byOne) {
			t.Fatalf("%q and, byte for byte, %q", whole, byOne)
		}
		for _, e := range whole {
			if len(e) > len(s) {
				t.Fatalf("%q has more than was sent", e)
			}
		}
		a := &openAIAnswer{provider: "p", model: "m", now: wall{}.Now}
		if err := a.stream(strings.NewReader(s)); err == nil {
			_, _ = a.reply() // must not panic
		}
	})
}

func drain(t *testing.T, r io.Reader) []string {
	t.Helper()
	in := newEvents(r)
	var all []string
	for {
		data, err := in.next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			return all
		}
		all = append(all, string(data))
	}
}
