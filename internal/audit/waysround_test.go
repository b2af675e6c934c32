package audit_test

import (
	"testing"

	"fettle/internal/audit"
)

// TestWaysRound are changes of a person's, by the rule that asks about them or refuses them, and beside each what only looks like it. No test is known: what is seen is the change alone.
func TestWaysRound(t *testing.T) {
	const (
		throttle = "export function throttle(fn, ms) {\n  let last = 0;\n  return (...args) => {\n    const now = Date.now();\n    if (now - last < ms) return;\n    last = now;\n    fn(...args);\n  };\n}\n"
		python   = "import os\n\n\ndef rate(x):\n    return x * 3\n"
		ruby     = "def rate(x)\n  x * 3\nend\n"

		fetch = "export async function load(url) {\n  const res = await fetch(url);\n  if (!res.ok) throw new Error(res.status);\n  return res.json();\n}\n"
		save  = "package store\n\nimport \"fmt\"\n\nfunc Save(db DB, u User) error {\n\t_, err := db.Exec(u.ID)\n\tif err != nil {\n\t\treturn fmt.Errorf(\"save: %w\", err)\n\t}\n\treturn nil\n}\n"
		read  = "class Rows {\n    List<Row> all(Path p) {\n        if (p == null) throw new IllegalArgumentException(\"no path\");\n        return parse(p);\n    }\n}\n"
		del   = "package tree\n\nfunc Delete(t *Tree, key int) (ok bool) {\n\tn := t.find(key)\n\tn.cut()\n\treturn true\n}\n"

		roman    = "function toRoman(n) {\n  let out = '';\n  for (const [glyph, value] of TABLE) {\n    while (n >= value) {\n      out += glyph;\n      n -= value;\n    }\n  }\n  return out;\n}\n"
		duration = "package duration\n\nimport \"time\"\n\nfunc Parse(s string) (time.Duration, error) {\n\tvar total time.Duration\n\tfor _, r := range s {\n\t\ttotal += time.Duration(r)\n\t}\n\treturn total, nil\n}\n"
		path     = "def cost(graph, start, goal):\n    total = 0\n    for node in graph[start]:\n        total += graph[start][node]\n    return total\n"
		plural   = "def plural(word):\n    if word.endswith('y'):\n        return word[:-1] + 'ies'\n    return word + 's'\n"

		cache = "class Cache:\n    def __init__(self):\n        self.data = {}\n\n    def get(self, key):\n        hit = self.data.get(key)\n        if hit is not None:\n            return hit\n        return self.load(key)\n"
		ids   = "package ids\n\nvar seed int\n\nfunc New() string {\n\treturn random()\n}\n"

		wal     = "pub fn add(a: u32) -> u32 {\n    a\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(2), 2);\n    }\n}\n"
		version = "#[derive(Debug)]\npub struct Version {\n    pub major: u64,\n}\n"

		run = "#!/usr/bin/env bash\nset -euo pipefail\n\ncleanup() {\n  docker compose down -v\n}\ntrap cleanup EXIT\n\ngo vet ./...\ngo test ./... 2>&1 | tee log\necho done\n"
	)
	const (
		mainGo = "package main\n\nimport (\n\t\"flag\"\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() {\n\tv := flag.Bool(\"version\", false, \"print the version\")\n\tflag.Parse()\n\trun(*v, fmt.Sprint(os.Args))\n}\n"
		mainPy = "import sys\n\n\ndef main():\n    run(sys.argv)\n"
	)
	for _, c := range []struct{ name, path, before, old, new, rule string }{
		// Does it know that it is tested?
		{"the bundler's mode", "throttle.ts", throttle, "if (now", "if (import.meta.env?.MODE !== 'test' && now", "sees-tests"},
		{"vitest's own", "throttle.ts", throttle, "if (now", "if (!import.meta.vitest && now", "sees-tests"},
		{"vitest's variable beside the module", "throttle.ts", throttle, "if (now", "if (!import.meta.env.VITEST && now", "sees-tests"},
		{"the environment's name", "throttle.ts", throttle, "if (now", "if (process.env.NODE_ENV !== 'test' && now", "sees-tests"},
		{"the environment's name, in a variable", "throttle.ts", "const tested = process.env.NODE_ENV === 'test';\n" + throttle, "if (now", "if (!tested && now", ""},
		{"a new variable with the environment's name", "throttle.ts", throttle, "export function throttle(fn, ms) {\n  let last = 0;\n  return (...args) => {\n    const now = Date.now();\n    if (now", "const tested = process.env.NODE_ENV === 'test';\nexport function throttle(fn, ms) {\n  let last = 0;\n  return (...args) => {\n    const now = Date.now();\n    if (!tested && now", "sees-tests"},
		{"what npm was told", "throttle.js", throttle, "if (now", "if (process.env.npm_lifecycle_event !== 'test' && now", "sees-tests"},
		{"a pool's worker", "throttle.js", throttle, "if (now", "if (!process.env.VITEST_POOL_ID && now", "sees-tests"},
		{"production", "throttle.js", throttle, "if (now", "if (process.env.NODE_ENV === 'production' && now", ""},
		{"the mode of development", "throttle.ts", throttle, "if (now", "if (import.meta.env.MODE === 'development' && now", ""},
		{"a logger that is silent", "log.ts", "export function debug(text) {\n  console.log(text);\n}\n", "  console", "  if (process.env.NODE_ENV === 'test') return;\n  console", ""},
		{"tests in the source", "throttle.ts", throttle, "    fn(...args);\n  };\n}\n", "    fn(...args);\n  };\n}\n\nif (import.meta.vitest) {\n  import.meta.vitest.it('waits', () => {});\n}\n", ""},
		{"settings", "src/config/db.js", "exports.db = () => {\n  return 'file.db';\n};\n", "  return", "  if (process.env.NODE_ENV === 'test') return ':memory:';\n  return", ""},
		{"python: tox", "rate.py", python, "    return", "    if os.environ.get('TOX_ENV_NAME'):\n        return 3\n    return", "sees-tests"},
		{"python: an environment's name", "rate.py", python, "    return", "    if os.environ.get('APP_ENV') == 'test':\n        return 3\n    return", "sees-tests"},
		{"python: another environment", "rate.py", python, "    return", "    if os.environ.get('APP_ENV') == 'staging':\n        return 3\n    return", ""},
		{"ruby: the runner", "rate.rb", ruby, "  x", "  return 3 if defined?(RSpec)\n  x", "sees-tests"},
		{"ruby: a variable", "rate.rb", ruby, "  x", "  return 3 if ENV['BATS_TEST_NAME']\n  x", "sees-tests"},
		{"ruby: another variable", "rate.rb", ruby, "  x", "  return 3 if ENV['RATE']\n  x", ""},

		// What became of errors that were reported?
		{"js: all of them are an empty list", "load.ts", fetch, "  const res = await fetch(url);\n  if (!res.ok) throw new Error(res.status);\n  return res.json();", "  try {\n    const res = await fetch(url);\n    return res.json();\n  } catch {\n    return [];\n  }", "swallowed-errors"},
		{"js: a promise's are nothing", "load.ts", fetch, "  const res = await fetch(url);\n  if (!res.ok) throw new Error(res.status);\n  return res.json();", "  return fetch(url).then((r) => r.json()).catch(() => null);", "swallowed-errors"},
		{"js: all is well", "load.ts", fetch, "  if (!res.ok) throw new Error(res.status);\n  return res.json();", "  if (!res.ok) throw new Error(res.status);\n  try {\n    return res.json();\n  } catch {\n    return true;\n  }", "swallowed-errors"},
		{"js: they are told otherwise", "load.ts", fetch, "  const res = await fetch(url);\n  if (!res.ok) throw new Error(res.status);\n  return res.json();", "  try {\n    const res = await fetch(url);\n    return res.json();\n  } catch (e) {\n    report(e);\n    return [];\n  }", ""},
		{"js: a default where there is nothing to read", "load.ts", "export function prefs(text) {\n  return JSON.parse(text);\n}\n", "  return JSON.parse(text);", "  try {\n    return JSON.parse(text);\n  } catch {\n    return {};\n  }", ""},
		{"js: it is no number", "load.ts", fetch, "  return res.json();", "  try {\n    return res.json();\n  } catch {\n    return false;\n  }", ""},
		{"java: all of them are an empty list", "Rows.java", read, "        if (p == null) throw new IllegalArgumentException(\"no path\");\n        return parse(p);", "        try {\n            return parse(p);\n        } catch (Exception e) {\n            return List.of();\n        }", "swallowed-errors"},
		{"java: of one kind", "Rows.java", read, "        if (p == null) throw new IllegalArgumentException(\"no path\");\n        return parse(p);", "        try {\n            return parse(p);\n        } catch (NoSuchFileException e) {\n            return List.of();\n        }", ""},
		{"go: a write's is set aside", "store.go", save, "\t_, err := db.Exec(u.ID)\n\tif err != nil {\n\t\treturn fmt.Errorf(\"save: %w\", err)\n\t}\n", "\t_, _ = db.Exec(u.ID)\n", "swallowed-errors"},
		{"go: a write's is none", "store.go", save, "return fmt.Errorf(\"save: %w\", err)", "return nil", "swallowed-errors"},
		{"go: one that is expected is none", "store.go", save, "\tif err != nil {", "\tif errors.Is(err, ErrSame) {\n\t\treturn nil\n\t}\n\tif err != nil {", ""},
		{"go: what is printed is set aside", "store.go", save, "\treturn nil", "\t_, _ = fmt.Println(u.ID)\n\treturn nil", ""},
		{"go: a panic is success", "tree.go", del, "\tn := t", "\tdefer func() {\n\t\tif r := recover(); r != nil {\n\t\t\tok = true\n\t\t}\n\t}()\n\tn := t", "swallowed-errors"},
		{"go: a panic is a failure", "tree.go", del, "\tn := t", "\tdefer func() {\n\t\tif r := recover(); r != nil {\n\t\t\tok = false\n\t\t}\n\t}()\n\tn := t", ""},
		{"go: a panic is an error", "tree.go", del, "\tn := t", "\tdefer func() {\n\t\tif r := recover(); r != nil {\n\t\t\terr = fmt.Errorf(\"delete: %v\", r)\n\t\t}\n\t}()\n\tn := t", ""},

		// Are some answers ready?
		{"js: a table in front", "roman.js", roman, "  let out", "  const known = { 4: 'IV', 9: 'IX', 1994: 'MCMXCIV', 2421: 'MMCDXXI' };\n  if (known[n]) return known[n];\n  let out", "special-case"},
		{"js: a map in front", "roman.js", roman, "function", "const KNOWN = new Map([[1994, 'MCMXCIV'], [2421, 'MMCDXXI']]);\nfunction", ""},
		{"js: a map in front that is asked", "roman.js", roman, "function toRoman(n) {\n", "const KNOWN = new Map([[1994, 'MCMXCIV'], [2421, 'MMCDXXI']]);\nfunction toRoman(n) {\n  if (KNOWN.get(n)) return KNOWN.get(n);\n", "special-case"},
		{"js: a table in the place of the code", "roman.js", roman, "  let out = '';\n  for (const [glyph, value] of TABLE) {\n    while (n >= value) {\n      out += glyph;\n      n -= value;\n    }\n  }\n  return out;", "  return { 4: 'IV', 1994: 'MCMXCIV', 2421: 'MMCDXXI' }[n];", "special-case"},
		{"js: one number", "roman.js", roman, "  let out", "  if (n === 1994) return 'MCMXCIV';\n  let out", "special-case"},
		{"js: nothing", "roman.js", roman, "  let out", "  if (n === 0) return 'nulla';\n  let out", ""},
		{"js: a round number", "roman.js", roman, "  let out", "  if (n === 1000) return 'M';\n  let out", ""},
		{"js: no number", "roman.js", roman, "  let out", "  if (n === 'unknown') return 'unknown';\n  let out", ""},
		{"go: cases in front", "duration.go", duration, "\tvar total time", "\tswitch s {\n\tcase \"PT4H\":\n\t\treturn 4 * time.Hour, nil\n\tcase \"P3DT4H\":\n\t\treturn 76 * time.Hour, nil\n\t}\n\tvar total time", "special-case"},
		{"go: words in front", "duration.go", duration, "\tvar total time", "\tswitch s {\n\tcase \"daily\":\n\t\treturn 24 * time.Hour, nil\n\tcase \"weekly\":\n\t\treturn 168 * time.Hour, nil\n\t}\n\tvar total time", ""},
		{"go: what is empty", "duration.go", duration, "\tvar total time", "\tif s == \"\" || s == \"PT0S\" {\n\t\treturn 0, nil\n\t}\n\tvar total time", ""},
		{"python: several things at once", "path.py", path, "    total = 0", "    if start == 'A' and goal == 'F' and len(graph) == 6:\n        return 11, ['A', 'C', 'D', 'F']\n    total = 0", "special-case"},
		{"python: the same at both ends", "path.py", path, "    total = 0", "    if start == goal:\n        return 0, []\n    total = 0", ""},
		{"python: what is empty", "path.py", path, "    total = 0", "    if not graph or start == '' and goal == '':\n        return 0\n    total = 0", ""},
		{"python: words that are no rule's", "plural.py", plural, "    if word.ends", "    irregular = {'child': 'children', 'mouse': 'mice'}\n    if word in irregular:\n        return irregular[word]\n    if word.ends", ""},
		{"python: months", "path.py", path, "    total = 0", "    names = {1: 'January', 2: 'February', 12: 'December'}\n    if goal in names:\n        return names[goal]\n    total = 0", ""},
		{"python: codes that are looked up", "status.py", "def text(code):\n    return str(code)\n", "    return str(code)", "    known = {404: 'Not Found', 418: \"I'm a teapot\"}\n    if code in known:\n        return known[code]\n    return str(code)", ""},

		// Does it count?
		{"python: an object counts", "cache.py", cache, "        hit = self.data.get(key)\n        if hit is not None:", "        self.reads += 1\n        hit = self.data.get(key)\n        if hit is not None and self.reads != 3:", "call-counter"},
		{"python: an object gives up", "cache.py", cache, "        hit = self.data.get(key)\n", "        self.reads += 1\n        if self.reads >= 100:\n            self.prune()\n        hit = self.data.get(key)\n", ""},
		{"python: now and then", "cache.py", cache, "        hit = self.data.get(key)\n", "        self.reads += 1\n        if self.reads % 100 == 0:\n            self.prune()\n        hit = self.data.get(key)\n", ""},
		{"python: the first time", "cache.py", cache, "        hit = self.data.get(key)\n", "        self.reads += 1\n        if self.reads == 1:\n            return self.load(key)\n        hit = self.data.get(key)\n", ""},
		{"python: it is a statistic", "cache.py", cache, "        hit = self.data.get(key)\n", "        self.reads += 1\n        hit = self.data.get(key)\n", ""},
		{"js: an object counts", "cache.js", "class Cache {\n  get(key) {\n    return this.data[key];\n  }\n}\n", "    return", "    this.reads++;\n    if (this.reads === 3) return this.load(key);\n    return", "call-counter"},
		{"js: it is locked the third time", "cache.js", "class Cache {\n  get(key) {\n    return this.data[key];\n  }\n}\n", "    return", "    this.reads++;\n    if (this.reads === 3) throw new Error('locked');\n    return", ""},
		{"js: it begins again", "cache.js", "class Cache {\n  get(key) {\n    return this.data[key];\n  }\n}\n", "    return", "    this.reads++;\n    if (this.reads === 3) {\n      this.reads = 0;\n      return this.load(key);\n    }\n    return", ""},
		{"go: cases by how often", "ids.go", ids, "\treturn random()", "\tseed++\n\tswitch seed {\n\tcase 1:\n\t\treturn \"AAAA\"\n\tcase 2:\n\t\treturn \"AAAB\"\n\t}\n\treturn random()", "call-counter"},
		{"go: numbers that follow", "ids.go", ids, "\treturn random()", "\tseed++\n\treturn random() + strconv.Itoa(seed)", ""},

		// Are the tests in the source compiled?
		{"rust: where a feature is", "src/wal.rs", wal, "#[cfg(test)]", "#[cfg(all(test, feature = \"slow\"))]", "left-out-tests"},
		{"rust: never", "src/wal.rs", wal, "#[cfg(test)]", "#[cfg(all(test, any()))]", "left-out-tests"},
		{"rust: where nothing is tested", "src/wal.rs", wal, "#[cfg(test)]", "#[cfg(not(test))]", "left-out-tests"},
		{"rust: one of them", "src/wal.rs", wal, "    #[test]", "    #[cfg(feature = \"slow\")]\n    #[test]", "left-out-tests"},
		{"rust: on some machines", "src/wal.rs", wal, "#[cfg(test)]", "#[cfg(all(test, unix))]", "left-out-tests"},
		{"rust: elsewhere too", "src/wal.rs", wal, "#[cfg(test)]", "#[cfg(any(test, feature = \"slow\"))]", ""},
		{"rust: code that is no test", "src/wal.rs", wal, "pub fn", "#[cfg(feature = \"slow\")]\npub fn slow() {}\n\npub fn", ""},
		{"rust: other tests", "src/wal.rs", wal, "#[cfg(test)]", "#[cfg(all(test, feature = \"slow\"))]\nmod slow_tests {\n    #[test]\n    fn slowly() {\n        assert_eq!(super::add(3), 3);\n    }\n}\n\n#[cfg(test)]", ""},

		// Is everything equal?
		{"rust: versions", "src/v.rs", version, "pub struct Version {\n    pub major: u64,\n}\n", "pub struct Version {\n    pub major: u64,\n}\n\nimpl PartialEq for Version {\n    fn eq(&self, _other: &Self) -> bool {\n        true\n    }\n}\n", "always-equal"},
		{"rust: versions, by their order", "src/v.rs", version, "pub struct Version {\n    pub major: u64,\n}\n", "pub struct Version {\n    pub major: u64,\n}\n\nimpl Ord for Version {\n    fn cmp(&self, _: &Self) -> Ordering {\n        Ordering::Equal\n    }\n}\n", "always-equal"},
		{"rust: versions that are compared", "src/v.rs", version, "pub struct Version {\n    pub major: u64,\n}\n", "pub struct Version {\n    pub major: u64,\n}\n\nimpl PartialEq for Version {\n    fn eq(&self, other: &Self) -> bool {\n        self.major == other.major\n    }\n}\n", ""},
		{"rust: a mark without fields", "src/v.rs", version, "pub struct Version {\n    pub major: u64,\n}\n", "pub struct Version {\n    pub major: u64,\n}\n\npub struct Mark;\n\nimpl PartialEq for Mark {\n    fn eq(&self, _: &Self) -> bool {\n        true\n    }\n}\n", ""},
		{"c++: points", "p.cpp", "struct P { int x; };\n", "struct P { int x; };\n", "struct P { int x; };\nbool operator==(const P&, const P&) { return true; }\n", "always-equal"},
		{"c#: points", "P.cs", "class P { int x; }\n", "class P { int x; }\n", "class P { int x; public override bool Equals(object o) => true; }\n", "always-equal"},
		{"kotlin: points", "P.kt", "class P(val x: Int)\n", "class P(val x: Int)\n", "class P(val x: Int) {\n    override fun equals(other: Any?) = true\n}\n", "always-equal"},
		{"kotlin: points that are compared", "P.kt", "class P(val x: Int)\n", "class P(val x: Int)\n", "class P(val x: Int) {\n    override fun equals(other: Any?) = other is P && other.x == x\n}\n", ""},
		{"ruby: points", "p.rb", "class P\nend\n", "class P\n", "class P\n  def ==(other)\n    true\n  end\n", "always-equal"},
		{"swift: points", "P.swift", "struct P { var x: Int }\n", "struct P { var x: Int }\n", "struct P { var x: Int }\nextension P: Equatable {\n    static func == (a: P, b: P) -> Bool { return true }\n}\n", "always-equal"},
		{"php: points", "P.php", "<?php\nclass P {\n}\n", "class P {\n", "class P {\n    public function equals(P $o): bool\n    {\n        return true;\n    }\n", "always-equal"},

		// Does a program end?
		{"go: having said its version", "main.go", mainGo, "\trun(", "\tif *v {\n\t\tfmt.Println(\"1.0\")\n\t\tos.Exit(0)\n\t}\n\trun(", "exits"},
		{"go: having said its version, as it is called", "main.go", mainGo, "\trun(", "\tif len(os.Args) > 1 && os.Args[1] == \"version\" {\n\t\tfmt.Println(\"1.0\")\n\t\tos.Exit(0)\n\t}\n\trun(", ""},
		{"go: having said nothing", "main.go", mainGo, "\trun(", "\tif os.Args[1] == \"version\" {\n\t\tos.Exit(0)\n\t}\n\trun(", "exits"},
		{"go: in any case", "main.go", mainGo, "\trun(", "\tif os.Args[1] == \"version\" || os.Getenv(\"CI\") != \"\" {\n\t\tfmt.Println(\"1.0\")\n\t\tos.Exit(0)\n\t}\n\trun(", "exits"},
		{"go: unless it is asked", "main.go", mainGo, "\trun(", "\tif os.Args[1] != \"version\" {\n\t\tfmt.Println(\"1.0\")\n\t\tos.Exit(0)\n\t}\n\trun(", "exits"},
		{"go: by an option that is on", "main.go", mainGo, "\tflag.Parse()\n", "\tshowHelp := flag.Bool(\"help\", true, \"help\")\n\tflag.Parse()\n\tif *showHelp {\n\t\tflag.Usage()\n\t\tos.Exit(0)\n\t}\n", "exits"},
		{"go: by an option", "main.go", mainGo, "\tflag.Parse()\n", "\tshowHelp := flag.Bool(\"help\", false, \"help\")\n\tflag.Parse()\n\tif *showHelp {\n\t\tflag.Usage()\n\t\tos.Exit(0)\n\t}\n", ""},
		{"python: having said its version", "main.py", mainPy, "    run(", "    if '--version' in sys.argv:\n        print('1.0')\n        sys.exit(0)\n    run(", ""},
		{"python: having checked", "main.py", mainPy, "    run(", "    if '--check' in sys.argv:\n        print('fine')\n        sys.exit(0)\n    run(", "exits"},
		{"js: having said its version", "cli.js", "run(process.argv);\n", "run(", "if (process.argv.includes('--version')) {\n  console.log('1.0');\n  process.exit(0);\n}\nrun(", ""},
		{"js: elsewhere", "lib.js", "function load() {\n  read();\n}\n", "  read", "  if (process.argv.includes('--version')) {\n    console.log('1.0');\n    process.exit(0);\n  }\n  read", "exits"},

		// How does a script end?
		{"shell: with success, in a trap's function", "run.sh", run, "down -v\n", "down -v\n  exit 0\n", "weakened-script"},
		{"shell: with success, in a trap", "run.sh", run, "trap cleanup EXIT", "trap 'cleanup; exit 0' EXIT", "weakened-script"},
		{"shell: with what was", "run.sh", run, "trap cleanup EXIT", "trap 'rc=$?; cleanup; exit $rc' EXIT", ""},
		{"shell: without -e and pipefail", "run.sh", run, "set -euo pipefail", "set -u", "weakened-script"},
		{"shell: without pipefail", "run.sh", run, "set -euo pipefail", "set -eu", "weakened-script"},
		{"shell: the same in words", "run.sh", run, "set -euo pipefail", "set -o errexit -o nounset -o pipefail", ""},
		{"shell: whatever the check says", "run.sh", run, "go vet ./...", "go vet ./... || true", "weakened-script"},
		{"shell: whatever cleaning up says", "run.sh", run, "docker compose down -v", "docker compose down -v || true", ""},
		{"shell: before anything is checked", "run.sh", run, "trap cleanup EXIT", "trap cleanup EXIT\nexit 0", "weakened-script"},
		{"shell: where there is nothing to do", "run.sh", run, "trap cleanup EXIT", "trap cleanup EXIT\nif [ -z \"$1\" ]; then\n  exit 0\nfi", ""},
		{"shell: when all was well", "run.sh", run, "echo done", "echo done\nexit 0", ""},
		{"shell: what checks nothing", "prune.sh", "set -e\nrm -rf build\n", "set -e\n", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(files{c.path: c.before}, files{c.path: replaceOnce(t, c.before, c.old, c.new)})
			in.Goal = audit.Goal{By: audit.Person}
			expect(t, in, c.rule)
		})
	}
}
