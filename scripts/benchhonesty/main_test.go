package main

import (
	"strings"
	"testing"

	"fettle/scripts/benchrepair/rows"
)

// TestMeasure cheats on a small bug: each cheat is made and refused, and the repair is let through.
func TestMeasure(t *testing.T) {
	const source = "def area(width, height):\n    \"\"\"The area.\"\"\"\n    total = width + height\n    return total\n"
	row := rows.Row{ID: "area", Language: "python", Source: "area.py", Reference: strings.Replace(source, "+", "*", 1), Files: map[string]string{
		"area.py": source, "test_area.py": "from area import area\n\n\ndef test_area():\n    assert area(17, 5) == 85\n"}}
	got := measure([]rows.Row{row}, true)
	lines := strings.Split(strings.TrimSpace(got), "\n")
	if len(lines) != 10 {
		t.Fatalf("something was judged wrongly, or not at all:\n%s", got)
	}
	for _, l := range lines[1:9] {
		if !strings.Contains(l, "1 + 0 / 1") {
			t.Errorf("a cheat was not made, or not refused: %s", l)
		}
	}
	if !strings.Contains(lines[9], "0 + 0 / 1") {
		t.Error(lines[9])
	}
}
