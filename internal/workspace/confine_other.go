//go:build !linux

package workspace

import (
	"errors"
	"net"

	"fettle/internal/proc"
)

func openOverlay(*Copy) (backing, error) {
	return nil, errors.New("overlayfs and mount namespaces are Linux's")
}

// unfenced starts commands as they are: this system offers no confinement that we know to use.
type unfenced struct{}

func newFence(*Copy, []string) (fence, error) { return unfenced{}, nil }

func (unfenced) start() proc.Start             { return proc.Host{}.Start }
func (unfenced) listen() (net.Listener, error) { return net.Listen("tcp", "127.0.0.1:0") }
func (unfenced) reset() error                  { return nil }
func (unfenced) close() error                  { return nil }
func (unfenced) describe() string              { return "writes and network NOT confined on this system" }
func (unfenced) confined() bool                { return false }
func (unfenced) holdsWrites() bool             { return false }
func (unfenced) hidesState() bool              { return false }
