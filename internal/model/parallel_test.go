package model_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fettle/internal/budget"
	"fettle/internal/model"
	"fettle/internal/policy/secret"
	"fettle/internal/store"
)

// TestTwoHundredAtATime: two hundred calls are under way at the same moment, each caller hears its own answers in its own order, and the books on the disk are exact to the billionth
// of a dollar.
func TestTwoHundredAtATime(t *testing.T) {
	const callers, each = 200, 2
	var file strings.Builder
	want := budget.Money(0)
	for i := range callers {
		for j := range each {
			fmt.Fprintf(&file, `{"last":"caller %d.","say":"answer %d of %d","usage":{"input":%d,"output":%d}}`+"\n", i, j, i, 1000+i, 7*j+1)
			want += budget.Money(1000+i)*250 + budget.Money(7*j+1)*1500
		}
	}
	script, err := model.ReadScript("s.jsonl", []byte(file.String()))
	if err != nil {
		t.Fatal(err)
	}
	table, err := model.Default().WithOwn(model.Own{
		Providers: map[string]model.Service{"play": {Kind: "script", Script: "s.jsonl", Parallel: callers}},
		Models:    map[string]model.Price{"play/m": {Input: number(0.25), Output: number(1.5)}},
		Tiers:     map[model.Tier][]string{model.Standard: {"play/m"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	played, all, under := model.Scripted("play", script), make(chan struct{}), atomic.Int64{}
	play := asker{"play", func(ctx context.Context, name string, r model.Request) (model.Reply, error) {
		if under.Add(1) == callers {
			close(all)
		}
		select {
		case <-all:
			return played.Call(ctx, name, r)
		case <-ctx.Done():
			return model.Reply{}, ctx.Err()
		}
	}}
	db, most := books(t), budget.Dollars(1000)
	client := model.New(model.Options{Table: table, Purse: &budget.Ledger{DB: db, Session: "s", Limits: budget.Limits{Session: &most}}, Bounded: true, Providers: []model.Provider{play}})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	sums := make([]budget.Money, callers)
	for i := range callers {
		wg.Go(func() {
			for j := range each {
				r := ask()
				r.Messages[0].Text = fmt.Sprintf("This is caller %d.", i)
				got, err := client.Call(ctx, r)
				if err != nil || got.Text != fmt.Sprintf("answer %d of %d", j, i) {
					t.Errorf("caller %d, %d: %q, %v", i, j, got.Text, err)
				}
				sums[i] += got.Cost
			}
		})
	}
	wg.Wait()
	told := budget.Money(0)
	for _, s := range sums {
		told += s
	}
	sum, err := budget.Spent(t.Context(), db, budget.Query{}, budget.ByModel)
	if total := budget.Total(sum); err != nil || total.Cost != want || told != want || total.Calls != callers*each || total.Open != 0 {
		t.Errorf("in the books %+v, told %d, want %d, %v", total, told, want, err)
	}
}

// books are books on the disk.
func books(t testing.TB) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// TestParallelCallsNeverSpendMoreThanThereIs has more calls at a time than the purse can pay.
func TestParallelCallsNeverSpendMoreThanThereIs(t *testing.T) {
	client, money, _ := chain(t, model.Own{}, model.Options{}, func(int) error { return nil }, func(int) error { return nil })
	money.limit = budget.Dollars(0.1)
	var wg sync.WaitGroup
	for range 50 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_, err := client.Call(t.Context(), ask())
			var e *model.Error
			if err != nil && (!errors.As(err, &e) || e.Kind != model.Spent) {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
	if money.peak > money.limit || len(money.bills) == 0 {
		t.Errorf("at most %v was spent or reserved, %d bills", money.peak, len(money.bills))
	}
	money.settled(t)
}

// TestACallEndsWhereverItIs: the context ends while a call waits for its turn, for the server, and in the midst of the answer. Nothing runs on, and the books are closed.
func TestACallEndsWhereverItIs(t *testing.T) {
	for _, wire := range []string{"openai", "anthropic"} {
		for _, where := range []string{"before the answer", "in the answer", "while it waits for its turn", "before the call"} {
			t.Run(wire+" "+where, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				reached := make(chan struct{}, 2)
				client, money := serve(t, wire, func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					if where == "in the answer" {
						w.Header().Set("Content-Type", "text/event-stream")
						fmt.Fprint(w, map[string]string{"openai": "data: " + hello, "anthropic": begin}[wire])
						w.(http.Flusher).Flush()
					}
					reached <- struct{}{}
					<-r.Context().Done()
				}, func(o *model.Options) {
					s := o.Table.Providers["here"]
					s.Parallel = 1
					o.Table.Providers["here"] = s
				})
				over := make(chan error, 2)
				start := func() { _, err := client.Call(ctx, ask()); over <- err }
				n := 1
				if where == "before the call" {
					cancel()
					go start()
				} else {
					go start()
					<-reached
				}
				if where == "while it waits for its turn" {
					go start()
					n = 2
				}
				cancel()
				for range n {
					if err := <-over; !errors.Is(err, context.Canceled) {
						t.Errorf("%v", err)
					}
				}
				money.settled(t)
				if want := map[string]int{"before the call": 0}; len(money.bills) > 1 || len(money.bills) == 1 && want[where] == 0 && where == "before the call" {
					t.Errorf("%+v", money.bills)
				}
				if where == "in the answer" && (len(money.bills) != 1 || !money.bills[0].Failed) {
					t.Errorf("what was begun may have been charged: %+v", money.bills)
				}
			})
		}
	}
}

// TestSilenceAndFloods: a server that says nothing for too long, one that never ends, and one that sends another address.
func TestSilenceAndFloods(t *testing.T) {
	for _, wire := range []string{"openai", "anthropic"} {
		for name, c := range map[string]struct {
			serve http.HandlerFunc
			want  string
		}{
			"no answer": {func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				<-r.Context().Done()
			}, "in time"},
			"silence in the midst": {func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, ": hm\n\n")
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			}, "in time"},
			"a flood": {func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				line := append(append([]byte(": "), bytes.Repeat([]byte("x"), 1<<20)...), "\n\n"...)
				for range 64 {
					if _, err := w.Write(line); err != nil {
						return
					}
				}
			}, "more than 32 MiB came"},
			"a line without end": {func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				for range 1024 {
					if _, err := w.Write(bytes.Repeat([]byte("x"), 65536)); err != nil {
						return
					}
				}
			}, ""},
			"another address": {func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "http://127.0.0.1:1/elsewhere", http.StatusTemporaryRedirect)
			}, "another address"},
		} {
			t.Run(wire+" "+name, func(t *testing.T) {
				client, money := serve(t, wire, c.serve, func(o *model.Options) {
					s := o.Table.Providers["here"]
					if c.want == "in time" {
						s.Idle = "50ms"
					}
					o.Table.Providers["here"] = s
				})
				_, err := client.Call(t.Context(), ask())
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v; want %q", err, c.want)
				}
				money.settled(t)
			})
		}
	}
}

// TestAServerThatIsNotThere costs nothing.
func TestAServerThatIsNotThere(t *testing.T) {
	for _, wire := range []string{"openai", "anthropic"} {
		client, money := serve(t, wire, nil, func(o *model.Options) {
			s := o.Table.Providers["here"]
			s.BaseURL = "http://127.0.0.1:1/v1"
			o.Table.Providers["here"] = s
			o.Table.Models["here/m"] = model.Price{Input: number(1), Output: number(1)}
		})
		_, err := client.Call(t.Context(), ask())
		kind(t, err, model.Unreachable)
		if money.spent != 0 || money.released != 3 {
			t.Errorf("%s: %v is spent, %d released", wire, money.spent, money.released)
		}
	}
}

// TestNoSecretIsTold has servers that send the key back in every way: it is in no error, no reply, no note and no recording, and the body of a request has only what the caller put in.
func TestNoSecretIsTold(t *testing.T) {
	const other = "sk-ant-api03-0123456789abcdefghij0123456789"
	for _, wire := range []string{"openai", "anthropic"} {
		answers := []func(w http.ResponseWriter, key string){
			func(w http.ResponseWriter, key string) {
				w.WriteHeader(http.StatusUnauthorized)
				fmt.Fprintf(w, `{"error":{"type":"authentication_error","message":"the key %s is wrong, try %s"}}`, key, other)
			},
			func(w http.ResponseWriter, key string) {
				w.WriteHeader(http.StatusNotFound)
				fmt.Fprintf(w, `{"error":"Bearer %s"}`, key)
			},
			func(w http.ResponseWriter, key string) {
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprintf(w, "event: error\ndata: {\"error\":{\"type\":\"billing_error\",\"message\":\"%s\"}}\n\n", key)
			},
			func(w http.ResponseWriter, key string) {
				w.Header().Set("Content-Type", "text/event-stream")
				if wire == "openai" {
					fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"}}]}\n\ndata: %s", key, stop)
				} else {
					fmt.Fprint(w, begin+strings.ReplaceAll(saying, "Hello", key)+because("end_turn"))
				}
			},
		}
		for i, answer := range answers {
			var bodies, told bytes.Buffer
			client, _ := serve(t, wire, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(&bodies, r.Body)
				key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
				if wire == "anthropic" {
					key = r.Header.Get("X-Api-Key")
				}
				if key != planted {
					t.Errorf("the server was given %q", key)
				}
				answer(w, key)
			}, func(o *model.Options) {
				o.Getenv = env("HERE_KEY="+planted, "OTHER_TOKEN=planted-other-value-1234")
				o.Note = func(s string) { told.WriteString(s) }
			})
			recorder := model.Record(client, &told, secret.New(nil))
			reply, err := recorder.Call(t.Context(), ask())
			fmt.Fprintf(&told, "%+v %v %#v", reply, err, err)
			for _, s := range []string{planted, other, "planted-other-value"} {
				if strings.Contains(told.String(), s) {
					t.Errorf("%s, answer %d: %s", wire, i, told.String())
				}
				if strings.Contains(bodies.String(), s) {
					t.Errorf("%s, answer %d was asked with %s", wire, i, bodies.String())
				}
			}
		}
	}
}

func TestATimeoutIsToldOfAsOne(t *testing.T) {
	client, _ := serve(t, "openai", func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}, func(o *model.Options) {
		s := o.Table.Providers["here"]
		s.Timeout = (50 * time.Millisecond).String()
		o.Table.Providers["here"] = s
	})
	_, err := client.Call(t.Context(), ask())
	kind(t, err, model.Unreachable)
	says(t, "in time", err, "in time")
}
