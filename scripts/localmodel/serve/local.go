package serve

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// Local is the small model, served: what is not here yet is brought. One process at a time brings and installs; others wait for it.
func Local(ctx context.Context, how How, say func(string)) (*Server, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, "fettle", "models")
	python, name, file, err := prepare(ctx, dir, say)
	if err != nil {
		return nil, err
	}
	say("starting the server")
	return python.Start(ctx, name, file, how)
}

// pause is how long lies between two looks at the lock.
const pause = 200 * time.Millisecond

func prepare(ctx context.Context, dir string, say func(string)) (python Python, name, file string, err error) {
	m, err := Small()
	if err != nil {
		return python, "", "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return python, "", "", err
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	if _, err := lock.TryLockContext(ctx, pause); err != nil {
		return python, "", "", fmt.Errorf("wait for whoever else prepares the model: %w", err)
	}
	defer func() { _ = lock.Unlock() }() // the system lets go of it anyway
	if python, err = Install(ctx, dir, say); err != nil {
		return python, "", "", fmt.Errorf("install the server: %w", err)
	}
	file, err = m.Get(ctx, dir, python.Bring, say)
	return python, m.Name, file, err
}

// Config is a models.yaml by which fettle asks the server, and nobody else. More is what else it says of the provider, each with a comma before it.
func (s *Server) Config(how How, more string) string {
	full := "local/" + s.Name
	return fmt.Sprintf(`providers: {local: {kind: openai, base_url: "%s/v1", parallel: 1%s}}
tiers: {fast: [%s], standard: [%s], deep: [%s]}
models: {%s: {context: %d}}
`, s.URL, more, full, full, full, full, how.Context)
}
