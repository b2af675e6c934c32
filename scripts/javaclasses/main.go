// Command javaclasses compiles the Java that fettle's runner for Java starts beside a project's tests, for the oldest machine that a build may start, and packs
// the classes: they are embedded, so that nobody waits for a compiler.
//
//	go run fettle/scripts/javaclasses   (in internal/runner/jvm)
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// archive is what is made, in the folder of the sources.
const archive = "classes.zip"

// adapters are compiled where a project's own JUnit is known.
var adapters = []string{"Platform.java", "Classic.java"}

func main() {
	log.SetFlags(0)
	data, err := pack("serve")
	if err == nil {
		err = os.WriteFile(filepath.Join("serve", archive), data, 0o644)
	}
	if err != nil {
		log.Fatal("javaclasses: ", err)
	}
}

// pack compiles the sources of a folder. The same compiler makes the same bytes of them.
func pack(dir string) ([]byte, error) {
	version, err := compiler()
	if err != nil {
		return nil, err
	}
	sum, files, err := sources(dir)
	if err != nil {
		return nil, err
	}
	to, err := os.MkdirTemp("", "javaclasses")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(to)
	// Nothing of the surroundings has a say: neither a class path, nor processors of annotations.
	cmd := exec.Command("javac", append([]string{"--release", "8", "-proc:none", "-nowarn", "-Xlint:-options", "-encoding", "UTF-8", "-cp", to, "-d", to}, files...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("javac: %w: %s", err, out)
	}
	classes, err := filepath.Glob(filepath.Join(to, "fettle_jvm", "*.class"))
	if err != nil {
		return nil, err
	}
	slices.Sort(classes)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, class := range classes {
		data, err := os.ReadFile(class)
		if err != nil {
			return nil, err
		}
		f, err := w.Create("fettle_jvm/" + filepath.Base(class))
		if err == nil {
			_, err = f.Write(data)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := errors.Join(w.SetComment(version+" "+sum), w.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// compiler is the compiler's version, as it says it: "javac 17.0.15".
func compiler() (string, error) {
	out, err := exec.Command("javac", "-version").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("javac -version: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// sources are the files to compile, and what tells them from others.
func sources(dir string) (sum string, files []string, err error) {
	all, err := filepath.Glob(filepath.Join(dir, "*.java"))
	if err != nil {
		return "", nil, err
	}
	slices.Sort(all)
	h := sha256.New()
	for _, file := range all {
		if slices.Contains(adapters, filepath.Base(file)) {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return "", nil, err
		}
		fmt.Fprintln(h, filepath.Base(file), len(data))
		h.Write(data)
		files = append(files, file)
	}
	return hex.EncodeToString(h.Sum(nil)), files, nil
}
