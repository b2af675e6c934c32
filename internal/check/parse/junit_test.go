package parse_test

import (
	"strings"
	"testing"

	"fettle/internal/check/parse"

	"gotest.tools/v3/assert"
)

// As jest-junit writes it.
const jestReport = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="jest tests" tests="2" failures="1" errors="0" time="1.2">
  <testsuite name="cart" errors="0" failures="1" skipped="0" time="0.5" tests="2">
    <testcase classname="cart adds prices" name="cart adds prices" time="0.004">
      <failure>Error: expect(received).toBe(expected) // Object.is equality

Expected: 3
Received: -1
    at Object.toBe (/repo/src/cart.test.js:6:21)
    at node_modules/jest/build/index.js:1:2</failure>
    </testcase>
    <testcase classname="cart is empty" name="cart is empty" time="0"/>
  </testsuite>
</testsuites>`

// As Maven Surefire writes it: noise in CDATA, a flaky test that passed in the end.
const surefireReport = `<?xml version="1.0" encoding="ISO-8859-1"?>
<!-- made by a machine -- not by hand -->
<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="shop.CartTest" time="1,234.5" tests="3" errors="1" failures="0">
  <properties><property name="a" value="b &lt;c&gt;"/></properties>
  <testcase name="adds" classname="shop.CartTest" time="0.1"><error message="caf` + "\xe9" + `" type="java.lang.NullPointerException"><![CDATA[java.lang.NullPointerException: caf` + "\xe9" + `
	at shop.Cart.add(Cart.java:12)
]]></error><system-out><![CDATA[<failure> is noise ]]]]><![CDATA[>]]></system-out></testcase>
  <testcase name="flaky" classname="shop.CartTest"><flakyFailure message="once">x</flakyFailure></testcase>
  <testcase name="later" classname="shop.CartTest"><skipped/></testcase>
</testsuite>`

// As gotestsum writes it.
const gotestsumReport = `<testsuites><testsuite tests="1" failures="1" time="0.0" name="example.com/m/cart">
<testcase classname="example.com/m/cart" name="TestSum/one" time="0.00">
<failure message="Failed" type="">=== RUN   TestSum/one
    cart_test.go:17: got 2, want 1
--- FAIL: TestSum/one (0.00s)
</failure></testcase></testsuite></testsuites>`

func TestJUnitDialects(t *testing.T) {
	for _, tc := range []struct {
		name, report string
		want         []string
	}{
		{"jest", jestReport, []string{
			`["src/cart.test.js",6,"","cart adds prices","","",false]`, `fail cart adds prices`, `pass cart is empty`}},
		{"surefire", surefireReport, []string{
			`["",0,"","shop.CartTest#adds",".","",false]`, `fail shop.CartTest#adds`, `pass shop.CartTest#flaky`, `skip shop.CartTest#later`}},
		{"gotestsum", gotestsumReport, []string{
			`["cart/cart_test.go",17,"","cart:TestSum/one","cart","",false]`, `fail cart:TestSum/one`}},
	} {
		r := read(t, "junit", tc.report, parse.Options{Root: "/repo", Module: "example.com/m"})
		assert.DeepEqual(t, outline(r), tc.want)
	}
	r := read(t, "junit", surefireReport, parse.Options{})
	assert.Equal(t, r.Diagnostics[0].Message, "NullPointerException: café")
	r = read(t, "junit", gotestsumReport, parse.Options{Module: "example.com/m"})
	assert.Equal(t, r.Diagnostics[0].Message, "got 2, want 1")
}

func TestJUnitIllegalXML(t *testing.T) {
	text := "<testsuite><testcase name='a'><failure message='red &#27;[31mtext&#x1b;[0m and \x1b[1mmore'>" +
		"a \x00 b &nbsp; &#9; & c</failure></testcase><testcase name='b'><failure/></testcase>"
	r := read(t, "junit", text, parse.Options{})
	assert.Equal(t, len(r.Diagnostics), 2)
	assert.Assert(t, strings.HasPrefix(r.Diagnostics[0].Message, "red "), r.Diagnostics[0].Message)
	assert.Equal(t, r.Diagnostics[1].Test, "b")
}

func TestJUnitLongTexts(t *testing.T) {
	long := strings.Repeat("é<", 200<<10)
	text := "<testsuite><testcase name='a'><system-out><![CDATA[" + long + "]]></system-out><failure message=\"" +
		strings.Repeat("m", 300<<10) + "\">" + strings.Repeat("t", 300<<10) + "</failure></testcase><!-- " + long +
		" --><testcase name='b'><failure message='still read'/></testcase></testsuite>"
	r := read(t, "junit", text, parse.Options{})
	assert.Equal(t, len(r.Diagnostics), 2)
	assert.Equal(t, r.Diagnostics[1].Message, "still read")
}

func TestJUnitUnknownEncoding(t *testing.T) {
	f, _ := parse.Lookup("junit")
	_, err := f.Parse(strings.NewReader(`<?xml version="1.0" encoding="EBCDIC-1"?><testsuite/>`), parse.Options{})
	assert.ErrorContains(t, err, "EBCDIC-1")
}

// A dotted class name tells nothing of where the module ends: the files do, or naming rules.
func TestPytestJUnitIDs(t *testing.T) {
	for _, tc := range []struct {
		class string
		files []string
		want  string
	}{
		{"tests.test_calc", nil, "tests/test_calc.py::t"},
		{"tests.test_calc.TestA.TestB", nil, "tests/test_calc.py::TestA::TestB::t"},
		{"tests.checks.Sums", nil, "tests/checks.py::Sums::t"},
		{"tests.checks.sums", []string{"tests/checks.py"}, "tests/checks.py::sums::t"},
		{"pkg.test_dir.real", []string{"pkg/test_dir/real.py"}, "pkg/test_dir/real.py::t"},
	} {
		o := parse.Options{Exists: func(p string) bool {
			for _, f := range tc.files {
				if f == p {
					return true
				}
			}
			return false
		}}
		r := read(t, "pytest-junit", `<testsuite><testcase classname="`+tc.class+`" name="t"/></testsuite>`, o)
		assert.Equal(t, r.Tests[0].ID, tc.want)
	}
	r := read(t, "pytest-junit", `<testsuite><testcase classname="checks.Sums" name="t[a b]" file="checks.py" line="0"><failure message="x"/></testcase></testsuite>`,
		parse.Options{Dir: "sub"})
	assert.Equal(t, r.Tests[0].ID, "sub/checks.py::Sums::t[a b]")
	assert.Equal(t, r.Diagnostics[0].Range.Start.Line, 1)

	// A test belongs to the file that names it, whichever defines it.
	r = read(t, "pytest-junit", `<testsuite><testcase classname="tests.test_calc.TestCalc" name="t" file="tests/base.py" line="4"><failure message="x"/></testcase></testsuite>`,
		parse.Options{Exists: func(p string) bool { return p == "tests/test_calc.py" || p == "tests/base.py" }})
	assert.Equal(t, r.Tests[0].ID, "tests/test_calc.py::TestCalc::t")
	assert.Equal(t, r.Diagnostics[0].File, "tests/base.py")
	assert.Equal(t, r.Diagnostics[0].Range.Start.Line, 5)
}
