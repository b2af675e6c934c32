package testenv

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// Seed is that of a test's random choices: another one each time, unless FETTLE_SOAK_SEED names it. The test's log says how to repeat them.
// make test names it: what has passed once passes again, and a change is not blamed for what was there before it.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed, err := strconv.ParseUint(os.Getenv("FETTLE_SOAK_SEED"), 10, 64)
	if err != nil {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("FETTLE_SOAK_SEED=%d", seed)
	return seed
}
