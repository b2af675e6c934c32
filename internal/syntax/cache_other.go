//go:build !unix

package syntax

import "io/fs"

// mine cannot be told from the file information here; the folder lies in the user's own profile.
func mine(fs.FileInfo) bool { return true }
