package pattern_test

import (
	"regexp"
	"sync"
	"testing"

	"fettle/internal/pattern"
)

// A pattern does what its regular expression does, also when several ask first.
func TestPattern(t *testing.T) {
	const text = `(?P<key>\w+)=(\d+)`
	p, re := pattern.New(text), regexp.MustCompile(text)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, s := range []string{"", "a=1", "x a=1, bb=22 y"} {
				if p.MatchString(s) != re.MatchString(s) || p.ReplaceAllString(s, "$2") != re.ReplaceAllString(s, "$2") || p.FindString(s) != re.FindString(s) {
					t.Errorf("%q is read differently", s)
				}
			}
		})
	}
	wg.Wait()
	if p.SubexpIndex("key") != 1 || p.String() != text {
		t.Error("it does not know itself")
	}
}

// One of some patterns is enough, and flags stay with theirs.
func TestAny(t *testing.T) {
	p := pattern.Any(`(?i)^ab$`, `^c|d$`)
	for text, want := range map[string]bool{"AB": true, "cx": true, "xd": true, "xD": false, "Cx": false, "abx": false} {
		if p.MatchString(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestCheck(t *testing.T) {
	if bad := pattern.Check(); len(bad) != 0 {
		t.Errorf("%v", bad)
	}
	pattern.New("(")
	if bad := pattern.Check(); len(bad) != 1 || bad["("] == nil {
		t.Errorf("%v", bad)
	}
	made := 0
	table := pattern.Table(func() []*pattern.Pattern { made++; return []*pattern.Pattern{pattern.New(")"), pattern.New("a")} })
	if made != 0 {
		t.Error("a table that nobody has asked is made")
	}
	if bad := pattern.Check(); len(bad) != 2 || bad[")"] == nil {
		t.Errorf("%v", bad)
	}
	if len(table()) != 2 || !table()[1].MatchString("a") || made != 1 {
		t.Errorf("a table is made %d times", made)
	}
}

// A lazy table is made once, and its patterns are known to the check from then on.
func TestLazy(t *testing.T) {
	made := 0
	table := pattern.Lazy[*pattern.Pattern]{Made: func() *pattern.Pattern { made++; return pattern.New("lazy(") }}
	if bad := pattern.Check(); bad["lazy("] != nil || made != 0 {
		t.Errorf("made before anybody asked: %v, %d times", bad, made)
	}
	if first, again := table.Get(), table.Get(); first != again || made != 1 {
		t.Errorf("made %d times", made)
	}
	if bad := pattern.Check(); bad["lazy("] == nil {
		t.Errorf("not checked: %v", bad)
	}
}
