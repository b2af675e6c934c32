// Package fresh makes keys that nobody can guess. [crypto/rand] does so too, but a program that starts for every tool call would have to carry, and to
// get ready, a generator of its own and what it is tested with: 100 KB, and 33 MB of address space.
package fresh

import (
	"fmt"
	"io"
	"os"
)

// Key is 32 bytes from the system's source of random numbers. Without that source the program cannot go on: it panics, as crypto/rand does.
func Key() (key [32]byte) {
	f, err := os.Open("/dev/urandom")
	if err == nil {
		defer f.Close()
		_, err = io.ReadFull(f, key[:])
	}
	if err != nil {
		panic(fmt.Errorf("the system gives no random numbers: %w", err))
	}
	return key
}
