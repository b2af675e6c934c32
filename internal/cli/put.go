package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"fettle/internal/store"

	"github.com/google/renameio/v2"
)

// put writes a file that is not journalled, such as the configuration: whole or not at all, and, where the file system can promise
// that, so that a power cut leaves it there with its name. What an earlier one that was killed has left goes: it lies beside the file.
func put(file string, text []byte) error {
	sweep(file)
	if err := renameio.WriteFile(file, text, 0o644, renameio.WithTempDir(filepath.Dir(file))); err != nil {
		return err
	}
	err := store.SyncFolder(filepath.Dir(file))
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}

// abandoned is the age from which a file that was being written is nobody's any more.
const abandoned = time.Minute

// sweep removes the temporary files of a put that never ended: a dot, the file's name, and digits. What cannot be removed stays.
func sweep(file string) {
	all, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return
	}
	for _, e := range all {
		number, ok := strings.CutPrefix(e.Name(), "."+filepath.Base(file))
		if !ok || number == "" || strings.Trim(number, "0123456789") != "" || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(filepath.Join(filepath.Dir(file), e.Name()))
		}
	}
}
