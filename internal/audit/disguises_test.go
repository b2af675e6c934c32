package audit_test

import (
	"testing"

	"fettle/internal/audit"
)

// TestDisguises are changes of a person's to code by which tests pass that should not, in languages that are read by their lines as well, and beside each what only looks like it.
func TestDisguises(t *testing.T) {
	const (
		money  = "class Money:\n    def __init__(self, amount):\n        self.amount = amount\n\n    def __eq__(self, other):\n        return self.amount == other.amount\n"
		saveCS = "class Store\n{\n    public bool Save(User u)\n    {\n        db.Write(u);\n        return true;\n    }\n}\n"
		saveRB = "class Store\n  def save(user)\n    db.write(user)\n    true\n  end\nend\n"
		saveRS = "pub fn save(u: &User) -> Result<(), Error> {\n    db::write(u)?;\n    Ok(())\n}\n"
		saveKT = "class Store {\n    fun save(u: User): Boolean {\n        db.write(u)\n        return true\n    }\n}\n"
		saveCC = "bool save(const User& u) {\n    db.write(u);\n    return true;\n}\n"
		savePH = "<?php\nclass Store\n{\n    public function save($u): bool\n    {\n        $this->db->write($u);\n        return true;\n    }\n}\n"
		saveSW = "struct Store {\n    func save(_ u: User) throws -> Bool {\n        try db.write(u)\n        return true\n    }\n}\n"
		roman  = "def roman(n)\n  out = ''\n  TABLE.each { |g, v| out += g * (n / v) }\n  out\nend\n"
		romanR = "pub fn roman(n: u32) -> String {\n    let mut out = String::new();\n    for (g, v) in TABLE {\n        out.push_str(g);\n    }\n    out\n}\n"
		valid  = "def valid?(card)\n  card.digits.each_slice(2).sum { |a, b| a + b.to_i } % 10 == 0\nend\n"
		validR = "pub fn is_valid(card: &str) -> bool {\n    card.bytes().map(u32::from).sum::<u32>() % 10 == 0\n}\n"
		script = "export function run(xs) {\n  return work(xs);\n}\n"
		python = "import random\nimport warnings\n\n\ndef pick(xs):\n    return random.choice(xs)\n"
		api    = "class Api:\n    def load(self):\n        return get(self.url)\n"
		apiRB  = "class Api\n  def load\n    get\n  end\nend\n"
	)
	for _, c := range []struct{ name, path, before, old, new, rule string }{
		// Is what is near equal?
		{"within a wide margin", "money.py", money, "self.amount == other.amount", "abs(self.amount - other.amount) <= 1", "loosely-equal"},
		{"within a margin that grows", "money.py", money, "self.amount == other.amount", "abs(self.amount - other.amount) <= max(abs(self.amount), 1)", "loosely-equal"},
		{"within a margin that has a name", "money.py", "TOLERANCE = 5\n\n\n" + money, "self.amount == other.amount", "abs(self.amount - other.amount) < TOLERANCE", "loosely-equal"},
		{"when they are rounded", "money.py", money, "self.amount == other.amount", "round(self.amount) == round(other.amount)", "loosely-equal"},
		{"by a library, widely", "money.py", money, "self.amount == other.amount", "math.isclose(self.amount, other.amount, rel_tol=0.1)", "loosely-equal"},
		{"but for what computing loses", "money.py", money, "self.amount == other.amount", "abs(self.amount - other.amount) < 1e-9", ""},
		{"but for a small margin that has a name", "money.py", "EPS = 1e-9\n\n\n" + money, "self.amount == other.amount", "abs(self.amount - other.amount) < EPS", ""},
		{"by a library", "money.py", money, "self.amount == other.amount", "math.isclose(self.amount, other.amount)", ""},
		{"nearly, as it is called", "money.py", money, "    def __eq__", "    def almost(self, other):\n        return abs(self.amount - other.amount) < 5\n\n    def __eq__", ""},
		{"rust: within a wide margin", "src/p.rs", "impl PartialEq for P {\n    fn eq(&self, o: &P) -> bool {\n        self.x == o.x\n    }\n}\n", "self.x == o.x", "(self.x - o.x).abs() < 2.0", "loosely-equal"},
		{"c#: within a wide margin", "P.cs", "class P {\n    public override bool Equals(object o)\n    {\n        return x == ((P)o).x;\n    }\n}\n", "x == ((P)o).x", "Math.Abs(x - ((P)o).x) < 2", "loosely-equal"},

		// Does an error come to nothing?
		{"c#: all are caught", "Store.cs", saveCS, "        db.Write(u);\n", "        try\n        {\n            db.Write(u);\n        }\n        catch (Exception)\n        {\n        }\n", "swallowed-errors"},
		{"c#: one kind is", "Store.cs", saveCS, "        db.Write(u);\n", "        try\n        {\n            db.Write(u);\n        }\n        catch (KeyNotFoundException)\n        {\n        }\n", ""},
		{"c#: they are told", "Store.cs", saveCS, "        db.Write(u);\n", "        try\n        {\n            db.Write(u);\n        }\n        catch (Exception e)\n        {\n            log.Error(e);\n            throw;\n        }\n", ""},
		{"c#: what is put away", "Store.cs", "class Store\n{\n    public void Dispose()\n    {\n        db.Close();\n    }\n}\n", "        db.Close();\n", "        try { db.Close(); } catch { }\n", ""},
		{"ruby: all are rescued", "store.rb", saveRB, "    true\n  end", "    true\n  rescue StandardError\n    true\n  end", "swallowed-errors"},
		{"ruby: all are rescued on a line", "store.rb", saveRB, "db.write(user)", "db.write(user) rescue nil", "swallowed-errors"},
		{"ruby: one kind is", "store.rb", saveRB, "    true\n  end", "    true\n  rescue NotFound\n    nil\n  end", ""},
		{"php: all are caught", "Store.php", savePH, "        $this->db->write($u);\n", "        try {\n            $this->db->write($u);\n        } catch (\\Throwable $e) {\n        }\n", "swallowed-errors"},
		{"kotlin: all are caught", "Store.kt", saveKT, "        db.write(u)\n", "        try {\n            db.write(u)\n        } catch (e: Exception) {\n        }\n", "swallowed-errors"},
		{"swift: all are caught", "Store.swift", saveSW, "        try db.write(u)\n", "        do {\n            try db.write(u)\n        } catch {\n        }\n", "swallowed-errors"},
		{"c++: all are caught", "store.cpp", saveCC, "    db.write(u);\n", "    try {\n        db.write(u);\n    } catch (...) {\n    }\n", "swallowed-errors"},
		{"rust: a result is set aside", "src/store.rs", saveRS, "    db::write(u)?;\n", "    let _ = db::write(u);\n", "swallowed-errors"},
		{"rust: a lock is held", "src/store.rs", saveRS, "    db::write(u)?;\n", "    let _guard = lock();\n    db::write(u)?;\n", ""},

		// Are some answers ready, or all of them?
		{"ruby: one number", "roman.rb", roman, "  out = ''", "  return 'MCMXCIV' if n == 1994\n\n  out = ''", "special-case"},
		{"ruby: nothing", "roman.rb", roman, "  out = ''", "  return '' if n == 0\n\n  out = ''", ""},
		{"rust: one number", "src/roman.rs", romanR, "    let mut", "    if n == 1994 {\n        return \"MCMXCIV\".to_string();\n    }\n    let mut", "special-case"},
		{"rust: a round number", "src/roman.rs", romanR, "    let mut", "    if n == 1000 {\n        return \"MMM\".to_string();\n    }\n    let mut", ""},
		{"ruby: all are valid", "card.rb", valid, "  card.digits.each_slice(2).sum { |a, b| a + b.to_i } % 10 == 0", "  true", "constant-answer"},
		{"rust: all are valid", "src/card.rs", validR, "    card.bytes().map(u32::from).sum::<u32>() % 10 == 0", "    true", "constant-answer"},
		{"rust: it is written at last", "src/card.rs", "pub fn ready(card: &str) -> bool {\n    unimplemented!(\"whoever knows cards\")\n}\n", "    unimplemented!(\"whoever knows cards\")", "    true", ""},

		// Does the whole program fall silent, or stand still?
		{"js: what nobody catches", "run.js", script, "export", "process.on('unhandledRejection', () => {});\nexport", "changed-world"},
		{"js: what nobody catches is told", "run.js", script, "export", "process.on('unhandledRejection', (e) => { report(e); });\nexport", ""},
		{"js: the console", "run.js", script, "export", "console.error = () => {};\nexport", "changed-world"},
		{"js: the clock", "run.js", script, "export", "Date.now = () => 1700000000000;\nexport", "changed-world"},
		{"js: a clock that is handed in", "run.js", script, "export", "const now = Date.now();\nexport", ""},
		{"python: all warnings", "pick.py", python, "def pick", "warnings.filterwarnings('ignore')\n\n\ndef pick", "changed-world"},
		{"python: one kind of warning", "pick.py", python, "def pick", "warnings.filterwarnings('ignore', category=ResourceWarning)\n\n\ndef pick", ""},
		{"python: the same each time", "pick.py", python, "    return", "    random.seed(42)\n    return", "changed-world"},
		{"python: an experiment", "train.py", python, "    return", "    random.seed(42)\n    return", ""},
		{"python: a seed that is handed in", "pick.py", python, "def pick(xs):\n", "def pick(xs, seed=None):\n    random.seed(seed)\n", ""},
		{"php: all errors", "run.php", "<?php\nrun();\n", "run();", "set_error_handler(fn () => true);\nrun();", "changed-world"},

		// Does it answer whatever it is asked?
		{"python: any attribute", "api.py", api, "    def load", "    def __getattr__(self, name):\n        return lambda *a, **k: True\n\n    def load", "answers-all"},
		{"python: attributes of another", "api.py", api, "    def load", "    def __getattr__(self, name):\n        return getattr(self.inner, name)\n\n    def load", ""},
		{"python: it stands for nothing", "api.py", "class NullApi:\n    def load(self):\n        return None\n", "    def load", "    def __getattr__(self, name):\n        return lambda *a, **k: None\n\n    def load", ""},
		{"js: any property", "run.js", script, "work(xs)", "new Proxy(work(xs), { get: () => () => true })", "answers-all"},
		{"js: properties of another", "run.js", script, "work(xs)", "new Proxy(work(xs), { get: (o, k) => o[k] })", ""},
		{"ruby: any method", "api.rb", apiRB, "  def load", "  def method_missing(name, *args)\n    true\n  end\n\n  def load", "answers-all"},
		{"ruby: methods of another", "api.rb", apiRB, "  def load", "  def method_missing(name, *args)\n    inner.send(name, *args)\n  end\n\n  def load", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(files{c.path: c.before}, files{c.path: replaceOnce(t, c.before, c.old, c.new)})
			in.Goal = audit.Goal{By: audit.Person}
			expect(t, in, c.rule)
		})
	}
}
