package audit_test

import (
	"strings"
	"testing"
)

// TestLinesToldAgain are tests in another form in languages that are read line by line: rows, another library, one less of two that say the same, and such that demand less.
func TestLinesToldAgain(t *testing.T) {
	const (
		head = "using Catalog;\nusing %s;\n\nnamespace Catalog.Tests\n{\n    public class IsbnTests\n    {\n"
		foot = "    }\n}\n"
		two  = "        [Fact]\n        public void Normalizes()\n        {\n            Assert.True(Isbn.Parse(\"978-0\").Text == \"9780\");\n        }\n\n        [Fact]\n        public void RejectsDigit()\n        {\n            Assert.False(Isbn.TryParse(\"978-1\", out _));\n        }\n\n        [Fact]\n        public void RejectsShort()\n        {\n            Assert.False(Isbn.TryParse(\"978\", out _));\n        }\n"
		rows = "        [Fact]\n        public void Normalizes()\n        {\n            Assert.Equal(\"9780\", Isbn.Parse(\"978-0\").Text);\n        }\n\n        [Theory]\n        [InlineData(\"978-1\")]\n        [InlineData(\"978\")]\n        [InlineData(\"\")]\n        public void Rejects(string text)\n        {\n            Assert.False(Isbn.TryParse(text, out var isbn));\n            Assert.Null(isbn);\n        }\n"
		unit = "        [TestCase(\"A1\", 0, 0)]\n        [TestCase(\"Z10\", 25, 9)]\n        public void Parses(string text, int column, int row)\n        {\n            var cell = Cell.Parse(text);\n            Assert.AreEqual(column, cell.Column);\n            Assert.AreEqual(row, cell.Row);\n        }\n\n        [TestCase(\"\")]\n        public void Rejects(string text)\n        {\n            var ex = Assert.Throws<ArgumentException>(() => Cell.Parse(text));\n            Assert.AreEqual(\"text\", ex.ParamName);\n        }\n"
		xun  = "        [Theory]\n        [InlineData(\"A1\", 0, 0)]\n        [InlineData(\"Z10\", 25, 9)]\n        public void Parses(string text, int column, int row)\n        {\n            var cell = Cell.Parse(text);\n            Assert.Equal((column, row), (cell.Column, cell.Row));\n        }\n\n        [Theory]\n        [InlineData(\"\")]\n        public void Rejects(string text)\n        {\n            Assert.Throws<ArgumentException>(\"text\", () => Cell.Parse(text));\n        }\n"
		ruby = "require \"test_helper\"\n\nclass CouponTest < ActiveSupport::TestCase\n  setup do\n    @coupon = coupons(:spring)\n  end\n\n  test \"ends with its last day\" do\n    travel_to noon(30)\n    assert @coupon.usable?\n    travel_to noon(31)\n    refute @coupon.usable?\n  end\n\n  test \"lasts\" do\n    travel_to noon(30)\n    assert @coupon.usable?\n  end\n\n  test \"is small\" do\n    assert_equal 5, @coupon.of(5)\n  end\nend\n"
	)
	xunit := func(body string) string { return strings.Replace(head, "%s", "Xunit", 1) + body + foot }
	nunit := func(body string) string { return strings.Replace(head, "%s", "NUnit.Framework", 1) + body + foot }
	without := strings.Replace(ruby, "  test \"lasts\" do\n    travel_to noon(30)\n    assert @coupon.usable?\n  end\n\n", "", 1)
	for _, r := range []retelling{
		{"c#: facts become a theory", "IsbnTests.cs", xunit(two), xunit(rows), false},
		{"c#: NUnit becomes xUnit", "CellTests.cs", nunit(unit), xunit(xun), false},
		{"c#: xUnit becomes NUnit", "CellTests.cs", xunit(xun), nunit(strings.Replace(unit, "\"text\", ex.ParamName", "ex.ParamName, \"text\"", 1)), false},
		{"ruby: what another test says too", "test/coupon_test.rb", ruby, without, false},

		{"c#: a row is lost", "IsbnTests.cs", xunit(two), xunit(strings.Replace(rows, "        [InlineData(\"978\")]\n", "", 1)), true},
		{"c#: a row is bent", "IsbnTests.cs", xunit(two), xunit(strings.Replace(rows, "\"978-1\"", "\"978-2\"", 1)), true},
		{"c#: the contrary", "IsbnTests.cs", xunit(two), xunit(strings.Replace(rows, "Assert.False", "Assert.True", 1)), true},
		{"c#: rows that are skipped", "IsbnTests.cs", xunit(two), xunit(strings.Replace(rows, "[Theory]", "[Theory(Skip = \"slow\")]", 1)), true},
		{"c#: rows that demand less", "IsbnTests.cs", xunit(two), xunit(strings.Replace(rows, "            Assert.False(Isbn.TryParse(text, out var isbn));\n            Assert.Null(isbn);\n", "            Isbn.TryParse(text, out var isbn);\n            Assert.Null(isbn);\n", 1)), true},
		{"c#: another expectation", "CellTests.cs", nunit(unit), xunit(strings.Replace(xun, "\"A1\", 0, 0", "\"A1\", 0, 1", 1)), true},
		{"c#: half of a pair", "CellTests.cs", nunit(unit), xunit(strings.Replace(xun, "(column, row), (cell.Column, cell.Row)", "column, cell.Column", 1)), true},
		{"c#: any parameter", "CellTests.cs", nunit(unit), xunit(strings.Replace(xun, "\"text\", () =>", "() =>", 1)), true},
		{"c#: another error", "CellTests.cs", nunit(unit), xunit(strings.Replace(xun, "<ArgumentException>", "<Exception>", 1)), true},
		{"ruby: what no other test says", "test/coupon_test.rb", ruby, strings.Replace(without, "noon(30)", "noon(29)", 1), true},
		{"ruby: the other one goes", "test/coupon_test.rb", ruby, strings.Replace(ruby, "  test \"ends with its last day\" do\n    travel_to noon(30)\n    assert @coupon.usable?\n    travel_to noon(31)\n    refute @coupon.usable?\n  end\n\n", "", 1), true},
		{"ruby: a failure is rescued", "test/coupon_test.rb", ruby, strings.Replace(ruby, "    assert_equal 5, @coupon.of(5)\n", "    assert_equal 5, @coupon.of(5)\n  rescue Minitest::Assertion\n    nil\n", 1), true},
		{"ruby: and another setup", "test/coupon_test.rb", ruby, strings.Replace(without, "coupons(:spring)", "coupons(:winter)", 1), true},
	} {
		r.try(t)
	}
}
