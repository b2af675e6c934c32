package parse_test

import (
	"strings"
	"testing"

	"fettle/internal/check/parse"
)

// BenchmarkNoise reads what a check prints besides its findings: most of most logs.
func BenchmarkNoise(b *testing.B) {
	const size = 4 << 20
	piece := strings.Repeat("some noise that no tool means anything by 12:34:56\n", 100)
	for _, name := range parse.Names() {
		b.Run(name, func(b *testing.B) {
			f, _ := parse.Lookup(name)
			b.SetBytes(size)
			for b.Loop() {
				if _, err := f.Parse(&endless{piece: piece, left: size}, options(name)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
