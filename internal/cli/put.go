package cli

import (
	"errors"
	"path/filepath"
	"syscall"

	"fettle/internal/store"

	"github.com/google/renameio/v2"
)

// put writes a file that is not journalled, such as the configuration: whole or not at all, and, where the file system can promise
// that, so that a power cut leaves it there with its name.
func put(file string, text []byte) error {
	if err := renameio.WriteFile(file, text, 0o644); err != nil {
		return err
	}
	err := store.SyncFolder(filepath.Dir(file))
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}
