package trees_test

import (
	"encoding/json"
	"strings"
	"testing"

	"fettle/internal/audit/trees"
)

// TestRead reads each language of configurations into one kind of tree, and says of what can be read in two ways, or by nobody, that it is none.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		name  string
		parse func([]byte) (trees.Tree, error)
		src   string
		want  string
	}{
		{"yaml: values are texts", trees.YAML, "a: 1\nb: [true, ~, x]\nc: {d: 1.50}\n", `{"a":"1","b":["true","","x"],"c":{"d":"1.50"}}`},
		{"yaml: by a name", trees.YAML, "a: &x [1]\nb: *x\n", `{"a":["1"],"b":["1"]}`},
		{"yaml: what is merged counts less than what is said, and of two the first", trees.YAML, "a: &a {x: 1, y: 1}\nb: &b {x: 2, z: 2}\nc:\n  <<: [*a, *b]\n  y: 3\n", `{"a":{"x":"1","y":"1"},"b":{"x":"2","z":"2"},"c":{"x":"1","y":"3","z":"2"}}`},
		{"yaml: a key twice", trees.YAML, "a: 1\na: 2\n", ""},
		{"yaml: a list", trees.YAML, "- a\n", ""},
		{"yaml: nothing", trees.YAML, "", ""},
		{"yaml: open", trees.YAML, "a: [1\n", ""},
		{"yaml: more than anybody writes", trees.YAML, bomb(), ""},
		{"json: comments, and a comma behind the last", trees.JSON, "{\n  // x\n  \"a\": [1, null, true,], /* y */ \"b\": 1.50,\n}", `{"a":["1","","true"],"b":"1.50"}`},
		{"json: a number of any length", trees.JSON, `{"a": 12345678901234567890}`, `{"a":"12345678901234567890"}`},
		{"json: a list", trees.JSON, `[1]`, ""},
		{"toml: tables, dots, lists over lines", trees.TOML, "a.b = 1 # c\n[d]\ne = [\n  'x', # y\n  \"z\",\n]\n[d.f]\ng = {h = true, i = 'j'}\n", `{"a":{"b":"1"},"d":{"e":["x","z"],"f":{"g":{"h":"true","i":"j"}}}}`},
		{"toml: tables in a list", trees.TOML, "[[a.b]]\nc = 1\n[[a.b]]\nc = 2\n", `{"a":{"b":[{"c":"1"},{"c":"2"}]}}`},
		{"toml: names in quotes", trees.TOML, "[\"a.b\"]\n'c d' = \"e\\\\f\"\n", `{"a.b":{"c d":"e\\f"}}`},
		{"toml: a key twice", trees.TOML, "a = 1\na = 2\n", ""},
		{"toml: a value that is a table too", trees.TOML, "a = 1\n[a]\nb = 1\n", ""},
		{"toml: a text over lines", trees.TOML, "a = '''\nb'''\n", ""},
		{"toml: two on a line", trees.TOML, "a = 1 b = 2\n", ""},
		{"toml: a day and an hour", trees.TOML, "a = 1979-05-27 07:32:00\n", `{"a":"1979-05-27 07:32:00"}`},
		{"toml: open", trees.TOML, "a = [1, 2\n", ""},
		{"toml: no value", trees.TOML, "a =", ""},
		{"ini: sections, and lines that go on", trees.INI, "x = 1\n[a b]\nc: d\ne =\n  f\n  # g\n  h\n", `{"":{"x":"1"},"a b":{"c":"d","e":"f\nh"}}`},
		{"ini: a section twice", trees.INI, "[a]\nb=1\n[a]\nc=1\n", ""},
		{"ini: a key twice", trees.INI, "[a]\nb=1\nb=2\n", ""},
		{"ini: no value", trees.INI, "[a]\nb\n", ""},
		{"properties", trees.Properties, "a.b=c d\n# e\nf: g\n", `{"a.b":"c d","f":"g"}`},
		{"properties: lines that are joined", trees.Properties, "a=b \\\n c\n", ""},
		{"properties: a section", trees.Properties, "[a]\nb=c\n", ""},
		{"xml: elements, attributes, texts", trees.XML, "<!-- x --><a b=\"1\"><c>d</c><c> e </c>f</a>", `{"a":[{"#":"f","@b":"1","c":["d","e"]}]}`},
		{"xml: open", trees.XML, "<a><b></a>", ""},
		{"xml: nothing", trees.XML, "", ""},
		{"make: what is needed, and how it is made", trees.Makefile, "X := 1\n.PHONY: all b\n\nall: b c # d\n\t@go  test \\\n\t  ./...\n\nb:\n\techo $(X)\n", `{"goal":"all","targets":{".PHONY":{"needs":["all","b"]},"all":{"needs":["b","c"],"recipe":["@go test ./..."]},"b":{"needs":null,"recipe":["echo $(X)"]}},"variables":{"X":"1"}}`},
		{"make: a goal by its name", trees.Makefile, ".DEFAULT_GOAL := b\na:\n\tx\nb:\n\ty\n", `{"goal":"b","targets":{"a":{"needs":null,"recipe":["x"]},"b":{"needs":null,"recipe":["y"]}},"variables":{}}`},
		{"make: a condition", trees.Makefile, "ifdef X\na:\n\tx\nendif\n", ""},
		{"make: a pattern", trees.Makefile, "%.o: %.c\n\tcc $<\n", ""},
		{"make: another file", trees.Makefile, "include x.mk\n", ""},
		{"make: one target in two ways", trees.Makefile, "a:\n\tx\na:\n\ty\n", ""},
		{"make: a recipe of nothing", trees.Makefile, "\tx\n", ""},
	} {
		tree, err := c.parse([]byte(c.src))
		got := ""
		if err == nil {
			text, _ := json.Marshal(tree)
			got = string(text)
		}
		if got != c.want {
			t.Errorf("%s: %s (%v), want %s", c.name, got, err, c.want)
		}
	}
}

// bomb is a small text that stands for a great many values.
func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 6 {
		at := string(rune('0' + i))
		next := string(rune('1' + i))
		b.WriteString("a" + next + ": &a" + next + " [" + strings.TrimSuffix(strings.Repeat("*a"+at+", ", 10), ", ") + "]\n")
	}
	return b.String()
}

// TestAsk asks trees for what should be there, and gets nothing where it is something else.
func TestAsk(t *testing.T) {
	tree, err := trees.YAML([]byte("a: {b: [x, {c: 1}, '']}\nn: 80.5%\none: [{d: e}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	list := trees.At(tree, "a", "b")
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"a text in a list", trees.First(list), "x"},
		{"the texts of a list", strings.Join(trees.Words(list), " "), "x"},
		{"the texts of one that is none", strings.Join(trees.Words("y"), " "), "y"},
		{"a list of one that is none", len(trees.List("y")), 1},
		{"a list of nothing", len(trees.List(nil)), 0},
		{"a text of a list", trees.Text(list), ""},
		{"below what is none", trees.Text(trees.At(tree, "n", "b")), ""},
		{"a tree of a text", len(trees.Of("y")), 0},
		{"what is a tree", trees.Is(trees.At(tree, "a")), true},
		{"what is none", trees.Is(list), false},
		{"the only one", trees.Text(trees.One(tree["one"])["d"]), "e"},
		{"the only one of several", len(trees.One(list)), 0},
		{"of a written list", strings.Join(trees.Items(`["a", 'b', (c)]`), " "), "a b c"},
		{"without others", strings.Join(trees.Without([]string{"a", "b", "a"}, []string{"a"}), " "), "b"},
		{"less often", len(trees.Lacking([]string{"a", "a", "b"}, []string{"a"}, func(s string) string { return s })), 2},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	if n, ok := trees.Number(tree["n"]); !ok || n != 80.5 {
		t.Errorf("a number in percent: %v %v", n, ok)
	}
	if _, ok := trees.Number("x"); ok {
		t.Error("a word is a number")
	}
	for text, want := range map[string]trees.Truth{"true": trees.Yes, "On": trees.Yes, `"yes"`: trees.Yes, "no": trees.No, "'off';": trees.No, "1": trees.Neither, "": trees.Neither} {
		if got := trees.TruthOf(text); got != want {
			t.Errorf("TruthOf(%q) = %v", text, got)
		}
	}
}
