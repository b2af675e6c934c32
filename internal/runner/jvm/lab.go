package jvm

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fettle/internal/proc"
	"fettle/internal/runner"
)

//go:embed serve/*.java
var served embed.FS

// adapters need JUnit to be compiled, so they are compiled when the project's own is known.
var adapters = []string{"Platform.java", "Classic.java"}

// lab is one place and what was made there: our own classes, compiled by the JDK that the check's commands find.
type lab struct {
	job    runner.Job
	javac  string
	dir    string // in the scratch folder
	served string // our classes
	agent  string // the archive that machines are told by
}

func newLab(job runner.Job) (*lab, error) {
	l := &lab{job: job}
	env := proc.Environ(job.Check.Env)
	var err error
	if l.javac, err = findJavac(env); err != nil {
		return nil, err
	}
	sum := sha256.New()
	if info, err := os.Stat(l.javac); err == nil {
		fmt.Fprintln(sum, l.javac, info.Size(), info.ModTime())
	}
	for name, text := range sources() {
		fmt.Fprintln(sum, name)
		sum.Write(text)
	}
	l.dir = filepath.Join(job.Place.Scratch(), "jvm-"+hex.EncodeToString(sum.Sum(nil)[:8]))
	l.served = filepath.Join(l.dir, "classes")
	l.agent = filepath.Join(l.dir, "agent.jar")
	return l, nil
}

// sources are our own sources, in order of their names.
func sources() func(func(string, []byte) bool) {
	return func(yield func(string, []byte) bool) {
		entries, err := served.ReadDir("serve")
		if err != nil {
			return // the folder is embedded
		}
		for _, e := range entries {
			if text, err := served.ReadFile("serve/" + e.Name()); err != nil || !yield(e.Name(), text) {
				return
			}
		}
	}
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

const compileTime = 2 * time.Minute

// prepare compiles our classes, once for a place.
func (l *lab) prepare(ctx context.Context) error {
	if isFile(l.agent) {
		return nil
	}
	from := filepath.Join(l.dir, "serve")
	if err := os.MkdirAll(from, 0o755); err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	var files []string
	for name, text := range sources() {
		to := filepath.Join(from, name)
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return fmt.Errorf("scratch: %w", err)
		}
		if !slices.Contains(adapters, name) {
			files = append(files, to)
		}
	}
	// For the oldest machine that a build may start; a compiler that knows it no more has none to start either.
	options := []string{"-proc:none", "-nowarn", "-Xlint:-options", "-encoding", "UTF-8", "-d", l.served}
	var r proc.Result
	for _, release := range [][]string{{"--release", "8"}, nil} {
		var err error
		r, err = l.job.Place.Run(ctx, proc.Cmd{
			Argv:   slices.Concat([]string{l.javac, "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"}, release, options, files),
			Dir:    l.dir,
			Env:    proc.Environ(l.job.Check.Env),
			Limits: proc.Limits{Time: compileTime},
		})
		switch {
		case err != nil:
			return fmt.Errorf("compile the runner's own Java: %w", err)
		case r.Ended == proc.Cancelled:
			return context.Canceled
		case r.OK():
			return l.pack()
		}
	}
	return fmt.Errorf("compile the runner's own Java with %s: %s", l.javac, runner.LastWords(r.Stdout.String()+r.Stderr.String()))
}

// pack makes the agent's archive, last of all: that it is there says that everything is.
func (l *lab) pack() error {
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
		data, err2 := os.ReadFile(filepath.Join(l.served, name))
		err = errors.Join(err, err2, add(name, data))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	if err := os.WriteFile(l.agent+".part", b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("scratch: %w", err)
	}
	if err := os.Rename(l.agent+".part", l.agent); err != nil {
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
