package git_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fettle/internal/git"
)

func TestBlame(t *testing.T) {
	r := newRepo(t, map[string]string{"a.txt": "one\ntwo\nthree\nfour\nfive\n"})
	r.write(map[string]string{"a.txt": "one\nTWO\nthree\nfour\nfive\n"})
	r.git("commit", "-qam", "second")
	r.write(map[string]string{"b.txt": "elsewhere\n"})
	r.git("add", "-A")
	r.git("commit", "-qm", "other file")
	r.write(map[string]string{"a.txt": "one\nTWO\nthree\nfour\nFIVE\nsix\n", "new.txt": "n\n"})

	got, err := r.Blame(t.Context(), "a.txt", 1)
	if err != nil {
		t.Fatal(err)
	}
	want := []git.Recent{{Line: 2, EndLine: 2, Age: 1, Subject: "second"}, {Line: 5, EndLine: 6, Age: 0}}
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(git.Recent{}, "Commit")); d != "" {
		t.Error(d)
	}
	if got, err := r.Blame(t.Context(), "a.txt", 5); err != nil || len(got) != 2 {
		t.Errorf("with every commit: %v, %v", got, err)
	}
	if got, err := r.Blame(t.Context(), "new.txt", 5); err != nil || got != nil {
		t.Errorf("untracked: %v, %v", got, err)
	}
}
