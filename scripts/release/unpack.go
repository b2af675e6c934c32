package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// largest bounds one file of an archive: none of these projects comes near it.
const largest = 64 << 20

// unpack lays an archive (zip, or tar packed by gzip) out in a new folder, without the folders at its top that hold all the rest unless they
// are to be kept. Nothing leaves the folder; links and devices are passed over.
func unpack(archive, dir string, keepTop bool) error {
	files, err := read(archive)
	if err != nil {
		return err
	}
	top := ""
	if !keepTop {
		top = commonTop(files)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for name, f := range files {
		rel := strings.TrimPrefix(name, top)
		if err := errors.Join(root.MkdirAll(path.Dir(rel), 0o755), root.WriteFile(rel, f.data, f.mode)); err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
	}
	return nil
}

// read are the files of an archive.
func read(archive string) (map[string]unpacked, error) {
	b, err := os.ReadFile(archive)
	if err != nil {
		return nil, err
	}
	files := map[string]unpacked{}
	if bytes.HasPrefix(b, []byte("PK")) {
		err = readZip(b, files)
	} else {
		err = readTar(b, files)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", archive, err)
	}
	return files, nil
}

type unpacked struct {
	data []byte
	mode fs.FileMode
}

func readZip(b []byte, into map[string]unpacked) error {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	for _, f := range z.File {
		if !f.Mode().IsRegular() {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return err
		}
		err = keep(into, f.Name, f.Mode(), r)
		r.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func readTar(b []byte, into map[string]unpacked) error {
	gz, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return err
	}
	for t := tar.NewReader(gz); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag == tar.TypeReg {
			if err := keep(into, h.Name, h.FileInfo().Mode(), t); err != nil {
				return err
			}
		}
	}
}

func keep(into map[string]unpacked, name string, mode fs.FileMode, r io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(r, largest+1))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(data) > largest {
		return fmt.Errorf("%s is larger than anything that is expected here", name)
	}
	plain := fs.FileMode(0o644)
	if mode&0o111 != 0 {
		plain = 0o755
	}
	into[path.Clean(name)] = unpacked{data, plain}
	return nil
}

// commonTop is the path, ending in a slash, of the innermost folder that holds every file of the archive; "" for none.
func commonTop(files map[string]unpacked) string {
	top, first := "", true
	for name := range files {
		dir := path.Dir(name) + "/"
		if first {
			top, first = dir, false
		}
		for !strings.HasPrefix(dir, top) {
			top = path.Dir(strings.TrimSuffix(top, "/")) + "/"
			if top == "./" {
				return ""
			}
		}
	}
	if top == "./" {
		return ""
	}
	return top
}
