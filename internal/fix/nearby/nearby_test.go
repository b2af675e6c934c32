package nearby_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fettle/internal/code"
	"fettle/internal/fix/nearby"
	"fettle/internal/syntax"
)

func TestSources(t *testing.T) {
	for name, c := range map[string]struct{ path, text, others, want string }{
		"python":        {"shop/bill.py", "from . import rates\nfrom store.stock import Item\nimport os\n", "shop/rates.py shop/other.py shop/test_bill.py shop/notes.md lib/rates.py store/stock.py store/more.py venv/lib/stock.py lib/stock.js", "shop/rates.py store/stock.py shop/other.py"},
		"a package":     {"main.py", "import shop\n", "shop/__init__.py shop/bill.py", "shop/__init__.py"},
		"go":            {"bill/bill.go", "package bill\nimport \"example.com/shop/money\"\n", "bill/other.go bill/bill_test.go money/money.go money/more.go rates/rates.go vendor/money/money.go", "money/money.go money/more.go bill/other.go"},
		"javascript":    {"src/bill.js", "const { round } = require('../lib/money');\nimport x from './rates.js';\n", "src/rates.js lib/money.js lib/index.js node_modules/money/money.js src/bill.test.js", "src/rates.js lib/index.js lib/money.js"},
		"java":          {"src/a/Bill.java", "package a;\nimport b.Money;\nclass Bill { Level level; }\n", "src/a/Level.java src/a/Other.java src/b/Money.java src/b/More.java", "src/a/Level.java src/b/Money.java src/a/Other.java"},
		"nothing there": {"bill.py", "import os\n", "", ""},
	} {
		all := fstest.MapFS{c.path: {}}
		for _, other := range strings.Fields(c.others) {
			all[other] = &fstest.MapFile{}
		}
		f, err := code.Read(t.Context(), syntax.LangOf(c.path), c.path, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := nearby.In(func() fs.FS { return all }).Sources(f); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
