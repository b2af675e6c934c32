//go:build !linux

package landlock

// Version is the version of Landlock that this kernel offers; 0: none.
func Version() int { return 0 }
