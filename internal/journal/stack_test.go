package journal_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fettle/internal/journal"
)

// TestStack plays sets, written as kind(of):files, and says what can then be undone (set:files) and redone (sets), next first.
func TestStack(t *testing.T) {
	for _, c := range []struct{ name, sets, undo, redo string }{
		{"nothing", "", "", ""},
		{"two applies", "apply:a,b apply:b", "2:b 1:a,b", ""},
		{"accept counts as apply", "accept:a", "1:a", ""},
		{"undo the last", "apply:a apply:b undo(2):b", "1:a", "3"},
		{"undo both", "apply:a apply:b undo(2):b undo(1):a", "", "4 3"},
		{"redo one of two", "apply:a apply:b undo(2):b undo(1):a redo(4):a", "1:a", "3"},
		{"redo both", "apply:a apply:b undo(2):b undo(1):a redo(4):a redo(3):b", "2:b 1:a", ""},
		{"a new apply clears redo", "apply:a undo(1):a apply:b", "3:b", ""},
		{"undo after redo", "apply:a undo(1):a redo(2):a undo(1):a", "", "4"},
		{"one file of a set", "apply:a,b,c undo(1):b", "1:a,c", "2"},
		{"then the rest", "apply:a,b,c undo(1):b undo(1):a,c", "", "3 2"},
		{"then the file again", "apply:a,b,c undo(1):b redo(2):b", "1:a,b,c", ""},
		{"rollback out of order", "apply:a apply:b apply:c rollback(1):a", "3:c 2:b", "4"},
		{"pending and aborted do not count", "apply:a !apply:b ?apply:c", "1:a", ""},
		{"an aborted apply does not clear redo", "apply:a undo(1):a !apply:b", "", "2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := open(t, t.TempDir())
			for word := range strings.FieldsSeq(c.sets) {
				play(t, j, word)
			}
			s, err := j.Stack(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var undo, redo []string
			for _, st := range s.Undo {
				var files []string
				for _, e := range st.Entries {
					files = append(files, e.Path)
				}
				undo = append(undo, fmt.Sprintf("%d:%s", st.Set.ID, strings.Join(files, ",")))
			}
			for _, set := range s.Redo {
				redo = append(redo, strconv.FormatInt(set.ID, 10))
			}
			if diff := cmp.Diff([]string{c.undo, c.redo}, []string{strings.Join(undo, " "), strings.Join(redo, " ")}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// play writes one set: kind, "(of)" if it reverses one, ":" and its files. "!" before it aborts it, "?" leaves it pending.
func play(t *testing.T, j *journal.Journal, word string) {
	t.Helper()
	bare := strings.TrimLeft(word, "!?")
	head, files, _ := strings.Cut(bare, ":")
	kind, of, _ := strings.Cut(strings.TrimSuffix(head, ")"), "(")
	s := journal.Set{Kind: journal.Kind(kind)}
	if of != "" {
		if _, err := fmt.Sscan(of, &s.Of); err != nil {
			t.Fatal(err)
		}
	}
	for f := range strings.SplitSeq(files, ",") {
		s.Entries = append(s.Entries, change(f, "1", "2"))
	}
	s = begin(t, j, s)
	switch word[0] {
	case '?':
	case '!':
		if err := j.Abort(t.Context(), s.ID); err != nil {
			t.Fatal(err)
		}
	default:
		if err := j.Finish(t.Context(), s.ID); err != nil {
			t.Fatal(err)
		}
	}
}
