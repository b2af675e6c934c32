package proc

import (
	"errors"
	"io"
	"os"
	"reflect"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// drainTime is how long a stream may stay open after its command has ended. Only a process that left the command's group
// can still hold it then; what that process prints later belongs to nobody.
const drainTime = 250 * time.Millisecond

// pipeSize is the most a pipe can hold by default limits (/proc/sys/fs/pipe-max-size).
const pipeSize = 1 << 20

// budget is what a command may print on both streams together.
type budget struct {
	left atomic.Int64
	over chan struct{} // closed when the budget is spent
}

func newBudget(n int64) *budget {
	if n <= 0 {
		n = 1 << 30
	}
	b := &budget{over: make(chan struct{})}
	b.left.Store(n)
	return b
}

// spend takes n bytes and returns how many of them were still within the budget.
func (b *budget) spend(n int) int {
	left := b.left.Add(-int64(n))
	if left >= 0 {
		return n
	}
	if left+int64(n) >= 0 { // this call crossed the line; it is the only one that can
		close(b.over)
	}
	return int(max(0, left+int64(n)))
}

// stream reads one output of a command to its end: everything is counted, both ends are kept, and what is within the budget
// goes to the writer. A writer that fails is not written to again, but the stream is read on: the command must not be
// stopped by it, and the kept ends must be whole.
type stream struct {
	pipe   *os.File
	to     io.Writer
	budget *budget
	keep   keeper
	done   chan struct{}
}

func newStream(pipe *os.File, to io.Writer, b *budget) *stream {
	s := &stream{pipe: pipe, to: to, budget: b, done: make(chan struct{})}
	go s.read()
	return s
}

func (s *stream) read() {
	defer close(s.done)
	buf := make([]byte, 32<<10)
	for {
		n, err := s.pipe.Read(buf)
		s.take(buf[:n])
		if errors.Is(err, os.ErrDeadlineExceeded) {
			s.rest(buf)
		}
		if err != nil {
			return
		}
	}
}

func (s *stream) take(p []byte) {
	if len(p) == 0 {
		return
	}
	s.keep.add(p)
	within := s.budget.spend(len(p))
	if s.to == nil || within == 0 {
		return
	}
	if _, err := s.to.Write(p[:within]); err != nil {
		s.to = nil
	}
}

// rest takes what already stands in the pipe, without waiting for more: a slow writer may have kept us from it until the
// deadline had passed.
func (s *stream) rest(buf []byte) {
	if s.pipe.SetReadDeadline(time.Time{}) != nil {
		return
	}
	raw, err := s.pipe.SyscallConn()
	if err != nil {
		return
	}
	for taken := 0; taken < pipeSize; {
		n := 0
		err := raw.Read(func(fd uintptr) bool {
			n, err = syscall.Read(int(fd), buf)
			return true // whatever it says: never wait
		})
		if err != nil || n <= 0 {
			return
		}
		s.take(buf[:n])
		taken += n
	}
}

// finish is called when the command has ended. It returns what was kept once the stream has ended too, or at the latest
// when the drain time is over.
func (s *stream) finish() Tail {
	_ = s.pipe.SetReadDeadline(time.Now().Add(drainTime)) // fails only when the pipe has no deadlines, and then it ends by itself
	<-s.done
	_ = s.pipe.Close()
	return s.keep.tail()
}

// writers are the command's writers. One writer for both streams gets one write at a time.
func writers(c Cmd) (stdout, stderr io.Writer) {
	if c.Stdout == nil || c.Stderr == nil || !reflect.TypeOf(c.Stdout).Comparable() || c.Stdout != c.Stderr {
		return c.Stdout, c.Stderr
	}
	w := &oneAtATime{to: c.Stdout}
	return w, w
}

type oneAtATime struct {
	mu sync.Mutex
	to io.Writer
}

func (w *oneAtATime) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}
