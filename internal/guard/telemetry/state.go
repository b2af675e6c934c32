package telemetry

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// State is what the sender must not forget from one run to the next. Counters only grow.
type State struct {
	Version   int       `json:"version"`
	At        Position  `json:"at"`        // everything before it has been accepted, refused for good, or dropped
	Sent      int64     `json:"sent"`      // records that were accepted
	Rejected  int64     `json:"rejected"`  // records that the endpoint would not have
	Dropped   int64     `json:"dropped"`   // decisions that were never sent, as too many waited
	Gaps      int64     `json:"gaps"`      // times that the log was gone before it was read to its end
	Told      Loss      `json:"told"`      // how much of these two the endpoint knows
	Failures  int       `json:"failures"`  // in a row
	LastSent  time.Time `json:"last_sent"` // zero: never
	LastTried time.Time `json:"last_tried"`
	LastError string    `json:"last_error,omitempty"` // of the last try
	NotBefore time.Time `json:"not_before"`           // the next try of its own accord
}

// Position is a place in the log.
type Position struct {
	File   string `json:"file"` // the name of a day's file; empty: the beginning
	Offset int64  `json:"offset"`
}

// Loss is what was not sent.
type Loss struct {
	Dropped int64 `json:"dropped"`
	Gaps    int64 `json:"gaps"`
}

// untold is the loss that the endpoint does not know of yet.
func (s *State) untold() Loss { return Loss{s.Dropped - s.Told.Dropped, s.Gaps - s.Told.Gaps} }

const stateVersion = 1

// readState is the state in the sender's folder. Without one, everything is still to be sent.
func readState(dir string) (*State, error) {
	s := &State{Version: stateVersion}
	data, err := os.ReadFile(filepath.Join(dir, "cursor.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(data, s)
	}
	if err == nil && (s.Version != stateVersion || s.At.Offset < 0 || filepath.Base(s.At.File) != s.At.File && s.At.File != "") {
		err = errors.New("it is not in the form of this version")
	}
	if err != nil {
		return nil, fmt.Errorf("what was sent already cannot be read: %w; remove %s to send again what the log holds", err, filepath.Join(dir, "cursor.json"))
	}
	return s, nil
}

// write puts the state in the place of the one that was: whole, and on the disk, or not at all.
func (s *State) write(dir string) error {
	data, err := json.Marshal(s)
	if err == nil {
		err = replace(filepath.Join(dir, "cursor.json"), append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("what was sent cannot be noted: %w", err)
	}
	return nil
}

// identity is what stands for this machine: random, so that it says nothing about it.
type identity struct {
	Host string `json:"host"`
	Salt []byte `json:"salt"` // of the hashes, which nobody can look up therefore
}

// readIdentity is this machine's, made at the first use.
func readIdentity(dir string) (identity, error) {
	file := filepath.Join(dir, "identity.json")
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeIdentity(file); err == nil {
			data, err = os.ReadFile(file)
		}
	}
	if err != nil {
		return identity{}, err
	}
	var id identity
	if err = json.Unmarshal(data, &id); err == nil && (len(id.Salt) != sha256.Size || len(id.Host) != 32) {
		err = errors.New("it is damaged: remove it")
	}
	if err != nil {
		return identity{}, fmt.Errorf("%s: %w", file, err)
	}
	return id, nil
}

// makeIdentity makes a new identity. Of several processes that do so at once, the first has made it for all: it is whole when it takes its name.
func makeIdentity(file string) error {
	host, salt := make([]byte, 16), make([]byte, sha256.Size)
	_, _ = rand.Read(host) // never fails: see crypto/rand
	_, _ = rand.Read(salt)
	data, err := json.Marshal(identity{Host: hex.EncodeToString(host), Salt: salt})
	if err != nil {
		return err
	}
	made, err := written(file, append(data, '\n'))
	if err != nil {
		return err
	}
	defer os.Remove(made)
	if err = os.Link(made, file); errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// hash stands for a value: the same one for the same value, on this machine alone.
func (id identity) hash(kind, value string) string {
	mac := hmac.New(sha256.New, id.Salt)
	mac.Write([]byte(kind + "\x00" + value))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}

// replace writes a file that is the user's alone, and syncs it before it takes its name.
func replace(file string, data []byte) error {
	made, err := written(file, data)
	if err != nil {
		return err
	}
	if err := os.Rename(made, file); err != nil {
		return errors.Join(err, os.Remove(made))
	}
	return nil
}

// written is a file beside another, which may take its name: it is the user's alone, whole, and on the disk.
func written(file string, data []byte) (name string, err error) {
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".new-*") // 0600
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}
