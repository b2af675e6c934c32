//go:build !linux

package inside

import (
	"fmt"
	"os"
)

// hold is Linux's; nothing starts a holder elsewhere.
func hold() int {
	fmt.Fprintln(os.Stderr, "private copies with namespaces need Linux")
	return 2
}
