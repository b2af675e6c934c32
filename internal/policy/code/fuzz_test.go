package code_test

import (
	"testing"

	"fettle/internal/policy/code"
)

// No source makes the reader crash, and no change brings in what was there before.
func FuzzFind(f *testing.F) {
	f.Add("a.py", "x, *y = f'{eval(a)}' 'b', **{")
	f.Add("a.js", "const {a: b, ...c} = (0, e)[`x${1}`]; new (class {}).constructor('')")
	f.Add("a.go", "package p\nimport . \"os\"\nfunc f() { x[1:2](<-c) }")
	f.Add("A.java", "class A<T> { int x = ((Runnable) () -> {}).hashCode(); }")
	f.Add("a.py", "{\"verify_ssl\": not}")
	f.Add("a.js", "import('fs').then(() => 1).then(); a.then(({x: , y}) => y)")
	f.Add("a.sh", "for i in")
	f.Add("a.go", "package p\ntype board map[point]string\nvar start = board{{1, 2}: \"a\"}\nvar a = start.at(p)")
	f.Fuzz(func(t *testing.T, path, src string) {
		fresh, err := code.Change(t.Context(), path, []byte(src), []byte(src))
		if err == nil && len(fresh) > 0 {
			t.Errorf("%q brings in %v over itself", src, fresh)
		}
	})
}
