// Package inside answers "what happens on the other side of the wall?". It is the part of fettle that runs within a private
// copy: the holder, a process of our own program under the name [Name], which sets up what commands in the copy see, starts
// them on request, and ends everything when it is told to or when its other end is gone.
//
// The package needs next to nothing (the standard library, x/sys/unix, and landlock, which needs no more), so that its init runs before that of nearly everything
// else in the program: a holder never gets to main, in whatever binary links it, test binaries included.
package inside

import "os"

// Name is the name (argv[0]) under which our own program is a holder.
const Name = "fettle-inside"

func init() {
	switch {
	case len(os.Args) == 0:
	case os.Args[0] == Name:
		os.Exit(hold())
	case os.Args[0] == limiter:
		os.Exit(limit())
	}
}
