package search

import (
	"testing"
	"time"

	"fettle/internal/edit"
)

// A search on sources on which others have used up their time has less of it; one on others, or on what has changed since, has all of it.
func TestTimeOfLaterSearches(t *testing.T) {
	about := func(check, suite, file, text string) searched {
		return searched{check: check, suite: suite, tests: []string{"a test"}, files: map[string]edit.Hash{file: edit.Sum([]byte(text)), "other of " + suite: edit.Sum([]byte(suite))}}
	}
	m := &memory{}
	for i, want := range []time.Duration{60, 30, 15, 15} {
		if got := m.time(about("test", "three", "a.go", "1"), 60); got != want {
			t.Errorf("behind %d: %d", i, got)
		}
		m.addLate(about("test", string(rune('a'+i)), "a.go", "1"))
	}
	for _, s := range []searched{about("test", "three", "a.go", "2"), about("test", "three", "b.go", "1"), about("type", "three", "a.go", "1")} {
		if got := m.time(s, 60); got != 60 {
			t.Errorf("%v: %d", s, got)
		}
	}
	if got := (*memory)(nil).time(about("test", "three", "a.go", "1"), 60); got != 60 {
		t.Errorf("without a memory: %d", got)
	}
}
