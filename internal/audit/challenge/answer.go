package challenge

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"fettle/internal/loose"
	"fettle/internal/model"
)

// mark is what the model says of one issue. Some say in a score and a status of their own, too, what they have said already.
type mark struct {
	Code     string             `json:"code"`
	Solved   *bool              `json:"solved"`
	Marks    map[string]float64 `json:"quality"`
	Feedback string             `json:"feedback"`
	Missing  []string           `json:"missing"`
	Score    *float64           `json:"score"`
	Status   string             `json:"status"`

	quality Quality
	most    int // what it scores at most, by its own word
}

// read takes an answer for what it is, or not at all. It is the one object in what the model says, whatever stands around it; but marks that let everything through count among other words
// only where they were not there to be quoted in what it was shown.
func read(r model.Reply, issues []Issue, shown string) (map[string]mark, error) {
	switch r.Stop { //nolint:exhaustive // the others are whole answers or none, which the form tells
	case model.Cut:
		return nil, errors.New("it was cut at the limit of its length")
	case model.Repeats:
		return nil, errors.New("it says the same over and over")
	case model.Refused:
		return nil, errors.New("it is a refusal")
	}
	text := model.Unfenced(r.Text)
	found, around, err := loose.One(text)
	if err != nil {
		return nil, fmt.Errorf("it is not the JSON that was asked for: %w", err)
	}
	if around != "" && loose.Holds(shown, text[found.Start:found.End]) {
		return nil, errors.New("its JSON stands in what it was shown, and may be a quotation")
	}
	var answer struct {
		Issues []mark `json:"issues"`
	}
	folded, err := loose.Folded(found.JSON)
	if err == nil {
		err = json.Unmarshal(folded, &answer)
	}
	if err != nil {
		return nil, fmt.Errorf("it is not the JSON that was asked for: %w", err)
	}
	return about(answer.Issues, issues)
}

// about are the marks of each issue, by its code.
func about(all []mark, issues []Issue) (map[string]mark, error) {
	wanted := map[string]bool{}
	for _, i := range issues {
		wanted[i.Code] = true
	}
	marks := map[string]mark{}
	for _, m := range all {
		if !wanted[m.Code] {
			return nil, fmt.Errorf("nobody asked about an issue %.60q", m.Code)
		}
		if _, twice := marks[m.Code]; twice {
			return nil, fmt.Errorf("it answers twice about %s", m.Code)
		}
		if err := m.weigh(); err != nil {
			return nil, fmt.Errorf("about %s %w", m.Code, err)
		}
		marks[m.Code] = m
	}
	for _, i := range issues {
		if _, ok := marks[i.Code]; !ok {
			return nil, fmt.Errorf("it says nothing about %s", i.Code)
		}
	}
	return marks, nil
}

// weigh makes marks of what stands there, if that is whole, and does not contradict itself. Parts of a mark are given away.
func (m *mark) weigh() error {
	if m.Solved == nil || m.Marks == nil {
		return errors.New("it does not say whether it is solved, or gives no marks")
	}
	for name, to := range map[string]*int{"correctness": &m.quality.Correctness, "safety": &m.quality.Safety, "minimality": &m.quality.Minimality, "style": &m.quality.Style} {
		n, ok := m.Marks[name]
		if !ok {
			return fmt.Errorf("it gives no mark for %s", name)
		}
		if n < 0 || n > 100 {
			return errors.New("it gives marks that are not between 0 and 100")
		}
		*to = int(math.Floor(n))
	}
	m.most = 100
	if m.Score != nil {
		m.most = int(math.Floor(max(0, min(100, *m.Score))))
	}
	switch strings.ToUpper(m.Status) {
	case "SOLVED", "APPROVED":
		if !*m.Solved {
			return errors.New("it says both that it is solved and that it is not")
		}
	case "IN_PROGRESS", "NEEDS_IMPROVEMENT", "REJECTED":
		if *m.Solved {
			return errors.New("it says both that it is solved and that it is not")
		}
	}
	return nil
}
