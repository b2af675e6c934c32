package wording_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"fettle/internal/quote"
	"fettle/internal/wording"
)

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

var builtin = fstest.MapFS{"templates/judge/first.md": file("ours {{.Nonce}}\n{{.Data}}")}

func TestTheMostSpecialIsRead(t *testing.T) {
	all := fstest.MapFS{"judge/first.md": file("all"), "judge/first.test.md": file("kind"), "judge/first.test.go.md": file("check"), "other/first.md": file("of another role"), "judge/first.empty.md": file(" \n")}
	only := func(names ...string) fstest.MapFS {
		some := fstest.MapFS{}
		for _, n := range names {
			some[n] = all[n]
		}
		return some
	}
	for name, c := range map[string]struct {
		own     fstest.MapFS
		about   []string
		want    string
		problem string
	}{
		"of the check":          {all, []string{"test.go", "test"}, "check", ""},
		"of its kind":           {all, []string{"test.py", "test"}, "kind", ""},
		"for all":               {all, []string{"lint.py", "lint"}, "all", ""},
		"of nothing in special": {all, nil, "all", ""},
		"another role's":        {only("other/first.md"), []string{"test.go", "test"}, "ours {{.Nonce}}\n{{.Data}}", ""},
		"a name that is none":   {all, []string{"../../test"}, "all", ""},
		"nothing in it":         {all, []string{"empty"}, "", "is empty"},
	} {
		got, err := wording.Texts{Role: "judge", Builtin: builtin, Own: c.own, For: c.about}.Read("first")
		if got != c.want || (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	unreadable := t.TempDir()
	if err := os.MkdirAll(filepath.Join(unreadable, "judge", "first.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := (wording.Texts{Role: "judge", Builtin: builtin, Own: os.DirFS(unreadable)}).Read("first"); err == nil || !strings.Contains(err.Error(), "read the prompt judge/first.md of yours") {
		t.Errorf("a folder in its place: %q, %v", got, err)
	}
	if got, err := (wording.Texts{Role: "judge", Builtin: builtin}).Read("first"); err != nil || !strings.HasPrefix(got, "ours") {
		t.Errorf("without any of one's own: %q, %v", got, err)
	}
}

func TestDataIsToldFromWords(t *testing.T) {
	for name, c := range map[string]struct{ own, want, problem string }{
		"both":                {"Look between {{.Nonce}}:\n{{.Data}}{{if .More}}and more{{end}}", "and more", ""},
		"no data":             {"{{.Nonce}}", "", "has to hold {{.Data}}"},
		"no boundary":         {"{{.Data}}", "", "has to hold {{.Data}}"},
		"changed data":        {`{{.Nonce}} {{printf "%.9s" .Data}}`, "", "has to hold {{.Data}}"},
		"no template":         {"{{.Data", "", "cannot be read"},
		"what is not there":   {"{{.Nonce}} {{.Data}} {{.Secret}}", "", "cannot be filled"},
		"text that is no end": {"{{.Nonce}} {{.Data}} {{/* x */}}", "a finding", ""},
	} {
		texts := wording.Texts{Role: "judge", Builtin: builtin, Own: fstest.MapFS{"judge/first.md": file(c.own)}}
		got, err := texts.Fill("first", []quote.Text{{Kind: "finding", Body: "a finding {{.Nonce}}"}}, map[string]any{"More": true})
		if !strings.Contains(got, c.want) || (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// TestUnknown: what would be asked by nobody is named, with what was meant.
func TestUnknown(t *testing.T) {
	known := map[string][]string{"judge": {"first", "format"}, "guard": nil}
	for name, want := range map[string]string{
		"judge/first.md": "", "judge/first.test.go.md": "", "guard/anything": "", "judge/frist.md": "judge/frist.md is no prompt (did you mean first?): name it as one of these, with .md behind it, or .CHECK.md: first, format",
		"judge/first.txt": "judge/first.txt is no prompt: ", "judge/first.md/x": "judge/first.md is no prompt: ", "jugde/first.md": "jugde is no folder of prompts (did you mean judge?): there are guard, judge", "first.md": "first.md is no folder of prompts",
	} {
		err := wording.Unknown(fstest.MapFS{name: file("x")}, known)
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := wording.Names(builtin, "judge"); len(got) == 0 || got[0] != "first" {
		t.Errorf("%q", got)
	}
}
