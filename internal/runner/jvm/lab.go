package jvm

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"fettle/internal/proc"
	"fettle/internal/runner"
)

// compiled are our own classes: made by scripts/javaclasses of the sources beside them, for the oldest machine that a build may start.
//
//go:generate go run fettle/scripts/javaclasses
//go:embed serve/classes.zip
var compiled []byte

//go:embed serve/Platform.java serve/Classic.java
var served embed.FS

// adapters need JUnit to be compiled, so they are compiled when the project's own is known.
var adapters = []string{"Platform.java", "Classic.java"}

// lab is one place and what was laid out there: our own classes.
type lab struct {
	job    runner.Job
	dir    string // in the scratch folder
	served string // our classes
	agent  string // the archive that machines are told by
}

// newLab is the lab of a job. Where the check's commands find no compiler, there is none: candidates have to be compiled.
func newLab(job runner.Job) (*lab, error) {
	if _, err := findJavac(proc.Environ(job.Check.Env)); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(compiled)
	l := &lab{job: job, dir: filepath.Join(job.Place.Scratch(), "jvm-"+hex.EncodeToString(sum[:8]))}
	l.served = filepath.Join(l.dir, "classes")
	l.agent = filepath.Join(l.dir, "agent.jar")
	return l, nil
}

// findJavac finds the compiler that goes with the machine that Maven and Gradle use: that of JAVA_HOME, else of PATH.
func findJavac(env []string) (string, error) {
	search := ""
	for _, e := range env {
		if home, ok := strings.CutPrefix(e, "JAVA_HOME="); ok && home != "" {
			if name := filepath.Join(home, "bin", "javac"); isFile(name) {
				return name, nil
			}
		}
		if p, ok := strings.CutPrefix(e, "PATH="); ok {
			search = p
		}
	}
	for _, dir := range filepath.SplitList(search) {
		name := filepath.Join(dir, "javac")
		if !filepath.IsAbs(name) || !isFile(name) {
			continue
		}
		if full, err := filepath.EvalSymlinks(name); err == nil {
			return full, nil
		}
	}
	return "", fmt.Errorf("javac: %w: the fast trials of Java need a JDK", exec.ErrNotFound)
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// prepare lays out our classes, once for a place.
func (l *lab) prepare() error {
	if isFile(l.agent) {
		return nil
	}
	classes, err := unpack(compiled)
	if err != nil {
		return fmt.Errorf("read what is embedded: %w", err)
	}
	for name, class := range classes {
		to := filepath.Join(l.served, filepath.FromSlash(name))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, class, 0o644))
	}
	if err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	return l.pack(classes)
}

// unpack are the files of an archive, by their names.
func unpack(archive []byte) (map[string][]byte, error) {
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, f := range r.File {
		if files[f.Name], err = fs.ReadFile(r, f.Name); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// pack makes the agent's archive, last of all: that it is there says that everything is.
func (l *lab) pack(classes map[string][]byte) error {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	add := func(name string, data []byte) error {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write(data)
		}
		return err
	}
	err := add("META-INF/MANIFEST.MF", []byte("Manifest-Version: 1.0\r\nPremain-Class: fettle_jvm.Agent\r\n\r\n"))
	for _, name := range []string{"fettle_jvm/Agent.class", "fettle_jvm/Wire.class"} {
		err = errors.Join(err, add(name, classes[name]))
	}
	if err = errors.Join(err, w.Close(), os.WriteFile(l.agent+".part", b.Bytes(), 0o644), os.Rename(l.agent+".part", l.agent)); err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	return nil
}

// folder makes a folder in the lab's own.
func (l *lab) folder(pattern string) (string, error) {
	dir, err := os.MkdirTemp(l.dir, pattern)
	if err != nil {
		return "", fmt.Errorf("scratch: %w", err)
	}
	return dir, nil
}

// rel is the slash path from the root of an absolute path, and whether it lies in the root.
func (l *lab) rel(abs string) (string, bool) { return runner.Inside(l.job.Place.Root(), abs) }

// stat describes a file by the path that processes in the place have for it. What the build has made in the root is to be seen from there alone.
func (l *lab) stat(abs string) (fs.FileInfo, error) {
	if rel, ok := l.rel(abs); ok {
		return fs.Stat(l.job.Place.FS(), rel)
	}
	return os.Stat(abs)
}

// read is a file of the place; nil if it is not there.
func (l *lab) read(name string) ([]byte, error) {
	b, err := l.job.Place.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}
