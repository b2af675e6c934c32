package audit_test

import (
	"testing"

	"fettle/internal/audit"
	"fettle/internal/verdict"
)

// TestLineTests are tests in languages that are read line by line, by what becomes of them where a person means to change tests. What proves less is refused where nobody means to.
func TestLineTests(t *testing.T) {
	const (
		kotlin = "class CartTest {\n    @Test\n    fun `adds up`() {\n        assertEquals(5, Cart().total())\n    }\n\n    @Test\n    fun empty() {\n        assertTrue(Cart().isEmpty())\n    }\n}\n"
		php    = "<?php\nclass CartTest extends TestCase\n{\n    public function testTotal(): void\n    {\n        $this->assertSame(5, (new Cart())->total());\n    }\n\n    public function testEmpty(): void\n    {\n        $this->assertTrue((new Cart())->isEmpty());\n    }\n}\n"
		rust   = "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(2, 3), 5);\n    }\n\n    #[test]\n    fn positive() {\n        assert!(add(1, 1) > 0);\n    }\n}\n"
		rspec  = "describe Cart do\n  it \"adds up\" do\n    expect(Cart.new.total).to eq(5)\n  end\n\n  it 'is empty' do\n    expect(Cart.new.empty?).to eq true\n  end\nend\n"
		mini   = "class CartTest < Minitest::Test\n  def test_total\n    assert_equal 5, Cart.new.total\n  end\n\n  def test_empty\n    assert Cart.new.empty?\n  end\nend\n"
		pest   = "<?php\nit('adds up', function () {\n    expect((new Cart())->total())->toBe(5);\n});\n\ntest('empty', function () {\n    expect((new Cart())->isEmpty())->toBeTrue();\n});\n"
		kotest = "class CartSpec : StringSpec({\n    test(\"adds up\") {\n        Cart().total() shouldBe 5\n    }\n})\n"
		csharp = "public class CartTests\n{\n    [Fact]\n    public void AddsUp()\n    {\n        Assert.Equal(5, new Cart().Total());\n    }\n}\n"
		swift  = "class CartTests: XCTestCase {\n    func testTotal() {\n        XCTAssertEqual(Cart().total(), 5)\n    }\n}\n"
	)
	for _, c := range []struct{ name, path, before, old, new, rule string }{
		{"kotlin: a test is gone", "CartTest.kt", kotlin, "    @Test\n    fun empty() {\n        assertTrue(Cart().isEmpty())\n    }\n", "", "deleted-test"},
		{"kotlin: a test with a name in words is gone", "CartTest.kt", kotlin, "    @Test\n    fun `adds up`() {\n        assertEquals(5, Cart().total())\n    }\n\n", "", "deleted-test"},
		{"kotlin: a test is a function", "CartTest.kt", kotlin, "    @Test\n    fun empty()", "    fun empty()", "deleted-test"},
		{"kotlin: of a constant", "CartTest.kt", kotlin, "assertTrue(Cart().isEmpty())", "assertTrue(true)", "weakened-test"},
		{"kotlin: of two constants", "CartTest.kt", kotlin, "assertEquals(5, Cart().total())", "assertEquals(5, 5)", "weakened-test"},
		{"kotlin: of a constant, infix", "CartSpec.kt", kotest, "Cart().total() shouldBe 5", "5 shouldBe 5", "weakened-test"},
		{"php: a test is gone", "CartTest.php", php, "    public function testEmpty(): void\n    {\n        $this->assertTrue((new Cart())->isEmpty());\n    }\n", "", "deleted-test"},
		{"php: a test of Pest is gone", "tests/CartTest.php", pest, "test('empty', function () {\n    expect((new Cart())->isEmpty())->toBeTrue();\n});\n", "", "deleted-test"},
		{"php: of a constant", "CartTest.php", php, "(new Cart())->isEmpty()", "true", "weakened-test"},
		{"php: expect a constant", "tests/CartTest.php", pest, "expect((new Cart())->total())", "expect(5)", "weakened-test"},
		{"rust: a test is gone", "src/lib.rs", rust, "    #[test]\n    fn positive() {\n        assert!(add(1, 1) > 0);\n    }\n", "", "deleted-test"},
		{"rust: true", "src/lib.rs", rust, "assert!(add(1, 1) > 0)", "assert!(true)", "weakened-test"},
		{"rust: one is one", "src/lib.rs", rust, "assert_eq!(add(2, 3), 5)", "assert_eq!(5, 5)", "weakened-test"},
		{"rust: nothing", "src/lib.rs", rust, "        assert!(add(1, 1) > 0);\n", "        let _ = add(1, 1);\n", "weakened-test"},
		{"rust: a comment", "src/lib.rs", rust, "        assert!(add", "        // assert!(add", "weakened-test"},
		{"ruby: an example is gone", "spec/cart_spec.rb", rspec, "  it 'is empty' do\n    expect(Cart.new.empty?).to eq true\n  end\n", "", "deleted-test"},
		{"ruby: a test is gone", "test/cart_test.rb", mini, "  def test_empty\n    assert Cart.new.empty?\n  end\n", "", "deleted-test"},
		{"ruby: true is true", "spec/cart_spec.rb", rspec, "expect(Cart.new.empty?)", "expect(true)", "weakened-test"},
		{"ruby: assert true", "test/cart_test.rb", mini, "assert Cart.new.empty?", "assert true", "weakened-test"},
		{"ruby: equal constants", "test/cart_test.rb", mini, "assert_equal 5, Cart.new.total", "assert_equal 5, 5", "weakened-test"},
		{"c#: a test is gone", "CartTests.cs", csharp, "    [Fact]\n", "", "deleted-test"},
		{"swift: a test is gone", "CartTests.swift", swift, "func testTotal", "func total", "deleted-test"},

		{"kotlin: one more test", "CartTest.kt", kotlin, "    @Test\n    fun empty", "    @Test\n    fun two() {\n        assertEquals(2, Cart().count())\n    }\n\n    @Test\n    fun empty", ""},
		{"kotlin: another name", "CartTest.kt", kotlin, "fun empty()", "fun `is empty`()", ""},
		{"php: another name", "CartTest.php", php, "testEmpty", "testIsEmpty", ""},
		{"php: one more assertion", "CartTest.php", php, "        $this->assertSame(5", "        $this->assertSame(0, Cart::none());\n        $this->assertSame(5", ""},
		{"rust: one more test", "src/lib.rs", rust, "    #[test]\n    fn positive", "    #[test]\n    fn zero() {\n        assert_eq!(add(0, 0), 0);\n    }\n\n    #[test]\n    fn positive", ""},
		{"rust: another constant", "src/lib.rs", rust, "assert_eq!(add(2, 3), 5)", "assert_eq!(add(2, 4), 6)", ""},
		{"rust: a constant that counts", "src/lib.rs", rust, "assert!(add(1, 1) > 0)", "assert_eq!(true, add(1, 1) == 2)", ""},
		{"ruby: an example by another name", "spec/cart_spec.rb", rspec, "'is empty'", "'holds nothing'", ""},
		{"ruby: another matcher", "spec/cart_spec.rb", rspec, "to eq true", "to be(true)", ""},
		{"ruby: another message", "test/cart_test.rb", mini, "assert Cart.new.empty?", "assert Cart.new.empty?, 'true'", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := change{c.name, c.path, c.before, c.old, c.new}.input(t)
			expect(t, in, c.rule)
			if in.Goal = (audit.Goal{By: audit.Person}); c.rule != "" && audit.Audit(t.Context(), in).Decision() != verdict.Refuse {
				t.Error("it is not refused where nobody means to change tests")
			}
		})
	}

	before := files{"a/CartTest.kt": kotlin, "b/ShopTest.kt": "class ShopTest {\n}\n"}
	moved := "    @Test\n    fun empty() {\n        assertTrue(Cart().isEmpty())\n    }\n"
	in := input(before, before.changed(t, "a/CartTest.kt", moved, "").changed(t, "b/ShopTest.kt", "}\n", moved+"}\n"))
	in.Goal = audit.Goal{By: audit.Person, Tests: true}
	expect(t, in, "")
	gone := input(files{"CartTest.php": php}, files{"CartTest.php": ""})
	gone.Goal = audit.Goal{By: audit.Person, Tests: true}
	expect(t, gone, "deleted-test")
}

// TestStrictness are files that ask for strictness, by what becomes of that.
func TestStrictness(t *testing.T) {
	const (
		rust  = "#![deny(warnings, unsafe_code)]\n\npub fn f() {}\n\n#[forbid(unused)]\npub fn g() {}\n"
		cargo = "[package]\nname = \"a\"\n"
		js    = "// @ts-check\nexports.f = (a) => a + 1;\n"
		php   = "<?php\ndeclare(strict_types=1);\n\nfunction f(int $a): int { return $a; }\n"
	)
	tree := files{"src/lib.rs": rust, "src/a.rs": "pub fn h() {}\n", "Cargo.toml": cargo, "a.js": js, "a.php": php}
	for _, c := range []struct {
		name, path, old, new string
		more                 files
		less                 bool
	}{
		{"rust: warnings count no more", "src/lib.rs", "#![deny(warnings, unsafe_code)]\n\n", "", nil, true},
		{"rust: one of two", "src/lib.rs", "warnings, ", "", nil, true},
		{"rust: denied is warned", "src/lib.rs", "#![deny(", "#![warn(", nil, true},
		{"rust: of one function", "src/lib.rs", "#[forbid(unused)]\n", "", nil, true},
		{"javascript: types", "a.js", "// @ts-check\n", "", nil, true},
		{"php: types", "a.php", "declare(strict_types=1);\n", "", nil, true},
		{"rust: denied is forbidden", "src/lib.rs", "#![deny(", "#![forbid(", nil, false},
		{"rust: one more", "src/lib.rs", "warnings, ", "warnings, missing_docs, ", nil, false},
		{"rust: in two lines", "src/lib.rs", "#![deny(warnings, unsafe_code)]\n", "#![deny(unsafe_code)]\n#![deny(warnings)]\n", nil, false},
		{"rust: with its function", "src/lib.rs", "#[forbid(unused)]\npub fn g() {}\n", "", nil, false},
		{"rust: elsewhere", "src/lib.rs", "#![deny(warnings, unsafe_code)]\n\n", "", files{"src/a.rs": "#![deny(warnings, unsafe_code)]\npub fn h() {}\n"}, false},
		{"rust: for the package", "src/lib.rs", "#![deny(warnings, unsafe_code)]\n\n", "", files{"Cargo.toml": cargo + "\n[lints.rust]\nwarnings = \"deny\"\nunsafe_code = \"forbid\"\n"}, false},
		{"javascript: below a licence", "a.js", "// @ts-check\n", "// All rights reserved.\n// @ts-check\n", nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(tree, tree.changed(t, c.path, c.old, c.new).with(c.more))
			r := audit.By(t.Context(), "dropped-lint", in)
			if want := map[bool]verdict.Decision{true: verdict.Refuse, false: verdict.Approve}[c.less]; r.Decision() != want {
				t.Errorf("got %v", r.Findings)
			}
			if in.Goal = (audit.Goal{By: audit.Person, Configs: true}); c.less && audit.By(t.Context(), "dropped-lint", in).Decision() != verdict.Ask {
				t.Error("it is not asked about where checks may change")
			}
		})
	}
}
