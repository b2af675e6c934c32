package syntax

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/tetratelabs/wazero"
)

var cache struct {
	sync.Mutex
	dir   string
	given bool
}

// CacheDir says in which folder compiled grammars are kept from one run of the program to the next; "" keeps none. What is in the folder is executed,
// and removed when it is damaged, so it must be nobody else's: one that others may write to, or that belongs to somebody else, is not
// used. Without a word it is fettle/syntax in the user's folder for caches. It holds for the languages that have not been parsed yet.
func CacheDir(dir string) {
	cache.Lock()
	defer cache.Unlock()
	cache.dir, cache.given = dir, true
}

// cacheDir is a folder to keep compiled grammars in, or "": then they are compiled every time.
func cacheDir() string {
	cache.Lock()
	dir, given := cache.dir, cache.given
	cache.Unlock()
	if !given {
		user, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(user, "fettle", "syntax")
	}
	if dir == "" || private(dir) != nil {
		return ""
	}
	return dir
}

// private makes the folder if there is none, and reports whether it is this user's own: whoever can write to it can run programs as this
// user.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s: %w", dir, errors.New("not a folder"))
	}
	if !mine(info) || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s: %w", dir, fs.ErrPermission)
	}
	return nil
}

// compile makes machine code of the module, or takes what an earlier run has made. The cache is a help, and no condition: what goes
// wrong with it costs time.
func compile(ctx context.Context, code []byte) (wazero.Runtime, wazero.CompiledModule, error) {
	if dir := cacheDir(); dir != "" {
		kept, err := wazero.NewCompilationCacheWithDir(dir)
		if err == nil {
			vm, module, err := compileWith(ctx, code, runtimeConfig().WithCompilationCache(kept))
			if err == nil {
				return vm, module, nil
			}
			_ = kept.Close(ctx)
			_ = os.RemoveAll(dir) // damaged, or the disk is full
		}
	}
	return compileWith(ctx, code, runtimeConfig())
}

func compileWith(ctx context.Context, code []byte, config wazero.RuntimeConfig) (wazero.Runtime, wazero.CompiledModule, error) {
	vm := wazero.NewRuntimeWithConfig(ctx, config)
	module, err := vm.CompileModule(ctx, code)
	if err != nil {
		_ = vm.Close(ctx)
		return nil, nil, fmt.Errorf("compile the grammar: %w", err)
	}
	return vm, module, nil
}

func runtimeConfig() wazero.RuntimeConfig {
	return wazero.NewRuntimeConfig().WithMemoryLimitPages(maxMemory / wasmPage).WithDebugInfoEnabled(false)
}
