package search_test

import (
	"strings"
	"testing"

	"fettle/internal/fix/fixtest"
)

// A branch that alone reads what the line before it assigns is not left out: an error that is asked for is to be heard of.
func TestWhatHearsAnErrorStays(t *testing.T) {
	p := fixtest.New(t, map[string]string{
		"go.mod": "module pair\n\ngo 1.22\n",
		"pair.go": "package pair\n\nimport (\n\t\"fmt\"\n\t\"strconv\"\n\t\"strings\"\n)\n\nfunc Parse(s string) (uint64, uint64, error) {\n\tfirst, second, _ := strings.Cut(s, \".\")\n" +
			"\tvar a, b uint64\n\tvar err error\n\ta, err = strconv.ParseUint(first, 10, 64)\n\tif err != nil {\n\t\treturn 0, 0, fmt.Errorf(\"the first: %w\", err)\n\t}\n" +
			"\tb, err = strconv.ParseUint(second, 10, 64)\n\tif err == nil {\n\t\treturn 0, 0, fmt.Errorf(\"the second: %w\", err)\n\t}\n\treturn a, b, nil\n}\n",
		"pair_test.go": "package pair\n\nimport \"testing\"\n\nfunc TestParse(t *testing.T) {\n\tif a, b, err := Parse(\"1.2\"); a != 1 || b != 2 || err != nil {\n\t\tt.Fatal(a, b, err)\n\t}\n}\n\n" +
			"func TestFirst(t *testing.T) {\n\tif _, _, err := Parse(\"x.2\"); err == nil {\n\t\tt.Fatal()\n\t}\n}\n",
	})
	found := propose(t, task(t, p, "go"))
	if len(found) == 0 {
		t.Fatal("nothing was found")
	}
	for i, x := range found {
		after := patched(t, p, x.Patch, "pair.go")
		if heard := strings.Contains(after, "the second"); !heard {
			t.Errorf("proposal %d: %s", i, x.Explanation)
		}
		if i == 0 && strings.Count(after, "err != nil") != 2 {
			t.Errorf("first comes: %s", x.Explanation)
		}
	}
}

// TestAsksWhatItHears: of what passes, the branch that asks for the error just assigned comes before one that asks otherwise for something else.
func TestAsksWhatItHears(t *testing.T) {
	p := fixtest.New(t, map[string]string{
		"go.mod": "module pair\n\ngo 1.22\n",
		"pair.go": "package pair\n\nimport (\n\t\"fmt\"\n\t\"strconv\"\n\t\"strings\"\n)\n\ntype Pair struct{ A, B uint64 }\n\nfunc Parse(s string) (*Pair, error) {\n\tfirst, second, _ := strings.Cut(s, \".\")\n" +
			"\tp := &Pair{}\n\tvar err error\n\tp.A, err = strconv.ParseUint(first, 10, 64)\n\tif err != nil {\n\t\treturn nil, fmt.Errorf(\"the first: %w\", err)\n\t}\n" +
			"\tp.B, err = strconv.ParseUint(second, 10, 64)\n\tif p != nil {\n\t\treturn nil, fmt.Errorf(\"the second: %w\", err)\n\t}\n\treturn p, nil\n}\n",
		"pair_test.go": "package pair\n\nimport \"testing\"\n\nfunc TestParse(t *testing.T) {\n\tif p, err := Parse(\"1.2\"); err != nil || p.A != 1 || p.B != 2 {\n\t\tt.Fatal(p, err)\n\t}\n}\n\n" +
			"func TestFirst(t *testing.T) {\n\tif _, err := Parse(\"x.2\"); err == nil {\n\t\tt.Fatal()\n\t}\n}\n",
	})
	found := propose(t, task(t, p, "go"))
	if len(found) == 0 {
		t.Fatal("nothing was found")
	}
	if after := patched(t, p, found[0].Patch, "pair.go"); strings.Count(after, "err != nil") != 2 {
		t.Errorf("first comes: %s", found[0].Explanation)
	}
	if !found[0].Grounds.Idle || found[0].Confidence > 0.6 {
		t.Errorf("%.2f sure of what no test asks", found[0].Confidence)
	}
}

// TestKeepsGuardsAgainstNothing: of what passes, the guard that asks the other way round comes before none at all, where what stands behind it looks into what may be nothing.
func TestKeepsGuardsAgainstNothing(t *testing.T) {
	p := fixtest.New(t, map[string]string{
		"go.mod":       "module list\n\ngo 1.22\n",
		"list.go":      "package list\n\ntype node struct {\n\tvalue int\n\tnext  *node\n}\n\ntype List struct{ head *node }\n\nfunc (l *List) Add(v int) { l.head = &node{v, l.head} }\n\nfunc (l *List) Last() int {\n\tif l.head != nil {\n\t\treturn 0\n\t}\n\tn := l.head.next\n\tfor n != nil && n.next != nil {\n\t\tn = n.next\n\t}\n\tif n == nil {\n\t\treturn l.head.value\n\t}\n\treturn n.value\n}\n",
		"list_test.go": "package list\n\nimport \"testing\"\n\nfunc TestLast(t *testing.T) {\n\tvar l List\n\tl.Add(1)\n\tl.Add(2)\n\tl.Add(3)\n\tif got := l.Last(); got != 1 {\n\t\tt.Fatal(got)\n\t}\n}\n\nfunc TestOne(t *testing.T) {\n\tvar l List\n\tl.Add(7)\n\tif got := l.Last(); got != 7 {\n\t\tt.Fatal(got)\n\t}\n}\n",
	})
	found := propose(t, task(t, p, "go"))
	if len(found) == 0 {
		t.Fatal("nothing was found")
	}
	if after := patched(t, p, found[0].Patch, "list.go"); !strings.Contains(after, "if l.head == nil {\n\t\treturn 0") {
		t.Errorf("first comes: %s", found[0].Explanation)
	}
	if !found[0].Grounds.Idle || found[0].Confidence > 0.6 {
		t.Errorf("%.2f sure of what no test asks", found[0].Confidence)
	}
}
