package cli

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"fettle/internal/check"
	"fettle/internal/heal"
	"fettle/internal/report"
)

// live shows what is going on: on a terminal one line that is drawn over and over, elsewhere a plain line for each thing that
// happened. It never waits for anybody.
type live struct {
	a       *app
	w       io.Writer
	redraw  bool // a terminal
	mu      sync.Mutex
	node    string
	round   int
	running []string
	since   time.Time
	done    chan struct{}
	once    sync.Once
	ticking sync.WaitGroup
}

// every is how often the line on a terminal is drawn again, so that the seconds count.
const every = 200 * time.Millisecond

func (a *app) live() *live {
	l := &live{a: a, w: a.io.Err, redraw: a.io.Terminal && !a.quiet && !a.verbose, since: time.Now(), done: make(chan struct{})}
	if a.quiet {
		l.w = io.Discard
	}
	if l.redraw {
		l.ticking.Go(l.tick)
	}
	return l
}

func (l *live) tick() {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-l.done:
			return
		case <-t.C:
			l.mu.Lock()
			l.draw()
			l.mu.Unlock()
		}
	}
}

// stop takes the line away. It may be called more than once.
func (l *live) stop() {
	l.once.Do(func() {
		close(l.done)
		l.ticking.Wait()
		l.wipe()
	})
}

// pause takes the line away until the function that it returns is called, so that a question can stand there.
func (l *live) pause() (resume func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wipe()
	was := l.redraw
	l.redraw = false
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.redraw = was
	}
}

func (l *live) wipe() {
	if l.redraw {
		fmt.Fprint(l.a.drawn, "\r\x1b[K")
	}
}

func (l *live) draw() {
	if !l.redraw || l.node == "" && len(l.running) == 0 {
		return
	}
	var parts []string
	if l.round > 0 {
		parts = append(parts, fmt.Sprintf("round %d", l.round))
	}
	if l.node != "" {
		parts = append(parts, l.node)
	}
	if len(l.running) > 0 {
		parts = append(parts, strings.Join(l.running, ", "))
	}
	line := strings.Join(parts, " · ") + "  " + elapsed(l.since)
	l.wipe()
	fmt.Fprint(l.w, l.a.style().Dim(onScreenLine(line)))
}

// onScreenLine is as much of a text as a terminal of the usual width has in one line.
func onScreenLine(text string) string {
	shown := []rune(strings.ReplaceAll(report.Style{}.Plain(text), "\n", `\n`))
	if len(shown) > 78 {
		return string(shown[:77]) + "…"
	}
	return string(shown)
}

// line writes a line that stays.
func (l *live) line(format string, args ...any) {
	l.wipe()
	report.WriteLine(l.w, format, args...)
	l.draw()
}

// note writes a line beside what the session tells.
func (l *live) note(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.line("  %s", text)
}

// check is told of checks that start and finish.
func (l *live) check(e check.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.Result == nil {
		l.running = append(l.running, e.Check)
		l.draw()
		return
	}
	if i := slices.Index(l.running, e.Check); i >= 0 {
		l.running = slices.Delete(l.running, i, i+1)
	}
	if !l.redraw {
		l.line("%s: %s in %s", e.Check, e.Result.Status, e.Result.Wall.Round(time.Millisecond))
	}
}

// event is told what happens in a session.
func (l *live) event(e heal.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.Kind == heal.Entered {
		l.node, l.round, l.since = e.Text, e.Iteration, time.Now()
		l.draw()
		if l.a.verbose {
			l.line("round %d: %s: %s", e.Iteration, e.Node, e.Text)
		}
		return
	}
	if e.Level < slog.LevelInfo || e.Kind == heal.Ended || e.Kind == heal.Measured && !l.a.verbose {
		return
	}
	if e.Kind == heal.Began || e.Kind == heal.Resumed {
		l.line("session %s", e.Text)
		return
	}
	l.line("  %s: %s", e.Kind, e.Text)
}
