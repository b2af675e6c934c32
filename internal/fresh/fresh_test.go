package fresh_test

import (
	"testing"

	"fettle/internal/fresh"
)

func TestKey(t *testing.T) {
	seen := map[[32]byte]bool{{}: true}
	for range 100 {
		key := fresh.Key()
		if seen[key] {
			t.Fatalf("%x came twice, or is empty", key)
		}
		seen[key] = true
	}
}
