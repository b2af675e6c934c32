// Package child answers "what does this program say?". It starts one process, gives it a text, and reads what it answers until a time: what the
// guard's hook needs of os/exec, without what it costs to link.
package child

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
)

// Said is what a program answered.
type Said struct {
	Out  []byte
	Errs []byte // the beginning of what it wrote to standard error
	Code int    // its exit code
}

// Failed is the error of a program that ended otherwise than with 0: its code, and the first line of what it said.
func (s Said) Failed() error {
	if s.Code == 0 {
		return nil
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(s.Errs), []byte("\n"))
	if len(first) == 0 {
		return fmt.Errorf("it ended with exit code %d and did not say why", s.Code)
	}
	return fmt.Errorf("it ended with exit code %d: %.200s", s.Code, first)
}

// The bounds of what is read.
const (
	maxOut  = 4 << 20
	maxErrs = 4 << 10
)

// ErrLate is a program that had not answered in time. It, and what it has started, are gone.
var ErrLate = errors.New("it did not answer in time")

// asked is the group of the program that was asked last, for as long as it is waited for.
var asked atomic.Int64

// End ends the program that is waited for, with all that it has started: the process that asked it ends before it has answered. In a process that asks several
// at a time it is the last of them.
func End() {
	if group := asked.Swap(0); group > 0 {
		_ = syscall.Kill(-int(group), syscall.SIGKILL) // who is gone already needs no ending
	}
}

// Ask starts a program, whose name is a path, and waits for its answer. Whatever it has started ends with it.
func Ask(argv, env []string, dir string, in []byte, until time.Time) (Said, error) {
	if len(argv) == 0 || !filepath.IsAbs(argv[0]) {
		return Said{}, fmt.Errorf("the program %q is not named by an absolute path", argv)
	}
	var all pipes
	defer all.close()
	stdin, feed := all.open()
	out, stdout := all.open()
	errs, stderr := all.open()
	if all.err != nil {
		return Said{}, all.err
	}
	p, err := os.StartProcess(argv[0], argv, &os.ProcAttr{Dir: dir, Env: env, Files: []*os.File{stdin, stdout, stderr}, Sys: alone()})
	if err != nil {
		return Said{}, notStarted(argv[0], err)
	}
	asked.Store(int64(p.Pid))
	defer asked.CompareAndSwap(int64(p.Pid), 0)
	end := func() { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) } // who is gone already needs no ending
	late := time.AfterFunc(time.Until(until), end)
	for _, theirs := range []*os.File{stdin, stdout, stderr} {
		theirs.Close()
	}
	for _, ours := range []*os.File{feed, out, errs} {
		_ = ours.SetDeadline(until) // a descendant that has left the group could hold it open
	}
	go func() {
		_, _ = feed.Write(in) // a program that does not read its input may answer all the same
		feed.Close()
	}()
	heard := make(chan []byte, 1)
	go func() {
		text, _ := io.ReadAll(io.LimitReader(errs, maxErrs))
		heard <- text
		_, _ = io.Copy(io.Discard, errs)
	}()
	var s Said
	s.Out, err = io.ReadAll(io.LimitReader(out, maxOut+1))
	if len(s.Out) > maxOut {
		err = fmt.Errorf("it wrote more than %d MiB", maxOut>>20)
	}
	if err != nil {
		end()
	}
	state, waited := p.Wait()
	if !late.Stop() || errors.Is(err, os.ErrDeadlineExceeded) {
		end()
		return s, ErrLate
	}
	end()
	if err = errors.Join(err, waited); err != nil {
		return s, err
	}
	s.Errs, s.Code = <-heard, state.ExitCode()
	return s, nil
}

// Leave starts a program that goes on by itself when the caller has ended: nothing of it is waited for, and nothing that it writes is read.
func Leave(argv, env []string, in []byte) error {
	if len(argv) == 0 || !filepath.IsAbs(argv[0]) {
		return fmt.Errorf("the program %q is not named by an absolute path", argv)
	}
	nowhere, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer nowhere.Close()
	f := nowhere
	if len(in) > 0 {
		if f, err = nameless(in); err != nil {
			return err
		}
		defer f.Close()
	}
	p, err := os.StartProcess(argv[0], argv, &os.ProcAttr{Dir: "/", Env: env, Files: []*os.File{f, nowhere, nowhere}, Sys: &syscall.SysProcAttr{Setsid: true}})
	if err != nil {
		return notStarted(argv[0], err)
	}
	go func() { _, _ = p.Wait() }() // so that a caller which stays leaves no dead process behind
	return nil
}

// notStarted says which program could not be started, and why.
func notStarted(program string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s cannot be started: %w", program, err)
}

// nameless is a file without a name that holds an input: a pipe would have to be filled, and held only as much as fits in.
func nameless(in []byte) (*os.File, error) {
	f, err := os.CreateTemp("", "fettle-guard-*")
	if err != nil {
		return nil, err
	}
	err = os.Remove(f.Name())
	if err == nil {
		_, err = f.Write(in)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// pipes are opened one after the other, and closed together.
type pipes struct {
	files []*os.File
	err   error
}

func (p *pipes) open() (read, write *os.File) {
	read, write, err := os.Pipe()
	if err != nil {
		p.err = errors.Join(p.err, err)
		return nil, nil
	}
	p.files = append(p.files, read, write)
	return read, write
}

func (p *pipes) close() {
	for _, f := range p.files {
		f.Close()
	}
}
