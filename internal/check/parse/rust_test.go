package parse_test

import (
	"testing"

	"fettle/internal/check/parse"

	"gotest.tools/v3/assert"
)

// What the recorded versions of cargo and rustc do not print, others do.
func TestRustDialects(t *testing.T) {
	const block = "\nrunning 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\n"
	const rest = "\n\nfailures:\n    a\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
	for _, tc := range []struct {
		name, format, text string
		want               []string
	}{
		{"panics before 1.73", "cargo-test", "     Running unittests src/lib.rs (target/debug/deps/calc-1cd44e4e967ddba4)\n" + block +
			"thread 'a' panicked at 'assertion failed: `(left == right)`\n  left: `1`,\n right: `2`', src/lib.rs:5:9\n" + rest,
			[]string{`["src/lib.rs",5,"","calc::a","","",false]`, "fail calc::a"}},
		{"programs before 1.61", "cargo-test", "     Running target/debug/deps/it-1cd44e4e967ddba4\n" + block + "thread 'a' panicked at 'no', tests/it.rs:5:9" + rest,
			[]string{`["tests/it.rs",5,"","it::a","","",false]`, "fail it::a"}},
		{"no program is named", "cargo-test", block + rest, []string{`["",0,"","a","","",false]`, "fail a"}},
		{"another thread panicked first", "cargo-test", block + "thread '<unnamed>' panicked at src/x.rs:1:1:\nx\nthread 'a' panicked at src/lib.rs:7:9:\nown\nnote: run with" + rest,
			[]string{`["src/lib.rs",7,"","a","","",false]`, "fail a"}},
		{"only another thread panicked", "cargo-test", block + "thread '<unnamed>' panicked at src/x.rs:1:1:\nx" + rest,
			[]string{`["src/x.rs",1,"","a","","",false]`, "fail a"}},
		{"a panic inside the standard library", "cargo-test", block + "thread 'a' panicked at /rustc/0/library/core/src/option.rs:1:1:\nx\nstack backtrace:\n   0: core::x\n             at /rustc/0/library/core/src/option.rs:1:1\n   1: calc::f\n             at ./src/f.rs:3:4\n" + rest,
			[]string{`["src/f.rs",3,"","a","","",false]`, "fail a"}},
		{"benchmarks and times", "cargo-test", "running 3 tests\ntest a ... bench:   1,234 ns/iter (+/- 5)\ntest b ... ok <0.123s>\ntest c ... ignored, not now\n\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n",
			[]string{"pass a", "pass b", "skip c"}},
		{"output stands before the outcome", "cargo-test", "running 2 tests\ntest a ... hello\nok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
			[]string{"pass a", "pass b"}},
		{"one item with two examples, whatever their lines", "cargo-test", "   Doc-tests calc\n\nrunning 3 tests\ntest src/lib.rs - f (line 20) ... ok\ntest src/lib.rs - f (line 9) - compile fail ... FAILED\ntest src/lib.rs - (line 2) ... ok\n\nfailures:\n\n---- src/lib.rs - f (line 9) - compile fail stdout ----\nTest compiled successfully, but it's marked `compile_fail`.\n\nfailures:\n    src/lib.rs - f (line 9) - compile fail\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n",
			[]string{`["src/lib.rs",9,"","src/lib.rs - f","","",false]`, "fail src/lib.rs - f", "pass src/lib.rs -", "pass src/lib.rs - f (2)"}},
		{"the program was killed", "cargo-test", "     Running tests/it.rs (target/debug/deps/it-1cd44e4e967ddba4)\n\nrunning 1 test\nerror: test failed, to rerun pass `--test it`\n\nCaused by:\n  process didn't exit successfully: `/x/it-1cd44e4e967ddba4 --exact a::b` (signal: 9, SIGKILL: kill)\n",
			[]string{`["",0,"","it::a::b",".","dir",false]`, "fail it::a::b"}},
		{"the program was killed in the middle", "cargo-test", "     Running tests/it.rs (target/debug/deps/it-1cd44e4e967ddba4)\n\nrunning 2 tests\ntest a ... ok\ntest b ... error: test failed, to rerun pass `--test it`\n\nCaused by:\n  process didn't exit successfully: `/x/it-1cd44e4e967ddba4 --test-threads=1` (exit status: 1)\n",
			[]string{`["",0,"","it::b",".","dir",false]`, "fail it::b", "pass it::a"}},
		{"a manifest before 1.80", "cargo", "error: failed to parse manifest at `/repo/sub/Cargo.toml`\n\nCaused by:\n  TOML parse error at line 3, column 4\n    |\n  3 | bad\n    |    ^\n  expected `.`, `=`\n", []string{`["sub/Cargo.toml",3,"","","","check",false]`}},
		{"a manifest without targets", "cargo", "error: failed to parse manifest at `/repo/Cargo.toml`\n\nCaused by:\n  no targets specified in the manifest\n", []string{`["Cargo.toml",0,"","","","check",false]`}},
		{"cargo cannot work", "cargo", "    Updating crates.io index\nerror: failed to get `x` as a dependency of package `y v0.1.0 (/repo)`\n\nCaused by:\n  download of config.json failed\n", []string{`["",0,"","","","check",false]`}},
		{"lints as text", "cargo", "warning: unneeded `return` statement\n --> src/lib.rs:6:5\n  |\n6 |     return a;\n  |     ^^^^^^^^\n  |\n  = help: for further information visit https://rust-lang.github.io/rust-clippy/master/index.html#needless_return\n  = note: `#[warn(clippy::needless_return)]` on by default\n\nwarning: `calc` (lib) generated 1 warning\n", []string{`["src/lib.rs",6,"clippy::needless_return","","","",false]`}},
		{"rustfmt before 1.64", "rustfmt", "Diff in /repo/src/a.rs at line 5:\n fn a() {\n-x\n+    x\n }\nDiff in /repo/src/a.rs at line 9:\n-x\n", []string{`["src/a.rs",6,"format","","","",true]`}},
		{"rustfmt -l", "rustfmt", "/repo/src/a.rs\n/elsewhere/b.rs\n", []string{`["src/a.rs",0,"format","","","",true]`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := read(t, tc.format, tc.text, parse.Options{Check: "check", Root: "/repo"})
			assert.DeepEqual(t, outline(r), tc.want)
		})
	}
}

// Columns are bytes, and a macro of others is at fault where it is used.
func TestRustSpans(t *testing.T) {
	const message = `{"reason":"compiler-message","manifest_path":"/repo/ws/a/Cargo.toml","target":{"kind":["bin"],"name":"a"},"message":{"level":"error","message":"m","code":{"code":"unused"},"spans":[{"file_name":"/home/me/.cargo/registry/src/x/lib.rs","line_start":9,"column_start":1,"line_end":9,"column_end":2,"is_primary":true,"text":[],"label":null,"expansion":{"span":{"file_name":"a/src/main.rs","line_start":2,"column_start":3,"line_end":2,"column_end":5,"text":[{"text":"éé x"}]}}}],"children":[]}}` + "\n"
	o := parse.Options{Root: "/repo", Dir: "ws/a", Exists: func(p string) bool { return p == "ws/a/src/main.rs" }}
	assert.Equal(t, describe(read(t, "cargo", message+message, o)), "ws/a/src/main.rs:2:5-2:7 rustc error rule=unused dir=ws/a\n\tm\n")
}

// A workspace's own packages are told apart by what cargo built, whatever their tests are called.
func TestRustProgramsByFolder(t *testing.T) {
	text := `{"reason":"compiler-artifact","manifest_path":"/repo/b/Cargo.toml","target":{"kind":["test"],"name":"my-it"},"executable":"/repo/target/debug/deps/my_it-1cd44e4e967ddba4"}` +
		"\n     Running tests/my-it.rs (target/debug/deps/my_it-1cd44e4e967ddba4)\n\nrunning 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\n" +
		"thread 'a' panicked at /rustc/0/x.rs:1:1:\nx\nstack backtrace:\n   1: my_it::a\n             at ./tests/my-it.rs:3:4\n\nfailures:\n    a\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n"
	assert.DeepEqual(t, outline(read(t, "cargo-test", text, parse.Options{Root: "/repo"})), []string{`["b/tests/my-it.rs",3,"","my_it::a","b","",false]`, "fail my_it::a"})
}

// As cargo-nextest writes it, by its documentation.
const nextestReport = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nextest-run" tests="3" failures="1" errors="0" uuid="45c50042" timestamp="2026-01-01T00:00:00.000+00:00" time="0.018">
  <testsuite name="my-calc" tests="1" disabled="0" errors="0" failures="0">
    <testcase name="tests::fine" classname="my-calc" timestamp="2026-01-01T00:00:00.000+00:00" time="0.004"></testcase>
  </testsuite>
  <testsuite name="my-calc::it" tests="1" disabled="0" errors="0" failures="1">
    <testcase name="adds" classname="my-calc::it" time="0.004">
      <failure message="thread 'adds' panicked at tests/it.rs:3:5" type="test failure with exit code 101">thread 'adds' (12) panicked at tests/it.rs:3:5:
assertion ` + "`left == right`" + ` failed
  left: 1
 right: 2
note: run with RUST_BACKTRACE=1</failure>
      <system-err>noise</system-err>
    </testcase>
  </testsuite>
  <testsuite name="my-calc::bin/my-calc"><testcase name="runs" classname="my-calc::bin/my-calc" time="0"><skipped/></testcase></testsuite>
</testsuites>`

func TestNextest(t *testing.T) {
	r := read(t, "junit", nextestReport, parse.Options{Root: "/repo"})
	assert.DeepEqual(t, outline(r), []string{`["tests/it.rs",3,"","it::adds","","",false]`, "fail it::adds", "pass my_calc::tests::fine", "skip my_calc::runs"})
	assert.Equal(t, r.Diagnostics[0].Message, "assertion `left == right` failed (left: 1, right: 2)")
}

func FuzzCargo(f *testing.F) {
	fuzz(f, "cargo", "error[E1]: x\n --> ../a.rs:0:0\n", `{"reason":"compiler-message","message":{"spans":[{"is_primary":true,"file_name":"..","line_start":-1}]}}`)
}
func FuzzCargoTest(f *testing.F) {
	fuzz(f, "cargo-test", "   Doc-tests x\nrunning 1 test\ntest ../a.rs - f (line 0) ... FAILED\nfailures:\n    ../a.rs - f (line 0)\n", "running 2 tests\ntest a ... x\n     Running y (z)\nCaused by:\n  process didn't exit successfully: `y` (z)\n")
}
func FuzzRustfmt(f *testing.F) {
	fuzz(f, "rustfmt", "Diff in .. at line 0:\n+\n", "Diff in a.rs:1:\nerror: x\n --> a.rs:1:1\n")
}
