package python

import (
	"errors"
	"fmt"
	"io/fs"
	"unicode/utf8"

	"fettle/internal/edit"
)

// attempt is what a server says of a candidate.
type attempt struct {
	Syntax string `json:"syntax"` // it does not compile
	Same   bool   `json:"same"`   // it does what the baseline does
	Of     *int   `json:"of"`     // it does what this earlier one does
	Fresh  string `json:"fresh"`  // why it cannot be tried there
	Later  string `json:"later"`  // why it takes long: modules have to be imported again
	Fuel   string `json:"fuel"`   // it runs far longer than before, and may need more fuel
	Died   string `json:"died"`   // how it took its process along
	Healed []int  `json:"healed"`
	Broken []int  `json:"broken"`
	Note   string `json:"note"`
	Dry    bool   `json:"dry"` // it heals something, and then runs longer than could be waited for, where nobody knows how long that is
	Micros int64  `json:"us"`
}

// amount is how much fuel each test of a candidate may take.
type amount string

// What a candidate is tried with first, and again where it has run dry and healed nothing. With little, those that ask for modules to be imported again
// are told, and not tried.
const (
	little amount = "steps"
	much   amount = "more"
	most   amount = "long"
)

type tryRequest struct {
	Do    string `json:"do"`
	Items []item `json:"items"`
	Fuel  amount `json:"amount"`          // for each test
	Moody []int  `json:"moody,omitempty"` // the numbers of passing tests that are left out
}

// item is [number, [[file, [[start, end, text]…]]…]].
type item [2]any

// files are a patch's edits, in the form in which a server takes them: null instead of edits for a file that is made or removed.
func (w *worker) files(p edit.Patch) ([][2]any, error) {
	var out [][2]any
	for _, c := range p {
		if err := c.Validate(); err != nil {
			return nil, err
		}
		if !w.suite.Owns(c.Path) {
			return nil, fmt.Errorf("%s is no source that these tests run", c.Path)
		}
		if c.Op != edit.Modify {
			out = append(out, [2]any{c.Path, nil})
			continue
		}
		if err := w.matches(c); err != nil {
			return nil, err
		}
		edits := make([][3]any, len(c.Edits))
		for i, e := range c.Edits {
			if !utf8.Valid(e.New) {
				return nil, fmt.Errorf("%s: the new text is not UTF-8", c.Path)
			}
			edits[i] = [3]any{e.Start, e.End, string(e.New)}
		}
		out = append(out, [2]any{c.Path, edits})
	}
	return out, nil
}

// matches checks that a change is one to the file as it is.
func (w *worker) matches(c edit.Change) error {
	text, ok := w.sources[c.Path]
	if !ok {
		var err error
		if text, err = w.suite.place.ReadFile(c.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		w.sources[c.Path] = text
	}
	if have := edit.Sum(text); have != c.Base {
		return &edit.MismatchError{Path: c.Path, Want: c.Base, Have: have}
	}
	if n := len(c.Edits); n > 0 && c.Edits[n-1].End > len(text) {
		return fmt.Errorf("%s: an edit ends behind the end of the file", c.Path)
	}
	return nil
}
