package python

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"fettle/internal/pattern"
	"fettle/internal/proc"
	"fettle/internal/runner"
)

// server is a pytest that has collected the tests and serves. It is used by one at a time.
type server struct {
	hello  hello
	cancel context.CancelFunc
	in     *os.File // requests
	out    *bufio.Reader
	feed   *io.PipeReader
	ended  chan struct{} // closed when the process has ended
	result proc.Result
	err    error
	dir    string
	once   sync.Once
}

// hello is what a server says when it has collected the tests.
type hello struct {
	Python      string   `json:"python"`
	Found       []string `json:"found"`        // ids of the wanted tests that are there
	Errors      []string `json:"errors"`       // what could not be collected
	PythonFiles []string `json:"python_files"` // pytest's patterns of names of test files
	Hooks       bool     `json:"hooks"`        // plug-ins have a word in how tests run
}

// reply is one line from a server. Exactly one part of it is there.
type reply struct {
	Hello    *hello     `json:"hello"`
	Fatal    string     `json:"fatal"`
	Done     bool       `json:"done"`
	Measured string     `json:"measured"` // a test's id
	Measure  *measure   `json:"reply"`
	Run      *traced    `json:"run"`
	Seen     []seen     `json:"seen"`
	N        *int       `json:"n"` // a candidate's number
	Inputs   []string   `json:"inputs"`
	Compared *int       `json:"compared"` // the number of a candidate
	Answers  []answered `json:"answers"`  // of that one to the inputs; none: it cannot be told
	attempt
}

// answered is what came of a call.
type answered struct {
	Text   string `json:"text"`
	Digest string `json:"digest"`
	Said   uint8  `json:"said"` // a [runner.Said]
}

// longestReply bounds a line of a reply. What a test covers in a huge repository comes in one.
const longestReply = 256 << 20

// serve starts a server and waits until it has collected the tests.
func (s *suite) serve(ctx context.Context) (*server, error) {
	// The options come before the user's own: what the user says holds. Assertions are not rewritten, because their texts cost time and tell nothing here.
	cmd, dir, err := s.start(settings{Mode: "serve", IDs: s.ids(), Files: files(s.failing), Most: s.most()}, "--assert=plain")
	if err != nil {
		return nil, err
	}
	child, in, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start pytest: %w", err)
	}
	feed, to := io.Pipe()
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	v := &server{cancel: cancel, in: in, feed: feed, out: bufio.NewReaderSize(feed, 1<<16), ended: make(chan struct{}), dir: dir}
	cmd.Stdin, cmd.Stdout = child, to
	cmd.Limits.Output = 1 << 50 // requests may go on for days
	go func() {
		defer close(v.ended)
		v.result, v.err = s.place.Run(run, cmd)
		_ = child.Close()
		_ = to.Close()
	}()
	stop := context.AfterFunc(ctx, cancel)
	r, err := v.receive()
	if err == nil && r.Hello == nil {
		err = errors.New("pytest did not say that it has collected the tests")
	}
	if !stop() || err != nil {
		v.close()
		return nil, v.failure(ctx, err)
	}
	v.hello = *r.Hello
	return v, nil
}

// close ends the server, and waits until it has ended.
func (v *server) close() {
	v.once.Do(func() {
		_ = v.in.Close() // its end of input is its end
		_ = v.feed.Close()
		polite := time.NewTimer(time.Second)
		defer polite.Stop()
		select {
		case <-v.ended:
		case <-polite.C: // it is at work
		}
		v.cancel()
		<-v.ended
		_ = os.RemoveAll(v.dir)
	})
}

// receive is the server's next line.
func (v *server) receive() (reply, error) {
	var r reply
	line, err := v.line()
	if err != nil {
		return r, v.gone()
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return r, fmt.Errorf("pytest's answer cannot be read: %w", err)
	}
	if r.Fatal != "" {
		v.cancel()
		<-v.ended
		return r, fmt.Errorf("%s: %s", r.Fatal, lastWords(v.result.Stderr.String()))
	}
	return r, nil
}

func (v *server) line() ([]byte, error) {
	var long []byte
	for {
		part, err := v.out.ReadSlice('\n')
		if err == nil && long == nil {
			return part, nil
		}
		if long = append(long, part...); !errors.Is(err, bufio.ErrBufferFull) {
			return long, err
		}
		if len(long) > longestReply {
			return nil, errors.New("an answer without end")
		}
	}
}

// gone says why there is nothing to receive any more.
func (v *server) gone() error {
	v.cancel()
	<-v.ended
	if v.err != nil {
		return fmt.Errorf("start pytest: %w", v.err)
	}
	said := strings.TrimSpace(v.result.Stderr.String())
	if i := strings.LastIndexByte(said, '\n'); i >= 0 && v.result.Ended == proc.Exited {
		said = lastWords(said)
	}
	if v.result.Ended != proc.Exited {
		return fmt.Errorf("pytest ended before it had collected the tests: %s", v.result.Ended)
	}
	return fmt.Errorf("pytest ended before it had collected the tests, with exit code %d: %s", v.result.Code, said)
}

// raised is a line that says with which exception Python has ended, perhaps behind pytest's mark of an error within itself.
var raised = pattern.New(`(?m)^(?:INTERNALERROR> |E +)?((?:\w+\.)*\w*(?:Error|Exception|Exit|Interrupt)\b.*)$`)

// lastWords is the end of what a command printed. Of a stack it is the exception: the stack is of programs that are not the user's.
func lastWords(s string) string {
	if all := raised.FindAllStringSubmatch(s, -1); len(all) > 0 {
		s = all[len(all)-1][1]
	}
	return runner.LastWords(s)
}

// ask sends a request and hands each line of the answer to hear, up to its end. A cancelled context ends the server, and is an error even where
// the answer was there just before: nobody may go on with that server.
func (v *server) ask(ctx context.Context, request any, hear func(reply) error) (err error) {
	b, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("ask pytest: %w", err)
	}
	stop := context.AfterFunc(ctx, v.cancel)
	defer func() {
		if !stop() && err == nil {
			err = context.Cause(ctx)
		}
	}()
	if _, err := v.in.Write(append(bytes.TrimSpace(b), '\n')); err != nil {
		return v.failure(ctx, v.gone())
	}
	for {
		r, err := v.receive()
		if err != nil {
			return v.failure(ctx, err)
		}
		if r.Done {
			return nil
		}
		if err := hear(r); err != nil {
			return err
		}
	}
}

// failure is the context's error where that is what ended the server.
func (v *server) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
