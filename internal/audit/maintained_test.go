package audit_test

import (
	"testing"

	"fettle/internal/audit"
)

// TestMaintained are changes as maintainers make them, which take nothing from what is checked, each beside one that does.
func TestMaintained(t *testing.T) {
	const (
		csharp  = "public class LimiterTests\n{\n    [Fact]\n    public void Disposed()\n    {\n        AssertBuilt(new Limiter());\n        new Limiter().Count.ShouldBe(0);\n        new Limiter().Rest.ShouldBe(1);\n    }\n\n    private static void AssertBuilt(Limiter l)\n    {\n        l.Name.ShouldBe(\"limiter\");\n        l.Built.ShouldBeTrue();\n    }\n}\n"
		newFact = "\n    [Fact]\n    public void Throws()\n    {\n        Should.Throw<Exception>(() => new Limiter(null));\n    }\n"
		mini    = "class CartTest < Minitest::Test\n  def test_total\n    cart = Cart.new\n    assert_equal 0, cart.total\n    assert cart.empty?\n    assert_equal 0, cart.total\n    cart.add(5)\n    cart.clear\n    assert_equal 0, cart.total\n  end\n\n  def assert_named(cart)\n    assert_equal 'cart', cart.name\n  end\nend\n"
		newMini = "  def test_count\n    assert_equal 0, Cart.new.count\n  end\n\n  def assert_named"
		kotlin  = "class CartTest {\n    @Test\n    fun empty() {\n        assertTrue(Cart().isEmpty())\n    }\n}\n"
		mocha   = "const assert = require('assert');\n\ndescribe('cart', function () {\n  it('adds things up', function () {\n    assert.strictEqual(total([1, 2]), 3);\n  });\n});\n"
		asking  = "const request = require('supertest');\n\nfunction all(app) {\n  describe('no match', function () {\n    it('should should respond', function (done) {\n      request(app)\n      .get('/')\n      .expect('Content-Type', 'text/plain')\n      .expect(406, done)\n    })\n  })\n}\n"
		scala   = "sealed trait Config {\n  def zeros: Boolean\n}\n\nfinal case class Old(limit: Int) extends Config {\n  override def zeros: Boolean = defaults.keepsZerosOf(limit)\n}\n"
		macros  = "#if LIB_CPLUSPLUS >= 201703L\n#define LIB_REGISTER(x) add(x)\n#else // LIB_REGISTER\n#define LIB_REGISTER(x) LATER(x)\n#endif\n"
		ci      = "jobs:\n  test:\n    runs-on: ubuntu-latest\n    strategy:\n      matrix:\n        php: ['8.1', '8.2']\n        psr7: ['^1.9', '^2.4']\n        exclude:\n          - php: '8.2'\n            psr7: '^1.9'\n    steps:\n      - run: vendor/bin/phpunit\n"
		pom     = "<project>\n  <configuration>\n    <overwrite>true</overwrite>\n  </configuration>\n</project>\n"
		safe    = "def safecall(func):\n    try:\n        return func()\n    except Exception:\n        pass\n"
		hooks   = "repos:\n  - repo: https://example.com/a\n    rev: v1\n    hooks:\n      - id: clang-format\n        exclude: ^vendor_copies/.*$\n"
	)
	for _, c := range []struct {
		change
		rule string
	}{
		{change{"c#: a test before the helpers", "LimiterTests.cs", csharp, "\n    private static", newFact + "\n    private static"}, ""},
		{change{"c#: an assertion becomes a test", "LimiterTests.cs", csharp, "        new Limiter().Rest.ShouldBe(1);\n    }\n", "    }\n" + newFact}, "weakened-test"},
		{change{"ruby: a test before the helpers", "test/cart_test.rb", mini, "  def assert_named", newMini}, ""},
		{change{"ruby: what was demanded just before", "test/cart_test.rb", mini, "    assert_equal 0, cart.total\n    cart.add", "    cart.add"}, ""},
		{change{"ruby: what was demanded before something happened", "test/cart_test.rb", mini, "    cart.clear\n    assert_equal 0, cart.total\n", "    cart.clear\n"}, "weakened-test"},

		{change{"ruby: a new test is left out on some machines", "test/cart_test.rb", mini, "  def assert_named", "  def test_head\n    skip 'no server' if ENV['RACK'] == 'head'\n    assert Cart.new.empty?\n  end\n\n  def assert_named"}, ""},
		{change{"ruby: a new test is left out", "test/cart_test.rb", mini, "  def assert_named", "  def test_head\n    skip 'no server'\n    assert Cart.new.empty?\n  end\n\n  def assert_named"}, "skipped-test"},
		{change{"ruby: a new test is left out if true is true", "test/cart_test.rb", mini, "  def assert_named", "  def test_head\n    skip 'no server' if true\n    assert Cart.new.empty?\n  end\n\n  def assert_named"}, "skipped-test"},
		{change{"ruby: a test that was there is left out on some machines", "test/cart_test.rb", mini, "    cart = Cart.new\n", "    skip 'no server' if ENV['RACK'] == 'head'\n    cart = Cart.new\n"}, "skipped-test"},
		{change{"kotlin: a new test assumes something", "CartTest.kt", kotlin, "    @Test\n", "    @Test\n    fun two() {\n        assumeTrue(factory === Factory.Slow)\n        assertEquals(2, Cart().count())\n    }\n\n    @Test\n"}, ""},
		{change{"kotlin: a test that was there assumes something", "CartTest.kt", kotlin, "        assertTrue", "        assumeTrue(factory === Factory.Slow)\n        assertTrue"}, "skipped-test"},
		{change{"javascript: a new test is left out by a version", "test/cart.js", mocha, "  it('adds", "  it('asks', function () {\n    if (tooOld(process.versions.node)) {\n      this.skip();\n    }\n    assert.strictEqual(ask(), 1);\n  });\n  it('adds"}, ""},
		{change{"javascript: a test that was there is left out by a version", "test/cart.js", mocha, "    assert.strict", "    if (tooOld(process.versions.node)) {\n      this.skip();\n    }\n    assert.strict"}, "skipped-test"},

		{change{"javascript: another title", "test/cart.js", mocha, "'adds things up'", "'adds up'"}, ""},
		{change{"javascript: another title of what is not told", "test/format.js", asking, "should should", "should"}, ""},
		{change{"javascript: another title, and another test", "test/cart.js", mocha, "'adds things up', function () {\n    assert.strictEqual(total([1, 2]), 3)", "'adds up', function () {\n    assert.strictEqual(total([]), 0)"}, "deleted-test"},

		{change{"scala: one of two of a name goes", "Config.scala", scala, "  override def zeros: Boolean = defaults.keepsZerosOf(limit)\n", ""}, ""},
		{change{"scala: one of two of a name gives the same", "Config.scala", scala, "defaults.keepsZerosOf(limit)", "true"}, "constant-answer"},
		{change{"python: a function that catches all has another name", "utils.py", safe, "safecall", "_safecall"}, "deleted-function"},
		{change{"c++: a comment names what is chosen", "lib.h", macros, "else // LIB_REGISTER", "else // LIB_TEST_REGISTER"}, ""},
		{change{"c++: what is chosen for tests", "lib.h", macros, "#if LIB_CPLUSPLUS >= 201703L", "#ifdef LIB_TEST"}, "sees-tests"},

		{change{"ci: a new version, without what it cannot do", ".github/workflows/ci.yml", ci, "'8.2']\n        psr7: ['^1.9', '^2.4']\n        exclude:\n", "'8.2', '8.3']\n        psr7: ['^1.9', '^2.4']\n        exclude:\n          - php: '8.3'\n            psr7: '^1.9'\n"}, ""},
		{change{"ci: a version that was there, without something", ".github/workflows/ci.yml", ci, "        exclude:\n", "        exclude:\n          - php: '8.1'\n            psr7: '^1.9'\n"}, "weakened-check"},
		{change{"maven: a step goes with the tests", "pom.xml", pom, "    <overwrite>", "    <skip>${maven.test.skip}</skip>\n    <overwrite>"}, ""},
		{change{"maven: the tests are skipped", "pom.xml", pom, "    <overwrite>", "    <maven.test.skip>true</maven.test.skip>\n    <overwrite>"}, "weakened-check"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := c.input(t)
			in.Goal.Configs = true
			expect(t, in, c.rule)
		})
	}
	in := input(files{}, files{".pre-commit-config.yaml": hooks})
	in.Goal = audit.Goal{By: audit.Person, Configs: true}
	if r := audit.By(t.Context(), "weakened-check", in); len(r.Findings) > 0 {
		t.Errorf("the first hooks: %v", r.Findings)
	}
	in = input(files{".pre-commit-config.yaml": replaceOnce(t, hooks, "        exclude: ^vendor_copies/.*$\n", "")}, files{".pre-commit-config.yaml": hooks})
	in.Goal = audit.Goal{By: audit.Person, Configs: true}
	if r := audit.By(t.Context(), "weakened-check", in); len(r.Findings) == 0 {
		t.Error("hooks that see less: nothing is found")
	}
}
