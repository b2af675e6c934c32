package main

import (
	"bytes"
	"os"
	"path/filepath"
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

// TestCodex has cases in the form in which Codex publishes its own.
func TestCodex(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"1_same/input/a.txt": "one\n", "1_same/expected/a.txt": "two\n", "1_same/patch.txt": "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch\n",
		"2_new/expected/a.txt": "one\n", "2_new/patch.txt": "*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch\n",
		"3_refused/input/a.txt": "one\n", "3_refused/expected/a.txt": "two\n", "3_refused/patch.txt": "*** Begin Patch\n*** Add File: a.txt\n+two\n*** End Patch\n",
		"4_other/input/a.txt": "one\n", "4_other/expected/a.txt": "three\n", "4_other/patch.txt": "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := codex(t.Context(), &out, dir); err != nil {
		t.Fatal(err)
	}
	if want := "4 cases: 2 as Codex leaves it, 1 refused, where Codex changes files, 1 something else\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("%s\nwant %s", out.String(), want)
	}
	if err := codex(t.Context(), &out, t.TempDir()); err == nil || !strings.Contains(err.Error(), "holds no folders") {
		t.Error(err)
	}
}
