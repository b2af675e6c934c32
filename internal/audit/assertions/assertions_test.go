package assertions_test

import (
	"fmt"
	"strings"
	"testing"

	"fettle/internal/audit/assertions"
	"fettle/internal/audit/parts"
	"fettle/internal/code"
)

// within is a source of a test that holds some statements.
var within = map[string]string{
	"py":   "def test_add():\n    %s\n",
	"js":   "it('adds', async () => {\n    %s\n});\n",
	"go":   "package a\n\nfunc TestAdd(t *testing.T) {\n    %s\n}\n",
	"java": "class AddTest {\n    @Test\n    void adds() {\n    %s\n    }\n}\n",
}

// only is the one test of a source.
func only(t *testing.T, ext, src string) *code.Node {
	t.Helper()
	f := parts.Read("a."+ext, []byte(src))
	if parts.Broken(f) {
		t.Fatalf("cannot be read: %s", src)
	}
	for n := range f.Root.Walk() {
		if assertions.TestName(n) != "" {
			return n
		}
	}
	t.Fatalf("no test: %s", src)
	return nil
}

// TestOf tells what statements of tests demand, and how much.
func TestOf(t *testing.T) {
	const nothing, truthy, different, some, ordered, equal, settled, constant = assertions.Nothing, assertions.Truthy, assertions.Different, assertions.Within, assertions.Ordered, assertions.Equal,
		assertions.Settled, assertions.Constantly
	for _, c := range []struct {
		ext, stmts string
		about      string
		want       []assertions.Strength
	}{
		{"py", "assert add(2, 3)", "add(2,3)", []assertions.Strength{truthy}},
		{"py", "assert add(2, 3) == 5", "add(2,3)", []assertions.Strength{constant}},
		{"py", "assert add(2, 3) == x", "add(2,3)", []assertions.Strength{equal}},
		{"py", "assert add(2, 3) is None", "add(2,3)", []assertions.Strength{settled}},
		{"py", "assert add(2, 3) > 4 and x in y", "add(2,3) x", []assertions.Strength{ordered, some}},
		{"py", "assert add(2, 3) == 5 or x", "add(2,3)==5orx", []assertions.Strength{nothing}},
		{"py", "self.assertNotEqual(add(2, 3), 6)", "add(2,3)", []assertions.Strength{different}},
		{"py", "assert 1", "1", []assertions.Strength{nothing}},
		{"py", "return\n    assert x == 5", "", nil},
		{"py", "with pytest.raises(E):\n        add(2)\n        assert x == 5", "", nil},
		{"js", "expect(add(2, 3)).toBe(5);", "add(2,3)", []assertions.Strength{constant}},
		{"js", "expect(add(2, 3)).not.toBe(6);", "add(2,3)", []assertions.Strength{different}},
		{"js", "setTimeout(() => expect(x).toBe(5));", "x", []assertions.Strength{nothing}},
		{"js", "if (false) { expect(x).toBe(5); }", "", nil},
		{"js", "expect(load(1)).resolves.toBe(5);", "load(1)", []assertions.Strength{nothing}},
		{"js", "await expect(load(1)).resolves.toBe(5);", "load(1)", []assertions.Strength{constant}},
		{"go", "if add(2, 3) != 5 { t.Fatal() }", "add(2,3)", []assertions.Strength{constant}},
		{"go", "if add(2, 3) != 5 { t.Log() }", "", nil},
		{"go", "require.Equal(t, 5, add(2, 3))", "add(2,3)", []assertions.Strength{constant}},
		{"go", "require.Equal(t, true, holds(2))", "holds(2)", []assertions.Strength{truthy}},
		{"go", "require.NotEqual(t, true, holds(2))", "holds(2)", []assertions.Strength{truthy}},
		{"java", "assertNotEquals(true, holds(2));", "holds(2)", []assertions.Strength{truthy}},
		{"java", "assertThat(add(2, 3)).isEqualTo(5);", "add(2,3)", []assertions.Strength{constant}},
		{"java", "assertTrue(add(2, 3) == 5);", "add(2,3)", []assertions.Strength{constant}},
	} {
		var about []string
		var got []assertions.Strength
		for _, a := range assertions.Of(only(t, c.ext, fmt.Sprintf(within[c.ext], c.stmts))) {
			about, got = append(about, a.About), append(got, a.Says)
		}
		if strings.Join(about, " ") != c.about || fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s demands %v of %q, want %v of %q", c.stmts, got, about, c.want, c.about)
		}
	}
}

// TestGrown tells which tests demand all that they did, and more.
func TestGrown(t *testing.T) {
	const was = "x = add(2, 3)\n    assert x"
	for is, want := range map[string]bool{
		was:                                true,
		"x = add(2, 3)\n    assert x == 5": true,
		"x = add(2, 3)\n    assert x\n    assert add(1) == 1": true,
		"x = add(2, 3)\n    assert x == 0":                    false,
		"x = add(2, 3)\n    assert x is None":                 false,
		"x = add(2, 3)\n    assert x != 5":                    false,
		"x = add(2, 3)\n    assert x in (0, 5)":               false,
		"x = add(2, 3)":                                       false,
		"x = add(2, 4)\n    assert x":                         false,
		"x = add(2, 3)\n    x = 1\n    assert x":              false,
	} {
		a, b := only(t, "py", fmt.Sprintf(within["py"], was)), only(t, "py", fmt.Sprintf(within["py"], is))
		if got := assertions.Grown(a, b); got != want {
			t.Errorf("Grown to %q = %v", is, got)
		}
	}
}

// TestTestName tells what runners call tests.
func TestTestName(t *testing.T) {
	for _, c := range []struct{ ext, src, want string }{
		{"py", "class TestCart:\n    def test_add(self):\n        pass\n", "TestCart.test_add"},
		{"js", "describe('cart', () => {\n  test.each([1])('adds', (n) => {});\n});\n", `"cart" "adds"`},
		{"go", "package a\n\nfunc Testing() {}\n\nfunc FuzzAdd(f *testing.F) {}\n", "FuzzAdd"},
		{"java", within["java"], "AddTest.adds"},
	} {
		if got := assertions.TestName(only(t, c.ext, strings.ReplaceAll(c.src, "%s", ""))); got != c.want {
			t.Errorf("TestName = %q, want %q", got, c.want)
		}
	}
}
