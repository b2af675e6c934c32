package runner_test

import (
	"errors"
	"slices"
	"testing"

	"fettle/internal/runner"
)

func TestInsist(t *testing.T) {
	type answer struct {
		broken []string
		ok     bool
		err    error
	}
	failure := errors.New("no process")
	for name, c := range map[string]struct {
		answers []answer // one more is none
		want    []string
		err     error
	}{
		"each time":                   {answers: []answer{{[]string{"b", "a", "new"}, true, nil}, {[]string{"a", "b"}, true, nil}}, want: []string{"a", "b"}},
		"one of them passes at last":  {answers: []answer{{[]string{"a", "b"}, true, nil}, {[]string{"b"}, true, nil}}, want: []string{"b"}},
		"they pass by turns":          {answers: []answer{{[]string{"a"}, true, nil}, {[]string{"b"}, true, nil}}},
		"they pass at once":           {answers: []answer{{nil, true, nil}}},
		"an answer that says nothing": {answers: []answer{{nil, false, nil}}, want: []string{"a", "b"}},
		"an error":                    {answers: []answer{{[]string{"a"}, true, nil}, {nil, true, failure}}, want: []string{"a"}, err: failure},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			got, err := new(runner.Doubts).Insist([]string{"a", "b"}, func() ([]string, bool, error) {
				a := c.answers[asked]
				asked++
				return a.broken, a.ok, a.err
			})
			if !slices.Equal(got, c.want) || !errors.Is(err, c.err) || asked != len(c.answers) {
				t.Errorf("%v, %v after %d answers", got, err, asked)
			}
		})
	}
}

// Where very many candidates break something, something else is wrong than chance.
func TestInsistIsBounded(t *testing.T) {
	var d runner.Doubts
	asked := 0
	for range 100 {
		if _, err := d.Insist([]string{"a"}, func() ([]string, bool, error) { asked++; return []string{"a"}, true, nil }); err != nil {
			t.Fatal(err)
		}
	}
	if asked > 16 {
		t.Errorf("asked %d times", asked)
	}
}
