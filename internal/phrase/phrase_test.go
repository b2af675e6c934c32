package phrase_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"fettle/internal/phrase"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 tests", 1: "1 test", 2: "2 tests", -1: "-1 tests"} {
		if got := phrase.Count(n, "test"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestSome(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"a"}, "a"},
		{[]string{"a", "b"}, "a, b"},
		{[]string{"a", "b", "c"}, "a, b and 1 more"},
		{[]string{"a", "b", "c", "d"}, "a, b and 2 more"},
	} {
		if got := phrase.Some(c.names, 2); got != c.want {
			t.Errorf("%v: %q, want %q", c.names, got, c.want)
		}
	}
}

func TestSeveral(t *testing.T) {
	for want, sentences := range map[string][]string{"": nil, "a": {"a"}, "a; b": {"a", "b"}, "a; b; and 2 more": {"a", "b", "c", "d"}} {
		if got := phrase.Several(sentences, 2); got != want {
			t.Errorf("%v: %q, want %q", sentences, got, want)
		}
	}
}

func TestEnds(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"0123456789", "0123456789"},
		{"01\n34\n67\n9a", "01\n[…]\n9a"},
		{"0123456789a", "01234\n[…]\n6789a"},
		{"ä234567ö9a", "ä234\n[…]\n7ö9a"},
	} {
		if got := phrase.Ends(c.text, 10); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestFailure(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "a", Err: syscall.ENOSPC}
	const again = ", then run fettle again: it finishes or takes back what was under way"
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("one\ntwo\n"), "one\ntwo"},
		{fmt.Errorf("keep: %w", full), "keep: write a: no space left on device; free some space" + again},
		{errors.Join(full, errors.New("not taken back"), full), "write a: no space left on device; not taken back; free some space" + again},
		{syscall.EDQUOT, "disk quota exceeded; free some space" + again},
		{syscall.EROFS, "read-only file system; make the file system writable, as fettle keeps its state there" + again},
		{syscall.EIO, "input/output error; see what the system's log says about the disk" + again},
	} {
		if got := phrase.Failure(c.err); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestOr(t *testing.T) {
	for want, names := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := phrase.Or(names); got != want {
			t.Errorf("%q: %q, want %q", names, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	for text, want := range map[string]string{"a": "a", strings.Repeat("ä", 80): strings.Repeat("ä", 80), strings.Repeat("ä", 81): strings.Repeat("ä", 79) + "…"} {
		if got := phrase.Clip(text); got != want {
			t.Errorf("%q", got)
		}
	}
}
