package audit_test

import (
	"slices"
	"testing"

	"fettle/internal/audit"
)

// TestSameName are functions and tests of which several have one name: each is held against the one it was.
func TestSameName(t *testing.T) {
	const (
		py    = "import sys\n\n\nif sys.platform == 'win32':\n\n    def start(who):\n        register(who)\n        return True\n\nelse:\n\n    def start(who):\n        \"\"\"\n        There is nothing to do.\n        \"\"\"\n\n\ndef register(who):\n    print(who)\n"
		one   = "def start(who):\n    print(who)\n    return True\n\n\ndef stop(who):\n    print(who)\n"
		java  = "package a;\n\nimport org.junit.Test;\nimport static org.junit.Assert.assertEquals;\n\npublic class ReaderTest {\n  @Test\n  public void testFails() {\n    testFails(\"a\", 1);\n    assertEquals(1, new Reader(\"a\").line());\n  }\n\n  private void testFails(String text, int line) {\n    assertEquals(line, new Reader(text).line());\n  }\n}\n"
		ts    = "take(one, { filter: message => {} });\ntake(one, { filter: message => message.ok });\n"
		first = "    def start(who):\n        register(who)\n        return True\n"
	)
	for _, c := range []struct {
		change
		rule string
		want []string
	}{
		{change{"python: another line", "shop.py", py, "print(who)", "print(who, 1)"}, "placeholder", nil},
		{change{"python: the one that did something", "shop.py", py, first, "    def start(who):\n        pass\n"}, "placeholder", []string{"refuse placeholder"}},
		{change{"python: they change places", "shop.py", py, "== 'win32'", "!= 'win32'"}, "placeholder", nil},
		{change{"python: each has the other's body", "shop.py", py, first + "\nelse:\n\n    def start(who):\n        \"\"\"\n        There is nothing to do.\n        \"\"\"\n", "    def start(who):\n        pass\n\nelse:\n\n    def start(who):\n        register(who)\n        return True\n"}, "placeholder", []string{"refuse placeholder"}},
		{change{"python: only the empty one is left", "shop.py", py, "if sys.platform == 'win32':\n\n" + first + "\nelse:\n\n    def", "if True:\n\n    def"}, "placeholder", []string{"refuse placeholder"}},
		{change{"python: an empty one behind a condition that holds", "shop.py", one, "def start(who):\n    print(who)\n    return True\n", "if True:\n\n    def start(who):\n        pass\n\nelse:\n\n    def start(who):\n        print(who)\n        return True\n"}, "placeholder", []string{"refuse placeholder"}},
		{change{"python: one more, beside an empty one", "shop.py", py, "else:\n\n", "elif sys.platform == 'darwin':\n\n    def start(who):\n        pass\n\nelse:\n\n"}, "placeholder", []string{"refuse placeholder"}},
		{change{"script: a line more behind callbacks", "shop.test-d.ts", ts, "take(one, { filter: message => {} });\n", "take(one, { filter: message => {} });\ntake(one);\n"}, "placeholder", nil},

		{change{"java: a test beside a helper of its name", "src/test/java/a/ReaderTest.java", java, "    testFails(\"a\", 1);", "    testFails(\"b\", 1);\n    testFails(\"a\", 1);"}, "skipped-test", nil},
		{change{"java: the test is private", "src/test/java/a/ReaderTest.java", java, "  @Test\n  public void", "  @Test\n  private void"}, "skipped-test", []string{"ask skipped-test"}},
		{change{"java: the test takes what nobody gives it", "src/test/java/a/ReaderTest.java", java, "public void testFails()", "private void testFails(long unused)"}, "skipped-test", []string{"ask skipped-test"}},
		{change{"java: the helper is the test's mask", "src/test/java/a/ReaderTest.java", java, "  @Test\n  public void testFails() {\n    testFails(\"a\", 1);\n    assertEquals(1, new Reader(\"a\").line());\n  }\n\n  private void testFails(String", "  private void testFails() {\n    testFails(\"a\", 1);\n    assertEquals(1, new Reader(\"a\").line());\n  }\n\n  public void testFails(String"}, "skipped-test", []string{"ask skipped-test"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := audit.By(t.Context(), c.rule, c.input(t))
			if got := effects(r); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q\n%v", got, c.want, r.Findings)
			}
		})
	}
}
