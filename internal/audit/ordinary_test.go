package audit_test

import (
	"io/fs"
	"slices"
	"testing"

	"fettle/internal/audit"
	"fettle/internal/edit"
	"fettle/internal/verdict"
)

// TestOrdinary are ordinary changes of people's that look like others: each beside what only looks like it.
func TestOrdinary(t *testing.T) {
	const (
		ruff  = "[tool.ruff.lint]\nselect = [\"E\", \"F\"]\nignore = [\"E501\"]\n"
		linux = "linters:\n  enable:\n    - gofmt\n    - errcheck\n"
		page  = "# Use\n\nIt can fail.\n"
	)
	for _, c := range []struct {
		change
		rule string
		want []string
	}{
		{change{"ruff: a family, without one of its rules", "pyproject.toml", ruff, "\"F\"]\nignore = [\"E501\"", "\"F\", \"PYI\"]\nignore = [\"E501\", \"PYI036\""}, "weakened-check", nil},
		{change{"ruff: and one that was looked for", "pyproject.toml", ruff, "\"F\"]\nignore = [\"E501\"", "\"F\", \"PYI\"]\nignore = [\"E501\", \"PYI036\", \"F401\""}, "weakened-check", []string{"ask weakened-check"}},
		{change{"ruff: and the family of one that was looked for", "pyproject.toml", ruff, "\"F\"]\nignore = [\"E501\"", "\"F\", \"PYI\"]\nignore = [\"E501\", \"E7\""}, "weakened-check", []string{"ask weakened-check"}},
		{change{"ruff: of all that was looked for", "pyproject.toml", replaceOnce(t, ruff, "\"E\", \"F\"", "\"ALL\""), "\"E501\"", "\"E501\", \"PYI036\""}, "weakened-check", []string{"ask weakened-check"}},
		{change{"golangci: what does the same, and more", ".golangci.yml", linux, "gofmt", "gofumpt"}, "weakened-check", nil},
		{change{"golangci: what does less", ".golangci.yml", replaceOnce(t, linux, "gofmt", "gofumpt"), "gofumpt", "gofmt"}, "weakened-check", []string{"ask weakened-check"}},
		{change{"golangci: and one less", ".golangci.yml", linux, "    - gofmt\n    - errcheck\n", "    - gofumpt\n"}, "weakened-check", []string{"ask weakened-check"}},
		{change{"a page names an end", "docs/use.md", page, "fail.", "fail, and then calls `process.exit()`."}, "exits", nil},
		{change{"a page has an example that is carried out", "docs/use.md", page, "fail.", "fail.\n\n>>> import sys\n>>> sys.exit(0)"}, "exits", []string{"ask exits"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := c.input(t)
			in.Goal.Configs = true
			r := audit.By(t.Context(), c.rule, in)
			got := slices.DeleteFunc(effects(r), func(e string) bool { return e == "note "+c.rule })
			if len(got) != len(c.want) || !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q\n%v", got, c.want, r.Findings)
			}
		})
	}
}

// TestSumsOfOthers: a go.sum may take over what another module of the repository asks for, and nothing else.
func TestSumsOfOthers(t *testing.T) {
	before := files{"go.mod": "module a\n", "go.sum": "x v1 h1:aa=\n", "bench/go.mod": "module b\n", "bench/go.sum": "x v1 h1:aa=\n"}
	for _, c := range []struct {
		name  string
		after files
		want  []string
	}{
		{"the same", files{"go.mod": "module a\n\nrequire x v2\n", "go.sum": "x v2 h1:bb=\n", "bench/go.sum": "x v2 h1:bb=\n"}, []string{"note lockfile", "note lockfile"}},
		{"one line of its own", files{"go.mod": "module a\n\nrequire x v2\n", "go.sum": "x v2 h1:bb=\n", "bench/go.sum": "x v2 h1:bb=\ny v1 h1:cc=\n"}, []string{"ask lockfile", "note lockfile"}},
		{"another hash", files{"go.mod": "module a\n\nrequire x v2\n", "go.sum": "x v2 h1:bb=\n", "bench/go.sum": "x v2 h1:dd=\n"}, []string{"ask lockfile", "note lockfile"}},
		{"nobody asks for it", files{"go.sum": "x v2 h1:bb=\n", "bench/go.sum": "x v2 h1:bb=\n"}, []string{"ask lockfile", "ask lockfile"}},
		{"it is gone", files{"go.mod": "module a\n\nrequire x v2\n", "go.sum": "x v2 h1:bb=\n", "bench/go.sum": ""}, []string{"ask lockfile", "note lockfile"}},
	} {
		in := input(before, before.with(c.after))
		in.Goal.By = audit.Person
		var got []string
		for _, f := range audit.By(t.Context(), "lockfile", in).Findings {
			got = append(got, string(f.Effect)+" "+f.Rule)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestNewScripts: a person's new script may be executable; what was there, and what says not by what it is carried out, is asked about.
func TestNewScripts(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		by                  audit.Maker
		mode                fs.FileMode
		want                []string
	}{
		{"a script", "", "#!/usr/bin/env node\n", audit.Person, 0o755, []string{"note mode"}},
		{"of a fixer's", "", "#!/usr/bin/env node\n", audit.Healer, 0o755, []string{"ask mode"}},
		{"one that was there", "#!/bin/sh\n", "#!/bin/sh\n:\n", audit.Person, 0o755, []string{"ask mode"}},
		{"no script", "", "\x7fELF", audit.Person, 0o755, []string{"ask mode"}},
	} {
		is := edit.File{Data: []byte(c.after), Mode: 0o644, Exists: true}
		was := files{"run": c.before}.tree()
		patch := edit.Between(was, map[string]edit.File{"run": is})
		patch[0].Mode = c.mode
		in := audit.Input{Patch: patch, Source: func(p string) (edit.File, error) { return was[p], nil }, Goal: audit.Goal{By: c.by}}
		if got := effects(audit.By(t.Context(), "mode", in)); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestLocksAreNoWork: the size of a person's change is that of what has to be read.
func TestLocksAreNoWork(t *testing.T) {
	lock := func(n string) string { return "{\"packages\": {\n\"a\": " + n + ",\n\"b\": 1,\n\"c\": " + n + "\n}}\n" }
	before := files{"package.json": "{\"a\": 1}\n", "package-lock.json": lock("1"), "data.json": lock("1")}
	for _, c := range []struct {
		file string
		by   audit.Maker
		want []string
	}{
		{"package-lock.json", audit.Person, nil},
		{"package-lock.json", audit.Healer, []string{"ask size"}},
		{"data.json", audit.Person, []string{"ask size"}},
	} {
		in := input(before, before.with(files{"package.json": "{\"a\": 2}\n", c.file: lock("2")}))
		in.Goal.By, in.Limits = c.by, audit.Limits{Edits: 1, Lines: 3}
		if got := effects(audit.By(t.Context(), "size", in)); !slices.Equal(got, c.want) {
			t.Errorf("%s by %d: got %q, want %q", c.file, c.by, got, c.want)
		}
	}
}

// TestMeantToChange: that configurations are meant to change lets none pass that somebody has meant to demand less by, which is asked about otherwise.
func TestMeantToChange(t *testing.T) {
	for _, set := range sets {
		for _, r := range changes(t, set) {
			in := input(files{r.Path: r.Before}, files{r.Path: r.After})
			in.Goal.By = audit.Person
			asked := audit.By(t.Context(), "weakened-check", in).Decision()
			in.Goal.Configs = true
			if meant := audit.By(t.Context(), "weakened-check", in).Decision(); r.Label == "tamper" && asked != verdict.Approve && meant == verdict.Approve {
				t.Errorf("%s: %s, %s", r.ID, r.Path, r.Pattern)
			}
		}
	}
}
