package release

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"fettle/scripts/lay"
)

// registries are the ways to bring a package's archive into a folder: by the registry's own client, so that whatever mirror a
// person has configured is honoured, and no registry's address stands here.
var registries = map[string]func(ctx context.Context, r Release, dir string) (archive string, err error){
	"go": fromGo, "pypi": fromPyPI, "npm": fromNPM, "crates": fromCrates, "maven": fromMaven, mavenSources: sourcesFromMaven,
}

// mavenSources are archives that are made here: each folder in them is meant.
const mavenSources = "maven-sources"

func fromGo(ctx context.Context, r Release, dir string) (string, error) {
	out, err := Capture(ctx, dir, nil, "go", "mod", "download", "-json", r.Package+"@"+r.Version)
	if err != nil {
		return "", err
	}
	var m struct{ Zip string }
	if err := json.Unmarshal(out, &m); err != nil {
		return "", fmt.Errorf("go mod download: %w", err)
	}
	return m.Zip, nil
}

func fromPyPI(ctx context.Context, r Release, dir string) (string, error) {
	if _, err := Capture(ctx, dir, nil, "python3", "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-binary", ":all:",
		"--dest", dir, r.Package+"=="+r.Version); err != nil {
		return "", err
	}
	return onlyFile(dir, "*.tar.gz")
}

func fromNPM(ctx context.Context, r Release, dir string) (string, error) {
	if _, err := Capture(ctx, dir, nil, "npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", dir, r.Package+"@"+r.Version); err != nil {
		return "", err
	}
	return onlyFile(dir, "*.tgz")
}

// fromCrates has cargo fetch the crate as a dependency of an empty package; the archive then lies in cargo's cache, beside the
// unpacked sources that cargo names.
func fromCrates(ctx context.Context, r Release, dir string) (string, error) {
	manifest := fmt.Sprintf("[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\n%s = \"=%s\"\n", r.Package, r.Version)
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "src"), 0o755), os.WriteFile(filepath.Join(dir, "Cargo.toml"), []byte(manifest), 0o644),
		os.WriteFile(filepath.Join(dir, "src/lib.rs"), nil, 0o644)); err != nil {
		return "", err
	}
	if _, err := Capture(ctx, dir, nil, "cargo", "fetch", "--quiet"); err != nil {
		return "", err
	}
	out, err := Capture(ctx, dir, nil, "cargo", "metadata", "--format-version=1", "--offline")
	if err != nil {
		return "", err
	}
	var m struct {
		Packages []struct {
			Name, Version string
			Manifest      string `json:"manifest_path"`
		}
	}
	if err := json.Unmarshal(out, &m); err != nil {
		return "", fmt.Errorf("cargo metadata: %w", err)
	}
	for _, c := range m.Packages {
		if c.Name == r.Package && c.Version == r.Version {
			sources := filepath.Dir(c.Manifest)           // …/registry/src/INDEX/NAME-VERSION
			index := filepath.Dir(sources)                //
			registry := filepath.Dir(filepath.Dir(index)) //
			crate := filepath.Base(sources) + ".crate"    //
			return filepath.Join(registry, "cache", filepath.Base(index), crate), nil
		}
	}
	return "", fmt.Errorf("cargo metadata does not name %s %s", r.Package, r.Version)
}

// fromMaven brings an artifact that holds the sources of a release as they were checked in: "group:artifact".
func fromMaven(ctx context.Context, r Release, dir string) (string, error) {
	return mavenArtifact(ctx, r.Package+":"+r.Version+":zip:source-release", dir)
}

// mavenArtifact brings one artifact into a folder that holds none yet.
func mavenArtifact(ctx context.Context, artifact, dir string) (string, error) {
	const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
	if _, err := Capture(ctx, dir, nil, "mvn", "-q", "-B", plugin, "-Dartifact="+artifact, "-DoutputDirectory="+dir); err != nil {
		return "", err
	}
	return onlyFile(dir, "*.*")
}

// sourcesFromMaven makes one archive of the two that hold a release's sources and those of its tests, in the folders where a build looks for them.
func sourcesFromMaven(ctx context.Context, r Release, dir string) (string, error) {
	files := map[string]string{}
	for _, part := range []struct{ classifier, folder string }{{"sources", "src/main/java/"}, {"test-sources", "src/test/java/"}} {
		into := filepath.Join(dir, part.classifier)
		if err := os.Mkdir(into, 0o755); err != nil {
			return "", err
		}
		archive, err := mavenArtifact(ctx, r.Package+":"+r.Version+":jar:"+part.classifier, into)
		if err != nil {
			return "", err
		}
		in, err := read(archive)
		if err != nil {
			return "", err
		}
		for name, f := range in {
			if !strings.HasPrefix(name, "META-INF/") {
				files[part.folder+name] = string(f.data)
			}
		}
	}
	both := filepath.Join(dir, "both.zip")
	return both, lay.Zip(both, files)
}

func onlyFile(dir, glob string) (string, error) {
	found, err := filepath.Glob(filepath.Join(dir, glob))
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%d files match %s, one was expected", len(found), glob)
	}
	return found[0], nil
}

// Fetch brings the release's archive into the kept folder, unless it is there, and holds it against its checksum.
func (r Release) Fetch(ctx context.Context, kept string) (string, error) {
	archive := filepath.Join(kept, r.Name+"-"+strings.ReplaceAll(r.Version, "/", "-")+".archive")
	if sum, err := SumOf(archive); err == nil && sum == r.SHA256 {
		return archive, nil
	}
	if err := os.MkdirAll(kept, 0o755); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "fettle-release-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	found, err := registries[r.Registry](ctx, r, dir)
	if err != nil {
		return "", fmt.Errorf("fetch %s %s: %w", r.Package, r.Version, err)
	}
	sum, err := SumOf(found)
	if err != nil {
		return "", err
	}
	if sum != r.SHA256 {
		return "", fmt.Errorf("%s %s: the archive's checksum is %s, not %s as written down", r.Package, r.Version, sum, r.SHA256)
	}
	return archive, copyFile(found, archive)
}

// SumOf is the SHA-256 of a file, in hexadecimal digits.
func SumOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o644)
}
