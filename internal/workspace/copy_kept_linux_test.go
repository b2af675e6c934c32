package workspace_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettle/internal/workspace"
)

// state is everything in a copy that tests leave alone, with modes and contents.
const state = `find . -path ./.git -prune -o -path ./log -prune -o ! -name '*.pyc' \( -type f -o -type l \) -printf '%p %y %m %l\n' | sort; find . -type f ! -name '*.pyc' -path './*' ! -path './.git/*' ! -path './log/*' -exec cksum {} + | sort`

func TestCopyRestores(t *testing.T) {
	home(t)
	each(t, func(t *testing.T, m workspace.Method) {
		o := options(repo(t))
		o.Method = m
		o.Ignored = func(_ context.Context, paths []string) ([]string, error) {
			return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return !strings.HasPrefix(p, "ignored/") }), nil
		}
		c := open(t, o)
		sh(t, c, "mkdir -p out target/classes log; echo built > out/app; echo class > target/classes/A.class; echo more >> docs/one.md; rm old/deep/er.txt; echo 1 > log/run")
		if changed, err := c.Restore(t.Context()); len(changed) > 0 || err != nil {
			t.Fatalf("at first: %v, %v", changed, err)
		}
		sh(t, c, "echo 2 > log/run; echo 1 > log/first") // as the tests do by themselves
		if err := c.Learn(t.Context()); err != nil {
			t.Fatal(err)
		}
		before := sh(t, c, state)
		for _, row := range []struct{ does, changed string }{
			{"true", ""},
			{"rm -r docs pkg", "docs/one.md pkg/a.go pkg/b.go"},
			{"rm -r out target", "out/app target/classes/A.class"},
			{"rm -r node_modules ignored", "ignored/input.bin node_modules/dep/index.js"},
			{"echo other > main.py; echo other > out/app", "main.py out/app"},
			{": > pkg/a.go; chmod 755 pkg/b.go; chmod 644 run.sh", "pkg/a.go pkg/b.go run.sh"},
			{"rm -r docs; echo no folder > docs; rm main.py; mkdir main.py; echo x > main.py/x", "docs docs/one.md main.py main.py/x"},
			{"rm link; ln -s run.sh link; mv run.sh ran.sh", "link ran.sh run.sh"},
			{"mkdir -p new/by; echo new > new/by/it; echo new > pkg/new.go; mkdir -p old/deep; echo back > old/deep/er.txt", "new/by/it old/deep/er.txt pkg/new.go"},
			{"mkdir -p __pycache__; echo cache > __pycache__/x.pyc; touch -a main.py", ""},
			{"rm -rf ./* 2> /dev/null || true", "docs/one.md ignored/input.bin link log/run main.py node_modules/dep/index.js out/app pkg/a.go pkg/b.go run.sh target/classes/A.class"},
		} {
			sh(t, c, row.does)
			changed, err := c.Restore(t.Context())
			if got := strings.Join(changed, " "); err != nil || got != row.changed {
				t.Errorf("%s: changed %q, %v", row.does, got, err)
			}
			if after := sh(t, c, state); after != before {
				t.Errorf("%s: left\n%s\nnot\n%s", row.does, after, before)
			}
			if changed, err := c.Restore(t.Context()); len(changed) > 0 || err != nil {
				t.Errorf("%s: once more %v, %v", row.does, changed, err)
			}
		}
		sh(t, c, "echo 3 > log/run; echo 1 > log/second; echo cache > ignored/cache")
		if changed, err := c.Restore(t.Context()); len(changed) > 0 || err != nil {
			t.Errorf("what the tests do: %v, %v", changed, err)
		}
		if text, err := os.ReadFile(filepath.Join(o.Root, "main.py")); err != nil || string(text) != "print('hi')\n" {
			t.Errorf("the tree itself: %q, %v", text, err)
		}
		if err := c.Reset(t.Context()); err != nil {
			t.Fatal(err)
		}
		if changed, err := c.Restore(t.Context()); len(changed) > 0 || err != nil {
			t.Errorf("after a reset: %v, %v", changed, err)
		}
	})
}
