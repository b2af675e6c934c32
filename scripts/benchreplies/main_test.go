package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestTable measures fettle's reader alone: what is as it should be is read, but for files given anew from which much is missing, and nothing becomes another patch.
func TestTable(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), &out, 40, 7, true, ""); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(out.String()) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) != 7 || cells[1] != "fettle" {
			continue
		}
		rows++
		if half, rest := cells[4], cells[5]+strings.TrimSuffix(cells[6], " |"); half != "0" || rest != "00" {
			t.Errorf("neither the right patch nor refused: %s", line)
		}
		if rows < 4 && cells[2] != "20" {
			t.Errorf("a good reply was not read: %s", line)
		}
	}
	if rows != 8 {
		t.Errorf("%d rows:\n%s", rows, out.String())
	}
}
