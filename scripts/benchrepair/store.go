package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// store keeps what was measured, a line each, so that a measurement can be broken off and gone on with.
type store struct {
	mu    sync.Mutex
	file  *os.File
	known map[string]Result // by row; the last one counts
}

// storeFor is the file of results of one fettle program.
func storeFor(fettle string) (string, error) {
	f, err := os.Open(fettle)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "fettle-repair", hex.EncodeToString(h.Sum(nil)[:8])+".jsonl"), nil
}

// openStore opens a file of results; with force what stands in it does not count.
func openStore(name string, force bool) (*store, error) {
	s := &store{known: map[string]Result{}}
	old, err := os.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist), force:
	case err != nil:
		return nil, err
	default:
		if err := s.load(old); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if old != nil {
		_ = old.Close() // it was only read
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	if s.file, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *store) load(r io.Reader) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var r Result
		if json.Unmarshal(sc.Bytes(), &r) == nil && r.Error == "" { // a line that was broken off is measured again
			s.known[r.Row] = r
		}
	}
	return sc.Err()
}

// has is an earlier result.
func (s *store) has(row string) (Result, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.known[row]
	return r, ok
}

func (s *store) keep(r Result) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[r.Row] = r
	_, err = s.file.Write(append(line, '\n'))
	return err
}

func (s *store) close() error { return s.file.Close() }
