package serve

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"fettle/scripts/release"
)

//go:embed serve.py
var program string

// How a server is run.
type How struct {
	Context int `json:"context"` // tokens that one call reads and writes
	Threads int `json:"threads"`
	Nice    int `json:"nice"` // how far behind other programs it stands, 0–19
	Port    int `json:"port"` // zero: a free one
	Seed    int `json:"seed"` // of what is drawn where a call asks for a temperature above zero
}

// Server is a model that is served.
type Server struct {
	URL  string // http://127.0.0.1:PORT
	Name string // of the model

	cmd   *exec.Cmd
	input io.Closer
	said  *tail
	ended chan struct{}
	err   error // of the process; to be read when it has ended
}

// ready is how long a server may take to load a model.
const ready = 5 * time.Minute

// Start serves a file of weights, and returns when it answers. The server ends with [Server.Close], with the context, and with this process, however that ends.
func (p Python) Start(ctx context.Context, name, file string, how How) (*Server, error) {
	arg, err := json.Marshal(struct {
		Name  string `json:"name"`
		Model string `json:"model"`
		How
	}{name, file, how})
	if err != nil {
		return nil, err
	}
	s := &Server{Name: name, said: &tail{}, ended: make(chan struct{})}
	s.cmd = exec.Command(p.Program, "-c", program, string(arg))
	// Threads that wait for each other by turning round would take the processors from whoever they wait for: where others work too, it is four times as fast so.
	s.cmd.Env = slices.Concat(p.env, []string{"OMP_WAIT_POLICY=passive", "GOMP_SPINCOUNT=0"})
	s.cmd.Stderr = s.said
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a Ctrl-C is ours, and it ends when we say so
	if s.input, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	address := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(out).ReadString('\n') // without one it has ended, and says why elsewhere
		address <- strings.TrimSpace(line)
		_, _ = io.Copy(io.Discard, out)
		s.err = s.cmd.Wait()
		close(s.ended)
	}()
	ctx, cancel := context.WithTimeoutCause(ctx, ready, fmt.Errorf("it was not ready after %v", ready))
	defer cancel()
	if err := s.wait(ctx, address); err != nil {
		s.Close()
		return nil, fmt.Errorf("the server of %s: %w\n%s", name, err, release.LastLines(s.said.bytes(), 15))
	}
	return s, nil
}

// wait returns when the server says that it is healthy.
func (s *Server) wait(ctx context.Context, address <-chan string) error {
	select {
	case s.URL = <-address:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if s.URL == "" {
		return errors.New("it ended before it served anything")
	}
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/health", nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			_ = resp.Body.Close() // its status says all
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-tick.C:
		case <-s.ended:
			return errors.New("it ended while it was loading")
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Ended is closed when the server's process is gone.
func (s *Server) Ended() <-chan struct{} { return s.ended }

// Said is the end of what the server has told about its work.
func (s *Server) Said() string { return string(s.said.bytes()) }

// patience is how long a server may take to end when it is told to.
const patience = 3 * time.Second

// Close ends the server, and returns when it is gone.
func (s *Server) Close() {
	_ = s.input.Close() // which tells it
	select {
	case <-s.ended:
	case <-time.After(patience): // it loads, and does not listen
		_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
		<-s.ended
	}
}

// tail keeps the end of what is written.
type tail struct {
	mu  sync.Mutex
	all []byte
}

const mostTail = 64 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all = append(t.all, b...)
	if len(t.all) > 2*mostTail {
		t.all = bytes.Clone(t.all[len(t.all)-mostTail:])
	}
	return len(b), nil
}

func (t *tail) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.all)
}
