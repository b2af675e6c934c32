package heal

import (
	"context"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"fettle/internal/diag"
	"fettle/internal/fix"
)

// answer is what a fixer said in its turn.
type answer struct {
	step     Step
	proposal *Proposal  // nil: it has nothing to offer
	refused  []objected // what it had beside that, and will not do
	err      error      // it could not work
	notes    []string   // what it told beside
	took     time.Duration
	spent    float64 // US dollars with nothing to show for them
	unpriced bool    // … and more, of which nobody knows how much
	talk     string  // the conversation that it had; empty: it told of none
}

// mostVain is how many tasks of one place a fixer that costs money is given in a round without bringing anything: all of the failing tests of a folder together, and a few of them by
// themselves. It was shown most of each before.
const mostVain = 3

// patience counts what brought nothing, by fixer, in one lane.
type patience map[string]int

// over reports whether a fixer need not be asked any more. A search costs nothing but time, which has a limit of its own.
func (p patience) over(s Step) bool { return s.Rung >= fix.RungModel && p[s.Fixer] >= mostVain }

// hear counts an answer. Who could not work cannot the next time either.
func (p patience) hear(a answer) {
	p[a.step.Fixer]++
	if a.err != nil {
		p[a.step.Fixer] = mostVain
	}
}

// ask asks the fixers of one rung, side by side where their findings are independent. The answers come in the order of the
// steps, whoever was first; a step that was not asked, because its findings have a candidate already, is left out.
func (l *Loop) ask(ctx context.Context, s *State, steps []Step) ([]answer, error) {
	answers := make([]*answer, len(steps))
	spent := spending{limit: s.Goal.Budget, sum: s.Cost}
	spent.share, spent.shared = l.shareLeft(s, steps[0].Rung)
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(l.width(steps[0].Rung))
	for _, lane := range l.lanes(s, steps) {
		g.Go(func() error {
			vain := patience{}
			for _, i := range lane {
				if spent.over() {
					return nil
				}
				if vain.over(steps[i]) {
					continue
				}
				a := l.propose(gctx, s, steps[i], spent.left())
				if gctx.Err() != nil {
					return context.Cause(gctx)
				}
				answers[i] = &a
				spent.add(a.spent)
				if a.proposal != nil {
					spent.add(a.proposal.Candidate.Cost)
					return nil
				}
				vain.hear(a)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var out []answer
	for _, a := range answers {
		if a != nil {
			out = append(out, *a)
		}
	}
	return out, nil
}

// width is how many fixers of a rung are asked at a time. A search uses all the processors by itself, and tests that it runs
// must not look slow because of a neighbour; a tool uses one; what comes after them mostly waits.
func (l *Loop) width(r fix.Rung) int {
	cores := runtime.GOMAXPROCS(0)
	room := max(4, 2*cores)
	switch r {
	case fix.RungTool:
		room = cores
	case fix.RungSearch:
		room = max(1, cores/4)
	default:
	}
	if most := l.Config.Limits.Parallel; most > 0 {
		room = min(room, most)
	}
	return room
}

// lanes sorts the steps of one rung into those that depend on one another, as indices in order. Every tool has its turn. Above
// the tools, findings of one check in one place wait for one another, since what heals one often heals its neighbours: failing
// tests of one folder, other findings of one file; and the checks that are put to one fixer which splits the work itself, so that one of it runs at a time. The first candidate of a lane ends it for this round.
func (l *Loop) lanes(s *State, steps []Step) [][]int {
	var out [][]int
	at := map[string]int{}
	for i, step := range steps {
		key := step.Key
		if ds := s.targets(step); step.Rung > fix.RungTool && len(ds) > 0 {
			key = step.Check + "\x00" + neighbourhood(ds[0])
			if f, _, err := l.whose(step); err == nil && whole(f) {
				key = step.Fixer
			}
		}
		n, ok := at[key]
		if !ok {
			n = len(out)
			at[key] = n
			out = append(out, nil)
		}
		out[n] = append(out[n], i)
	}
	return out
}

// neighbourhood names where a finding is: the folder of a failing test, the file of any other.
func neighbourhood(d diag.Diagnostic) string {
	if d.Test != "" {
		return "tests in " + d.Dir
	}
	return "file " + d.File
}

// spending is the money that fixers of one rung spend side by side.
type spending struct {
	limit  float64 // zero: none
	share  float64 // what is left of what is theirs, where shared
	shared bool
	mu     sync.Mutex
	sum    float64
}

func (s *spending) add(cost float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sum += cost
	s.share -= cost
}

// left is what is left of what is theirs; zero: nothing limits it.
func (s *spending) left() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.shared {
		return 0
	}
	return max(s.share, 0)
}

func (s *spending) over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.limit > 0 && s.sum > s.limit || s.shared && s.share <= 0
}
