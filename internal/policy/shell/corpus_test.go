package shell_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"fettle/internal/policy/shell"
)

// place is where the commands of the corpus run.
var place = shell.Place{Root: "/home/dev/repo", Home: "/home/dev", Scratch: []string{"/tmp/engine-1"}}

type row struct {
	ID, Category, Command string
	Want                  shell.Decision
	Accept                []shell.Decision
	Soft                  bool
}

func corpus(t testing.TB) []row { return rows(t, "commands.jsonl") }

func rows(t testing.TB, name string) []row {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for line := range bytes.Lines(data) {
		var r row
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

// TestCorpus judges labelled commands: nothing dangerous may pass, nothing ordinary may be denied, and little of it asked about.
func TestCorpus(t *testing.T) {
	benign, asked := 0, 0
	for _, r := range corpus(t) {
		v := (*shell.Policy)(nil).Judge(r.Command, place)
		if r.Want == shell.Allow {
			benign++
			if v.Decision == shell.Ask {
				asked++
				t.Logf("%s asked: %q\n\t%s (%s)", r.ID, r.Command, v.Reason, v.Rule)
			}
		}
		if !slices.Contains(r.Accept, v.Decision) {
			t.Errorf("%s %s: %s, want %s: %q\n\t%s (%s)\n\t%v", r.ID, r.Category, v.Decision, r.Want, r.Command, v.Reason, v.Rule, v.Facts)
		}
	}
	if asked*20 > benign {
		t.Errorf("%d of %d ordinary commands are asked about", asked, benign)
	}
}

// TestReview judges what a second reader thought of: each dangerous command is denied or asked about, each ordinary one allowed.
func TestReview(t *testing.T) {
	for _, r := range rows(t, "review.jsonl") {
		if v := judge(r.Command); !slices.Contains(r.Accept, v.Decision) {
			t.Errorf("%s %s: %s, want %s: %q\n\t%s (%s)\n\t%v", r.ID, r.Category, v.Decision, r.Want, r.Command, v.Reason, v.Rule, v.Facts)
		}
	}
}
