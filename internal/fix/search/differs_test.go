package search_test

import (
	"strings"
	"testing"

	"fettle/internal/fix/fixtest"
)

// Where two patches that pass part ways, it is said on what, with the names of what is given, in every language that can be asked.
func TestWhereRivalsPartWays(t *testing.T) {
	for language, files := range map[string]map[string]string{
		"go": {
			"go.mod":      "module example.com/fee\n\ngo 1.22\n",
			"fee.go":      "package fee\n\n// Fee is what something costs, and less for many.\nfunc Fee(price, many int) int {\n\tif many > 10 {\n\t\treturn price*many - 5\n\t}\n\treturn price * many\n}\n",
			"fee_test.go": "package fee\n\nimport \"testing\"\n\nfunc TestFee(t *testing.T) {\n\tfor _, c := range [][3]int{{2, 3, 6}, {3, 10, 25}, {4, 12, 43}} {\n\t\tif got := Fee(c[0], c[1]); got != c[2] {\n\t\t\tt.Error(c, got)\n\t\t}\n\t}\n}\n",
		},
		"python": {
			"fee.py":      "def fee(price, many):\n    if many > 10:\n        return price * many - 5\n    return price * many\n",
			"test_fee.py": "from fee import fee\n\n\ndef test_fee():\n    assert fee(2, 3) == 6\n    assert fee(3, 10) == 25\n    assert fee(4, 12) == 43\n",
		},
		"java": {
			"Fee.java":  "class Fee {\n    static int fee(int price, int many) {\n        if (many > 10) {\n            return price * many - 5;\n        }\n        return price * many;\n    }\n}\n",
			"Main.java": "public class Main {\n    public static void main(String[] args) {\n        if (Fee.fee(2, 3) != 6 || Fee.fee(3, 10) != 25 || Fee.fee(4, 12) != 43) {\n            throw new AssertionError();\n        }\n    }\n}\n",
		},
		"javascript": {
			"package.json": "{\"name\": \"fee\"}\n",
			"fee.js":       "function fee(price, many) {\n  if (many > 10) {\n    return price * many - 5;\n  }\n  return price * many;\n}\n\nmodule.exports = { fee };\n",
			"fee.test.js":  "const test = require('node:test');\nconst assert = require('node:assert');\nconst { fee } = require('./fee.js');\n\ntest('fee', () => {\n  assert.equal(fee(2, 3), 6);\n  assert.equal(fee(3, 10), 25);\n  assert.equal(fee(4, 12), 43);\n});\n",
		},
	} {
		t.Run(language, func(t *testing.T) {
			found := propose(t, task(t, fixtest.New(t, files), language))
			if len(found) < 2 {
				t.Fatalf("%d candidates", len(found))
			}
			for _, c := range found {
				if d := strings.ToLower(c.Differs); !strings.HasPrefix(d, "no test asks what fee(price = ") || !strings.Contains(d, ", many = ") || !strings.Contains(d, " with this patch, ") {
					t.Errorf("%s differs: %s", c.Explanation, c.Differs)
				}
			}
		})
	}
}
