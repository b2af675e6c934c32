package model_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fettle/internal/model"
)

// process is a client as one of another process would be: it shares a folder with others, and nothing else. What it asks is answered by call.
func process(t *testing.T, at model.Clock, shared func() (string, error), s model.Service, note func(string), call func(context.Context) error) *model.Client {
	t.Helper()
	s.Kind, s.BaseURL = "openai", "https://a.example"
	table, err := model.Default().WithOwn(model.Own{Providers: map[string]model.Service{"a": s}, Tiers: map[model.Tier][]string{model.Standard: {"a/m"}}})
	if err != nil {
		t.Fatal(err)
	}
	return model.New(model.Options{
		Table: table, Purse: &purse{}, Clock: at, Random: func() float64 { return 0.5 }, Note: note, Shared: shared,
		Providers: []model.Provider{asker{"a", func(ctx context.Context, _ string, _ model.Request) (model.Reply, error) {
			if err := call(ctx); err != nil {
				return model.Reply{}, err
			}
			return model.Reply{Text: "ok", Stop: model.Ended, Usage: model.Usage{Input: 1, Output: 1}}, nil
		}}},
	})
}

func in(folder string) func() (string, error) { return func() (string, error) { return folder, nil } }

func answers(context.Context) error { return nil }

func dead(context.Context) error { return &model.Error{Kind: model.Unreachable} }

func busy(context.Context) error {
	return &model.Error{Kind: model.Limited, Status: 429, After: 20 * time.Second}
}

// TestProcessesShareWhatAnAccountAllows: what one process asks counts for the others, and so does that a provider wants to be left alone, or does not answer; whatever somebody does to the clock or to the file.
func TestProcessesShareWhatAnAccountAllows(t *testing.T) {
	none := 0
	few, once, free := model.Service{RequestsPerMinute: 3}, model.Service{Retries: &none}, model.Service{}
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		service model.Service
		first   func(context.Context) error
		calls   int           // of the first
		later   time.Duration // the second comes
		spoilt  bool          // the file is
		waits   time.Duration // the second
		fails   string        // the second is not asked, because
	}{
		"calls that it may make":        {service: few, first: answers, calls: 2},
		"calls that were made":          {service: few, first: answers, calls: 3, waits: time.Minute},
		"some time ago":                 {service: few, first: answers, calls: 3, later: 45 * time.Second, waits: 15 * time.Second},
		"a minute ago":                  {service: few, first: answers, calls: 3, later: time.Minute},
		"by a clock that was set back":  {service: few, first: answers, calls: 3, later: -day},
		"by one that was set forth":     {service: few, first: answers, calls: 3, later: day},
		"in a file that is spoilt":      {service: few, first: answers, calls: 3, spoilt: true},
		"tokens that were taken":        {service: model.Service{TokensPerMinute: 1000}, first: answers, calls: 1, waits: time.Minute},
		"it wants to be left alone":     {service: free, first: busy, calls: 1, waits: 40 * time.Second},
		"and a clock is set back":       {service: free, first: busy, calls: 1, later: -day},
		"it has failed four times":      {service: once, first: dead, calls: 4},
		"it has failed five times":      {service: once, first: dead, calls: 5, fails: "it has failed 5 times in a row"},
		"and has had its rest":          {service: once, first: dead, calls: 5, later: 30 * time.Second},
		"and the clock is set back":     {service: once, first: dead, calls: 5, later: -day},
		"and that is long ago, or less": {service: once, first: dead, calls: 4, later: day},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			note := func(text string) {
				if strings.Contains(text, "other processes") {
					t.Error(text)
				}
			}
			first := process(t, newClock(), in(folder), c.service, note, c.first)
			for range c.calls {
				_, _ = first.Call(t.Context(), ask()) // what it comes to is c.first's affair
			}
			if c.spoilt {
				spoil(t, folder)
			}
			at := newClock()
			at.now = at.now.Add(c.later)
			began := at.Now()
			_, err := process(t, at, in(folder), c.service, note, answers).Call(t.Context(), ask())
			if c.fails == "" && err != nil || c.fails != "" && (err == nil || !strings.Contains(err.Error(), c.fails)) {
				t.Errorf("%v, want %q", err, c.fails)
			}
			if got := at.Now().Sub(began); got != c.waits {
				t.Errorf("it waited %v, want %v", got, c.waits)
			}
		})
	}
}

// spoil leaves half of what stands in the files of a folder.
func spoil(t *testing.T, folder string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[0], data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestWithoutAFolder: where none can be had each process keeps to the limits by itself, and that is told once.
func TestWithoutAFolder(t *testing.T) {
	told := 0
	at := newClock()
	c := process(t, at, func() (string, error) { return "", errors.New("read-only") }, model.Service{RequestsPerMinute: 3}, func(text string) {
		if strings.Contains(text, "each keeps to the limits by itself: read-only") {
			told++
		}
	}, answers)
	began := at.Now()
	for range 4 {
		if _, err := c.Call(t.Context(), ask()); err != nil {
			t.Fatal(err)
		}
	}
	if got := at.Now().Sub(began); got != time.Minute || told != 1 {
		t.Errorf("it waited %v, and it was told %d times", got, told)
	}
}

// TestProcessesTakeTurns: no more calls run at a time than may, over all processes; who waits goes when there is room, or as soon as nobody wants it any more.
func TestProcessesTakeTurns(t *testing.T) {
	for _, cancelled := range []bool{false, true} {
		folder, one := t.TempDir(), model.Service{Parallel: 1}
		inside, leave, over := make(chan bool), make(chan bool), make(chan error)
		stays := func(context.Context) error {
			inside <- true
			<-leave
			return nil
		}
		ctx, cancel := context.WithCancel(t.Context())
		waits := make(chan bool, 1)
		first, second := process(t, newClock(), in(folder), one, nil, stays), process(t, told{newClock(), waits}, in(folder), one, nil, stays)
		start := func(ctx context.Context, c *model.Client) {
			_, err := c.Call(ctx, ask())
			over <- err
		}
		go start(t.Context(), first)
		<-inside
		go start(ctx, second)
		<-waits
		select {
		case <-inside:
			t.Fatal("two at a time")
		default:
		}
		if cancelled {
			cancel()
			if err := <-over; !errors.Is(err, context.Canceled) {
				t.Errorf("who waited in vain says %v", err)
			}
			leave <- true
		} else {
			leave <- true
			<-inside
			leave <- true
			if err := <-over; err != nil {
				t.Error(err)
			}
		}
		if err := <-over; err != nil {
			t.Error(err)
		}
		cancel()
	}
}

// told is a clock that tells when somebody sleeps.
type told struct {
	*clock
	waits chan bool
}

func (c told) Sleep(ctx context.Context, d time.Duration) error {
	select {
	case c.waits <- true:
	default:
	}
	return c.clock.Sleep(ctx, d)
}

// envHolds names the folder for the process that TestAProcessThatDies starts.
const envHolds = "FETTLE_TEST_HOLDS"

// TestHolds is that process: it asks, and is never answered.
func TestHolds(t *testing.T) {
	folder := os.Getenv(envHolds)
	if folder == "" {
		t.Skip("it is started by another test")
	}
	_, _ = process(t, newClock(), in(folder), model.Service{Parallel: 1}, nil, func(context.Context) error {
		fmt.Println("inside")
		select {}
	}).Call(t.Context(), ask())
}

// TestAProcessThatDies keeps nobody waiting.
func TestAProcessThatDies(t *testing.T) {
	folder := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestHolds$")
	cmd.Env = append(os.Environ(), envHolds+"="+folder)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "inside"; {
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	at := newClock()
	if _, err := process(t, at, in(folder), model.Service{Parallel: 1}, nil, answers).Call(t.Context(), ask()); err != nil || len(at.slept) > 0 {
		t.Errorf("%v, after it had waited %v", err, at.slept)
	}
}
