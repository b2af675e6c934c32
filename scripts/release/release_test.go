package release

import (
	"os"
	"path/filepath"
	"testing"

	"fettle/scripts/lay"
)

func TestUnpack(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
		fails bool
		keep  bool
	}{
		"a folder at the top":      {map[string]string{"p-1/a": "1", "p-1/d/b": "2"}, "a", false, false},
		"two folders at the top":   {map[string]string{"host/p@1/a": "1", "host/p@1/d/b": "2"}, "a", false, false},
		"none":                     {map[string]string{"a": "1", "d/b": "2"}, "a", false, false},
		"siblings with one prefix": {map[string]string{"ab/x": "1", "a/y": "2"}, "ab/x", false, false},
		"a folder that is kept":    {map[string]string{"src/main/a": "1", "src/test/b": "2"}, "src/main/a", false, true},
		"outside":                  {map[string]string{"a": "1", "../b": "2"}, "", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			archive := filepath.Join(t.TempDir(), "x.zip")
			if err := lay.Zip(archive, c.files); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), "out")
			if err := unpack(archive, dir, c.keep); (err != nil) != c.fails {
				t.Fatal(err)
			}
			if c.fails {
				return
			}
			if b, err := os.ReadFile(filepath.Join(dir, c.want)); err != nil || string(b) != "1" {
				t.Errorf("%q %v", b, err)
			}
		})
	}
}
