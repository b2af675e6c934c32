package check

import (
	"context"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// RunOptions are the ways a run of checks can differ. The zero value is a plain run.
type RunOptions struct {
	Parallel int               // how many checks run side by side; zero: as many as there are CPUs
	Args     []string          // added at the end of every check's argv: what stands after "--"
	Env      map[string]string // added to the environment, over the check's own
	Timeout  time.Duration     // for a check that names none; zero: DefaultTimeout
	Output   int64             // bytes that a check may print; zero: what package proc allows
	Fresh    bool              // a tool's own cache of results may not answer: go test gets -count=1
	Written  bool              // the checks stand in a configuration file: advice about them names it ([FileFor])
	Events   func(Event)       // told of each start and finish, one at a time; nil: nobody
}

// Event is a check that starts or has finished.
type Event struct {
	Check  string
	Result *Result // nil when the check starts
}

// DefaultTimeout is how long a check may take that names no timeout.
const DefaultTimeout = 10 * time.Minute

// Run runs the checks in the place and returns their results in the order of the checks. Checks run side by side; those
// that must be alone come after all others, one by one.
//
// A check that fails, breaks or times out is a result. An error means that the context ended or that the place itself
// failed; the results are then those of the checks that had finished.
func Run(ctx context.Context, p Place, checks []Check, o RunOptions) ([]Result, error) {
	if o.Parallel <= 0 {
		o.Parallel = runtime.GOMAXPROCS(0)
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	tell := teller(o.Events)
	results := make([]*Result, len(checks))
	one := func(ctx context.Context, i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		tell(Event{Check: checks[i].Name})
		r, err := newAttempt(p, checks[i], o).run(ctx)
		if err != nil {
			return err
		}
		results[i] = &r
		tell(Event{Check: r.Check, Result: &r})
		return nil
	}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(o.Parallel)
	for i, c := range checks {
		if !c.Alone {
			g.Go(func() error { return one(gctx, i) })
		}
	}
	err := g.Wait()
	for i, c := range checks {
		if c.Alone && err == nil {
			err = one(ctx, i)
		}
	}
	out := make([]Result, 0, len(checks))
	for _, r := range results {
		if r != nil {
			out = append(out, *r)
		}
	}
	return out, err
}

// teller passes events on one at a time.
func teller(to func(Event)) func(Event) {
	if to == nil {
		return func(Event) {}
	}
	var mu sync.Mutex
	return func(e Event) {
		mu.Lock()
		defer mu.Unlock()
		to(e)
	}
}
