package audit_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"fettle/internal/audit"
	"fettle/internal/edit"
	"fettle/internal/verdict"
)

// TestCrashRefuses: a judge that crashed has not approved, whatever it was at, and ends nobody's process.
func TestCrashRefuses(t *testing.T) {
	crash := func() { panic("a fault of the judge's own") }
	whole := input(files{"a.py": "x = 1\n"}, files{"a.py": "x = 2\n"})
	for _, c := range []struct {
		name, rule string
		with       func(*audit.Input)
	}{
		{"while it reads", "unreadable", func(in *audit.Input) {
			in.Source = func(string) (edit.File, error) { crash(); return edit.File{}, nil }
		}},
		{"while it looks whose evidence a file is", "unreadable", func(in *audit.Input) {
			*in = input(files{"check.js": "const { fib } = require('./fib');\nif (fib(7) !== 13) process.exit(1);\n"}, files{})
			in.Files = func() []string { crash(); return nil }
		}},
		{"in a rule", "scope", func(in *audit.Input) {
			in.Goal.InScope = func(string) bool { crash(); return true }
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := whole
			c.with(&in)
			for _, r := range []audit.Report{audit.Audit(t.Context(), in), audit.By(t.Context(), c.rule, in)} {
				if r.Decision() != verdict.Refuse || len(r.Findings) == 0 || r.Findings[0].Rule != c.rule || !strings.Contains(r.Findings[0].Evidence, "crashed: a fault of the judge's own") {
					t.Errorf("%s: %v", r.Decision(), r.Findings)
				}
			}
		})
	}
}

// TestStoppedRefuses: an audit that nobody waits for any more ends, between files and between rules, and has not approved.
func TestStoppedRefuses(t *testing.T) {
	for _, c := range []struct {
		name, rule string
		with       func(in *audit.Input, stop func())
	}{
		{"between files", "unreadable", func(in *audit.Input, stop func()) {
			source := in.Source
			in.Source = func(path string) (edit.File, error) { stop(); return source(path) }
		}},
		{"in a rule", "scope", func(in *audit.Input, stop func()) {
			in.Goal.InScope = func(string) bool { stop(); return true }
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			in, asked := input(files{"a.py": "x = 1\n", "b.py": "x = 1\n"}, files{"a.py": "x = 2\n", "b.py": "x = 2\n<<<<<<< ours\n"}), 0
			c.with(&in, func() { asked++; cancel(errors.New("time is over")) })
			r := audit.Audit(ctx, in)
			if asked != 1 || len(r.Findings) != 1 || r.Decision() != verdict.Refuse || r.Findings[0].Rule != c.rule || !strings.Contains(r.Findings[0].Evidence, "stopped") || !strings.HasSuffix(r.Findings[0].Evidence, "time is over") {
				t.Errorf("asked %d times, %s: %v", asked, r.Decision(), r.Findings)
			}
		})
	}
}
