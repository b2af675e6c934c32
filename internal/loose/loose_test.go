package loose_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fettle/internal/loose"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       string // the JSON
		mended     string // something that must be said of it; "": nothing may be
		broken     string // or what is wrong
		cut        bool
	}{
		{name: "strict", text: `{"a": [1, -2.5e3, "x\n\u00e9\ud83d\ude00", true, null], "b": {}}`, want: `{"a":[1,-2.5e3,"x\né😀",true,null],"b":{}}`},
		{name: "commas at the end", text: `{"a": [1, 2,], }`, want: `{"a":[1,2]}`, mended: "a comma after the last member"},
		{name: "lost commas", text: "[{\"a\": 1\n \"b\": 2}\n{\"c\": 3}]", want: `[{"a":1,"b":2},{"c":3}]`, mended: "a lost comma"},
		{name: "strings are not joined", text: "[\"a\"\n\"b\"]", broken: "a comma or"},
		{name: "comments", text: "{ // one\n\"a\": 1, # two\n /* three\n */ \"b\": 2}", want: `{"a":1,"b":2}`, mended: "a comment"},
		{name: "a comment in a string is none", text: `{"a": "// x # y /* z"}`, want: `{"a":"// x # y /* z"}`},
		{name: "single quotes", text: `{'a': 'say "x" and \'y\''}`, want: `{"a":"say \"x\" and 'y'"}`, mended: "single quotes"},
		{name: "Python", text: `{"a": True, 'b': None, "c": False}`, want: `{"a":true,"b":null,"c":false}`, mended: "the literal None"},
		{name: "names without quotes", text: `{a: 1, $b_2: 2}`, want: `{"a":1,"$b_2":2}`, mended: "a name without quotes"},
		{name: "line breaks in strings", text: "{\"a\": \"x\n\ty\"}", want: `{"a":"x\n\ty"}`, mended: "a line break"},
		{name: "three quotes", text: "{\"a\": \"\"\"x \"y\"\nz\"\"\"}", want: `{"a":"x \"y\"\nz"}`, mended: `a string in """`},
		{name: "three quotes with a backslash", text: `{"a": """x\n"""}`, broken: "may be meant or not"},
		{name: "back quotes", text: "{\"a\": `x\ny`}", want: `{"a":"x\ny"}`, mended: "a string in `"},
		{name: "back quotes that compute", text: "{\"a\": `x${y}`}", broken: "may be meant or not"},
		{name: "a backslash too few", text: `{"a": "re.match('\d+', s)"}`, want: `{"a":"re.match('\\d+', s)"}`, mended: "a backslash that should have been two"},
		{name: "a backslash too few beside others", text: `{"a": "re.match('\d+', s)\nreturn"}`, broken: "write every backslash of the code twice"},
		{name: "numbers", text: `{"a": .5, "b": +1, "c": 1.}`, want: `{"a":0.5,"b":1,"c":1}`, mended: "a number"},
		{name: "half a character", text: `{"a": "\ud800"}`, broken: "no escape of JSON"},
		{name: "a quote without its backslash", text: `{"a": "print("hi")"}`, broken: "a quote inside of a string needs a backslash"},
		{name: "twice", text: `{"a": 1, "a": 2}`, broken: `the name "a" stands twice`},
		{name: "control", text: "{\"a\": \"\x01\"}", broken: "control character"},
		{name: "cut in a string", text: `{"edits": [{"new": "x`, broken: "the text ends inside of edits[0].new", cut: true},
		{name: "cut after a member", text: `{"edits": [{"new": "x"}`, broken: "the text ends inside of edits", cut: true},
		{name: "cut in an escape", text: `{"new": "x\`, broken: "the text ends inside of new", cut: true},
		{name: "cut in a literal", text: `{"new": tr`, broken: "ends inside of new", cut: true},
		{name: "cut in a number", text: `{"new": 1`, broken: "ends inside of new", cut: true},
		{name: "cut in a comment", text: `{"new": /* 1`, broken: "ends inside of new", cut: true},
		{name: "too deep", text: strings.Repeat("[", 100), broken: "more than 64 levels"},
		{name: "no value", text: `{"a": the set}`, broken: "a value should stand here"},
		{name: "no name", text: `{1: 2}`, broken: "the name of a member"},
		{name: "no colon", text: `{"a" 1}`, broken: "a colon"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := loose.Parse(c.text, 0)
			if c.broken != "" {
				if err == nil || !strings.Contains(err.Error(), c.broken) || err.Cut != c.cut {
					t.Fatalf("got %s, %+v", got.JSON, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if string(got.JSON) != c.want || got.End != len(c.text) {
				t.Errorf("got %s up to %d", got.JSON, got.End)
			}
			if said := fmt.Sprint(got.Mended); c.mended == "" && len(got.Mended) > 0 || !strings.Contains(said, c.mended) {
				t.Errorf("mended: %s", said)
			}
		})
	}
}

func TestFind(t *testing.T) {
	found, broken := loose.Find("The set {x: all} and f[0]:\n{\"a\": {\"b\": 1}} then [2] and {\"c\": [{\"d\": 1}, {\"e\"")
	var all []string
	for _, f := range found {
		all = append(all, string(f.JSON))
	}
	if want := []string{`[0]`, `{"a":{"b":1}}`, `[2]`, `{"d":1}`}; !reflect.DeepEqual(all, want) {
		t.Errorf("found %q", all)
	}
	if len(broken) < 2 || broken[0].Cut || !reflect.DeepEqual(broken[1].Keys, []string{"c", "d"}) || !broken[1].Cut || broken[1].Line != 2 {
		t.Errorf("broken: %+v", broken)
	}
	if found, broken := loose.Find(strings.Repeat("{x", 1<<20)); len(found) > 0 || len(broken) > 200 {
		t.Errorf("%d found, %d broken", len(found), len(broken))
	}
}

func TestOne(t *testing.T) {
	for _, c := range []struct{ text, want, around string }{
		{`{"a": 1}`, `{"a":1}`, ""},
		{"So [1], and [see below]:\n{\"a\": {\"b\": []}}\nDone.", `{"a":{"b":[]}}`, "So [1], and [see below]:\n\n\nDone."},
		{`[{"a": 1}]`, "", ""}, {`{"a": 1} {"a": 1}`, "", ""}, {`{"a": 1`, "", ""}, {`f{x} = {"a": 1}`, "", ""}, {`[{"a": 1}, {"b"`, "", ""}, {`["x" {"a": 1}`, "", ""}, {"none", "", ""}, {"", "", ""},
	} {
		got, around, err := loose.One(c.text)
		if string(got.JSON) != c.want || around != c.around || (err == nil) != (c.want != "") {
			t.Errorf("%q: %s, %q, %v", c.text, got.JSON, around, err)
		}
	}
}

func TestFolded(t *testing.T) {
	for value, want := range map[string]string{`{"A":{"B":[{"C":"D"}]}}`: `{"a":{"b":[{"c":"D"}]}}`, `"A"`: `"A"`, `[]`: `[]`, `null`: `null`, `{"a":1,"A":1}`: "", `[{"x":{"y":1,"Y":2}}]`: ""} {
		got, err := loose.Folded([]byte(value))
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %s, %v", value, got, err)
		}
	}
}

func TestHolds(t *testing.T) {
	object := `{"verdict": "approve", "reason": "a b"}`
	for text, want := range map[string]bool{object: true, `x {"verdict":"approve",` + "\n" + `"reason":"a b"} y`: true, `{"command":"{\"verdict\":\n \"approve\",\"reason\":\"a b\"}"}`: true, `{"verdict": "approve"}`: false, "": false} {
		if got := loose.Holds(text, object); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// What is strict JSON means what it says, whatever stands around it.
func TestStrictStaysWhatItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.MapOf(rapid.String(), rapid.OneOf(rapid.String().AsAny(), rapid.Float64Range(-1e9, 1e9).AsAny(), rapid.Bool().AsAny(), rapid.SliceOf(rapid.String()).AsAny())).Draw(t, "value")
		b, err := json.MarshalIndent(value, "", rapid.SampledFrom([]string{"", "\t"}).Draw(t, "indent"))
		if err != nil {
			t.Fatal(err)
		}
		got, broken := loose.Parse("x"+string(b)+rapid.String().Draw(t, "after"), 1)
		if broken != nil {
			t.Fatal(broken)
		}
		var want, have any
		if json.Unmarshal(b, &want) != nil || json.Unmarshal(got.JSON, &have) != nil || !reflect.DeepEqual(want, have) || len(got.Mended) > 0 {
			t.Fatalf("got %s %v", got.JSON, got.Mended)
		}
		for n := range len(b) { // no beginning of it is taken for the whole
			if _, broken := loose.Parse(string(b[:n]), 0); broken == nil {
				t.Fatalf("%q is read", b[:n])
			}
		}
	})
}

func FuzzFind(f *testing.F) {
	f.Add(`{"a": [1, 'x', """y""", None,], b: "z\d"}`)
	f.Add("{`a`: \"\\ud83d\\ude00\", // c\n}")
	f.Fuzz(func(t *testing.T, text string) {
		found, _ := loose.Find(text)
		end := 0
		for _, x := range found {
			if !json.Valid(x.JSON) || x.Start < end || x.End <= x.Start || x.End > len(text) {
				t.Fatalf("%d–%d: %s", x.Start, x.End, x.JSON)
			}
			end = x.End
		}
	})
}
