package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// survey redacts every text below a folder, which is taken to hold no secrets: what is found there is false, but for what a person
// recognises as one.
func survey(w io.Writer, look finder, dir string, verbose bool) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	tree := root.FS()
	var files, altered, size, found int
	var took time.Duration
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil || bytes.IndexByte(data, 0) >= 0 {
			return err
		}
		began := time.Now()
		all := look.Find(data)
		took += time.Since(began)
		files, size, found = files+1, size+len(data), found+len(all)
		if len(all) > 0 {
			altered++
		}
		for _, f := range all {
			if verbose {
				fmt.Fprintf(w, "found %s in %s: %q\n", f.Rule, name, data[max(0, f.Start-40):min(len(data), f.End+10)])
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	mib := float64(size) / (1 << 20)
	fmt.Fprintf(w, "%s\n  %d secrets in %d of %d texts (%.3f %%), %.1f MiB, %.1f ms for each MiB\n", dir, found, altered, files, percent(altered, files), mib, took.Seconds()*1000/mib)
	return nil
}
