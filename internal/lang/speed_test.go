package lang_test

import (
	"testing"

	"fettle/internal/lang"
)

// BenchmarkIsCheckConfig asks about a file that is none, as nearly all are.
func BenchmarkIsCheckConfig(b *testing.B) {
	for b.Loop() {
		if lang.IsCheckConfig("src/pkg/deep/file123.go") {
			b.Fatal("it is none")
		}
	}
}
