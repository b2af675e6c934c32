package syntax

import (
	"context"
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

// CacheDir says in which folder compiled grammars are kept from one run of the program to the next, and is the folder before; "" keeps none.
// Without a word it is fettle/syntax in the user's folder for caches. It holds for the languages that have not been parsed yet.
//
// What is in the folder is executed, and removed when it is damaged: a folder that is a link, belongs to somebody else, or can be written to by
// others is not used.
func CacheDir(dir string) (before string) {
	before = cacheDir()
	cache.Lock()
	defer cache.Unlock()
	cache.dir, cache.given = dir, true
	return before
}

func cacheDir() string {
	cache.Lock()
	defer cache.Unlock()
	if cache.given {
		return cache.dir
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(user, "fettle", "syntax")
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
		return fmt.Errorf("%s is not a folder", dir)
	}
	if !mine(info) || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s: %w", dir, fs.ErrPermission)
	}
	return nil
}

// compile makes machine code of the module, or takes what an earlier run has made. The cache is a help, and no condition: what goes
// wrong with it costs time.
func compile(ctx context.Context, code []byte) (wazero.Runtime, wazero.CompiledModule, error) {
	if dir := cacheDir(); dir != "" && private(dir) == nil {
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
