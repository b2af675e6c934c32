package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"fettle/internal/model"
)

// A model that has begun to say the same over and over would go on until it may say no more: it is left as soon as that is plain. A table that it was shown is no such thing, nor is a short one.
func TestRepeats(t *testing.T) {
	const loop = " if weight == j else memo[i - 1, j - weight]"
	table := strings.Repeat("    [0, 0, 0, 0, 0, 0, 0, 0],\n", 60)
	for _, c := range []struct {
		name, shown, said string
		want              model.Stop
		most              int // bytes of the answer that were waited for
	}{
		{"one expression", "", `{"new": "x` + strings.Repeat(loop, 2000), model.Repeats, 2000},
		{"blanks", "", "Here it is:" + strings.Repeat("\n", 9000), model.Repeats, 2000},
		{"a longer unit", "", strings.Repeat("One moment, please: "+loop+loop+loop+" and so on.\n", 200), model.Repeats, 3000},
		{"a table that was shown", table, "rows = [\n" + table + "]\n", model.Ended, 0},
		{"a table that was not", "", "rows = [\n" + table + "]\n", model.Repeats, 1500},
		{"a short table", "", "rows = [\n" + table[:600] + "]\n", model.Ended, 0},
		{"lines that count", "", counted(400), model.Ended, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, money := serve(t, "openai", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				for rest := c.said; rest != ""; {
					n := min(7, len(rest))
					piece, _ := json.Marshal(rest[:n])
					fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", piece)
					rest = rest[n:]
				}
				fmt.Fprint(w, finish("stop"))
			}, nil)
			r := ask()
			r.Messages[0].Text += c.shown
			got, err := client.Call(t.Context(), r)
			money.settled(t)
			if err != nil || got.Stop != c.want || !strings.HasPrefix(c.said, got.Text) {
				t.Fatalf("got %q, %v; want %q", got.Stop, err, c.want)
			}
			if c.want == model.Ended && got.Text != c.said || c.most > 0 && len(got.Text) > c.most {
				t.Errorf("%d of %d bytes were taken", len(got.Text), len(c.said))
			}
		})
	}
}

func counted(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "\t\t{%d, 0, 0},\n", i)
	}
	return b.String()
}

// An answer that cannot be read and comes again in the same words, or repeats itself, is asked for more freely the next time; what was repeated is not put to the model again.
func TestAskFreer(t *testing.T) {
	loop := strings.Repeat(" and so on", 200)
	said, stop := []string{}, model.Ended
	var warmer []float64
	var last model.Request
	caller := callerFunc(func(_ context.Context, r model.Request) (model.Reply, error) {
		warmer, last = append(warmer, r.Warmer), r
		return model.Reply{Text: said[len(warmer)-1], Stop: stop}, nil
	})
	form := model.Form[string]{
		Read: func(_ context.Context, r model.Reply) (string, error) {
			return "", &model.Misread{Why: errors.New(r.Text)}
		},
		Again: func(why error) (string, error) { return why.Error(), nil },
	}
	for _, c := range []struct {
		said []string
		want bool // the third is asked for more freely
	}{{[]string{"no", "no", "no"}, true}, {[]string{"no", "never", "no"}, false}} {
		said, warmer = c.said, nil
		_, _, err := model.Ask(t.Context(), caller, ask(), form)
		if err == nil || len(warmer) != 3 || warmer[0] != warmer[1] || (warmer[2] > warmer[1]) != c.want {
			t.Errorf("%q: %v, %v", c.said, warmer, err)
		}
	}

	said, warmer, stop = []string{"Well" + loop, "Well" + loop, "no"}, nil, model.Repeats
	_, _, err := model.Ask(t.Context(), caller, ask(), form)
	if err == nil || warmer[1] <= warmer[0] {
		t.Errorf("one that repeats itself: %v, %v", warmer, err)
	}
	if got := last.Messages[1].Text; got != "Well and so on […]" {
		t.Errorf("it is told that it said %.80q", got)
	}
}
