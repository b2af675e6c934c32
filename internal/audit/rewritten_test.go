package audit_test

import (
	"strings"
	"testing"

	"fettle/internal/audit"
	"fettle/internal/verdict"
)

// TestWrittenAnew are tests that are gone, of which a person is asked where new ones call all that they did and demand as much, and that are refused where they do not. A fixer may write
// none anew.
func TestWrittenAnew(t *testing.T) {
	const (
		class   = "import os\nimport tempfile\nimport unittest\n\nfrom packer import BadManifest, load\n\n\nclass LoadTest(unittest.TestCase):\n    def setUp(self):\n        self.path = os.path.join(tempfile.mkdtemp(), 'm.toml')\n\n    def _write(self, text):\n        with open(self.path, 'w') as f:\n            f.write(text)\n\n    def test_reads(self):\n        self._write('name = 1')\n        m = load(self.path)\n        self.assertEqual(m.crane, 1)\n        self.assertIsNone(m.homepage)\n\n    def test_bad(self):\n        self._write('x')\n        with self.assertRaises(BadManifest):\n            load(self.path)\n"
		plain   = "import pytest\n\nfrom packer import BadManifest, load\n\n\n@pytest.fixture\ndef write(tmp_path):\n    def to(text):\n        (tmp_path / 'm.toml').write_text(text)\n        return str(tmp_path / 'm.toml')\n\n    return to\n\n\ndef test_reads(write):\n    m = load(write('name = 1'))\n    assert m.crane == 1\n    assert m.homepage is None\n\n\ndef test_bad(write):\n    with pytest.raises(BadManifest):\n        load(write('x'))\n"
		long    = "class SubTest < ActiveSupport::TestCase\n  test \"lifecycle\" do\n    sub = Sub.create!(plans(:team))\n    assert sub.trial?\n    travel 15.days\n    refute sub.usable?\n    sub.activate!(\"card\")\n    assert sub.active?\n  end\nend\n"
		parts   = "class SubTest < ActiveSupport::TestCase\n  setup do\n    @sub = Sub.create!(plans(:team))\n  end\n\n  test \"starts on trial\" do\n    assert @sub.trial?\n  end\n\n  test \"ends\" do\n    travel 15.days\n    refute @sub.usable?\n  end\n\n  test \"goes on\" do\n    travel 15.days\n    @sub.activate!(\"card\")\n    assert @sub.reload.active?\n  end\nend\n"
		cpp     = "TEST(RingInt, Empty) {\n  Ring<int> r;\n  EXPECT_TRUE(r.empty());\n}\n\nTEST(RingU8, Empty) {\n  Ring<uint8_t> r;\n  EXPECT_TRUE(r.empty());\n}\n"
		typed   = "template <typename T>\nclass RingTest : public ::testing::Test {\n protected:\n  Ring<T> r;\n};\n\nTYPED_TEST_SUITE(RingTest, Elements);\n\nTYPED_TEST(RingTest, Empty) {\n  EXPECT_TRUE(this->r.empty());\n}\n"
		caught  = "import { expect, it } from 'vitest';\nimport { refresh } from './auth';\n\nit('refuses', async () => {\n  try {\n    await refresh('x');\n  } catch (e) {\n    expect(e.name).toBe('Reused');\n  }\n});\n"
		thrown  = "import { expect, it } from 'vitest';\nimport { refresh } from './auth';\n\nit('refuses', async () => {\n  await expect(refresh('x')).rejects.toThrow('Reused');\n});\n"
		address = "import { check } from './address';\n\ntest('city', () => {\n  const result = check({ city: '' });\n  expect(result.ok).toBe(false);\n  expect(result.errors[0].field).toBe('city');\n});\n\ntest('zip', () => {\n  const result = check({ zip: '1' });\n  expect(result.ok).toBe(false);\n  expect(result.errors[0].field).toBe('zip');\n});\n"
		helped  = "import { check } from './address';\n\nfunction rejects(change, field, code) {\n  const result = check(change);\n  expect(result.ok).toBe(false);\n  expect(result.errors.map((e) => [e.field, e.code])).toEqual([[field, code]]);\n}\n\ntest('city', () => rejects({ city: '' }, 'city', 'required'));\n\ntest('zip', () => rejects({ zip: '1' }, 'zip', 'format'));\n"
		texts   = "package vfs\n\nimport (\n\t\"strings\"\n\t\"testing\"\n)\n\nfunc TestOpen(t *testing.T) {\n\tfs := NewMem()\n\t_, err := fs.Open(\"a\")\n\tif err == nil || !strings.Contains(err.Error(), \"not exist\") {\n\t\tt.Error(err)\n\t}\n\t_, err = fs.Open(\"..\")\n\tif err == nil || err.Error() != \"open ..: invalid\" {\n\t\tt.Error(err)\n\t}\n}\n"
		kinds   = "package vfs\n\nimport (\n\t\"errors\"\n\t\"io/fs\"\n\t\"testing\"\n)\n\nfunc TestOpen(t *testing.T) {\n\tmem := NewMem()\n\tfor _, tc := range []struct {\n\t\tname string\n\t\twant error\n\t}{\n\t\t{\"a\", fs.ErrNotExist},\n\t\t{\"..\", fs.ErrInvalid},\n\t} {\n\t\t_, err := mem.Open(tc.name)\n\t\tif !errors.Is(err, tc.want) {\n\t\t\tt.Error(err)\n\t\t}\n\t\tvar pe *fs.PathError\n\t\tif !errors.As(err, &pe) {\n\t\t\tt.Error(err)\n\t\t\tcontinue\n\t\t}\n\t\tif pe.Path != tc.name || pe.Op != \"open\" {\n\t\t\tt.Error(pe)\n\t\t}\n\t}\n}\n"
		exact   = "import { bearing } from './geo';\n\ntest('north-east', () => {\n  expect(bearing([0, 0], [1, 1])).toBe(44.99563645534486);\n});\n"
	)
	for _, c := range []struct {
		name, path, before, after string
		want                      verdict.Decision
	}{
		{"python: a class becomes functions with another helper", "tests/test_load.py", class, plain, verdict.Ask},
		{"ruby: one becomes three", "test/sub_test.rb", long, parts, verdict.Ask},
		{"c++: copies become typed", "tests/ring_test.cpp", cpp, typed, verdict.Ask},
		{"script: what was asked of an error that came is asked to come", "src/auth.test.ts", caught, thrown, verdict.Ask},

		{"script: a helper demands it", "src/address.test.js", address, helped, verdict.Ask},
		{"go: errors in rows", "open_test.go", texts, kinds, verdict.Ask},
		{"script: to twelve places", "src/bearing.test.js", exact, strings.Replace(exact, "toBe(44.99563645534486)", "toBeCloseTo(44.99563645534486, 12)", 1), verdict.Ask},

		{"script: to two places", "src/bearing.test.js", exact, strings.Replace(exact, "toBe(44.99563645534486)", "toBeCloseTo(44.99563645534486, 2)", 1), verdict.Refuse},
		{"script: the helper demands less", "src/address.test.js", address, strings.Replace(helped, ".toEqual([[field, code]])", ".toBeDefined()", 1), verdict.Refuse},
		{"go: any error in rows", "open_test.go", texts, strings.NewReplacer("!errors.Is(err, tc.want)", "err == nil", "pe.Path != tc.name || pe.Op != \"open\"", "pe == nil").Replace(kinds), verdict.Refuse},
		{"python: one is lost", "tests/test_load.py", class, before(plain, "\n\ndef test_bad"), verdict.Refuse},
		{"python: less is demanded", "tests/test_load.py", class, strings.Replace(plain, "    assert m.homepage is None\n", "    m.homepage\n", 1), verdict.Refuse},
		{"python: something else is asked", "tests/test_load.py", class, strings.ReplaceAll(plain, "load(", "parse("), verdict.Refuse},
		{"python: the new one is skipped", "tests/test_load.py", class, strings.ReplaceAll(plain, "def test_", "@pytest.mark.skip\ndef test_"), verdict.Refuse},
		{"ruby: a part is lost", "test/sub_test.rb", long, strings.Replace(parts, "    refute @sub.usable?\n", "", 1), verdict.Refuse},
		{"ruby: the new ones assert nothing", "test/sub_test.rb", long, strings.NewReplacer("    assert ", "    ", "    refute ", "    ").Replace(parts), verdict.Refuse},
		{"script: what is asked moves to where it need not come", "src/auth.test.ts", thrown, caught, verdict.Refuse},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(files{c.path: c.before}, files{c.path: c.after})
			in.Goal.By = audit.Person
			if report := audit.Audit(t.Context(), in); report.Decision() != c.want {
				t.Errorf("got %s: %v", report.Decision(), report.Findings)
			}
			in.Goal.By = audit.Healer
			if report := audit.Audit(t.Context(), in); report.Decision() == verdict.Approve {
				t.Errorf("a fixer may: %v", report.Findings)
			}
		})
	}
}
