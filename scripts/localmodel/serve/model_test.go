package serve_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"fettle/scripts/lay"
	"fettle/scripts/localmodel/serve"
	"fettle/scripts/release"
)

// What is fetched and run is always the same, and the parts are all there.
func TestTheLock(t *testing.T) {
	m, err := serve.Small()
	assert.NilError(t, err)
	assert.Equal(t, len(m.Parts), 22)
	for i, p := range m.Parts {
		assert.Assert(t, strings.HasSuffix(p.Name, fmt.Sprintf("-part%d", i+1)), p.Name)
	}
}

func TestReadLock(t *testing.T) {
	sum := strings.Repeat("0a", 32)
	all, err := serve.ReadLock("# why\n\na-b==1.2 --hash=sha256:" + sum + " --hash=sha256:" + sum + "\n")
	assert.NilError(t, err)
	assert.DeepEqual(t, all, []serve.Requirement{{Name: "a-b", Version: "1.2", Sums: []string{sum, sum}, Line: "a-b==1.2 --hash=sha256:" + sum + " --hash=sha256:" + sum}})
	for _, bad := range []string{"a", "a==1", "a>=1 --hash=sha256:" + sum, "a== --hash=sha256:" + sum, "a==1 --hash=md5:0", "a==1 --hash=sha256:0"} {
		_, err := serve.ReadLock(bad)
		assert.Assert(t, err != nil, bad)
	}
}

// shop has archives of parts, and counts how often it is asked.
type shop struct {
	files map[string]string // an archive's file, by the package's name
	asked []string
	fail  string // the package at which it breaks off
}

func (s *shop) bring(_ context.Context, dir string, r serve.Requirement) error {
	s.asked = append(s.asked, r.Name)
	if r.Name == s.fail {
		return errors.New("the network is gone")
	}
	b, err := os.ReadFile(s.files[r.Name])
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, filepath.Base(s.files[r.Name])), b, 0o600)
}

// stock makes a model of two parts, and a shop that has them.
func stock(t *testing.T) (serve.Model, *shop) {
	t.Helper()
	s := &shop{files: map[string]string{}}
	m := serve.Model{Name: "tiny", Size: 9}
	for i, text := range []string{"hello", "fish"} {
		name := fmt.Sprintf("part-no%d", i)
		file := filepath.Join(t.TempDir(), fmt.Sprintf("part_no%d-1.0-py3-none-any.whl", i))
		assert.NilError(t, lay.Zip(file, map[string]string{fmt.Sprintf("part_no%d/data/part.bin", i): text, "part_no/__init__.py": ""}))
		sum, err := release.SumOf(file)
		assert.NilError(t, err)
		s.files[name] = file
		m.Parts = append(m.Parts, serve.Requirement{Name: name, Version: "1.0", Sums: []string{sum}})
	}
	sum := sha256.Sum256([]byte("hellofish"))
	m.Sum = hex.EncodeToString(sum[:])
	return m, s
}

func quiet(string) {}

func TestPutTogether(t *testing.T) {
	m, s := stock(t)
	dir := t.TempDir()
	file, err := m.Get(t.Context(), dir, s.bring, quiet)
	assert.NilError(t, err)
	b, err := os.ReadFile(file)
	assert.NilError(t, err)
	assert.Equal(t, string(b), "hellofish")
	assert.DeepEqual(t, s.asked, []string{"part-no0", "part-no1"})
	left, err := os.ReadDir(dir)
	assert.NilError(t, err)
	assert.Equal(t, len(left), 1, "the parts are not kept")
	_, err = m.Get(t.Context(), dir, s.bring, quiet)
	assert.NilError(t, err)
	assert.Equal(t, len(s.asked), 2, "it is there: nothing is brought")
}

func TestBrokenOff(t *testing.T) {
	m, s := stock(t)
	dir := t.TempDir()
	s.fail = "part-no1"
	_, err := m.Get(t.Context(), dir, s.bring, quiet)
	assert.ErrorContains(t, err, "part 2 of 2: the network is gone")
	s.fail, s.asked = "", nil
	_, err = m.Get(t.Context(), dir, s.bring, quiet)
	assert.NilError(t, err)
	assert.DeepEqual(t, s.asked, []string{"part-no1"})
}

// What is not what it should be is not used, wherever that shows.
func TestDamaged(t *testing.T) {
	t.Run("a part that was broken off is brought again", func(t *testing.T) {
		m, s := stock(t)
		dir := t.TempDir()
		assert.NilError(t, lay.Files(dir, map[string]string{"tiny.parts/part_no0-1.0-py3-none-any.whl": "half"}))
		_, err := m.Get(t.Context(), dir, s.bring, quiet)
		assert.NilError(t, err)
		assert.DeepEqual(t, s.asked, []string{"part-no0", "part-no1"})
	})
	t.Run("another part than was asked for", func(t *testing.T) {
		m, s := stock(t)
		m.Parts[1].Sums = []string{strings.Repeat("00", 32)}
		_, err := m.Get(t.Context(), t.TempDir(), s.bring, quiet)
		assert.ErrorContains(t, err, "part 2 of 2: what was brought is not part-no1 1.0 with the checksum")
	})
	t.Run("another whole", func(t *testing.T) {
		m, s := stock(t)
		m.Parts[0], m.Parts[1] = m.Parts[1], m.Parts[0]
		dir := t.TempDir()
		_, err := m.Get(t.Context(), dir, s.bring, quiet)
		assert.ErrorContains(t, err, "nothing of it is used")
		_, err = os.Stat(filepath.Join(dir, "tiny.gguf"))
		assert.Assert(t, os.IsNotExist(err))
		_, err = os.Stat(filepath.Join(dir, "tiny.gguf.unready"))
		assert.Assert(t, os.IsNotExist(err))
	})
	t.Run("an archive of something else", func(t *testing.T) {
		m, s := stock(t)
		assert.NilError(t, lay.Zip(s.files["part-no0"], map[string]string{"other.txt": "x"}))
		sum, err := release.SumOf(s.files["part-no0"])
		assert.NilError(t, err)
		m.Parts[0].Sums = []string{sum}
		_, err = m.Get(t.Context(), t.TempDir(), s.bring, quiet)
		assert.ErrorContains(t, err, "holds 0 parts")
	})
	t.Run("broken off by whoever asked", func(t *testing.T) {
		m, s := stock(t)
		ctx, cancel := context.WithCancel(t.Context())
		dir := t.TempDir()
		_, err := m.Get(ctx, dir, func(c context.Context, dir string, r serve.Requirement) error {
			defer cancel()
			return s.bring(c, dir, r)
		}, quiet)
		assert.ErrorIs(t, err, context.Canceled)
		_, err = os.Stat(filepath.Join(dir, "tiny.gguf"))
		assert.Assert(t, os.IsNotExist(err))
	})
}
