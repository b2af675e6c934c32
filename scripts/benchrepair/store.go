package main

import (
	"os"
	"path/filepath"

	"fettle/scripts/figures"
	"fettle/scripts/release"
)

// storeFor is the file of results of one fettle program.
func storeFor(fettle string) (string, error) {
	sum, err := release.SumOf(fettle)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "fettle-repair", sum[:16]+".jsonl"), nil
}

// openStore opens a file of results; with force what stands in it does not count.
func openStore(name string, force bool) (*figures.Store[Result], error) {
	return figures.Open(name, func(r Result) string { return r.Row }, func(r Result) bool { return r.Error == "" && !force })
}
