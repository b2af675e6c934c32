package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"fettle/internal/edit"
	"fettle/internal/fix/reply"
)

// tree is a folder's files.
type tree map[string]string

// codex says what fettle's reader makes of the cases that Codex publishes of its apply_patch: folders with patch.txt, the files in input, and what they are afterwards in expected.
func codex(ctx context.Context, w io.Writer, dir string) error {
	cases, err := filepath.Glob(filepath.Join(dir, "*", "patch.txt"))
	if err != nil {
		return err
	}
	if len(cases) == 0 {
		return fmt.Errorf("%s holds no folders with patch.txt: name codex-rs/apply-patch/tests/fixtures/scenarios of a checkout of Codex", dir)
	}
	counts := map[string]int{}
	for _, patch := range cases {
		name := filepath.Base(filepath.Dir(patch))
		outcome, why, err := scenario(ctx, filepath.Dir(patch))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		counts[outcome]++
		fmt.Fprintf(w, "%s: %s %s\n", name, outcome, why)
	}
	fmt.Fprintf(w, "%d cases: %d %s, %d %s, %d %s\n", len(cases), counts[alike], alike, counts[declined], declined, counts[unlike], unlike)
	return nil
}

// What became of a case.
const (
	alike    = "as Codex leaves it"
	declined = "refused, where Codex changes files"
	unlike   = "something else"
)

// scenario reads one case, every file of which was shown and any of which may be made.
func scenario(ctx context.Context, dir string) (outcome, why string, err error) {
	before, err := files(filepath.Join(dir, "input"))
	if err != nil {
		return "", "", err
	}
	want, err := files(filepath.Join(dir, "expected"))
	if err != nil {
		return "", "", err
	}
	text, err := os.ReadFile(filepath.Join(dir, "patch.txt"))
	if err != nil {
		return "", "", err
	}
	g := reply.Ground{Files: map[string]reply.Sight{}, Creates: func(string) error { return nil }, Source: func(name string) (edit.File, error) {
		data, ok := before[name]
		return edit.File{Data: []byte(data), Mode: 0o644, Exists: ok}, nil
	}}
	for name := range before {
		g.Files[name] = reply.Whole
	}
	after, err := patched(ctx, string(text), g, before)
	var rejected *edit.RejectError
	if errors.As(err, &rejected) {
		why, err = "("+rejected.Error()+")", nil
	}
	switch {
	case err != nil:
		return "", "", err
	case maps.Equal(after, want):
		return alike, why, nil
	case why != "":
		return declined, why, nil
	}
	return unlike, fmt.Sprintf("(%q)", after), nil
}

// patched are the files after a reply; as they were beside an error.
func patched(ctx context.Context, text string, g reply.Ground, before tree) (tree, error) {
	a, err := reply.Read(ctx, text, false, g)
	if err != nil {
		return before, err
	}
	changed, err := a.Patch.Apply(g.Source)
	if err != nil {
		return before, err
	}
	after := maps.Clone(before)
	for name, f := range changed {
		if after[name] = string(f.Data); !f.Exists {
			delete(after, name)
		}
	}
	return after, nil
}

func files(dir string) (tree, error) {
	out := tree{}
	all := os.DirFS(dir)
	err := fs.WalkDir(all, ".", func(name string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == "." {
			return nil // a case that begins, or ends, without a file
		}
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(all, name)
		out[name] = string(data)
		return err
	})
	return out, err
}
