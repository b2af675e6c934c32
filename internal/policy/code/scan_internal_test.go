package code

import (
	"context"
	"testing"

	program "fettle/internal/code"
	"fettle/internal/syntax"
)

// TestNobodyWaits is a program that was read before nobody waited any more: it is not looked through, and what it could do is no answer.
func TestNobodyWaits(t *testing.T) {
	f, err := program.Read(t.Context(), syntax.Python, "a.py", []byte("eval(x)"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := newScan(ctx, f, pythonRules())
	s.look(f.Root)
	if len(s.found) > 0 {
		t.Errorf("looked through: %v", s.found)
	}
	if found, err := capabilities(ctx, f, pythonRules()); err == nil {
		t.Errorf("%v, and no error", found)
	}
	if found, err := capabilities(t.Context(), f, pythonRules()); err != nil || len(found) == 0 {
		t.Errorf("%v, %v", found, err)
	}
}
