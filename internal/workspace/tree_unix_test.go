//go:build unix

package workspace_test

import (
	"os"
	"sync"
	"syscall"
	"testing"
)

func owner(t *testing.T, file string) (uid, gid uint32) {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	st := info.Sys().(*syscall.Stat_t)
	return st.Uid, st.Gid
}

// counter counts from 1; steps may happen side by side.
type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) next() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n
}

// limitFileSize makes every write of this process beyond n bytes of a file fail.
func limitFileSize(n uint64) error {
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n})
}
