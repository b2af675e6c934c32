package main

import "fettle/scripts/figures"

// openStore opens a file of results; with force what stands in it does not count.
func openStore(name string, force bool) (*figures.Store[Result], error) {
	return figures.Open(name, func(r Result) string { return r.Row }, func(r Result) bool { return r.Error == "" && !force })
}
