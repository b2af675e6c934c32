package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// results are what was measured with one build of fettle, by the fix's commit, and the file of JSON lines that keeps them.
type results struct {
	path string
	of   map[string]Result
}

// openResults reads what was measured with this program before; with force it forgets that.
func openResults(fettle string, force bool) (*results, error) {
	program, err := os.ReadFile(fettle)
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(program)
	r := &results{path: filepath.Join(cache, "fettle-locate", fmt.Sprintf("results-%x.jsonl", sum[:6])), of: map[string]Result{}}
	if err := os.MkdirAll(filepath.Dir(r.path), 0o755); err != nil {
		return nil, err
	}
	if force {
		if err := os.Remove(r.path); err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		return r, nil
	}
	data, err := os.ReadFile(r.path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for line := range bytes.Lines(data) {
		var one Result
		if err := json.Unmarshal(line, &one); err != nil {
			return nil, fmt.Errorf("%s: %w", r.path, err)
		}
		r.of[one.SHA] = one
	}
	return r, nil
}

// add keeps one more result.
func (r *results) add(one Result) error {
	line, err := json.Marshal(one)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(r.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(append(line, '\n')); err != nil {
		return err
	}
	r.of[one.SHA] = one
	return f.Close()
}
