package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"fettle/internal/proc"
	"fettle/internal/runner"
)

// worker is a warm process that runs serve/serve.cjs. It is used by one at a time.
type worker struct {
	suite   *Suite
	sources *sources
	cancel  context.CancelFunc
	stdin   *io.PipeWriter
	answers chan []byte
	ended   chan struct{} // closed when the process is gone
	result  proc.Result
	err     error
	parts   []tried          // of the answer to the last call
	each    func(int, tried) // is told of each part as it comes; it may not wait
}

// What can become of a request.
var (
	errHung = errors.New("it did not answer in time")
	errDied = errors.New("the process ended")
)

// startTime is how long a process may take until it can be asked.
const startTime = time.Minute

// machine are the options of our own for Node. A process is one core's: young objects get room, and are swept without help from other
// threads, which halves what a candidate costs; and what is hot is compiled at once, since a loop that never ends would be interpreted until
// another thread has its turn. The last is how many MB of objects a process may hold; ownMemory bounds what lies beside them.
var machine = []string{
	"--no-warnings", "--experimental-import-meta-resolve", "--max-semi-space-size=32", "--single-threaded-gc", "--no-concurrent-recompilation", "--max-old-space-size=1024",
}

// ownMemory is how many bytes a process may hold in all: its objects, and buffers as many again. An allocation beyond that fails in the candidate
// that asks for it.
const ownMemory = 2 << 30

// configuration is what serve.cjs reads first.
type configuration struct {
	Root    string   `json:"root"`
	Dir     string   `json:"dir"`
	Dialect string   `json:"dialect"`
	Mark    string   `json:"mark"`
	Trace   bool     `json:"trace"`
	Timeout string   `json:"timeout,omitempty"`
	Words   []string `json:"words"`
}

// start starts a process and waits until it can be asked.
func (s *Suite) start(ctx context.Context, src *sources, trace bool) (*worker, error) {
	dir, err := s.folder()
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, fmt.Sprintf("config-%d.json", s.started.Add(1))) // one may be read while the next is written
	err = writeJSON(name, configuration{
		Root: s.job.Place.Root(), Dir: folder(s.job), Dialect: s.command.dialect, Mark: runner.Mark, Trace: trace, Timeout: s.command.timeout(), Words: s.command.words,
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	in, out := io.Pipe()
	w := &worker{suite: s, sources: src, cancel: cancel, stdin: out, answers: make(chan []byte, 1), ended: make(chan struct{})}
	reader := &runner.MarkedLines{Each: func(said []byte) {
		select {
		case w.answers <- slices.Clone(said):
		case <-ctx.Done():
		}
	}}
	argv := slices.Concat([]string{"node"}, s.command.nodeFlags(),
		machine, []string{filepath.Join(dir, "serve.cjs"), name})
	go func() {
		defer close(w.ended)
		w.result, w.err = s.job.Place.Run(ctx, proc.Cmd{
			Argv: argv, Dir: folder(s.job), Env: environ(s.job.Check, s.testEnv()), Stdin: in, Stdout: reader,
			Limits: proc.Limits{Grace: 50 * time.Millisecond, Output: 1 << 40, Data: ownMemory},
		})
		_ = in.CloseWithError(errDied)
	}()
	first, err := w.answer(ctx, startTime)
	if err == nil && first.Unfit != "" {
		err = errors.New(first.Unfit)
	}
	if err != nil {
		w.close()
		return nil, fmt.Errorf("start a process for tests: %w%s", err, w.words())
	}
	return w, nil
}

// testEnv is what the runners tell the tests by the environment.
func (s *Suite) testEnv() map[string]string {
	env := map[string]string{}
	set := func(key, value string) {
		if _, has := s.job.Check.Env[key]; !has {
			env[key] = value
		}
	}
	switch s.command.dialect {
	case "node":
		set("NODE_TEST_CONTEXT", "child-v8")
	case "jest":
		set("NODE_ENV", "test")
		set("JEST_WORKER_ID", "1")
	case "vitest":
		set("NODE_ENV", "test")
		set("VITEST", "true")
		set("VITEST_WORKER_ID", "1")
		set("VITEST_POOL_ID", "1")
	}
	return env
}

// words is what the process wrote to its stderr, for an error message; only once it has been closed.
func (w *worker) words() string {
	text := runner.LastWords(w.result.Stderr.String())
	if text == "" {
		return ""
	}
	return ": " + text
}

// close ends the process and waits for its end.
func (w *worker) close() {
	_ = w.stdin.Close()
	w.cancel()
	<-w.ended
}

// answer is any answer of the process.
type answer struct {
	Ask     string           `json:"ask"`
	Ready   string           `json:"ready"`
	Unfit   string           `json:"unfit"`
	Files   []fileBase       `json:"files"`
	MS      float64          `json:"ms"`
	Part    *tried           `json:"part"` // of what was asked for: more follows
	Spoiled bool             `json:"spoiled"`
	Left    bool             `json:"left"`
	Lines   map[string][]int `json:"lines"`
	Error   string           `json:"error"`
	Missing bool             `json:"missing"`
	Bound   string           `json:"bound"`
	Types   []seen           `json:"types"`
	Calls   []told           `json:"calls"`
	Answers []answered       `json:"answers"`
}

// fileBase is how the tests of a file come out as the sources stand: positions of those that pass.
type fileBase struct {
	Targets []int    `json:"targets"`
	Passing []int    `json:"passing"`
	Bound   string   `json:"bound"`
	Used    int64    `json:"used"`
	Errors  []string `json:"errors"` // of the targets that fail
	Loaded  []string `json:"loaded"`
	Broken  bool     `json:"broken"`
	Started bool     `json:"started"` // processes or contexts of their own
}

// tried is what became of a candidate: file and position of the tests that passed.
type tried struct {
	Targets [][2]int  `json:"targets"`
	Passing *[][2]int `json:"passing"` // nil: they were not run
	Bound   string    `json:"bound"`
	Odd     bool      `json:"odd"`
	Unbuilt string    `json:"unbuilt"`
}

// call asks for something and waits for the answer; what the process wants to know meanwhile, it is told. The limit is for each part of
// an answer.
func (w *worker) call(ctx context.Context, request any, limit time.Duration) (answer, error) {
	w.parts = nil
	stop := time.AfterFunc(limit, w.cancel) // a process that does not read would be waited for while we write
	err := w.write(request)
	stop.Stop()
	if err != nil {
		return answer{}, w.failure(ctx, err)
	}
	return w.answer(ctx, limit)
}

func (w *worker) write(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	_, err = w.stdin.Write(append(text, '\n'))
	return err
}

func (w *worker) answer(ctx context.Context, limit time.Duration) (answer, error) {
	t := time.NewTimer(limit)
	defer t.Stop()
	for {
		var line []byte
		select {
		case line = <-w.answers:
		case <-w.ended:
			select {
			case line = <-w.answers: // its last word
			default:
				return answer{}, w.failure(ctx, errDied)
			}
		case <-t.C:
			w.cancel()
			return answer{}, errHung
		case <-ctx.Done():
			return answer{}, ctx.Err()
		}
		var a answer
		if err := json.Unmarshal(line, &a); err != nil {
			return answer{}, fmt.Errorf("read an answer: %w", err)
		}
		if a.Part != nil {
			w.parts = append(w.parts, *a.Part)
			if w.each != nil {
				w.each(len(w.parts)-1, *a.Part)
			}
			t.Reset(limit)
			continue
		}
		if a.Ask == "" {
			return a, nil
		}
		if err := w.write(w.sources.get(ctx, a.Ask).served); err != nil {
			return answer{}, w.failure(ctx, err)
		}
	}
}

// failure says why a process did not answer.
func (w *worker) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	select {
	case <-w.ended:
		if w.err != nil {
			return fmt.Errorf("run tests: %w", w.err)
		}
		if w.result.Ended == proc.Cancelled {
			return errHung
		}
		return errDied
	default:
	}
	if errors.Is(err, errDied) || errors.Is(err, io.ErrClosedPipe) {
		return errDied
	}
	return err
}

// folder is the suite's own in the scratch folder, with our programs in it.
func (s *Suite) folder() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir != "" {
		return s.dir, nil
	}
	dir, err := mkdirTemp(s.job.Place.Scratch())
	if err != nil {
		return "", err
	}
	s.dir = dir
	return dir, nil
}
