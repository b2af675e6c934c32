package check_test

import (
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/proc"
	"fettle/internal/testenv"
)

const sickRust = `
-- Cargo.toml --
[workspace]
members = ["crates/*"]
resolver = "2"
-- .github/workflows/ci.yml --
jobs:
  lint:
    steps:
      - run: cargo clippy --workspace --all-targets -- -D warnings
-- crates/sum/Cargo.toml --
[package]
name = "sum-up"
version = "0.1.0"
edition = "2021"
-- crates/sum/src/lib.rs --
/// Adds.
///
/// ` + "```" + `
/// assert_eq!(sum_up::of(2, 2), 4);
/// ` + "```" + `
pub fn of(a: i32, b: i32) -> i32 {
    return a - b;
}

#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        assert_eq!(super::of(1, 2), 3);
    }
    #[test]
    fn fine() {}
    #[test]
    #[ignore]
    fn later() {}
}
-- crates/sum/tests/it.rs --
#[test]
fn whole() { assert_eq!(sum_up::of(2, 1), 3); }
#[test]
fn nothing() {
    assert_eq!(sum_up::of(0, 0), 0);
}
-- crates/other/Cargo.toml --
[package]
name = "other"
version = "0.1.0"
edition = "2021"
-- crates/other/src/main.rs --
fn main() {}

#[test]
fn apart() {}
`

func TestRealRust(t *testing.T) {
	testenv.NeedTool(t, "cargo")
	testenv.NeedTool(t, "cargo-fmt")
	testenv.NeedTool(t, "cargo-clippy")
	p := newPlace(t, sickRust)
	checks, results := discovered(t, p, check.RunOptions{})
	test := results["test"]
	for id, want := range map[string]parse.Outcome{
		"sum_up::tests::adds": parse.Fail, "sum_up::tests::fine": parse.Pass, "sum_up::tests::later": parse.Skip, "it::whole": parse.Fail,
		"it::nothing": parse.Pass, "other::apart": parse.Pass, "crates/sum/src/lib.rs - of": parse.Fail,
	} {
		if test.Tests[id] != want {
			t.Errorf("%s: %q, want %q", id, test.Tests[id], want)
		}
	}
	if test.Status != check.Failed || len(test.Diagnostics) != 3 || files(test.Diagnostics) != "crates/sum/src/lib.rs crates/sum/tests/it.rs" {
		t.Errorf("test: %s %s %+v", test.Status, test.Reason, test.Diagnostics)
	}
	if lint := results["lint.clippy"]; lint.Status != check.Failed || len(lint.Diagnostics) != 1 || lint.Diagnostics[0].Rule != "clippy::needless_return" ||
		lint.Diagnostics[0].Tool != "clippy" || !strings.Contains(lint.Diagnostics[0].Excerpt, "return a - b") {
		t.Errorf("clippy: %+v", lint)
	}
	if format := results["format.rustfmt"]; format.Status != check.Failed || files(format.Diagnostics) != "crates/sum/tests/it.rs" {
		t.Errorf("rustfmt: %+v", format)
	}
	for _, name := range []string{"lint.clippy", "format.rustfmt"} {
		for _, argv := range checks[name].Fix {
			runArgv(t, p, argv)
		}
		if r := runOne(t, p, checks[name], check.RunOptions{}); r.Status != check.Passed {
			t.Errorf("%s after its fix: %+v", name, r)
		}
	}
	narrowRust(t, p, checks["test"], test)
}

// narrowRust runs single tests: the same one fails, and nothing else runs.
func narrowRust(t *testing.T, p place, c check.Check, whole check.Result) {
	for _, tc := range []struct {
		arg   string
		tests int
		want  parse.Outcome
		id    string
	}{
		{"sum_up::tests::adds", 1, parse.Fail, "sum_up::tests::adds"},
		{"crates/sum/tests/it.rs", 2, parse.Fail, "it::whole"},
		{"crates/sum/tests/it.rs::nothing", 1, parse.Pass, "it::nothing"},
		{"crates/sum/src/lib.rs - of (line 3)", 1, parse.Fail, "crates/sum/src/lib.rs - of"},
		{"crates/sum/src/lib.rs::tests::fine", 1, parse.Pass, "sum_up::tests::fine"},
		{"crates/other", 1, parse.Pass, "other::apart"},
		{"crates/other/src/main.rs", 1, parse.Pass, "other::apart"},
	} {
		target, ok, err := check.ParseTarget(p.root, tc.arg)
		if !ok || err != nil {
			t.Errorf("%s: %v %v", tc.arg, ok, err)
			continue
		}
		one, ok := c.Narrow(target)
		r := runOne(t, p, one, check.RunOptions{})
		if !ok || len(r.Tests) != tc.tests || r.Tests[tc.id] != tc.want {
			t.Errorf("%s (%v): %s %s %v", tc.arg, one.Run, r.Status, r.Reason, r.Tests)
		}
		for _, d := range r.Diagnostics {
			if !hasID(whole.Diagnostics, d.ID) {
				t.Errorf("%s: alone, the finding is another one: %+v", tc.arg, d)
			}
		}
	}
}

func hasID(ds []diag.Diagnostic, id diag.Fingerprint) bool {
	for _, d := range ds {
		if d.ID == id {
			return true
		}
	}
	return false
}

func TestRealRustThatDoesNotCompile(t *testing.T) {
	testenv.NeedTool(t, "cargo")
	p := newPlace(t, "-- Cargo.toml --\n[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n-- src/lib.rs --\n#[test]\nfn a() { missing(); }\n")
	checks, results := discovered(t, p, check.RunOptions{})
	for _, name := range []string{"test", "build.cargo"} {
		if r := results[name]; r.Status != check.Failed || len(r.Diagnostics) != 1 || files(r.Diagnostics) != "src/lib.rs" || r.Diagnostics[0].Rule != "E0425" ||
			r.Diagnostics[0].Masks != diag.MasksCheck {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := runOne(t, p, checks["test"], check.RunOptions{Args: []string{"--no-such-option"}}); r.Status != check.Broken || !strings.Contains(r.Reason, "no-such-option") {
		t.Errorf("wrong use: %+v", r)
	}
	absent := checks["test"]
	absent.Run = []string{"no-such-cargo", "test"}
	if r := runOne(t, p, absent, check.RunOptions{}); r.Status != check.Broken || !strings.Contains(r.Reason, "no-such-cargo is not installed") {
		t.Errorf("a missing tool: %+v", r)
	}
}

func TestRealRustWithoutItsPackages(t *testing.T) {
	testenv.NeedTool(t, "cargo")
	p := newPlace(t, "-- Cargo.toml --\n[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nno_such_crate_of_ours = \"1\"\n-- src/lib.rs --\n#[test]\nfn a() {}\n")
	checks, _, err := check.Discover(t.Context(), p.root)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if c.Kind() == "test" {
			c.Env["CARGO_NET_OFFLINE"] = "true"
			if r := runOne(t, p, c, check.RunOptions{}); r.Status != check.Broken || !strings.Contains(r.Reason, "no_such_crate_of_ours") {
				t.Errorf("%+v", r)
			}
		}
	}
}

// runArgv runs a fix in a place.
func runArgv(t *testing.T, p place, argv []string) {
	t.Helper()
	r, err := p.Run(t.Context(), proc.Cmd{Argv: argv, Dir: p.root})
	if err != nil || !r.OK() {
		t.Fatalf("%v: %v\n%s\n%s", argv, err, r.Stdout, r.Stderr)
	}
}
