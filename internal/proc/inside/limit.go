package inside

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Limits are the resource limits of one command; zero is no limit.
type Limits struct {
	Memory int64 // bytes of address space
	Data   int64 // bytes of memory of its own that can be written
	Procs  int   // processes of the user
	File   int64 // bytes of a written file
}

// limiter is the name (argv[0]) under which our own program sets limits on itself and then becomes a command. Limits set on a
// running process from outside would come too late for what it does first.
const limiter = "fettle-limits"

// resultFD is where a limiter tells why it could not become the command. It closes by itself when it can.
const resultFD = 3

// Fork starts a program by the given means, which get what to execute, its arguments, and the files of its descriptors from 0
// on. With limits it is started through a limiter.
func Fork(program string, argv []string, files []*os.File, l Limits, start func(program string, argv []string, files []*os.File) error) error {
	if l == (Limits{}) {
		return start(program, argv, files)
	}
	self, err := ownProgram()
	if err != nil {
		return err
	}
	result, theirs, err := os.Pipe()
	if err != nil {
		return err
	}
	defer result.Close()
	limits := fmt.Sprintf("%d,%d,%d,%d", l.Memory, l.Data, l.Procs, l.File)
	err = start(self, append([]string{limiter, limits, program}, argv...), append(files[:len(files):len(files)], theirs))
	_ = theirs.Close()
	if err != nil {
		return err
	}
	said, err := io.ReadAll(result)
	if err != nil || len(said) == 0 {
		return err
	}
	if n, err := strconv.Atoi(string(said)); err == nil {
		return syscall.Errno(n)
	}
	return errors.New(string(said))
}

// limit is the whole life of a limiter. It returns only when it failed.
func limit() int {
	unix.CloseOnExec(resultFD)
	result := os.NewFile(resultFD, "result")
	err := becomeLimited(os.Args)
	var errno syscall.Errno
	if errors.As(err, &errno) {
		_, err = fmt.Fprint(result, int(errno))
	} else {
		_, err = fmt.Fprint(result, err)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "this is a part of fettle that only fettle itself can start")
	}
	return 127
}

func becomeLimited(args []string) error {
	if len(args) < 4 {
		return errors.New("too few arguments")
	}
	var l Limits
	if _, err := fmt.Sscanf(args[1], "%d,%d,%d,%d", &l.Memory, &l.Data, &l.Procs, &l.File); err != nil {
		return err
	}
	for _, one := range []struct {
		which int
		n     int64
	}{{unix.RLIMIT_AS, l.Memory}, {unix.RLIMIT_DATA, l.Data}, {unix.RLIMIT_NPROC, int64(l.Procs)}, {unix.RLIMIT_FSIZE, l.File}} {
		if one.n <= 0 {
			continue
		}
		var have syscall.Rlimit
		if err := syscall.Getrlimit(one.which, &have); err != nil {
			return err
		}
		n := min(uint64(one.n), have.Max) // a limit from outside may be lower, and only a privileged process can raise it
		if err := syscall.Setrlimit(one.which, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
			return err
		}
	}
	return syscall.Exec(args[2], args[3:], os.Environ()) //nolint:gosec // running what it is given is its purpose
}
