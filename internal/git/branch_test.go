package git_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"fettle/internal/git"
)

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"Missing null check causes crash": "missing-null-check-causes-crash",
		"CRITICAL: leak":                  "critical-leak",
		"User input not validated":        "user-input-not-validated",
		"[BE-001] Fix: the  thing!":       "be-001-fix-the-thing",
		"Überprüfung der Länge":           "überprüfung-der-länge",
		"修复空指针":                           "修复空指针",
		"исправить утечку памяти":         "исправить-утечку-памяти",
		"U\u0308ber":                      "über",
		"हिन्दी शीर्षक":                   "हिन्दी-शीर्षक",
		"don't panic":                     "dont-panic",
		"../../etc/passwd":                "etc-passwd",
		"HEAD":                            "head",
		"a.lock":                          "a-lock",
		"🚀 !!":                            "untitled",
		"":                                "untitled",
		"the quick brown fox jumps over the lazy dog again": "the-quick-brown-fox-jumps-over-the-lazy",
		strings.Repeat("x", 60):                             strings.Repeat("x", 40),
		"short " + strings.Repeat("x", 60):                  "short-" + strings.Repeat("x", 34),
	} {
		if got := git.Slug(title); got != want {
			t.Errorf("%q gives %q, want %q", title, got, want)
		}
	}
}

func TestSlugIsAlwaysABranchName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		title := rapid.String().Draw(t, "title")
		s := git.Slug(title)
		if err := git.ValidBranchName(s); err != nil || utf8.RuneCountInString(s) > 40 {
			t.Fatalf("%q: %v", s, err)
		}
		if again := git.Slug(s); again != s {
			t.Fatalf("%q became %q", s, again)
		}
	})
}

// Our rules are git's own, and nothing that git refuses passes.
func TestValidBranchName(t *testing.T) {
	dir := newRepo(t, nil).Root
	check := func(t interface{ Errorf(string, ...any) }, name string) {
		if name == "" || name == "@" || strings.ContainsRune(name, 0) {
			return // no argument; or taken as HEAD by every command but this one
		}
		_, err := gitErr(dir, "check-ref-format", "--branch", name)
		if ours := git.ValidBranchName(name); (ours == nil) != (err == nil) {
			t.Errorf("%q: git says %v, we say %v", name, err, ours)
		}
	}
	for _, name := range []string{
		"a", "fettle/1", "a/b/c", "ünï", "a..b", "a.", ".a", "a/.b", "a.lock", "a.lock/b", "a//b", "/a", "a/", "-a", "a-", "HEAD", "head", "a@b",
		"a@{b", "@a", "a b", "a~b", "a^b", "a:b", "a?b", "a*b", "a[b", "a]b", `a\b`, "a\x7fb", "a\nb", "a\xffb", "refs/heads/x", "a/HEAD", "lock", ".lock",
	} {
		check(t, name)
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.StringOfN(rapid.SampledFrom([]rune("a.b/-@{~lock éH")), 1, 8, -1).Draw(t, "name"))
	})
	for _, name := range []string{"", "@", strings.Repeat("x", 201), "a\x00b"} {
		if git.ValidBranchName(name) == nil {
			t.Errorf("%q passes", name)
		}
	}
}

func TestCreateBranch(t *testing.T) {
	r := newRepo(t, map[string]string{"a": "1\n"})
	ctx := t.Context()
	r.undisturbed(func() {
		for range 2 { // where it stands already, that is fine
			if got, err := r.CreateBranch(ctx, "fettle/7", ""); err != nil || got != "fettle/7" {
				t.Errorf("got %q, %v", got, err)
			}
		}
	})
	r.commit("fettle/7", files(map[string]string{"a": "2\n"}))
	if got, err := r.CreateBranch(ctx, "fettle/7", "main"); err != nil || got != "fettle/7-2" {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := r.FreeBranch(ctx, "fettle/7"); err != nil || got != "fettle/7-3" {
		t.Errorf("got %q, %v", got, err)
	}
	if ok, err := r.Exists(ctx, "fettle/7-2"); !ok || err != nil {
		t.Errorf("got %v, %v", ok, err)
	}
	for _, bad := range []struct{ name, from string }{{"a..b", ""}, {"x", "nowhere"}, {"fettle", ""}, {"main/sub", ""}} {
		if got, err := r.CreateBranch(ctx, bad.name, bad.from); err == nil {
			t.Errorf("%+v gave %q", bad, got)
		}
	}
	if _, err := unborn(t).CreateBranch(ctx, "x", ""); err == nil {
		t.Error("a branch without a commit was created")
	}
}

func FuzzSlug(f *testing.F) {
	for _, s := range []string{"a", "Ünï", "修 复", "\xff", "a\u0308", "İ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, title string) {
		if s := git.Slug(title); git.ValidBranchName(s) != nil {
			t.Errorf("%q gives %q", title, s)
		}
	})
}
