package check_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"

	"pgregory.net/rapid"
)

func TestNarrowRustAndJava(t *testing.T) {
	type at = check.Target
	tests := check.Tests
	for _, c := range []struct {
		run, parser, dir string
		targets          []check.Target
		want             string // words joined by a blank; empty: cannot be narrowed
	}{
		// cargo test
		{"cargo test --workspace", "cargo-test", "", []at{tests("calc::tests::adds")}, "cargo test --workspace --tests -- --exact tests::adds"},
		{"cargo +nightly test --workspace -- --test-threads=1", "cargo-test", "", []at{tests("calc::b", "it::a")}, "cargo +nightly test --workspace --tests -- --test-threads=1 --exact a b"},
		{"cargo test", "cargo-test", "", []at{tests("calc/src/lib.rs - half (2)")}, "cargo test --doc -- src/lib.rs - half (line"},
		{"cargo test", "cargo-test", "", []at{tests("src/lib.rs -")}, "cargo test --doc -- src/lib.rs - (line"},
		{"cargo test", "cargo-test", "", []at{tests("src/lib.rs - f", "calc::a")}, "cargo test -- a src/lib.rs - f (line"},
		{"cargo test --workspace --exclude x", "cargo-test", "", []at{{Path: "calc/tests/it.rs"}}, "cargo test --manifest-path=calc/Cargo.toml --test=it"},
		{"cargo test --workspace", "cargo-test", "", []at{{Path: "calc/tests/it.rs", IDs: []string{"it::whole"}}}, "cargo test --manifest-path=calc/Cargo.toml --test=it -- --exact whole"},
		{"cargo test --workspace", "cargo-test", "", []at{{Path: "a/tests/x.rs"}, {Path: "b/tests/y/main.rs"}}, "cargo test --workspace --test=x --test=y"},
		{"cargo test -p calc", "cargo-test", "", []at{{Path: "tests/it.rs"}}, "cargo test -p calc --test=it"},
		{"cargo test", "cargo-test", "ws", []at{{Path: "ws/calc/src/lib.rs"}}, "cargo test --manifest-path=calc/Cargo.toml"},
		{"cargo test", "cargo-test", "ws", []at{{Path: "ws/calc/src/main.rs"}}, "cargo test --manifest-path=calc/Cargo.toml --bins"},
		{"cargo test", "cargo-test", "ws", []at{{Path: "calc"}}, ""},
		{"cargo test --workspace", "cargo-test", "", []at{{Path: "calc"}}, "cargo test --manifest-path=calc/Cargo.toml"},
		{"cargo test --workspace", "cargo-test", "", []at{{Path: "."}}, "cargo test --workspace"},
		{"cargo test --lib", "cargo-test", "", []at{tests("calc::a")}, "cargo test --lib -- --exact a"},
		{"cargo test --lib", "cargo-test", "", []at{{Path: "tests/it.rs"}}, ""},
		{"cargo test adds", "cargo-test", "", []at{tests("calc::a")}, ""},
		{"cargo test -- adds", "cargo-test", "", []at{tests("calc::a")}, ""},
		{"cargo test -- --skip=x", "cargo-test", "", []at{tests("calc::a")}, ""},
		{"cargo nextest run", "cargo-test", "", []at{tests("calc::a")}, ""},
		{"cargo test", "cargo-test", "", []at{tests("a")}, ""},
		// Maven
		{"mvn -B test", "maven", "", []at{tests("com.x.A#b", "com.x.A#a", "com.x.B#c")}, "mvn -Dtest=com.x.A#a+b,com.x.B#c -Dsurefire.failIfNoSpecifiedTests=false -DfailIfNoTests=false -B test"},
		{"./mvnw test", "maven", "", []at{tests("com.x.A$I#same(int)[1]", "com.x.A$I#other{x}")}, "./mvnw -Dtest=com.x.A$I#other*+same* -Dsurefire.failIfNoSpecifiedTests=false -DfailIfNoTests=false test"},
		{"mvn test", "maven", "", []at{tests("com.x.A#[1] n=0", "com.x.A#b"), tests("com.x.A#c d")}, "mvn -Dtest=com.x.A,com.x.A$* -Dsurefire.failIfNoSpecifiedTests=false -DfailIfNoTests=false test"},
		{"mvn test", "maven", "", []at{{Path: "m/src/test/java/com/x/A.java", IDs: []string{"com.x.A"}}}, "mvn -pl m -am -Dtest=com.x.A,com.x.A$* -Dsurefire.failIfNoSpecifiedTests=false -DfailIfNoTests=false test"},
		{"mvn test", "maven", "", []at{{Path: "src/test/java/com/x/A.java", IDs: []string{"com.x.A#a"}}}, "mvn -Dtest=com.x.A#a -Dsurefire.failIfNoSpecifiedTests=false -DfailIfNoTests=false test"},
		{"mvn test", "maven", "ws", []at{{Path: "ws/m"}}, "mvn -pl m -am test"},
		{"mvn test", "maven", "", []at{{Path: "m"}, tests("com.x.A#a")}, "mvn test"},
		{"mvn test", "maven", "", []at{{Path: "src/test/java/A.java"}}, ""},
		{"mvn -pl m test", "maven", "", []at{tests("A#b")}, ""},
		{"mvn -Dtest=X test", "maven", "", []at{tests("A#b")}, ""},
		{"mvn checkstyle:check", "maven", "", []at{tests("A#b")}, ""},
		{"mvn test", "maven", "ws", []at{{Path: "m"}}, ""},
		// Gradle
		{"gradle cleanTest test --continue", "gradle", "", []at{tests("com.x.A#a")}, "gradle cleanTest test --tests com.x.A.a --continue"},
		{"./gradlew :cleanTest :test", "gradle", "", []at{tests("com.x.A#same(int)[2]", "com.x.B")}, "./gradlew :cleanTest :test --tests com.x.A.same* --tests com.x.B --tests com.x.B$*"},
		{"gradle :a:cleanTest :a:test :l:b:cleanTest :l:b:test --continue", "gradle", "", []at{{Path: "l/b/src/test/java/com/x/A.java", IDs: []string{"com.x.A#a"}}}, "gradle :l:b:cleanTest :l:b:test --tests com.x.A.a --continue"},
		{"gradle :a:test :b:test", "gradle", "", []at{{Path: "a"}}, "gradle :a:test"},
		{"gradle :a:test :b:test", "gradle", "", []at{tests("com.x.A#a")}, ""},
		{"gradle :a:test :b:test", "gradle", "", []at{{Path: "c/src/test/java/A.java", IDs: []string{"A"}}}, ""},
		{"gradle test --tests X", "gradle", "", []at{tests("A#b")}, ""},
		{"gradle check", "gradle", "", []at{tests("A#b")}, ""},
	} {
		k := check.Check{Name: "test", Run: strings.Fields(c.run), Parser: c.parser, Dir: c.dir}
		got, ok := k.Narrow(c.targets...)
		if have := strings.Join(got.Run, " "); ok != (c.want != "") || ok && have != c.want {
			t.Errorf("%s (in %q) narrowed to %v:\n got %q %v\nwant %q", c.run, c.dir, c.targets, have, ok, c.want)
		}
	}
}

// Whatever tests are wanted: each of them is named, and no word that selects nothing is lost.
func TestNarrowKeepsOptions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-z]{1,4}`)
		for _, c := range []check.Check{
			{Parser: "cargo-test", Run: []string{"cargo", "test", "--release", "--features", "x", "--message-format=json"}},
			{Parser: "maven", Run: []string{"mvn", "-B", "-Dx=y", "test"}},
			{Parser: "gradle", Run: []string{"gradle", "cleanTest", "test", "--continue", "-Px=y"}},
		} {
			names := rapid.SliceOfNDistinct(name, 1, 5, rapid.ID[string]).Draw(t, "names")
			var ids []string
			for _, n := range names {
				ids = append(ids, map[bool]string{true: "crate::m::" + n, false: "com.x.A#" + n}[c.Parser == "cargo-test"])
			}
			got, ok := c.Narrow(check.Tests(ids...))
			if !ok {
				t.Fatalf("%v cannot be narrowed to %q", c.Run, ids)
			}
			for _, w := range c.Run {
				if !slices.Contains(got.Run, w) {
					t.Fatalf("%s is lost in %q", w, got.Run)
				}
			}
			words := strings.FieldsFunc(strings.Join(got.Run, " "), func(r rune) bool { return strings.ContainsRune(" #+:,.", r) })
			for _, n := range names {
				if !slices.Contains(words, n) {
					t.Fatalf("%s is not selected by %q", n, got.Run)
				}
			}
		}
	})
}

func TestParseTargetRustAndJava(t *testing.T) {
	root := tree(t, `
-- Cargo.toml --
[workspace]
-- my-calc/Cargo.toml --
[package]
name = "my-calc"
[[bin]]
name = "tool"
-- my-calc/src/lib.rs --
#[cfg(test)] mod tests { #[test] fn adds() {} }
-- my-calc/src/deep/mod.rs --
#[test]
fn below() {}
-- my-calc/src/deep/plain.rs --
pub fn nothing() {}
-- my-calc/src/bin/other.rs --
#[test]
fn in_bin() {}
-- my-calc/tests/my-it.rs --
#[test]
fn whole() {}
-- shop/pom.xml --
<project/>
-- shop/src/test/java/com/x/CalcTest.java --
package com.x;
class CalcTest { @Test void adds() {} @Nested class Inner { @Test void deep() {} } }
-- shop/src/main/java/com/x/Calc.java --
package com.x;
-- odd/tests/PlainTest.java --
class PlainTest { @Test void a() {} }
`)
	for _, tc := range []struct{ arg, path, ids, err string }{
		{"my_calc::tests::adds", "", "my_calc::tests::adds", ""},
		{"my_it::whole", "", "my_it::whole", ""},
		{"tool::adds", "", "tool::adds", ""},
		{"my_calcc::tests::adds", "", "", `no crate my_calcc here; did you mean "my_calc"?`},
		{"my_calc::tests::gone", "", "", "no test tests::gone in the crate my_calc"},
		{"my-calc/tests/my-it.rs::whole", "my-calc/tests/my-it.rs", "my_it::whole", ""},
		{"my-calc/tests/my-it.rs::wholes", "", "", `did you mean "whole"?`},
		{"my-calc/tests/my-it.rs", "my-calc/tests/my-it.rs", "", ""},
		{"my-calc/src/lib.rs::tests::adds", "my-calc/src/lib.rs", "my_calc::tests::adds", ""},
		{"my-calc/src/deep/mod.rs::below", "my-calc/src/deep/mod.rs", "my_calc::deep::below", ""},
		{"my-calc/src/bin/other.rs::in_bin", "my-calc/src/bin/other.rs", "other::in_bin", ""},
		{"my-calc/src/deep/plain.rs", "", "", "not a file of tests"},
		{"my-calc/gone.rs::x", "", "", "no file or folder"},
		{"my-calc/src/lib.rs - add (line 7)", "", "my-calc/src/lib.rs - add", ""},
		{"my-calc/src", "my-calc", "", ""},
		{"com.x.CalcTest", "shop/src/test/java/com/x/CalcTest.java", "com.x.CalcTest", ""},
		{"com.x.CalcTest#adds", "shop/src/test/java/com/x/CalcTest.java", "com.x.CalcTest#adds", ""},
		{"CalcTest$Inner#deep", "shop/src/test/java/com/x/CalcTest.java", "com.x.CalcTest$Inner#deep", ""},
		{"com.x.CalcTest#same", "", "", "no test same in shop/src/test/java/com/x/CalcTest.java"},
		{"com.x.Gone#a", "", "", "no class com.x.Gone"},
		{"PlainTest#a", "odd/tests/PlainTest.java", "PlainTest#a", ""},
		{"shop/src/test/java/com/x/CalcTest.java", "shop/src/test/java/com/x/CalcTest.java", "com.x.CalcTest", ""},
		{"shop/src/main/java/com/x/Calc.java", "", "", "not a file of tests"},
		{"shop/src", "shop", "", ""},
	} {
		got, ok, err := check.ParseTarget(root, tc.arg)
		if tc.err != "" {
			if !ok || err == nil || !strings.Contains(err.Error(), tc.err) {
				t.Errorf("%s: %+v %v %v, want an error with %q", tc.arg, got, ok, err, tc.err)
			}
			continue
		}
		if !ok || err != nil || got.Path != tc.path || strings.Join(got.IDs, " ") != tc.ids {
			t.Errorf("%s: %+v %v %v", tc.arg, got, ok, err)
		}
	}
	for _, arg := range []string{"test", "lint.vet", "com.x.Gone", "Gone", "a::b c"} {
		if got, ok, err := check.ParseTarget(root, arg); ok && err == nil {
			t.Errorf("%s is taken for %+v", arg, got)
		}
	}
}
