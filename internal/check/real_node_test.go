package check_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/check"
	"fettle/internal/check/parse"
	"fettle/internal/diag"
	"fettle/internal/testenv"
)

// nodePlace is a place whose packages are those to which the tools on PATH belong.
func nodePlace(t *testing.T, text string, tools ...string) place {
	t.Helper()
	testenv.NeedTool(t, "node")
	for _, tool := range tools {
		testenv.NeedTool(t, tool)
	}
	p := newPlace(t, text)
	if len(tools) > 0 {
		bin, err := exec.LookPath(tools[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Dir(filepath.Dir(bin)), filepath.Join(p.root, "node_modules")); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// heal runs the tools' own fixes of a check.
func heal(t *testing.T, p place, c check.Check) {
	t.Helper()
	for _, argv := range c.Fix {
		cmd := exec.Command(argv[0], argv[1:]...)
		if strings.Contains(argv[0], "/") {
			cmd = exec.Command(filepath.Join(p.root, c.Dir, argv[0]), argv[1:]...)
		}
		cmd.Dir = filepath.Join(p.root, c.Dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Logf("%v: %v\n%s", argv, err, out)
		}
	}
}

func replace(t *testing.T, p place, file, before, after string) {
	t.Helper()
	file = filepath.Join(p.root, file)
	b, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(b, []byte(before)) {
		t.Fatalf("%s does not hold %q (%v)", file, before, err)
	}
	if err := os.WriteFile(file, bytes.ReplaceAll(b, []byte(before), []byte(after)), 0o644); err != nil {
		t.Fatal(err)
	}
}

const sickNode = `
-- package.json --
{
  "name": "sick",
  "type": "module",
  "scripts": { "lint": "eslint src && prettier --check src", "typecheck": "tsc" },
  "devDependencies": { "typescript": "*" }
}
-- eslint.config.js --
export default [{ files: ["src/**/*.js"], rules: { "no-var": "error", eqeqeq: "error", "prefer-const": "warn" } }];
-- tsconfig.json --
{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] }, "include": ["src"] }
-- src/sum.js --
export const same = (a, b) => {
  var r = a == b
  return r
};
-- src/types.ts --
export const n: number = "one";
-- src/broken.js --
export const = 5;
`

func TestRealNodeLinters(t *testing.T) {
	p := nodePlace(t, sickNode, "eslint", "prettier", "tsc")
	checks, results := discovered(t, p, check.RunOptions{})
	lint := results["lint.eslint"]
	if lint.Status != check.Failed || files(lint.Diagnostics) != "src/broken.js src/sum.js" || len(lint.Diagnostics) != 3 {
		t.Errorf("eslint: %+v", lint)
	}
	format := results["format.prettier"]
	if format.Status != check.Failed || files(format.Diagnostics) != "src/broken.js src/sum.js" {
		t.Errorf("prettier: %+v", format)
	}
	types := results["type.tsc"]
	if types.Status != check.Failed || len(types.Diagnostics) != 1 || types.Diagnostics[0].Rule != "TS2322" || !strings.Contains(types.Diagnostics[0].Excerpt, "n: number") {
		t.Errorf("tsc: %+v", types)
	}
	replace(t, p, "src/broken.js", "const =", "const five =")
	replace(t, p, "src/types.ts", `"one"`, "1")
	heal(t, p, checks["lint.eslint"])
	heal(t, p, checks["format.prettier"])
	if r := runOne(t, p, checks["lint.eslint"], check.RunOptions{}); len(r.Diagnostics) != 1 || r.Diagnostics[0].Rule != "eqeqeq" {
		t.Errorf("eslint after its fix: %+v", r)
	}
	replace(t, p, "src/sum.js", "==", "===")
	for name, c := range checks {
		if r := runOne(t, p, c, check.RunOptions{}); r.Status != check.Passed || len(r.Diagnostics) > 0 {
			t.Errorf("%s, healed: %+v", name, r)
		}
	}
	replace(t, p, "eslint.config.js", "export default", "export defau")
	if r := runOne(t, p, checks["lint.eslint"], check.RunOptions{}); r.Status != check.Broken || r.Code != 2 {
		t.Errorf("a broken configuration: %+v", r)
	}
	replace(t, p, "tsconfig.json", `"include": ["src"]`, `"include": ["nothing"]`)
	if r := runOne(t, p, checks["type.tsc"], check.RunOptions{}); r.Status != check.Broken || !strings.Contains(r.Reason, "TS18003") {
		t.Errorf("nothing to compile: %+v", r)
	}
	if err := os.WriteFile(filepath.Join(p.root, ".prettierrc"), []byte("{ bad"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := runOne(t, p, checks["format.prettier"], check.RunOptions{}); r.Status != check.Broken {
		t.Errorf("prettier's broken configuration: %+v", r)
	}
}

func TestRealBiome(t *testing.T) {
	p := nodePlace(t, "-- package.json --\n{}\n-- biome.json --\n{}\n-- a.js --\nexport const x = {a:1}\nexport const same = (a, b) => a == b\n", "biome")
	checks, results := discovered(t, p, check.RunOptions{})
	c, r := checks["lint.biome"], results["lint.biome"]
	if r.Status != check.Failed || !strings.Contains(files(r.Diagnostics), "a.js") || len(r.Diagnostics) < 2 {
		t.Errorf("%+v", r)
	}
	heal(t, p, c)
	if r := runOne(t, p, c, check.RunOptions{}); len(r.Diagnostics) != 1 || r.Diagnostics[0].Rule != "lint/suspicious/noDoubleEquals" {
		t.Errorf("after its fix: %+v", r)
	}
	replace(t, p, "a.js", "==", "===")
	if r := runOne(t, p, c, check.RunOptions{}); r.Status != check.Passed {
		t.Errorf("healed: %+v", r)
	}
	replace(t, p, "biome.json", "{", `{ "linter": { "nope": 1 }`)
	if r := runOne(t, p, c, check.RunOptions{}); r.Status != check.Broken {
		t.Errorf("a broken configuration: %+v", r)
	}
}

// Each runner on the same little project: a test that fails, one that passes, one alone by its name, and the project healed.
func TestRealNodeTests(t *testing.T) {
	const code = "-- src/sum.js --\nexports.sum = (a, b) => a - b;\n"
	const body = `describe("sum", () => {
  it("adds 1 + 1", () => { assert.strictEqual(sum(1, 1), 2); });
  it("adds nothing (0)", () => { assert.strictEqual(sum(0, 0), 0); });
});
`
	for _, c := range []struct {
		tool, text, bad, good, file string
	}{
		{"jest", "-- package.json --\n{ \"scripts\": { \"test\": \"jest --watchAll\" } }\n-- src/sum.test.js --\nconst assert = require('node:assert'); const { sum } = require('./sum');\n",
			"src/sum.test.js::sum > adds 1 + 1", "src/sum.test.js::sum > adds nothing (0)", "src/sum.test.js"},
		{"vitest", "-- package.json --\n{ \"scripts\": { \"test\": \"vitest\" } }\n-- src/sum.test.js --\nimport assert from 'node:assert'; import { describe, it } from 'vitest'; import { sum } from './sum';\n",
			"src/sum.test.js::sum > adds 1 + 1", "src/sum.test.js::sum > adds nothing (0)", "src/sum.test.js"},
		{"mocha", "-- package.json --\n{ \"scripts\": { \"test\": \"mocha --watch 'src/*.spec.js'\" } }\n-- src/sum.spec.js --\nconst assert = require('node:assert'); const { sum } = require('./sum');\n",
			"src/sum.spec.js::sum > adds 1 + 1", "src/sum.spec.js::sum > adds nothing (0)", "src/sum.spec.js"},
		{"", "-- package.json --\n{ \"scripts\": { \"test\": \"node --test src/*.test.js\" } }\n-- src/sum.test.js --\nconst assert = require('node:assert'); const { describe, it } = require('node:test'); const { sum } = require('./sum');\n",
			"sum > adds 1 + 1", "sum > adds nothing (0)", "src/sum.test.js"},
	} {
		t.Run("with "+c.tool, func(t *testing.T) {
			t.Parallel()
			var tools []string
			if c.tool != "" {
				tools = append(tools, c.tool)
			}
			p := nodePlace(t, c.text+body+code, tools...)
			if c.tool == "vitest" {
				replace(t, p, "src/sum.js", "exports.sum", "export const sum")
			}
			checks, results := discovered(t, p, check.RunOptions{})
			test, r := checks["test"], results["test"]
			if r.Status != check.Failed || len(r.Tests) != 2 || r.Tests[c.bad] != parse.Fail || r.Tests[c.good] != parse.Pass || len(r.Diagnostics) != 1 {
				t.Fatalf("%+v", r)
			}
			d := r.Diagnostics[0]
			if d.Test != c.bad || d.File != c.file || !strings.Contains(d.Excerpt, "adds 1 + 1") || d.Dir != "src" {
				t.Errorf("the finding: %+v", d)
			}
			for name, want := range map[string]parse.Outcome{c.bad: parse.Fail, c.good: parse.Pass} {
				one, ok := test.Narrow(check.Tests(name))
				r := runOne(t, p, one, check.RunOptions{})
				if !ok || r.Tests[name] != want || want == parse.Pass && c.tool != "" && r.Status != check.Passed {
					t.Errorf("%s alone (%q): %+v", name, one.Run, r)
				}
			}
			group, ok, err := check.ParseTarget(p.root, c.file+"::sum")
			if !ok || err != nil {
				t.Fatal(err)
			}
			one, ok := test.Narrow(group)
			if r := runOne(t, p, one, check.RunOptions{}); !ok || r.Tests[c.bad] != parse.Fail || r.Tests[c.good] != parse.Pass {
				t.Errorf("the group (%q): %+v", one.Run, r)
			}
			replace(t, p, "src/sum.js", "a - b", "a + b")
			if r := runOne(t, p, test, check.RunOptions{}); r.Status != check.Passed || r.Tests[c.bad] != parse.Pass {
				t.Errorf("healed: %+v", r)
			}
			replace(t, p, "src/sum.js", "a + b", "a + (")
			r = runOne(t, p, test, check.RunOptions{})
			broken := "src/sum.js"
			if c.tool == "vitest" {
				broken = c.file // its report does not say where the source is wrong
			}
			if r.Status != check.Failed || len(r.Diagnostics) == 0 || r.Diagnostics[0].File != broken || r.Diagnostics[0].Masks == diag.MasksNothing {
				t.Errorf("a source that does not parse: %+v", r)
			}
		})
	}
}

func TestRealNodeWithoutItsTools(t *testing.T) {
	testenv.NeedTool(t, "npx")
	p := nodePlace(t, "-- package.json --\n{ \"scripts\": { \"test\": \"jest\", \"lint\": \"eslint .\", \"build\": \"webpack\" } }\n-- eslint.config.js --\n")
	_, results := discovered(t, p, check.RunOptions{Env: map[string]string{"npm_config_cache": t.TempDir(), "PATH": "/usr/local/bin:/usr/bin:/bin"}})
	for _, name := range []string{"test", "lint.eslint"} {
		if r := results[name]; r.Status != check.Broken || r.Reason == "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := results["build"]; r.Status != check.Broken || !strings.Contains(r.Reason, "webpack") {
		t.Errorf("build: %+v", r)
	}
}

// What the runners say when there is nothing to run, and a script that is run as it stands.
func TestRealNodeOddEnds(t *testing.T) {
	p := nodePlace(t, "-- package.json --\n{ \"scripts\": { \"test\": \"jest\", \"build\": \"node build.js\" } }\n-- build.js --\nfunction fail() { throw new Error(\"no luck\"); }\nfail();\n", "jest")
	_, results := discovered(t, p, check.RunOptions{})
	if r := results["test"]; r.Status != check.Broken || !strings.Contains(r.Reason, "No tests found") {
		t.Errorf("no tests: %+v", r)
	}
	build := results["build"]
	if build.Status != check.Failed || len(build.Diagnostics) != 1 || build.Diagnostics[0].File != "build.js" || build.Diagnostics[0].Range.Start.Line != 1 ||
		!strings.Contains(build.Diagnostics[0].Message, "no luck") {
		t.Errorf("build: %+v", build)
	}
}

// A program that ends in the midst of a test says on its standard error why; that is what is wrong with the test.
func TestRealTapeThatEnds(t *testing.T) {
	p := nodePlace(t, `-- package.json --
{ "scripts": { "test": "tape test/*.js" } }
-- src/first.js --
module.exports = (list) => {
  return list[0].name;
};
-- test/first.js --
const test = require('tape');
const first = require('../src/first.js');
test('some', (t) => { t.equal(first([{ name: 'a' }]), 'a'); t.end(); });
test('none', (t) => { t.equal(first([]), undefined); t.end(); });
test('never', (t) => { t.end(); });
`, "tape")
	_, results := discovered(t, p, check.RunOptions{})
	r := results["test"]
	if r.Status != check.Failed || len(r.Diagnostics) != 1 || r.Tests["some"] != parse.Pass {
		t.Fatalf("%+v", r)
	}
	d := r.Diagnostics[0]
	if d.Test != "none" || d.File != "src/first.js" || d.Range.Start.Line != 2 || !strings.Contains(d.Message, "TypeError: Cannot read properties of undefined") ||
		d.Masks != diag.MasksCheck || len(d.Frames) != 2 || !strings.Contains(d.Detail, "list[0].name") {
		t.Errorf("%+v", d)
	}
}
