package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/testenv"
)

const serve = "../../internal/runner/jvm/serve"

// TestArchive: the classes that are embedded are those of the sources as they stand. Another version of the compiler may make other bytes of
// them, but no other classes.
func TestArchive(t *testing.T) {
	had, err := os.ReadFile(filepath.Join(serve, archive))
	if err != nil {
		t.Fatal(err)
	}
	comment, classes, err := content(had)
	if err != nil {
		t.Fatal(err)
	}
	sum, _, err := sources(serve)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(comment, " "+sum) {
		t.Fatalf("%s was made of other sources: run make generate", archive)
	}
	for name, class := range classes {
		if !strings.HasPrefix(class, "\xca\xfe\xba\xbe\x00\x00\x00\x34") {
			t.Errorf("%s is no class for Java 8", name)
		}
	}
	testenv.NeedTool(t, "javac")
	made, err := pack(serve)
	if err != nil {
		t.Fatal(err)
	}
	now, anew, err := content(made)
	if err != nil {
		t.Fatal(err)
	}
	if want, got := slices.Sorted(maps.Keys(anew)), slices.Sorted(maps.Keys(classes)); !slices.Equal(want, got) {
		t.Errorf("%s holds %q, and would be made with %q: run make generate", archive, got, want)
	}
	if now == comment && !maps.Equal(anew, classes) {
		t.Errorf("%s is not what %s makes of the sources: run make generate", archive, now)
	}
}

// content is what an archive holds: its comment, and its files by name.
func content(data []byte) (comment string, files map[string]string, err error) {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", nil, err
	}
	files = map[string]string{}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			return "", nil, err
		}
		text, err := io.ReadAll(in)
		if err = errors.Join(err, in.Close()); err != nil {
			return "", nil, err
		}
		files[f.Name] = string(text)
	}
	return r.Comment, files, nil
}
