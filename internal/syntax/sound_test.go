package syntax_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/syntax"

	"pgregory.net/rapid"
)

// fault is what is wrong with the tree, as a tree; "" if nothing is.
func fault(tree *syntax.Tree) string {
	src, root := tree.Source(), tree.Root()
	var rebuilt strings.Builder
	at := 0 // how far the leaves have come
	before := -1
	wrong := 0
	for n := range root.Walk() {
		name := func() string { return fmt.Sprintf("%s [%d, %d)", n.Kind(), n.Start(), n.End()) }
		if n.Start() < 0 || n.End() < n.Start() || n.End() > len(src) || n.Text() != src[n.Start():n.End()] {
			return name() + " is not in the source"
		}
		if up := n.Parent(); n == root {
			if !up.IsZero() || !n.Next().IsZero() || !n.Prev().IsZero() {
				return name() + " is the root and has a family"
			}
		} else if up.Start() > n.Start() || up.End() < n.End() {
			return name() + " sticks out of its parent"
		}
		if n.IsError() || n.IsMissing() {
			wrong++
			for up := n; !up.IsZero(); up = up.Parent() {
				if !up.HasError() {
					return name() + " is a fault that " + up.Kind() + " does not know of"
				}
			}
		}
		if n.IsMissing() && n.Text() != "" {
			return name() + " is missing, but there"
		}
		if n.Start() < before {
			return name() + " comes after what is behind it"
		}
		before = n.Start()
		end, last, children := n.Start(), syntax.Node{}, 0
		for c := range n.Children() {
			if c.Parent() != n || children < 100 && c.Prev() != last || !last.IsZero() && last.Next() != c {
				return name() + " does not know its children"
			}
			if c.Start() < end {
				return name() + " has children that overlap"
			}
			end, last = c.End(), c
			children++
		}
		if !last.IsZero() && !last.Next().IsZero() {
			return name() + " has more children than it says"
		}
		if children == 0 {
			rebuilt.WriteString(src[at:n.Start()] + n.Text())
			at = n.End()
		}
	}
	if rebuilt.String()+src[at:] != src {
		return "the leaves and what is between them are not the source"
	}
	faults := slices.DeleteFunc(tree.Errors(), func(n syntax.Node) bool { return n.Is("block") && !n.HasError() }) // which the grammar takes
	if root.HasError() != (len(faults) > 0) {
		return fmt.Sprintf("the root has an error: %v, but there are %d", root.HasError(), len(faults))
	}
	for _, n := range faults {
		if n.IsError() || n.IsMissing() {
			wrong--
		}
	}
	if wrong != 0 {
		return fmt.Sprintf("%d errors are not told of", wrong)
	}
	return ""
}

func sound(t testing.TB, tree *syntax.Tree) {
	t.Helper()
	if wrong := fault(tree); wrong != "" {
		t.Errorf("%s: %s", tree.Lang(), wrong)
	}
}

// pieces are what sources are made of that nobody has written.
var pieces = []string{
	"def f(x):", "class A", "{", "}", "(", ")", "[", "]", "<", ">", "\n", "\n    ", "\r\n", "\t", " ", ";", ":", ",", ".", "=", "=>", "->", "'", "\"", "`", "'''", "\"\"\"", "${", "f'",
	"/*", "*/", "//", "#", "\\", "x", "y1", "ü", "日本", "\x00", "\xff", "\xc3", "\ufeff", "0x1f", "1.5e3", "return ", "if ", "else", "for ", "import ", "func ", "fn ", "package p\n", "match ", "@", "!", "?", "&&", "<a>", "</a>", "r#\"",
}

// TestAnySource: whatever the source, the tree is one, and says the same when it is asked again.
func TestAnySource(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		l := rapid.SampledFrom(syntax.Langs()).Draw(r, "language")
		src := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 60).Draw(r, "source"), "")
		tree := parse(t, l, src)
		if wrong := fault(tree); wrong != "" {
			r.Fatalf("%s", wrong)
		}
		start := rapid.IntRange(0, len(src)).Draw(r, "start")
		end := rapid.IntRange(start, len(src)).Draw(r, "end")
		if wrong := enclosingFault(tree, start, end); wrong != "" {
			r.Fatalf("%s", wrong)
		}
		if got := tree.Offset(tree.Position(start)); got != start {
			r.Fatalf("offset %d is at %v, which is offset %d", start, tree.Position(start), got)
		}
		if again := parse(t, l, src).Root().String(); again != tree.Root().String() {
			r.Fatalf("a second time it is %s, not %s", again, tree.Root())
		}
	})
}

// enclosingFault compares Enclosing with a look at every node.
func enclosingFault(tree *syntax.Tree, start, end int) string {
	got := tree.Enclosing(start, end)
	if got.IsZero() || !got.Named() {
		return "Enclosing gives no named node"
	}
	for n := range tree.Root().Walk() {
		if n.Named() && n.Start() <= start && n.End() >= end && n.End()-n.Start() < got.End()-got.Start() && start < end {
			return fmt.Sprintf("of [%d, %d) Enclosing says %s [%d, %d), but there is %s [%d, %d)", start, end, got.Kind(), got.Start(), got.End(), n.Kind(), n.Start(), n.End())
		}
	}
	if got != tree.Root() && (got.Start() > start || got.End() < end) {
		return "Enclosing gives a node that does not"
	}
	return ""
}

func FuzzParse(f *testing.F) {
	for i := range syntax.Langs() {
		f.Add(uint8(i), []byte("def f(x):\n  return f'{x}'\n"))
		f.Add(uint8(i), []byte("func f[T any](x <-chan T) { for { /* */ } }"))
		f.Add(uint8(i), []byte("\ufeffa = `${<b c={/d/}>\x00\xff</b>}`;\r\n"))
	}
	own, err := filepath.Glob("*.go")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range own {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(0), src[:min(len(src), 2000)])
	}
	f.Fuzz(func(t *testing.T, which uint8, src []byte) {
		all := syntax.Langs()
		tree, err := syntax.Parse(t.Context(), all[int(which)%len(all)], src)
		if err != nil {
			t.Fatal(err)
		}
		if tree.Source() != string(src) {
			t.Fatal("the source is another")
		}
		sound(t, tree)
		_ = tree.Root().String()
	})
}
