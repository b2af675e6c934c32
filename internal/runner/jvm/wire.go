package jvm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"fettle/internal/check"
	"fettle/internal/proc"
	"fettle/internal/runner"
)

// process is a machine of ours that is kept warm. It is spoken to in lines of fields between tabs.
type process struct {
	in    *os.File
	said  chan []string
	gone  chan struct{} // closed when it has ended
	end   context.CancelFunc
	once  sync.Once
	state struct {
		sync.Mutex
		result proc.Result
		err    error
	}
}

// errGone says that a machine of ours has ended by itself.
var errGone = errors.New("the machine ended")

// start starts a machine. It lives until it is closed, whatever becomes of ctx.
func start(ctx context.Context, place check.Place, c proc.Cmd) (*process, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", c.Argv[0], err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	p := &process{in: w, said: make(chan []string, 256), gone: make(chan struct{}), end: cancel}
	c.Stdin = r
	c.Stdout = heard(func(words []string) {
		select {
		case p.said <- words:
		case <-ctx.Done():
		}
	})
	c.Limits.Grace = 100 * time.Millisecond
	c.Limits.Output = 1 << 50
	go func() {
		defer close(p.gone)
		res, err := place.Run(ctx, c)
		_ = r.Close() // writing to it fails from now on
		p.state.Lock()
		p.state.result, p.state.err = res, err
		p.state.Unlock()
	}()
	return p, nil
}

// send says a line. An error is [errGone], or the pipe's.
func (p *process) send(words ...string) error {
	return p.write(line(words...) + "\n")
}

func (p *process) write(text string) error {
	if _, err := p.in.WriteString(text); err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	return nil
}

// receive waits for a line. The error is [errGone], the context's, or [context.DeadlineExceeded] when the time is over.
func (p *process) receive(ctx context.Context, limit time.Duration) ([]string, error) {
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case w := <-p.said:
		return w, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-t.C:
		return nil, fmt.Errorf("a machine says nothing for %s: %w", limit, context.DeadlineExceeded)
	case <-p.gone:
		select {
		case w := <-p.said: // its last words
			return w, nil
		default:
			return nil, errGone
		}
	}
}

// why tells how it ended.
func (p *process) why() string {
	<-p.gone
	p.state.Lock()
	defer p.state.Unlock()
	if p.state.err != nil {
		return p.state.err.Error()
	}
	r := p.state.result
	return runner.LastWords(fmt.Sprintf("%s %d %s %s", r.Ended, r.Code, r.Signal, r.Stderr.String()))
}

// outOfMemory is the exit code of a machine that is told to exit when its memory is used up.
const outOfMemory = 3

// howGone is how a machine that ended by itself took a candidate along.
func (p *process) howGone() string {
	<-p.gone
	p.state.Lock()
	defer p.state.Unlock()
	if r := p.state.result; r.Ended == proc.Exited && r.Code == outOfMemory {
		return "memory"
	}
	return "gone"
}

// close ends it and waits for that.
func (p *process) close() {
	p.once.Do(func() {
		p.end()
		_ = p.in.Close()
	})
	<-p.gone
}

// heard hands on the fields of each line that a machine of ours says.
func heard(each func(words []string)) *runner.MarkedLines {
	return &runner.MarkedLines{Each: func(said []byte) { each(fields(string(said))) }}
}

var (
	escaper   = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)
	unescaper = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r")
)

func line(words ...string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte('\t')
		}
		_, _ = escaper.WriteString(&b, w) // a builder never fails
	}
	return b.String()
}

func fields(text string) []string {
	out := strings.Split(text, "\t")
	for i, w := range out {
		if strings.Contains(w, `\`) {
			out[i] = unescaper.Replace(w)
		}
	}
	return out
}
