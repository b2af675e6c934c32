//go:build !linux

package confine

import "fmt"

// Supported says why nothing can be confined here.
func Supported() error {
	return fmt.Errorf("%w: Landlock is Linux's (6.2 or later)", ErrUnsupported)
}

// Start is Linux's.
func (b *Bounds) Start(string, []string, []string) error { return Supported() }

// Holds reports that this process is confined. It is not known here.
func Holds(string) (confined, known bool) { return false, false }
