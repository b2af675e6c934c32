package verify_test

import (
	"slices"
	"testing"

	"fettle/internal/check"
	"fettle/internal/edit"
	"fettle/internal/verify"
)

// Copies ahead start with the patch, tell changes from there, and go back there; a patch that grows is seen by the next Reset.
func TestAhead(t *testing.T) {
	plain, src := lab(t, shop, test, format)
	first := replace(t, src, "price/price.go", "sum > 100", "sum >= 100")
	patch := first
	l := plain.Ahead(func() (edit.Patch, error) { return patch, nil })
	t.Cleanup(l.Close)
	known, findings := baseline(t, l)
	if r := known.Online["test"]; r.Status != check.Passed || len(findings) != 1 {
		t.Fatalf("ahead, test %s with %+v", r.Status, findings)
	}
	if was, err := plain.Digest(t.Context()); err != nil || was == known.Digest {
		t.Errorf("the digest does not count the patch: %v", err)
	}
	ev, err := l.Verify(t.Context(), verify.Request{Patch: replace(t, src, "ugly.go", "var  ugly", "var ugly"), Targets: findings, Known: known})
	if err != nil || !ev.Green {
		t.Errorf("a patch on top: %v: %s", err, ev.Reason)
	}
	c, release, err := l.Borrow(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	differs := func(want ...string) {
		t.Helper()
		p, err := c.Changes(t.Context())
		if paths := p.Paths(); err != nil || !slices.Equal(paths, want) {
			t.Errorf("differs in %q, want %q, %v", paths, want, err)
		}
	}
	differs()
	more := replace(t, src, "notes.txt", "nothing", "nobody")
	if err := c.Apply(t.Context(), more); err != nil {
		t.Fatal(err)
	}
	differs("notes.txt")
	back, err := first.Invert(src)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(t.Context(), back); err != nil {
		t.Fatal(err)
	}
	differs("notes.txt", "price/price.go")
	release()
	patch = append(edit.Patch{more[0]}, first...)
	if c, release, err = l.Borrow(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	defer release()
	differs()
	if f, err := c.Source()("notes.txt"); err != nil || string(f.Data) != "nobody looks at this file\n" {
		t.Errorf("the grown patch is not seen: %q, %v", f.Data, err)
	}
}
