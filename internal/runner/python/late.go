package python

import (
	"context"

	"fettle/internal/runner"
)

// Why candidates are put off.
const (
	slowly = iota // a server can only try them slowly
	dry           // they have run dry with little fuel
	drier         // … and with much
)

// lateFuel is what those that were put off are tried with.
var lateFuel = [...]amount{slowly: much, dry: much, drier: most}

// late are those that were put off. Nearly all that run dry with much fuel never end, and each costs as much as hundreds of others when it is given
// the most: so few of them get it.
func late() runner.Backlogs[candidate] {
	return runner.NewBacklogs(workers(), []runner.Terms[candidate]{
		slowly: {Part: runner.UsualShare, Batch: 1},
		dry:    {Part: runner.UsualShare, Batch: 4, Passed: runner.InShare},
		drier:  {Part: 0.05, Batch: 1, First: 8, Passed: runner.Dropped},
	}...)
}

// putOff has a candidate tried later.
func (p *pipeline) putOff(why int, c candidate) {
	c.fuel = lateFuel[why]
	p.late[why].Put(c)
}

// inTurn tries those that were put off and whose turn it is although there are others.
func (w *worker) inTurn(ctx context.Context) error {
	for ctx.Err() == nil {
		lot, ok := w.late.InTurn()
		if !ok {
			break
		}
		if err := w.tryLot(ctx, lot); err != nil {
			return err
		}
	}
	return nil
}

// afterwards tries those that were put off, now that there are no others.
func (w *worker) afterwards(ctx context.Context) error {
	for ctx.Err() == nil {
		if !w.late[slowly].Left() {
			w.asking.Wait() // the answer may be that some have to be tried again
		}
		lot, ok := w.late.Next()
		if !ok {
			break
		}
		if err := w.tryLot(ctx, lot); err != nil {
			return err
		}
	}
	return nil
}

// tryLot tries some that were put off. One that is not tried any more has its verdict.
func (w *worker) tryLot(ctx context.Context, lot runner.Lot[candidate]) error {
	defer lot.End()
	if !lot.Dropped {
		return w.tryAll(ctx, lot.Candidates)
	}
	for _, c := range lot.Candidates {
		w.found(ctx, c, c.known)
	}
	return nil
}
