package search_test

import (
	"strings"
	"testing"

	"fettle/internal/fix/fixtest"
)

// TestReadsAsElsewhere: of what passes every test, that comes first which says what the file, or one beside it, says in another place.
func TestReadsAsElsewhere(t *testing.T) {
	p := fixtest.New(t, map[string]string{
		"a.py": "def halves(parts):\n    middle = len(parts) // 2\n    left, right = parts[:middle], parts[middle:]\n    if len(left) == 1:\n        low = left[0]\n    else:\n        low = halves(left)\n" +
			"    if len(right) == 2:\n        high = right[0]\n    else:\n        high = halves(right)\n    return low + high\n",
		"test_a.py": "from a import halves\n\n\ndef test_two():\n    assert halves([1, 2]) == 3\n\n\ndef test_four():\n    assert halves([1, 2, 3, 4]) == 10\n",
	})
	found := propose(t, task(t, p, "python"))
	if len(found) == 0 {
		t.Fatal("nothing passes")
	}
	if after := patched(t, p, found[0].Patch, "a.py"); !strings.Contains(after, "if len(right) == 1:") {
		t.Errorf("first comes:\n%s", after)
	}
}
