package cli

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"fettle/internal/pattern"
	"fettle/internal/store"
)

// put writes a file that is not journalled, such as the configuration: whole or not at all, and, where the file system can promise
// that, so that a power cut leaves it there with its name. What an earlier one that was killed has left goes: it lies beside the file.
func put(file string, text []byte) error {
	sweep(file)
	made := filepath.Join(filepath.Dir(file), unfinished(file)+strings.ToLower(rand.Text()[:16])+".tmp")
	err := write(made, text)
	if err == nil {
		err = os.Rename(made, file)
	}
	if err != nil {
		_ = os.Remove(made) // it may not be there; what stays goes with the next
		return err
	}
	err = store.SyncFolder(filepath.Dir(file))
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}

// write writes a new file, and returns when it is on the disk.
func write(file string, text []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// unfinished is how the name of a file begins while it is written; sixteen letters and digits follow. No person has a file of such a name.
func unfinished(file string) string { return ".fettle-" + filepath.Base(file) + "-" }

var tail = pattern.New(`^[a-z2-7]{16}\.tmp$`)

// abandoned is the age from which a file that was being written is nobody's any more.
const abandoned = time.Minute

// sweep removes the temporary files of a put that never ended. What cannot be removed stays.
func sweep(file string) {
	all, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return
	}
	for _, e := range all {
		rest, ok := strings.CutPrefix(e.Name(), unfinished(file))
		if !ok || !tail.MatchString(rest) || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = os.Remove(filepath.Join(filepath.Dir(file), e.Name()))
		}
	}
}
