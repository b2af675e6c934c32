package serve

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettle/scripts/release"
)

// Model is a file of weights that comes in parts.
type Model struct {
	Name  string        // as a server calls it
	Parts []Requirement // in order: archives with one part each, data/NAME.bin
	Size  int64
	Sum   string // SHA-256 of the whole, in hexadecimal
}

// Small is the model that is measured: Qwen2.5-Coder-1.5B-Instruct with weights of four bits, 1.1 GB.
func Small() (Model, error) {
	parts, err := ReadLock(partsFile)
	return Model{
		Name:  "qwen2.5-coder-1.5b",
		Parts: parts,
		Size:  1117320768,
		Sum:   "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
	}, err
}

// Bring puts the archive of a requirement into a folder.
type Bring func(ctx context.Context, dir string, r Requirement) error

// Get returns the model's file below a folder, and makes it if it is not there. What was brought stays when it is broken off, so the next time goes on from there.
func (m Model) Get(ctx context.Context, dir string, bring Bring, say func(string)) (string, error) {
	file := filepath.Join(dir, m.Name+".gguf")
	if info, err := os.Stat(file); err == nil && info.Size() == m.Size {
		return file, nil // it had its name only after it was held against its checksum
	}
	parts := filepath.Join(dir, m.Name+".parts")
	if err := os.MkdirAll(parts, 0o755); err != nil {
		return "", err
	}
	var archives []string
	for i, r := range m.Parts {
		have, err := archived(parts, r)
		if err != nil {
			return "", err
		}
		if have == "" {
			say(fmt.Sprintf("part %d of %d", i+1, len(m.Parts)))
			if err := bring(ctx, parts, r); err != nil {
				return "", fmt.Errorf("bring part %d of %d: %w", i+1, len(m.Parts), err)
			}
			if have, err = archived(parts, r); err != nil {
				return "", err
			}
		}
		if have == "" {
			return "", fmt.Errorf("part %d of %d: what was brought is not %s %s with the checksum that stands in parts.txt", i+1, len(m.Parts), r.Name, r.Version)
		}
		archives = append(archives, have)
	}
	say("putting the parts together")
	if err := m.join(ctx, file, archives); err != nil {
		return "", err
	}
	return file, os.RemoveAll(parts)
}

// archived is the archive of a requirement in a folder; empty if there is none, or another one.
func archived(dir string, r Requirement) (string, error) {
	found, err := filepath.Glob(filepath.Join(dir, strings.ReplaceAll(r.Name, "-", "_")+"-"+r.Version+"-*.whl"))
	if err != nil {
		return "", err
	}
	for _, f := range found {
		sum, err := release.SumOf(f)
		if err != nil {
			return "", err
		}
		if slices.Contains(r.Sums, sum) {
			return f, nil
		}
		if err := os.Remove(f); err != nil { // broken off, or damaged
			return "", err
		}
	}
	return "", nil
}

// join writes the parts one behind the other, and gives the file its name when the whole is what it should be.
func (m Model) join(ctx context.Context, file string, archives []string) (err error) {
	unready := file + ".unready"
	out, err := os.Create(unready)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(unready))
		}
	}()
	h := sha256.New()
	size := int64(0)
	for _, a := range archives {
		n, e := unpack(io.MultiWriter(out, h), a)
		size += n
		if err = errors.Join(e, ctx.Err()); err != nil {
			break
		}
	}
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return err
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != m.Sum || size != m.Size {
		return fmt.Errorf("the parts of %s make another file than they should (%d bytes, SHA-256 %s): nothing of it is used", m.Name, size, sum)
	}
	return os.Rename(unready, file)
}

// unpack writes the one part that an archive holds.
func unpack(to io.Writer, archive string) (int64, error) {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", filepath.Base(archive), err)
	}
	defer z.Close()
	names, err := fs.Glob(z, "*/data/*.bin")
	if err != nil {
		return 0, err
	}
	if len(names) != 1 {
		return 0, fmt.Errorf("%s: holds %d parts, and should hold one", filepath.Base(archive), len(names))
	}
	part, err := z.Open(names[0])
	if err != nil {
		return 0, err
	}
	defer part.Close()
	n, err := io.Copy(to, part)
	if err != nil {
		return n, fmt.Errorf("%s: %w", filepath.Base(archive), err)
	}
	return n, nil
}
