package search_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/diag"
	"fettle/internal/fix"
	"fettle/internal/fix/fixtest"
	"fettle/internal/fix/search"
)

// Tests that were searched for together in vain are not searched for again one by one, until a source has changed.
func TestInVainOnce(t *testing.T) {
	p := fixtest.New(t, map[string]string{
		"lib.py":      "def half(n):\n    return n / 3 + 0.123\n",
		"test_lib.py": "from lib import half\n\ndef test_one():\n    assert half(1) == 'eins'\n\ndef test_two():\n    assert half(2) == 'zwei'\n",
	})
	s := search.New(harnesses...)
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
	s := search.New(harnesses...)
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
