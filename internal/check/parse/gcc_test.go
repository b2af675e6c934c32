package parse_test

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// Messages in the manner of gcc, as several tools print them, and what stands between.
func TestGCC(t *testing.T) {
	o := among("a.c", "sub/b.c", "sub/deep/c.h", "my dir/d.c", "Makefile", "x.sh", "12")
	o.Dir = ""
	for name, tc := range map[string]struct{ text, want string }{
		"gcc": {"In file included from a.c:1:\nsub/deep/c.h:3:1: fatal error: x.h: No such file or directory\n    3 | #include <x.h>\n      |          ^~~~~\ncompilation terminated.\n",
			"sub/deep/c.h:3:1  error\n\tx.h: No such file or directory\n"},
		"clang":                 {"a.c:3:5: warning: unused [-Wunused]\na.c:4:5: remark: r [-Rpass]\n1 warning generated.\n", "a.c:3:5  warning rule=-Wunused\n\tunused\na.c:4:5  error rule=-Rpass\n\tremark: r\n"},
		"shellcheck":            {"x.sh:3:8: note: Double quote to prevent globbing. [SC2086]\n", "x.sh:3:8  info rule=SC2086\n\tDouble quote to prevent globbing.\n"},
		"a folder with a space": {"/repo/my dir/d.c:1:2: error: bad\n", "my dir/d.c:1:2  error\n\tbad\n"},
		"folders of make": {"make: Entering directory '/repo/sub'\nmake[1]: Entering directory '/repo/sub/deep'\nc.h:1:1: error: in deep\nmake[1]: Leaving directory '/repo/sub/deep'\nb.c:1:1: error: in sub\nmake: Leaving directory '/repo/sub'\na.c:1:1: error: in the root\n",
			"sub/deep/c.h:1:1  error\n\tin deep\nsub/b.c:1:1  error\n\tin sub\na.c:1:1  error\n\tin the root\n"},
		"make stops":          {"a.c:1:1: error: bad\na.c:2:1: warning: odd\nmake: *** [Makefile:3: a.o] Error 1\n", "a.c:1:1  error masks=check\n\tbad\na.c:2:1  warning\n\todd\n"},
		"a broken Makefile":   {"Makefile:3: *** missing separator.  Stop.\n", "Makefile:3:0  error\n\t*** missing separator.  Stop.\n"},
		"the linker":          {"/usr/bin/ld: /tmp/x.o: in function `main':\n/repo/a.c:7: undefined reference to `f'\n/usr/bin/ld: a.c:(.text+0x5): undefined reference to `g'\n", "a.c:7:0  error\n\tundefined reference to `f'\na.c:0:0  error\n\tundefined reference to `g'\n"},
		"an assertion":        {"prog: a.c:9: main: Assertion `x' failed.\n", "a.c:9:0  error\n\tmain: Assertion `x' failed.\n"},
		"no places":           {"12:03:55 hello\nhttp://example.com:80/a.c\na.c\na.c:\na.c:x\nb.c:1:2: not there\na.c:0:1: no line\n::1:2: x\n", ""},
		"a name like a place": {"a.c:1:2\na.c:3:4:\n", ""},
	} {
		assert.Equal(t, describe(read(t, "gcc", tc.text, o)), tc.want, name)
	}
}

// Make's folders may be unbalanced without end.
func TestGCCFoldersAreBounded(t *testing.T) {
	text := strings.Repeat("make[1]: Entering directory '/repo/sub'\n", 5000) + strings.Repeat("make[1]: Leaving directory '/repo/sub'\n", 6000) + "a.c:1:2: error: bad\n"
	assert.Equal(t, describe(read(t, "gcc", text, among("a.c"))), "a.c:1:2  error\n\tbad\n")
}

func FuzzGCC(f *testing.F) {
	fuzz(f, "gcc", "make: Entering directory '/repo/../x'\na.c:1:2: error: x [y]\n", "x(1,2): error X1: y\n", "title\n --> a.c:1:2\n")
}
