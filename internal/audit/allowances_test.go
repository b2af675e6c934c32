package audit_test

import (
	"strings"
	"testing"

	"fettle/internal/audit"
	"fettle/internal/verdict"
)

// TestClearerNames are tests that only get another name: a person's is noted, unless something goes by the name.
func TestClearerNames(t *testing.T) {
	t.Parallel()
	py, goTest := "from calc import add\n\n\n", "package calc\n\nimport \"testing\"\n\n"
	for _, r := range []retelling{
		{name: "python", path: "tests/test_calc.py", before: py + "def test_1():\n    assert add(2, 3) == 5\n", after: py + "def test_adds_two_numbers():\n    assert add(2, 3) == 5\n"},
		{name: "python, not collected", path: "tests/test_calc.py", before: py + "def test_1():\n    assert add(2, 3) == 5\n", after: py + "def check_adds():\n    assert add(2, 3) == 5\n", stopped: true},
		{name: "python, weaker", path: "tests/test_calc.py", before: py + "def test_1():\n    assert add(2, 3) == 5\n", after: py + "def test_adds():\n    assert add(2, 3)\n", stopped: true},
		{name: "python, a word that runs leave out", path: "tests/test_calc.py", before: py + "def test_1():\n    assert add(2, 3) == 5\n", after: py + "def test_slow_1():\n    assert add(2, 3) == 5\n", stopped: true},
		{name: "python, by its name", path: "tests/test_calc.py", before: py + "def test_1(snapshot):\n    assert add(2, 3) == snapshot\n", after: py + "def test_adds(snapshot):\n    assert add(2, 3) == snapshot\n", stopped: true},
		{name: "python, the name of another", path: "tests/test_calc.py",
			before: py + "def test_1():\n    assert add(2, 3) == 5\n\n\ndef test_2():\n    assert add(2, 4) == 6\n",
			after:  py + "def test_2():\n    assert add(2, 3) == 5\n\n\ndef test_2():\n    assert add(2, 4) == 6\n", stopped: true},
		{name: "go", path: "calc/calc_test.go", before: goTest + "func TestA(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Fatal(\"sum\")\n\t}\n}\n", after: goTest + "func TestAddsTwoNumbers(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Fatal(\"sum\")\n\t}\n}\n"},
		{name: "go, no test", path: "calc/calc_test.go", before: goTest + "func TestA(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Fatal(\"sum\")\n\t}\n}\n", after: goTest + "func testAdds(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Fatal(\"sum\")\n\t}\n}\n", stopped: true},
		{name: "go, a word that runs choose by", path: "calc/calc_test.go", before: goTest + "func TestA(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Fatal(\"sum\")\n\t}\n}\n", after: goTest + "func TestIntegrationAdd(t *testing.T) {\n\tif Add(2, 3) != 5 {\n\t\tt.Fatal(\"sum\")\n\t}\n}\n", stopped: true},
		{name: "javascript", path: "src/calc.test.js", before: "import { add } from './calc';\n\nit('works', () => {\n  expect(add(2, 3)).toBe(5);\n});\n", after: "import { add } from './calc';\n\nit('adds two numbers', () => {\n  expect(add(2, 3)).toBe(5);\n});\n"},
		{name: "javascript, a snapshot", path: "src/calc.test.js", before: "import { add } from './calc';\n\nit('works', () => {\n  expect(add(2, 3)).toMatchSnapshot();\n});\n", after: "import { add } from './calc';\n\nit('adds two numbers', () => {\n  expect(add(2, 3)).toMatchSnapshot();\n});\n", stopped: true},
		{name: "java", path: "src/test/java/CalcTest.java", before: "class CalcTest {\n    @Test\n    void a() {\n        assertEquals(5, Calc.add(2, 3));\n    }\n}\n", after: "class CalcTest {\n    @Test\n    void addsTwoNumbers() {\n        assertEquals(5, Calc.add(2, 3));\n    }\n}\n"},
		{name: "java, no test", path: "src/test/java/CalcTest.java", before: "class CalcTest {\n    @Test\n    void a() {\n        assertEquals(5, Calc.add(2, 3));\n    }\n}\n", after: "class CalcTest {\n    void addsTwoNumbers() {\n        assertEquals(5, Calc.add(2, 3));\n    }\n}\n", stopped: true},
		{name: "rust", path: "tests/calc.rs", before: "#[test]\nfn a() {\n    assert_eq!(calc::add(2, 3), 5);\n}\n", after: "#[test]\nfn adds_two_numbers() {\n    assert_eq!(calc::add(2, 3), 5);\n}\n"},
		{name: "rust, weaker", path: "tests/calc.rs", before: "#[test]\nfn a() {\n    assert_eq!(calc::add(2, 3), 5);\n}\n", after: "#[test]\nfn adds_two_numbers() {\n    assert!(calc::add(2, 3) > 0);\n}\n", stopped: true},
		{name: "ruby", path: "spec/calc_spec.rb", before: "RSpec.describe Calc do\n  it \"works\" do\n    expect(Calc.add(2, 3)).to eq 5\n  end\nend\n", after: "RSpec.describe Calc do\n  it \"adds two numbers\" do\n    expect(Calc.add(2, 3)).to eq 5\n  end\nend\n"},
	} {
		r.try(t)
	}
}

// TestLinesNameOne are tests that are read line by line, and begin to demand one value where they only demanded something.
func TestLinesNameOne(t *testing.T) {
	t.Parallel()
	rust := func(mark, line string) string {
		return "#[test]\n" + mark + "fn gets() {\n    let c = kv::open();\n    " + line + "\n}\n"
	}
	ruby := func(line string) string {
		return "class CalcTest < Minitest::Test\n  def test_a\n    " + line + "\n  end\nend\n"
	}
	some := `assert!(c.get("k").is_some());`
	for _, r := range []retelling{
		{name: "rust, a skip goes", path: "tests/kv.rs", before: rust("#[ignore = \"flaky\"]\n", some), after: rust("", `assert_eq!(c.get("k").as_deref(), Some("v"));`)},
		{name: "rust, turned round", path: "tests/kv.rs", before: rust("", some), after: rust("", `assert_eq!(Some("v"), c.get("k"));`)},
		{name: "rust, went well", path: "tests/kv.rs", before: rust("", `assert!(c.put("k").is_ok());`), after: rust("", `assert_eq!(c.put("k"), Ok(1));`)},
		{name: "rust, of something else", path: "tests/kv.rs", before: rust("", some), after: rust("", `assert_eq!(c.get("other").as_deref(), Some("v"));`), stopped: true},
		{name: "rust, nothing", path: "tests/kv.rs", before: rust("", some), after: rust("", `assert_eq!(c.get("k"), None);`), stopped: true},
		{name: "rust, itself", path: "tests/kv.rs", before: rust("", some), after: rust("", `assert_eq!(c.get("k"), c.get("k"));`), stopped: true},
		{name: "rust, a default", path: "tests/kv.rs", before: rust("", some), after: rust("", `assert_eq!(c.get("k").or(Some("v")), Some("v"));`), stopped: true},
		{name: "rust, a skip comes", path: "tests/kv.rs", before: rust("", some), after: rust("#[ignore]\n", `assert_eq!(c.get("k"), Some("v"));`), stopped: true},
		{name: "ruby", path: "test/calc_test.rb", before: ruby("refute_nil Calc.get(1)"), after: ruby(`assert_equal "v", Calc.get(1)`)},
		{name: "ruby, of another", path: "test/calc_test.rb", before: ruby("refute_nil Calc.get(1)"), after: ruby(`assert_equal "v", Calc.get(2)`), stopped: true},
		{name: "php", path: "tests/CalcTest.php", before: "<?php\nclass CalcTest extends TestCase {\n    public function testA() {\n        $this->assertNotNull(get(1));\n    }\n}\n", after: "<?php\nclass CalcTest extends TestCase {\n    public function testA() {\n        $this->assertSame('v', get(1));\n    }\n}\n"},
	} {
		r.try(t)
	}
}

// TestBringsData are new files among those of tests: one more of the data is noted, what decides something is asked about.
func TestBringsData(t *testing.T) {
	t.Parallel()
	beside := files{"testdata/invoices/invoice.json": "{\"total\": 1}\n", "tests/conftest.py": "import json\n"}
	for _, c := range []struct {
		path, text string
		stopped    bool
	}{
		{"testdata/invoices/credit_note.json", "{\"number\": \"CN-1\", \"total\": -5}\n", false},
		{"tests/fixtures/feed.xml", "<rss/>\n", false},
		{"tests/resources/rows.csv", "a,b\n1,2\n", false},
		{"testdata/invoices/invoice.yaml", "total: 2\n", true}, // in the place of another
		{"testdata/expected/credit_note.json", "{}\n", true},
		{"tests/__snapshots__/a.snap", "exports[`a`] = `1`;\n", true},
		{"tests/fixtures/jest.config.json", "{}\n", true},
		{"tests/fixtures/.env", "A=1\n", true},
		{"tests/fixtures/run.sh", "exit 0\n", true},
		{"tests/fixtures/conftest.py", "collect_ignore = ['test_a.py']\n", true},
		{"tests/pytest.ini", "[pytest]\naddopts = -k no\n", true},
	} {
		t.Run(c.path, func(t *testing.T) {
			t.Parallel()
			in := listed(beside, beside.with(files{c.path: c.text}))
			in.Goal.By = audit.Person
			if report := audit.Audit(t.Context(), in); (report.Decision() != verdict.Approve) != c.stopped {
				t.Errorf("got %s: %v", report.Decision(), report.Findings)
			}
			for _, by := range []audit.Maker{audit.Healer, audit.Tidier} {
				if in.Goal.By = by; audit.Audit(t.Context(), in).Decision() == verdict.Approve {
					t.Errorf("fixer %d may make it", by)
				}
			}
		})
	}
}

// TestHandedMocks are new tests with mocks: given to what is tested they stand for what that uses, else nothing is tested.
func TestHandedMocks(t *testing.T) {
	t.Parallel()
	head := "from unittest.mock import Mock\n\nfrom alerts.notifier import Notifier, add\n\n\n"
	for _, r := range []retelling{
		{name: "its calls", after: head + "def test_a():\n    http = Mock()\n    Notifier(http).send(\"full\")\n    assert [c.args for c in http.post.call_args_list] == [(\"full\",)]\n"},
		{name: "as a keyword", after: head + "def test_a():\n    http = Mock()\n    Notifier(client=http).send(\"full\")\n    assert http.post.call_args.args == (\"full\",)\n"},
		{name: "given to nothing", after: head + "def test_a():\n    http = Mock()\n    http.post(\"full\")\n    assert [c.args for c in http.post.call_args_list] == [(\"full\",)]\n", stopped: true},
		{name: "only printed", after: head + "def test_a():\n    http = Mock()\n    http.post(\"full\")\n    print(http)\n    assert [c.args for c in http.post.call_args_list] == [(\"full\",)]\n", stopped: true},
		{name: "the asked function", after: head + "def test_a():\n    calc = Mock()\n    calc.add.return_value = 5\n    Notifier(calc)\n    assert calc.add(2, 3) == 5\n", stopped: true},
	} {
		r.path = "tests/test_notifier.py"
		r.try(t)
	}
}

// TestPromisedErrors are methods of Java's that said what they throw, and give something in its place.
func TestPromisedErrors(t *testing.T) {
	t.Parallel()
	class := func(method string) string { return "class Feed {\n" + method + "\n}\n" }
	before := class("    List<Item> read(Path p) throws IOException {\n        return parse(p);\n    }")
	handled := func(catch string) string {
		return class("    List<Item> read(Path p) {\n        try {\n            return parse(p);\n        } " + catch + "\n    }")
	}
	for _, r := range []retelling{
		{name: "an empty list", after: handled("catch (Exception ignored) {\n            return List.of();\n        }"), stopped: true},
		{name: "of that error", after: handled("catch (IOException e) {\n            return Collections.emptyList();\n        }"), stopped: true},
		{name: "null", after: handled("catch (IOException e) {\n            return null;\n        }"), stopped: true},
		{name: "no", after: handled("catch (IOException e) {\n            return false;\n        }"), stopped: true},
		{name: "as another error", after: handled("catch (IOException e) {\n            throw new UncheckedIOException(e);\n        }")},
		{name: "said", after: handled("catch (IOException e) {\n            log.error(\"feed\", e);\n            return List.of();\n        }")},
		{name: "still promised", after: class("    List<Item> read(Path p) throws IOException {\n        return parse(p.normalize());\n    }")},
	} {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			in := input(files{"src/Feed.java": before}, files{"src/Feed.java": r.after})
			in.Goal.By = audit.Person
			if report := audit.Audit(t.Context(), in); (report.Decision() != verdict.Approve) != r.stopped {
				t.Errorf("got %s: %v", report.Decision(), report.Findings)
			}
		})
	}
}

// TestCasts are casts to any type: new ones in code that was checked silence the check.
func TestCasts(t *testing.T) {
	t.Parallel()
	ts := "import type { State } from './types';\n\nexport const name = (s: State) =>\n  s.projects[s.id].name;\n"
	py := "from typing import Any, cast\n\n\ndef name(s: State) -> str:\n    return s.projects[s.id].name\n"
	for _, c := range []struct {
		name, path, before, was, is string
		stopped                     bool
	}{
		{"any", "src/a.ts", ts, "s.projects", "(s as any).projects", true},
		{"through unknown", "src/a.ts", ts, "s.projects", "(s as unknown as Loose).projects", true},
		{"never", "src/a.ts", ts, "s.id", "s.id as never", true},
		{"in angles", "src/a.ts", ts, "s.projects[", "(<any>s).projects[", true},
		{"a list", "src/a.ts", ts, "s.projects[", "(s.projects as any[])[", true},
		{"python", "src/a.py", py, "return s.projects", "return cast(Any, s).projects", true},
		{"java", "src/A.java", "class A {\n    String name(State s) {\n        return s.name();\n    }\n}\n", "s.name()", "(String) (Object) s.name()", true},
		{"to a type", "src/a.ts", ts, "s.projects", "(s as State).projects", false},
		{"const", "src/a.ts", ts, "s.projects", "([s] as const)[0].projects", false},
		{"unknown alone", "src/a.ts", ts, "s.projects", "(s as State).projects /* as any */", false},
		{"in a text", "src/a.ts", ts, ".name;", ".name + ' as any ';", false},
		{"in a remark", "src/a.ts", ts, ".name;", ".name; // not as any", false},
		{"fewer", "src/a.ts", strings.Replace(ts, "s.projects", "(s as any).projects", 1), "(s as any).projects", "s.projects", false},
		{"only moved", "src/a.ts", strings.Replace(ts, "s.projects", "(s as any).projects", 1), "s: State", "s: Readonly<State>", false},
		{"python, to a type", "src/a.py", py, "return s.projects", "return cast(State, s).projects", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := input(files{c.path: c.before}, files{c.path: strings.Replace(c.before, c.was, c.is, 1)})
			in.Goal.By = audit.Person
			if report := audit.Audit(t.Context(), in); (report.Decision() != verdict.Approve) != c.stopped {
				t.Errorf("got %s: %v", report.Decision(), report.Findings)
			}
			in.Goal.By = audit.Tidier
			if report := audit.Audit(t.Context(), in); (report.Decision() == verdict.Refuse) != c.stopped {
				t.Errorf("a fixer: got %s: %v", report.Decision(), report.Findings)
			}
		})
	}
}
