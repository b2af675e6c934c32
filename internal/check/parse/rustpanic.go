package parse

import (
	"path"
	"strings"

	"fettle/internal/diag"
	"fettle/internal/pattern"
)

var (
	rustPanic    = pattern.New(`^thread '(.*?)' (?:\(\d+\) )?panicked at (.+?):(\d+):(\d+):$`)
	rustPanicOld = pattern.New(`^thread '(.*?)' panicked at '(.*)$`) // before Rust 1.73
	rustPanicEnd = pattern.New(`^(.*)', ([^']+?):(\d+):(\d+)$`)
	rustCall     = pattern.New(`^\s+\d+: (?:0x[0-9a-f]+ - )?(.+)$`)
	rustAt       = pattern.New(`^\s+at (\S.*?):(\d+)(?::\d+)?$`)
	rustNoPanic  = pattern.New(`^note: test did not panic as expected(?: at (.+?):(\d+):\d+)?$`)
	rustExpected = pattern.New(`^(?:Test executable |Test compiled |Couldn't compile|error(?:\[E\d+\])?: |Error: )`)
)

// rustWhy is why a Rust test failed, as its output tells it.
type rustWhy struct {
	thread, file string
	line, column int
	message      []string
	frames       []diag.Frame
	call         string // the function of the frame whose place comes next
	ended        bool   // the message
}

// rustFault makes a finding of what a failing test printed. Of several panics that of the test's own thread counts, and of
// these the last: the others were caught. Frames name files from the package's folder, panics from the workspace's.
func (c *collector) rustFault(text []string, test, dir string) diag.Diagnostic {
	d := diag.Diagnostic{Detail: strings.Join(text, "\n"), Message: "the test failed"}
	var why *rustWhy
	for _, p := range c.rustPanics(text, dir) {
		if why == nil || p.thread == test || why.thread != test {
			why = p
		}
	}
	if why != nil {
		d.Message = why.said()
		d.Frames = why.frames
		if f := c.rustFile(why.file); f != "" {
			d.File, d.Range = f, at(why.line, why.column)
			if len(d.Frames) == 0 {
				d.Frames = []diag.Frame{{File: f, Line: why.line}}
			}
		} else {
			c.locate(&d)
		}
	}
	c.rustVerdict(&d, text, why != nil)
	return d
}

// rustVerdict is what the test program says of a test beside its panics: that it should have panicked, or otherwise; the
// error it returned; what the compiler says of an example.
func (c *collector) rustVerdict(d *diag.Diagnostic, text []string, panicked bool) {
	for i, line := range text {
		switch m := rustNoPanic.FindStringSubmatch(line); {
		case m != nil:
			d.Message = "the test did not panic as expected"
			if f := c.rustFile(m[1]); f != "" {
				d.File, d.Range = f, at(number(m[2]), 0)
			}
			return
		case line == "note: panic did not contain expected string":
			d.Message = "the panic does not have the expected message"
			for _, more := range text[i+1 : min(i+3, len(text))] {
				d.Message += ", " + strings.TrimSpace(more)
			}
			return
		case !panicked && rustExpected.MatchString(line):
			d.Message, panicked = line, !strings.HasPrefix(line, "Couldn't compile") && !strings.HasPrefix(line, "Test executable failed")
		}
	}
}

// rustPanics are the panics in a text.
func (c *collector) rustPanics(text []string, dir string) []*rustWhy {
	var all []*rustWhy
	var now *rustWhy
	for _, line := range text {
		if p := newRustPanic(line); p != nil {
			all, now = append(all, p), p
			continue
		}
		if now != nil {
			c.panicLine(now, line, dir)
		}
	}
	return all
}

func newRustPanic(line string) *rustWhy {
	if m := rustPanic.FindStringSubmatch(line); m != nil {
		return &rustWhy{thread: m[1], file: m[2], line: number(m[3]), column: number(m[4])}
	}
	if m := rustPanicOld.FindStringSubmatch(line); m != nil {
		w := &rustWhy{thread: m[1]}
		w.old(m[2])
		return w
	}
	return nil
}

// old reads a line of the message as it stood in quotes before its place.
func (w *rustWhy) old(line string) {
	if m := rustPanicEnd.FindStringSubmatch(line); m != nil {
		w.message = append(w.message, m[1])
		w.file, w.line, w.column, w.ended = m[2], number(m[3]), number(m[4]), true
		return
	}
	w.message = append(w.message, line)
}

// panicLine reads a line below a panic: its message, then, if RUST_BACKTRACE is set, the frames.
func (c *collector) panicLine(w *rustWhy, line, dir string) {
	switch {
	case w.file == "" && len(w.message) < 20:
		w.old(line)
	case !w.ended && (line == "stack backtrace:" || strings.HasPrefix(line, "note: ") || line == ""):
		w.ended = true
	case !w.ended && len(w.message) < 20:
		w.message = append(w.message, line)
	case w.ended:
		c.panicFrame(w, line, dir)
	}
}

func (c *collector) panicFrame(w *rustWhy, line, dir string) {
	if m := rustCall.FindStringSubmatch(line); m != nil {
		w.call = m[1]
		return
	}
	m := rustAt.FindStringSubmatch(line)
	if m == nil || len(w.frames) >= maxFrames {
		return
	}
	file := m[1]
	if !path.IsAbs(file) {
		if dir == "" {
			dir = w.packageDir(file)
		} else if rel, ok := strings.CutPrefix(dir+"/", c.o.Dir+"/"); ok {
			dir = rel
		}
		file = path.Join(dir, file)
	}
	call, closure := strings.CutSuffix(valid(w.call), "::{{closure}}")
	if n := len(w.frames); closure && n > 0 && w.frames[n-1].Func == call {
		return // the closure that the test program calls a test through
	}
	if f := c.rustFile(file); f != "" && !strings.Contains(f, ".cargo/registry/") && number(m[2]) > 0 {
		w.frames = append(w.frames, diag.Frame{File: f, Line: number(m[2]), Func: call})
	}
}

// packageDir guesses the package's folder from the two names of one file: "calc/src/lib.rs" in the panic is
// "./src/lib.rs" in its frame.
func (w *rustWhy) packageDir(frame string) string {
	dir, ok := strings.CutSuffix(w.file, "/"+path.Clean(frame))
	if !ok {
		return ""
	}
	return dir
}

// said is the message on one line: "assertion `left == right` failed (left: 1, right: 2)".
func (w *rustWhy) said() string {
	if len(w.message) == 0 {
		return "the test panicked"
	}
	first := strings.TrimSpace(w.message[0])
	var rest []string
	for _, l := range w.message[1:] {
		if l = strings.Trim(strings.TrimSpace(l), ","); l != "" {
			rest = append(rest, l)
		}
	}
	if len(rest) > 0 {
		first += " (" + strings.Join(rest, ", ") + ")"
	}
	return first
}
