// Package program answers "how does a program of this folder begin and end?": with a context that ends when it is interrupted, and with one line if it fails.
package program

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Main runs a program by its name with its arguments, and does not return where it fails.
func Main(name string, run func(ctx context.Context, args []string) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}
