package workspace_test

import (
	"context"
	"testing"

	"fettle/internal/edit"
	"fettle/internal/proc"
)

func BenchmarkCopyOpenRunClose(b *testing.B) {
	home(b)
	o := options(repo(b))
	for b.Loop() {
		c := open(b, o)
		if r, err := c.Run(context.Background(), proc.Cmd{Argv: []string{"true"}}); err != nil || !r.OK() {
			b.Fatal(r, err)
		}
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// What is personal is hidden by a mount each.
func BenchmarkCopyOpenRunCloseHiding(b *testing.B) {
	_, hide := homeOf(b)
	o := options(repo(b))
	o.Hide = hide
	for b.Loop() {
		c := open(b, o)
		if r, err := c.Run(context.Background(), proc.Cmd{Argv: []string{"true"}}); err != nil || !r.OK() {
			b.Fatal(r, err)
		}
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCopyRun(b *testing.B) {
	home(b)
	c := open(b, options(repo(b)))
	for b.Loop() {
		if r, err := c.Run(context.Background(), proc.Cmd{Argv: []string{"true"}}); err != nil || !r.OK() {
			b.Fatal(r, err)
		}
	}
}

func BenchmarkHostRun(b *testing.B) {
	for b.Loop() {
		if r, err := proc.Run(context.Background(), proc.Cmd{Argv: []string{"true"}}); err != nil || !r.OK() {
			b.Fatal(r, err)
		}
	}
}

func BenchmarkCopyApplyChangesReset(b *testing.B) {
	home(b)
	c := open(b, options(repo(b)))
	base, err := c.Source()("main.py")
	if err != nil {
		b.Fatal(err)
	}
	change, _ := edit.Compare("main.py", base, edit.File{Data: []byte("print('patched')\n"), Mode: base.Mode, Exists: true})
	for b.Loop() {
		if err := c.Apply(context.Background(), edit.Patch{change}); err != nil {
			b.Fatal(err)
		}
		if p := changes(b, c); len(p) != 1 {
			b.Fatal(p)
		}
		if err := c.Reset(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
