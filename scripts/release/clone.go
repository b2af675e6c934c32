package release

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Clone is a bare clone of a project on GitHub, by its owner/name, with all of its history. It is made once, in the folder for caches.
func Clone(ctx context.Context, project string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "fettle-clones", strings.ReplaceAll(project, "/", "+"))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if out, err := exec.CommandContext(ctx, "git", "clone", "--quiet", "--bare", "https://github.com/"+project, dir).CombinedOutput(); err != nil {
		return "", fmt.Errorf("clone %s: %w: %s", project, err, out)
	}
	return dir, nil
}
