package python_test

import (
	"strings"
	"testing"
)

// What tests do themselves is counted and kept short, too, as long as candidates are tried.
func TestLeanTests(t *testing.T) {
	for _, c := range []struct {
		name, archive, is, note string
	}{
		{
			"a loop that stands in a test alone", `
-- ring.py --
def first():
    return [3] + 1
-- test_ring.py --
import ring


def test_first():
    at = ring.first()
    while at:
        at = list(at)
`, "return [3, 1]", "runs far longer than before",
		},
		{
			"the text of a difference", `
-- ring.py --
def items():
    return [3] + 1
-- test_ring.py --
import difflib
import unittest

import ring


def draw(a, b):
    return [str(n) for n in range(3_000_000)]


difflib.ndiff = draw


class TestItems(unittest.TestCase):
    def test_items(self):
        self.assertEqual(ring.items(), [4])
`, "return [3] + [1]", "still fails",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := lay(t, c.archive)
			_, was, _ := strings.Cut(c.archive, "    ")
			was, _, _ = strings.Cut(was, "\n")
			got := try(t, p.suite(t), p.replace(t, "ring.py", was, c.is))[0]
			if !got.Built || got.Plausible || len(got.Healed) > 0 || !strings.Contains(got.Note, c.note) {
				t.Errorf("%+v", got)
			}
		})
	}
}
