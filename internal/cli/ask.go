package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"fettle/internal/edit"
	"fettle/internal/heal"
)

// ask shows a change whole and asks the person at the terminal for a yes or no. The end of input, or an interrupt, leaves the
// question open.
func (a *app) ask(ctx context.Context, live *live, h *house, s *heal.State) (heal.Answer, error) {
	defer live.pause()()
	for _, p := range s.Proposals {
		a.say("%s: %s", p.Candidate.Author, p.Candidate.Explanation)
	}
	if s.Verdict != nil {
		for _, f := range s.Verdict.Feedback {
			a.say("  asks because: %s", f)
		}
	}
	a.showPatch(h, s.Patch)
	lines := a.lines()
	for {
		fmt.Fprint(a.io.Err, "Apply this change? [yes / no, because… / later] ")
		select {
		case <-ctx.Done():
			return heal.Answer{}, context.Cause(ctx)
		case line, ok := <-lines:
			if !ok {
				if a.hungUp(ctx) {
					return heal.Answer{}, context.Cause(ctx)
				}
				return heal.Answer{Wait: true}, nil
			}
			if answer, ok := readAnswer(line); ok {
				return answer, nil
			}
			a.say("yes applies it and goes on; no, with a reason if you like, ends the session without it; later pauses: fettle approve or fettle reject go on")
		}
	}
}

// hungUp reports whether the input ended because the terminal is gone and the session was interrupted for that. The signal comes
// together with the end of the input, and may be heard after it.
func (a *app) hungUp(ctx context.Context) bool {
	if f, ok := a.io.In.(*os.File); !ok || term.IsTerminal(int(f.Fd())) {
		return false // no terminal, or one that is there: the person ended the input
	}
	select {
	case <-ctx.Done():
		return true
	case <-time.After(hangUpTime):
		return false
	}
}

// hangUpTime is how long a hang-up's signal is waited for.
const hangUpTime = time.Second

// lines are what the person types, line by line, read by one goroutine for all questions. Reading a terminal cannot be
// cancelled: it waits there until the process ends.
func (a *app) lines() <-chan string {
	a.reading.Do(func() {
		a.typed = make(chan string)
		go func() {
			defer close(a.typed)
			for in := bufio.NewScanner(a.io.In); in.Scan(); {
				a.typed <- in.Text()
			}
		}()
	})
	return a.typed
}

func readAnswer(line string) (heal.Answer, bool) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch strings.ToLower(strings.TrimRight(word, ",.:")) {
	case "y", "yes", "approve":
		return heal.Answer{Yes: true}, true
	case "n", "no", "reject":
		return heal.Answer{Because: strings.TrimSpace(rest)}, true
	case "l", "later", "q", "quit":
		return heal.Answer{Wait: true}, true
	}
	return heal.Answer{}, false
}

// showPatch writes a patch as a unified diff against the user's tree.
func (a *app) showPatch(h *house, p edit.Patch) {
	text, err := p.Unified(h.tree.Source())
	if err != nil {
		a.print("the patch does not fit the files any more: %v", err)
		return
	}
	fmt.Fprint(a.io.Out, a.colorDiff(text))
}

func (a *app) colorDiff(text string) string {
	st := a.style()
	var b strings.Builder
	for line := range strings.Lines(text) {
		body, ended := strings.CutSuffix(line, "\n")
		b.WriteString(st.Diff(body))
		if ended {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
