package likely_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"fettle/internal/runner/likely"
)

func calls(t testing.TB, function string, args ...string) (out []likely.Call) {
	t.Helper()
	for _, a := range args {
		v, err := likely.Decode([]byte(a))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, likely.Call{Function: function, Args: v})
	}
	return out
}

// What is made keeps to what is true of all that was given.
func TestMoreKeepsToWhatIsTrue(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		true func(args []any) bool
	}{
		{"never negative", []string{`[0, 5]`, `[3, 9]`}, func(a []any) bool { return a[0].(int64) >= 0 && a[1].(int64) >= 1 }},
		{"in order, and each once", []string{`[[1, 4, 9], 4]`, `[[2, 3], 1]`}, func(a []any) bool {
			list := a[0].([]any)
			for i := 1; i < len(list); i++ {
				if list[i-1].(int64) >= list[i].(int64) {
					return false
				}
			}
			return len(list) > 0
		}},
		{"letters", []string{`["abba"]`, `["b"]`}, func(a []any) bool {
			for _, r := range a[0].(string) {
				if r != 'a' && r != 'b' {
					return false
				}
			}
			return a[0] != ""
		}},
		{"brackets", []string{`["(())"]`, `["()()"]`}, func(a []any) bool {
			depth := 0
			for _, r := range a[0].(string) {
				if r == '(' {
					depth++
				} else if depth--; depth < 0 {
					return false
				}
			}
			return depth == 0
		}},
		{"flags stay", []string{`[true, null, 1]`}, func(a []any) bool { return a[0] == true && a[1] == nil }},
		{"never empty", []string{`[{"a": 1, "b": -2}]`}, func(a []any) bool { return len(a[0].(map[string]any)) > 0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := calls(t, "f", c.args...)
			all := likely.More(given, 300)
			if len(all) < len(given)+3 {
				t.Errorf("only %v", all)
			}
			if !reflect.DeepEqual(all[:len(given)], given) {
				t.Errorf("what was given does not come first: %v", all[:len(given)])
			}
			for _, one := range all {
				if !c.true(one.Args) {
					t.Errorf("%v", one.Args)
				}
			}
		})
	}
}

// What lets the equal case in is told from what does not only where two arguments meet.
func TestMoreMeets(t *testing.T) {
	for _, c := range []struct {
		name  string
		args  []string
		meets func(args []any) bool
	}{
		{"a number with the first of a list", []string{`[1200, [3, 5, 9, 17, 33]]`, `[2000, [400, 800, 900, 1000]]`}, func(a []any) bool { return a[0] == a[1].([]any)[0] }},
		{"a text with another", []string{`["abc", "bca"]`}, func(a []any) bool { return a[0] == a[1] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if all := likely.More(calls(t, "f", c.args...), 60); !slices.ContainsFunc(all, func(one likely.Call) bool { return c.meets(one.Args) }) {
				t.Errorf("none of %v", all)
			}
		})
	}
}

// Whatever was given, the same comes of it each time, nothing twice, with as many arguments of the same kinds, and what was given is not changed.
func TestMoreIsSteady(t *testing.T) {
	value := rapid.Deferred(func() *rapid.Generator[any] { return values(2) })
	rapid.Check(t, func(t *rapid.T) {
		lists := rapid.SliceOfN(rapid.SliceOfN(value, 1, 3), 1, 4).Draw(t, "calls")
		var given []likely.Call
		for _, args := range lists {
			given = append(given, likely.Call{Function: "f", Args: args})
		}
		before, _ := json.Marshal(given)
		all := likely.More(given, 60)
		if after, _ := json.Marshal(given); string(after) != string(before) {
			t.Fatalf("%s became %s", before, after)
		}
		if again := likely.More(given, 60); !reflect.DeepEqual(all, again) {
			t.Fatal("another time, others are made")
		}
		var seen []string
		for _, c := range all {
			text, err := json.Marshal(c.Args)
			if err != nil {
				t.Fatal(err)
			}
			if slices.Contains(seen, string(text)) {
				t.Fatalf("%s comes twice", text)
			}
			seen = append(seen, string(text))
			if !slices.ContainsFunc(lists, func(args []any) bool { return sameKinds(args, c.Args) }) {
				t.Fatalf("%s is like none of %s", text, before)
			}
		}
	})
}

func values(depth int) *rapid.Generator[any] {
	kinds := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.Int64Range(-100, 100).AsAny(), rapid.Float64Range(-5, 5).AsAny(), rapid.StringN(0, 5, 10).AsAny(),
	}
	if depth > 0 {
		kinds = append(kinds, rapid.SliceOfN(values(depth-1), 0, 4).AsAny(), rapid.MapOfN(rapid.StringN(0, 3, 6), values(depth-1), 0, 3).AsAny())
	}
	return rapid.OneOf(kinds...)
}

func sameKinds(a, b []any) bool {
	return slices.EqualFunc(a, b, func(x, y any) bool { return reflect.TypeOf(x) == reflect.TypeOf(y) })
}

func TestDecode(t *testing.T) {
	got, err := likely.Decode([]byte(`[1, -2.5, "a", [true, null], {"k": 1e3}, 12345678901234567890]`))
	want := []any{int64(1), -2.5, "a", []any{true, nil}, map[string]any{"k": 1000.0}, 12345678901234567890.0}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%#v, %v", got, err)
	}
	if _, err := likely.Decode([]byte(`{}`)); err == nil {
		t.Error("an object is no list of arguments")
	}
}

// A value of a kind that nobody knows here stays what it is, wherever it stands.
func TestMoreKeepsWhatItDoesNotKnow(t *testing.T) {
	type object struct{ ID int }
	had := []likely.Call{{Function: "f", Args: []any{object{1}, int64(3), []any{object{2}, object{3}}}}, {Function: "f", Args: []any{object{1}, int64(0), []any{}}}}
	got := likely.More(had, 100)
	if len(got) < 20 {
		t.Errorf("%d calls", len(got))
	}
	for _, c := range got {
		for _, v := range append([]any{c.Args[0]}, c.Args[2].([]any)...) {
			if o, ok := v.(object); !ok || o.ID < 1 || o.ID > 3 {
				t.Errorf("%v", c.Args)
			}
		}
	}
	if some := likely.More([]likely.Call{{Function: "f", Args: []any{object{1}}}}, 100); len(some) != 1 {
		t.Errorf("of an object alone: %v", some)
	}
}
