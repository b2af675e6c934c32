package figures

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"fettle/scripts/release"
)

// Store keeps what was measured, a line of JSON each, so that a measurement can be broken off and gone on with.
type Store[T any] struct {
	mu    sync.Mutex
	key   func(T) string
	file  *os.File
	known map[string]T // the last one with a key counts
}

// Open opens a file of results, which is made if there is none. Key tells results apart; what counts says is not one is not taken in.
func Open[T any](name string, key func(T) string, counts func(T) bool) (*Store[T], error) {
	s := &Store[T]{key: key, known: map[string]T{}}
	old, err := os.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		err := s.load(old, counts)
		_ = old.Close() // it was only read
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	if s.file, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Store[T]) load(r io.Reader, counts func(T) bool) error {
	const longest = 1 << 20 // bytes of a line
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, longest)
	for sc.Scan() {
		var r T
		if json.Unmarshal(sc.Bytes(), &r) == nil && counts(r) { // a line that was broken off is measured again
			s.known[s.key(r)] = r
		}
	}
	return sc.Err()
}

// FileFor is where the results of one build of fettle are kept: in the folder for caches, named for what is measured and for the
// program's bytes.
func FileFor(measurement, fettle string) (string, error) {
	sum, err := release.SumOf(fettle)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "fettle-"+measurement, sum[:16]+".jsonl"), nil
}

// Has is an earlier result.
func (s *Store[T]) Has(key string) (T, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.known[key]
	return r, ok
}

// Keep writes a result down.
func (s *Store[T]) Keep(r T) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[s.key(r)] = r
	_, err = s.file.Write(append(line, '\n'))
	return err
}

// Close ends the writing.
func (s *Store[T]) Close() error { return s.file.Close() }
