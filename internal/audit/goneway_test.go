package audit_test

import (
	"testing"

	"fettle/internal/audit"
)

// TestGoneWithSubject are tests that a person takes away: together with what they tested, which had said that it would go; with what nobody had said that of; and without it.
func TestGoneWithSubject(t *testing.T) {
	const (
		marked = "/// Minutes of the old form.\n#[deprecated(note = \"use parse\")]\npub fn parse_old(text: &str) -> u32 {\n    text.len() as u32 * 60 + 17\n}\n\n"
		parse  = "pub fn parse(text: &str) -> u32 {\n    text.len() as u32\n}\n\n"
		head   = "#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn parses() {\n        assert_eq!(parse(\"a\"), 1);\n    }\n\n"
		old    = "    #[test]\n    #[allow(deprecated)]\n    fn parses_old() {\n        assert_eq!(parse_old(\"a\"), 77);\n    }\n"
		both   = "    #[test]\n    fn parses_old() {\n        assert_eq!(parse_old(\"a\"), parse(\"a\") * 77);\n    }\n"
		end    = "}\n"
		plain  = "pub fn parse_old(text: &str) -> u32 {\n    text.len() as u32 * 60 + 17\n}\n\n"
		named  = "pub fn parse_minutes(text: &str) -> u32 {\n    text.len() as u32 * 60 + 17\n}\n\n"
	)
	for _, c := range []struct {
		name, before, after string
		by                  audit.Maker
		want                []string
	}{
		{"with what was deprecated", marked + parse + head + old + end, parse + head + end, audit.Person, []string{"note deleted-test"}},
		{"with what was not", plain + parse + head + old + end, parse + head + end, audit.Person, []string{"ask deleted-test"}},
		{"without it", marked + parse + head + old + end, marked + parse + head + end, audit.Person, []string{"refuse deleted-test"}},
		{"with what has another name now", marked + parse + head + old + end, named + parse + head + end, audit.Person, []string{"refuse deleted-test"}},
		{"though it tested more", marked + parse + head + both + end, parse + head + end, audit.Person, []string{"refuse deleted-test"}},
		{"by a fixer", marked + parse + head + old + end, parse + head + end, audit.Healer, []string{"refuse deleted-test"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(files{"src/d.rs": c.before}, files{"src/d.rs": c.after})
			in.Goal = audit.Goal{By: c.by}
			if got := effects(audit.By(t.Context(), "deleted-test", in)); len(got) != 1 || got[0] != c.want[0] {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	before := files{
		"old.go":      "package a\n\n// Old is what there was.\n//\n// Deprecated: use New.\nfunc Old(x int) int {\n\treturn x*60 + 17\n}\n",
		"old_test.go": "package a\n\nimport \"testing\"\n\nfunc TestOld(t *testing.T) {\n\tif Old(1) != 77 {\n\t\tt.Error(Old(1))\n\t}\n}\n",
	}
	in := input(before, files{"old.go": "package a\n", "old_test.go": "package a\n"})
	in.Goal = audit.Goal{By: audit.Person}
	if got := effects(audit.By(t.Context(), "deleted-test", in)); len(got) != 1 || got[0] != "note deleted-test" {
		t.Errorf("go: got %q", got)
	}
}
