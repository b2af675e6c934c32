package hook

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// lock takes the lock of a session, and waits for so long if another event of it is being answered.
func lock(file string, patience time.Duration) (*os.File, error) {
	for wait, left := time.Millisecond, patience; ; wait = min(2*wait, 20*time.Millisecond) {
		f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil && !lies(f, file) {
			err = syscall.EWOULDBLOCK // it was cleared away in between, and whoever comes now takes another
		}
		if err == nil {
			return f, nil
		}
		if err = errors.Join(err, f.Close()); !errors.Is(err, syscall.EWOULDBLOCK) || left <= 0 {
			return nil, err
		}
		time.Sleep(wait)
		left -= wait
	}
}

// lies reports that a file that was opened is the one which is there now.
func lies(f *os.File, file string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(file)
	return err == nil && os.SameFile(opened, now)
}
