package inside

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// family is every process below the holder. It reaps them all: the holder is the first process of its namespace, or at
// least the one that orphans fall to. Commands lead their own groups. When the last command has ended, whatever else is
// left (daemons that fled into sessions of their own) is killed before that end is told.
type family struct {
	ended func(id int64, e Exit)

	mu   sync.Mutex
	wake *sync.Cond
	ids  map[int]int64 // of running commands, by process
	pids map[int64]int
}

func newFamily(ended func(int64, Exit)) *family {
	f := &family{ended: ended, ids: map[int]int64{}, pids: map[int64]int{}}
	f.wake = sync.NewCond(&f.mu)
	go f.reap()
	return f
}

// add starts a command and says so, both before its end can be told.
func (f *family) add(id int64, start func() (pid int, err error), say func(error) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	pid, err := start()
	if err != nil {
		f.wake.Signal() // there may be a failed child to reap
		return say(err)
	}
	f.ids[pid], f.pids[id] = id, pid
	err = say(nil)
	f.wake.Signal()
	return err
}

func (f *family) signal(id int64, sig syscall.Signal) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if pid, ok := f.pids[id]; ok {
		_ = syscall.Kill(-pid, sig)
	}
}

// end kills every process below the holder and waits until all are gone.
func (f *family) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sweep()
	for pid, id := range f.ids { // those that the sweep has reaped are told here; none is left running
		delete(f.ids, pid)
		delete(f.pids, id)
		f.ended(id, Exit{Signal: int(syscall.SIGKILL)})
	}
}

func (f *family) reap() {
	for {
		var ws syscall.WaitStatus
		var ru syscall.Rusage
		pid, err := syscall.Wait4(-1, &ws, 0, &ru)
		f.mu.Lock()
		if errors.Is(err, syscall.ECHILD) && len(f.ids) == 0 {
			f.wake.Wait()
		}
		if id, ok := f.ids[pid]; err == nil && ok {
			_ = syscall.Kill(-pid, syscall.SIGKILL) // the rest of its group
			delete(f.ids, pid)
			delete(f.pids, id)
			if len(f.ids) == 0 {
				f.sweep()
			}
			f.ended(id, exitOf(ws, ru))
		}
		f.mu.Unlock()
	}
}

// sweep kills and reaps until nobody is left. No command can start meanwhile: the lock is held.
//
// It never waits for a death: an orphan may fall to us just after we have looked for children, and then nobody would kill it
// while we wait for it to end.
func (f *family) sweep() {
	for pause := 50 * time.Microsecond; ; pause = min(2*pause, 10*time.Millisecond) {
		killAll()
		for {
			var ws syscall.WaitStatus
			pid, err := syscall.Wait4(-1, &ws, syscall.WNOHANG, nil)
			if errors.Is(err, syscall.ECHILD) {
				return
			}
			if pid <= 0 && !errors.Is(err, syscall.EINTR) {
				break
			}
		}
		time.Sleep(pause)
	}
}

// killAll kills every process of our namespace but us, or, where we share the machine's, each of our children: orphans fall
// to us, so that repeating it ends them all.
func killAll() {
	if os.Getpid() == 1 {
		_ = syscall.Kill(-1, syscall.SIGKILL)
		return
	}
	tasks, _ := os.ReadDir("/proc/self/task")
	for _, t := range tasks {
		children, _ := os.ReadFile("/proc/self/task/" + t.Name() + "/children")
		for _, c := range strings.Fields(string(children)) {
			if pid, err := strconv.Atoi(c); err == nil && pid > 1 {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
}

func exitOf(ws syscall.WaitStatus, ru syscall.Rusage) Exit {
	e := Exit{CPU: time.Duration(ru.Utime.Nano() + ru.Stime.Nano()), MaxRSS: MaxRSS(&ru)}
	if ws.Signaled() {
		e.Signal = int(ws.Signal())
	} else {
		e.Code = ws.ExitStatus()
	}
	return e
}
