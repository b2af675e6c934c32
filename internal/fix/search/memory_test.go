package search_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/diag"
	"fettle/internal/edit"
	"fettle/internal/fix"
	"fettle/internal/fix/fixtest"
	"fettle/internal/fix/search"
)

// soonInVain tries all single edits of a small function, and a few in pairs: a search in vain else takes its whole minute.
func soonInVain() *search.Search {
	s := search.New(harnesses...)
	s.MaxCandidates = 1000
	return s
}

// Tests that were searched for together in vain are not searched for again one by one, until a source has changed.
func TestInVainOnce(t *testing.T) {
	p := fixtest.New(t, map[string]string{
		"lib.py":      "def half(n):\n    return n / 3 + 0.123\n",
		"test_lib.py": "from lib import half\n\ndef test_one():\n    assert half(1) == 'eins'\n\ndef test_two():\n    assert half(2) == 'zwei'\n",
	})
	s := soonInVain()
	asked := func(k fix.Task) (notes []string) {
		k.Note = func(text string) { notes = append(notes, text) }
		for _, err := range s.Propose(t.Context(), k) {
			if err != nil {
				t.Fatal(err)
			}
		}
		return notes
	}
	all := task(t, p, "python")
	if notes := asked(all); len(notes) != 1 || !strings.Contains(notes[0], "none makes the failing tests pass") {
		t.Fatalf("told %q", notes)
	}
	for _, d := range all.Diagnostics {
		part := all
		part.Diagnostics = []diag.Diagnostic{d}
		if notes := asked(part); len(notes) != 0 {
			t.Errorf("asked about %s alone, it searched again: %q", d.Test, notes)
		}
	}
	if err := os.WriteFile(filepath.Join(p.Root(), "lib.py"), []byte("def half(n):\n    return n / 3 + 0.124\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if notes := asked(all); len(notes) != 1 {
		t.Errorf("the source has changed, and it did not search: %q", notes)
	}
}

// Of tests that were searched for together those that nothing healed are not searched for again alone, and one that something healed is.
func TestPartlyInVainOnce(t *testing.T) {
	p := fixtest.New(t, map[string]string{
		"lib.py":      "def half(n):\n    return n / 3\n",
		"test_lib.py": "from lib import half\n\ndef test_one():\n    assert half(4) == 2\n\ndef test_two():\n    assert half(2) == 'zwei'\n",
	})
	s := soonInVain()
	asked := func(k fix.Task) (found int, notes []string) {
		k.Note = func(text string) { notes = append(notes, text) }
		for _, err := range s.Propose(t.Context(), k) {
			if err != nil {
				t.Fatal(err)
			}
			found++
		}
		return found, notes
	}
	all := task(t, p, "python")
	if found, notes := asked(all); found == 0 {
		t.Fatalf("nothing heals a part: %q", notes)
	}
	for _, d := range all.Diagnostics {
		part := all
		part.Diagnostics = []diag.Diagnostic{d}
		found, notes := asked(part)
		if mendable := strings.HasSuffix(d.Test, "test_one"); mendable != (found > 0) || !mendable && len(notes) > 0 {
			t.Errorf("asked about %s alone, it found %d and told %q", d.Test, found, notes)
		}
	}
}

// What heals one of several failing tests that run the line it changes is believed less than where it is the only one: the right patch would most likely heal the others as well.
func TestOthersRunTheLineToo(t *testing.T) {
	const lib, one, two = "lib.py", "from lib import half\n\ndef test_one():\n    assert half(4) == 2\n", "\ndef test_two():\n    assert half(2) == %s\n"
	sure := func(second string) float64 {
		t.Helper()
		p := fixtest.New(t, map[string]string{lib: "def half(n):\n    return n / 3\n", "test_lib.py": one + second})
		s := soonInVain()
		all := task(t, p, "python")
		proposals(t, s, all)
		k := all
		k.TryWhole = healing(func(edit.Patch) []string { return []string{"test_lib.py::test_one"} })
		k.Diagnostics = slices.DeleteFunc(slices.Clone(all.Diagnostics), func(d diag.Diagnostic) bool { return d.Test != "test_lib.py::test_one" })
		found := proposals(t, s, k)
		if after := patched(t, p, found[0].Patch, lib); !strings.Contains(after, "n / 2") {
			t.Fatalf("first: %s", after)
		}
		return found[0].Confidence
	}
	alone, beside := sure(""), sure(fmt.Sprintf(two, "'zwei'"))
	if beside > 0.6 || alone < 0.7 {
		t.Errorf("beside another failing test that runs the line %.2f, alone %.2f", beside, alone)
	}
}
