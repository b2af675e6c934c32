package model_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fettle/internal/budget"
	"fettle/internal/model"
)

func kind(t *testing.T, err error, want model.Kind) {
	t.Helper()
	var e *model.Error
	if !errors.As(err, &e) || e.Kind != want {
		t.Fatalf("%v; want an error of kind %s", err, want)
	}
}

// chain is a client of two providers, a and b, whose models fail as told and then answer.
func chain(t *testing.T, own model.Own, o model.Options, a, b func(call int) error) (*model.Client, *purse, *clock) {
	t.Helper()
	services := map[string]model.Service{"a": {Kind: "openai", BaseURL: "https://a.example"}, "b": {Kind: "openai", BaseURL: "https://b.example"}}
	for name, s := range own.Providers {
		s.Kind, s.BaseURL = services[name].Kind, services[name].BaseURL
		services[name] = s
	}
	own.Providers = services
	own.Tiers = map[model.Tier][]string{model.Standard: {"a/m", "b/m"}}
	if own.Models == nil {
		own.Models = map[string]model.Price{"a/m": {Input: number(1), Output: number(2)}, "b/m": {Input: number(1), Output: number(2)}}
	}
	table, err := model.Default().WithOwn(own)
	if err != nil {
		t.Fatal(err)
	}
	play := func(name string, fail func(int) error) model.Provider {
		var calls atomic.Int32
		return asker{name, func(context.Context, string, model.Request) (model.Reply, error) {
			if err := fail(int(calls.Add(1))); err != nil {
				return model.Reply{}, err
			}
			return model.Reply{Text: name, Stop: model.Ended, Usage: model.Usage{Input: 100, Output: 10}}, nil
		}}
	}
	money, time := &purse{}, newClock()
	o.Table, o.Purse, o.Clock, o.Providers = table, money, time, []model.Provider{play("a", a), play("b", b)}
	if o.Random == nil {
		o.Random = func() float64 { return 0.5 }
	}
	c := model.New(o)
	return c, money, time
}

func fails(k model.Kind, status int, n int) func(int) error {
	return func(call int) error {
		if call <= n {
			return &model.Error{Kind: k, Status: status, Provider: "x", Message: "it fails"}
		}
		return nil
	}
}

const always = 1 << 30

func TestWhatIsTriedAgainAndWhatGoesOn(t *testing.T) {
	for name, c := range map[string]struct {
		a, b  func(int) error
		want  string // who answers
		kind  model.Kind
		tries int
		slept []time.Duration
		own   model.Own
	}{
		"at once":               {a: fails("", 0, 0), want: "a", tries: 1},
		"too many, then well":   {a: fails(model.Limited, 429, 1), want: "a", tries: 2, slept: []time.Duration{2 * time.Second}},
		"overloaded twice":      {a: fails(model.Overloaded, 529, 2), want: "a", tries: 3, slept: []time.Duration{2 * time.Second, 4 * time.Second}},
		"overloaded for long":   {a: fails(model.Overloaded, 529, always), want: "b", tries: 4, slept: []time.Duration{2 * time.Second, 4 * time.Second}},
		"unreachable":           {a: fails(model.Unreachable, 0, always), want: "b", tries: 4, slept: []time.Duration{2 * time.Second, 4 * time.Second}},
		"unreadable, then well": {a: fails(model.Malformed, 200, 1), want: "a", tries: 2, slept: []time.Duration{2 * time.Second}},
		"a bad request":         {a: fails(model.Malformed, 400, always), kind: model.Malformed, tries: 1},
		"a bad key":             {a: fails(model.Denied, 401, always), want: "b", tries: 2},
		"no such model":         {a: fails(model.Unconfigured, 404, always), want: "b", tries: 2},
		"no credit":             {a: fails(model.Spent, 402, always), want: "b", tries: 2},
		"too long":              {a: fails(model.TooLong, 400, always), want: "b", tries: 2},
		"nobody":                {a: fails(model.Denied, 401, always), b: fails(model.Overloaded, 500, always), kind: model.Denied, tries: 4, slept: []time.Duration{2 * time.Second, 4 * time.Second}},
		"an error of no kind":   {a: func(int) error { return errors.New("odd") }, want: "b", tries: 2},
		"asks to wait":          {a: waits(5 * time.Second), want: "a", tries: 2, slept: []time.Duration{5 * time.Second}},
		"asks to wait too long": {a: waits(time.Hour), want: "b", tries: 2},
		"one retry":             {a: fails(model.Overloaded, 529, always), want: "b", tries: 3, slept: []time.Duration{2 * time.Second}, own: retries(1)},
		"no retry":              {a: fails(model.Overloaded, 529, always), want: "b", tries: 2, own: retries(0)},
		"four retries":          {a: fails(model.Overloaded, 529, 4), want: "a", tries: 5, slept: []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second}, own: retries(4)},
		"asks to wait a little": {a: waits(time.Second), want: "a", tries: 2, slept: []time.Duration{2 * time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			if c.b == nil {
				c.b = fails("", 0, 0)
			}
			client, money, clock := chain(t, c.own, model.Options{}, c.a, c.b)
			got, err := client.Call(t.Context(), ask())
			money.settled(t)
			tries := got.Tries
			if c.kind != "" {
				kind(t, err, c.kind)
				var e *model.Error
				errors.As(err, &e)
				tries = e.Tries
			} else if err != nil || got.Text != c.want || got.Model != c.want+"/m" {
				t.Fatalf("%+v, %v", got, err)
			}
			if tries != c.tries || fmt.Sprint(clock.slept) != fmt.Sprint(c.slept) {
				t.Errorf("%d tries, slept %v; want %d, %v", tries, clock.slept, c.tries, c.slept)
			}
		})
	}
}

func retries(n int) model.Own {
	return model.Own{Providers: map[string]model.Service{"a": {Retries: &n}}}
}

func waits(d time.Duration) func(int) error {
	return func(call int) error {
		if call == 1 {
			return &model.Error{Kind: model.Limited, Status: 429, After: d}
		}
		return nil
	}
}

func TestWaitingHasJitter(t *testing.T) {
	for _, c := range []struct {
		random float64
		want   time.Duration
	}{{0, 1500 * time.Millisecond}, {0.5, 2 * time.Second}, {1, 2500 * time.Millisecond}} {
		client, _, clock := chain(t, model.Own{}, model.Options{Random: func() float64 { return c.random }}, fails(model.Overloaded, 529, 1), fails("", 0, 0))
		if _, err := client.Call(t.Context(), ask()); err != nil || clock.slept[0] != c.want {
			t.Errorf("%v: slept %v, %v; want %v", c.random, clock.slept, err, c.want)
		}
	}
}

func TestRetryAfterInEveryForm(t *testing.T) {
	at := newClock().Now().Add(7 * time.Second).Format(http.TimeFormat)
	for _, c := range []struct {
		header, value string
		want          time.Duration
	}{{"Retry-After", "7", 7 * time.Second}, {"Retry-After", at, 7 * time.Second}, {"Retry-After-Ms", "7000", 7 * time.Second}, {"Retry-After", "soon", 2 * time.Second}, {"Retry-After", "-5", 2 * time.Second}} {
		for _, wire := range []string{"openai", "anthropic"} {
			var asked atomic.Int32
			var clock *clock
			client, _ := serve(t, wire, func(w http.ResponseWriter, _ *http.Request) {
				if asked.Add(1) == 1 {
					w.Header().Set(c.header, c.value)
					w.WriteHeader(http.StatusTooManyRequests)
					return
				}
				w.Header().Set("Content-Type", "text/event-stream")
				if wire == "openai" {
					fmt.Fprint(w, "data: "+hello+"data: "+stop)
				} else {
					fmt.Fprint(w, begin+saying+because("end_turn"))
				}
			}, func(o *model.Options) { clock = newClock(); o.Clock = clock })
			if _, err := client.Call(t.Context(), ask()); err != nil || clock.slept[0] != c.want {
				t.Errorf("%s, %s: %s: slept %v, %v; want %v", wire, c.header, c.value, clock.slept, err, c.want)
			}
		}
	}
}

// TestTheBreaker: five failures in a row, and the provider is left alone for half a minute; then one call decides.
func TestTheBreaker(t *testing.T) {
	sick, asked := true, 0
	client, money, clock := chain(t, model.Own{}, model.Options{}, func(int) error {
		asked++
		if sick {
			return &model.Error{Kind: model.Overloaded, Status: 503}
		}
		return nil
	}, fails("", 0, 0))
	step := func(what string, want string, wantAsked int) {
		t.Helper()
		asked = 0
		got, err := client.Call(t.Context(), ask())
		if err != nil || got.Text != want || asked != wantAsked {
			t.Fatalf("%s: %q, asked %d times, %v; want %q, %d", what, got.Text, asked, err, want, wantAsked)
		}
	}
	step("the first three failures", "b", 3)
	step("two more", "b", 2)
	step("left alone", "b", 0)
	_ = clock.Sleep(t.Context(), 30*time.Second)
	step("one is let through, and fails", "b", 1)
	step("left alone again", "b", 0)
	_ = clock.Sleep(t.Context(), 30*time.Second)
	sick = false
	step("one is let through, and is answered", "a", 1)
	step("as before", "a", 1)
	sick = true
	step("three failures", "b", 3)
	step("two more", "b", 2)
	step("left alone once more", "b", 0)
	sick = false
	r := ask()
	r.Only = "a/m"
	if _, err := client.Call(t.Context(), r); err != nil || asked != 1 {
		t.Errorf("who wants to know is told %v, after it was asked %d times", err, asked)
	}
	step("it has answered", "a", 1)
	money.settled(t)
}

// TestWhyLeftAlone: who is told that a provider is left alone is told what has failed, too.
func TestWhyLeftAlone(t *testing.T) {
	gone := func(int) error { return &model.Error{Kind: model.Overloaded, Message: "nobody is there"} }
	client, money, _ := chain(t, retries(0), model.Options{}, gone, gone)
	var err error
	for range 6 {
		_, err = client.Call(t.Context(), ask())
	}
	if err == nil || !strings.Contains(err.Error(), "it has failed 5 times in a row (the last time: nobody is there), and is left alone for 30s") {
		t.Errorf("it says %v", err)
	}
	money.settled(t)
}

// TestOneProbe: while one call is let through to a provider that was left alone, the end of an older one lets no second through.
func TestOneProbe(t *testing.T) {
	began, probe := make(chan bool), make(chan error)
	old, cancel := context.WithCancel(t.Context())
	defer cancel()
	var asked atomic.Int32
	client, money, clock := chain(t, retries(0), model.Options{}, func(call int) error {
		asked.Store(int32(call))
		switch call {
		case 1:
			began <- true
			<-old.Done()
			return old.Err()
		case 2 + 5:
			began <- true
			return <-probe
		}
		return &model.Error{Kind: model.Overloaded, Status: 503}
	}, fails("", 0, 0))
	call := func(ctx context.Context, want string) <-chan bool {
		done := make(chan bool)
		go func() {
			defer close(done)
			if got, err := client.Call(ctx, ask()); got.Text != want || (err == nil) != (want != "") {
				t.Errorf("%q, %v; want %q", got.Text, err, want)
			}
		}()
		return done
	}
	first := call(old, "")
	<-began
	for range 5 {
		<-call(t.Context(), "b")
	}
	_ = clock.Sleep(t.Context(), 30*time.Second)
	second := call(t.Context(), "a")
	<-began
	cancel()
	<-first
	<-call(t.Context(), "b")
	if n := asked.Load(); n != 7 {
		t.Errorf("the provider was asked %d times, want 7", n)
	}
	probe <- nil
	<-second
	money.settled(t)
}

func TestMoneyIsReservedBeforeAndSettledAfter(t *testing.T) {
	priced := func(int) error { return nil }
	t.Run("the bill is what the reply took", func(t *testing.T) {
		client, money, _ := chain(t, model.Own{}, model.Options{}, priced, priced)
		got, err := client.Call(t.Context(), ask())
		if want := budget.Money(100*1000 + 10*2000); err != nil || got.Cost != want || money.spent != want || money.bills[0].Guessed || money.bills[0].Failed {
			t.Fatalf("%v, spent %v, %+v, %v", got.Cost, money.spent, money.bills, err)
		}
		if s := money.spends[0]; s.Role != "fixer" || s.Purpose != "fix" || s.Provider != "a" || s.Model != "m" || s.Most < got.Cost || s.Most < 8192*2000 {
			t.Errorf("%+v", s)
		}
	})
	t.Run("what a provider does not say is all that was reserved", func(t *testing.T) {
		client, money := serve(t, "openai", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "data: "+hello+"data: "+stop) }, func(o *model.Options) {
			o.Table.Models["here/m"] = model.Price{Input: number(1), Output: number(2)}
		})
		got, err := client.Call(t.Context(), ask())
		if err != nil || !money.bills[0].Guessed || got.Cost != money.spends[0].Most || money.spent != got.Cost || got.Cost == 0 {
			t.Fatalf("%v, %+v, %v", got.Cost, money.bills, err)
		}
	})
	t.Run("what broke off may have been charged, what was refused has not", func(t *testing.T) {
		client, money, _ := chain(t, model.Own{}, model.Options{}, fails(model.Unreachable, 200, 1), priced)
		if _, err := client.Call(t.Context(), ask()); err != nil || len(money.bills) != 2 || !money.bills[0].Failed || money.bills[0].Cost != money.spends[0].Most {
			t.Fatalf("%+v, %v", money.bills, err)
		}
		client, money, _ = chain(t, model.Own{}, model.Options{}, fails(model.Overloaded, 529, 1), priced)
		if _, err := client.Call(t.Context(), ask()); err != nil || len(money.bills) != 1 || money.released != 1 {
			t.Fatalf("%+v, %d released, %v", money.bills, money.released, err)
		}
	})
	t.Run("an empty purse", func(t *testing.T) {
		client, money, _ := chain(t, model.Own{}, model.Options{}, priced, priced)
		money.limit = 1
		_, err := client.Call(t.Context(), ask())
		kind(t, err, model.Spent)
		says(t, "the limit", err, "the budget of this session")
		if over := (*budget.ExceededError)(nil); !errors.As(err, &over) {
			t.Error("nobody can tell that it is the person's own limit")
		}
		if len(money.bills) != 0 {
			t.Errorf("%+v", money.bills)
		}
	})
	t.Run("a price that nobody knows", func(t *testing.T) {
		own := model.Own{Models: map[string]model.Price{"b/m": {Input: number(1), Output: number(1)}}}
		client, _, _ := chain(t, own, model.Options{Bounded: true}, priced, priced)
		if got, err := client.Call(t.Context(), ask()); err != nil || got.Text != "b" {
			t.Errorf("%+v, %v", got, err)
		}
		own.Models = map[string]model.Price{}
		client, _, _ = chain(t, own, model.Options{Bounded: true}, priced, priced)
		_, err := client.Call(t.Context(), ask())
		kind(t, err, model.Spent)
		says(t, "what to do", err, "write its prices into your own models.yaml")
		client, money, _ := chain(t, own, model.Options{}, priced, priced)
		if got, err := client.Call(t.Context(), ask()); err != nil || got.Text != "a" || !money.bills[0].Unpriced || !got.Unpriced {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

func TestALongerContextIsAskedWhenOneIsTooShort(t *testing.T) {
	price := func(context int) model.Price {
		return model.Price{Input: number(1), Output: number(1), Context: context}
	}
	own := model.Own{Models: map[string]model.Price{"a/m": price(200_000), "b/m": price(100_000)}}
	client, _, _ := chain(t, own, model.Options{}, fails(model.TooLong, 400, always), func(int) error { t.Error("the shorter one was asked"); return nil })
	_, err := client.Call(t.Context(), ask())
	kind(t, err, model.TooLong)

	own.Models = map[string]model.Price{"a/m": price(10_000), "b/m": price(0)}
	client, _, _ = chain(t, own, model.Options{}, func(int) error { t.Error("what is surely too short was asked"); return nil }, fails("", 0, 0))
	r := ask()
	r.Messages[0].Text = strings.Repeat("word ", 20_000)
	if got, err := client.Call(t.Context(), r); err != nil || got.Text != "b" {
		t.Errorf("%+v, %v", got, err)
	}
}

// An answer is asked for that a small context has room for, whatever its role may say at most; and whoever makes requests can see how much that is.
func TestAnAnswerFitsItsContext(t *testing.T) {
	for name, c := range map[string]struct {
		context, prompt int // tokens, and letters
		want            int
	}{
		"not known":             {context: 0, prompt: 6000, want: 8192},
		"large":                 {context: 200_000, prompt: 6000, want: 8192},
		"what is left":          {context: 8192, prompt: 6000, want: 8192 - 3000 - 512 - 16 - 2}, // two letters a token, and what is around them
		"a quarter in any case": {context: 4096, prompt: 6000, want: 1024},
	} {
		t.Run(name, func(t *testing.T) {
			own := model.Own{
				Providers: map[string]model.Service{"a": {Kind: "openai", BaseURL: "https://a.example"}},
				Models:    map[string]model.Price{"a/m": {Input: number(0), Output: number(0), Context: c.context}}, Tiers: map[model.Tier][]string{model.Standard: {"a/m"}}}
			table, err := model.Default().WithOwn(own)
			if err != nil {
				t.Fatal(err)
			}
			asked := 0
			client := model.New(model.Options{Table: table, Purse: &purse{}, Providers: []model.Provider{asker{"a", func(_ context.Context, _ string, r model.Request) (model.Reply, error) {
				asked = r.MaxTokens
				return model.Reply{Text: "yes", Stop: model.Ended, Usage: model.Usage{Input: 1, Output: 1}}, nil
			}}}})
			r := ask()
			r.System, r.Messages[0].Text = "Mend", strings.Repeat("a", c.prompt)
			if _, err := client.Call(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			if asked != c.want || client.Context(model.Fixer, "") != c.context {
				t.Errorf("%d tokens were asked for, want %d; the context is said to be %d", asked, c.want, client.Context(model.Fixer, ""))
			}
		})
	}
}

// slow is a server that says nothing for five minutes, as one does that has no other processors than those of a desk.
type slow struct{}

func (slow) RoundTrip(r *http.Request) (*http.Response, error) {
	select {
	case <-time.After(5 * time.Minute):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	body := `{"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]}`
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// A server on this machine may be silent as long as a call may take; one elsewhere that is silent for so long is lost.
func TestSilence(t *testing.T) {
	for name, c := range map[string]struct {
		service model.Service
		kind    model.Kind // of the failure; empty: there is none
	}{
		"here":                   {service: model.Service{BaseURL: "http://127.0.0.1:8080/v1"}},
		"here, and it is enough": {service: model.Service{BaseURL: "http://127.0.0.1:8080/v1", Idle: "1m"}, kind: model.Unreachable},
		"elsewhere":              {service: model.Service{BaseURL: "https://far.example/v1"}, kind: model.Unreachable},
		"elsewhere, with leave":  {service: model.Service{BaseURL: "https://far.example/v1", Idle: "6m"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.service.Kind = "openai"
				table, err := model.Default().WithOwn(model.Own{Providers: map[string]model.Service{"a": c.service}, Tiers: map[model.Tier][]string{model.Standard: {"a/m"}}})
				if err != nil {
					t.Fatal(err)
				}
				client := model.New(model.Options{Table: table, Purse: &purse{}, Transport: slow{}})
				got, err := client.Call(t.Context(), ask())
				if c.kind != "" {
					kind(t, err, c.kind)
					says(t, "what to do", err, "set timeout and idle for it in your models.yaml")
				} else if err != nil || got.Text != "yes" {
					t.Errorf("%+v, %v", got, err)
				}
			})
		})
	}
}

// TestTheLimiter: calls go in the order in which they come, no more in a minute than the account allows.
func TestTheLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		type begun struct {
			at  time.Duration
			who string
		}
		var all []begun
		running, most := 0, 0
		start := time.Now()
		own := model.Own{
			Providers: map[string]model.Service{"a": {Kind: "openai", BaseURL: "https://a.example", Parallel: 2, RequestsPerMinute: 3}},
			Models:    map[string]model.Price{"a/*": {Input: number(0), Output: number(0)}}, Tiers: map[model.Tier][]string{model.Standard: {"a/m"}}}
		table, err := model.Default().WithOwn(own)
		if err != nil {
			t.Fatal(err)
		}
		money := &purse{}
		client := model.New(model.Options{Table: table, Purse: money, Providers: []model.Provider{asker{"a", func(ctx context.Context, _ string, r model.Request) (model.Reply, error) {
			mu.Lock()
			running++
			most = max(most, running)
			all = append(all, begun{time.Since(start), r.Purpose})
			mu.Unlock()
			time.Sleep(time.Second) // of the bubble's clock, which costs nothing
			mu.Lock()
			running--
			mu.Unlock()
			return model.Reply{Text: r.Purpose, Usage: model.Usage{Input: 1}}, ctx.Err()
		}}}})
		var wg sync.WaitGroup
		for i := range 7 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				r := ask()
				r.Purpose = strconv.Itoa(i)
				if _, err := client.Call(t.Context(), r); err != nil {
					t.Error(err)
				}
			}()
			synctest.Wait() // so that they come in order
		}
		wg.Wait()
		slices.SortFunc(all, func(a, b begun) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.who, b.who)) })
		want := []time.Duration{0, 0, time.Second, time.Minute, time.Minute, 61 * time.Second, 2 * time.Minute}
		for i, b := range all {
			if b.who != strconv.Itoa(i) || b.at != want[i] {
				t.Errorf("%d: %s began at %v, want %v", i, b.who, b.at, want[i])
			}
		}
		if most != 2 {
			t.Errorf("%d ran at a time", most)
		}
		money.settled(t)
	})
}

// TestWarmer: each further sample is freer than the one before, from the role's own temperature on, until the provider's bound.
func TestWarmer(t *testing.T) {
	for name, c := range map[string]struct {
		kind  string
		role  float64
		added []float64
		want  []float64
	}{
		"a cool role":        {"anthropic", 0.1, []float64{0, 0.3, 0.6}, []float64{0.1, 0.4, 0.7}},
		"Anthropic's bound":  {"anthropic", 0.9, []float64{0, 0.3, 0.6}, []float64{0.9, 1, 1}},
		"OpenAI's is higher": {"openai", 0.9, []float64{0, 0.3, 0.6}, []float64{0.9, 1.2, 1.5}},
		"and there is one":   {"openai", 1.8, []float64{0.3}, []float64{2}},
	} {
		t.Run(name, func(t *testing.T) {
			var sent struct{ Temperature float64 }
			client, _ := serve(t, c.kind, func(w http.ResponseWriter, r *http.Request) {
				if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
					t.Error(err)
				}
				w.WriteHeader(http.StatusUnauthorized) // what is asked counts here
			}, nil)
			for i, added := range c.added {
				r := ask()
				r.Temperature, r.Warmer = &c.role, added
				if _, err := client.Call(t.Context(), r); err == nil {
					t.Fatal("it has answered")
				}
				if got := math.Round(100*sent.Temperature) / 100; got != c.want[i] {
					t.Errorf("%v more than %v is sent as %v, want %v", added, c.role, got, c.want[i])
				}
			}
		})
	}
}
