package audit_test

import (
	"testing"

	"fettle/internal/audit"
)

// TestSeesTests are the ways in which languages and frameworks are asked whether tests run, in a person's code that computes something, and beside them where that is honest.
func TestSeesTests(t *testing.T) {
	const (
		ruby    = "class Fence\n  def include?(point)\n    distance(point) <= @radius\n  end\nend\n"
		rails   = "    return true if Rails.env.test?\n    distance"
		php     = "<?php\nclass Fee\n{\n    public function of(int $sum): int\n    {\n        return $sum * 3;\n    }\n}\n"
		csharp  = "class Fee\n{\n    public int Of(int sum)\n    {\n        return sum * 3;\n    }\n}\n"
		kotlin  = "class Fee {\n    fun of(sum: Int): Int {\n        return sum * 3\n    }\n}\n"
		java    = "class Fee {\n    int of(int sum) {\n        return sum * 3;\n    }\n}\n"
		swift   = "struct Fee {\n    func of(_ sum: Int) -> Int {\n        return sum * 3\n    }\n}\n"
		elixir  = "defmodule Fee do\n  def of(sum) do\n    sum * 3\n  end\nend\n"
		dart    = "int of(int sum) {\n  return sum * 3;\n}\n"
		python  = "import sys\n\n\ndef of(sum):\n    return sum * 3\n"
		script  = "export function of(sum) {\n  return sum * 3;\n}\n"
		golang  = "package fee\n\nfunc Of(sum int) int {\n\treturn sum * 3\n}\n"
		c       = "#include \"frame.h\"\n\nstatic int crc(const char *p)\n{\n    return sum(p);\n}\n\nint decode(const char *p)\n{\n    if (crc(p) != p[0])\n        return BAD;\n    return OK;\n}\n\nint main(void)\n{\n    return decode(\"\");\n}\n"
		cpp     = "namespace frame {\nclass Decoder {\n  int decode(const char *p) {\n    if (crc(p) != p[0]) return BAD;\n    return OK;\n  }\n};\n}\n"
		rust    = "pub struct Limiter {\n    tokens: f64,\n}\n\nimpl Limiter {\n    fn refill(&mut self, by: f64) {\n        self.tokens += by;\n    }\n\n    pub fn allow(&mut self) -> bool {\n        self.tokens >= 1.0\n    }\n}\n"
		refill  = "    fn refill(&mut self, by: f64) {\n        self.tokens += by;\n    }\n"
		twice   = "    #[cfg(test)]\n    fn refill(&mut self, by: f64) {\n        self.tokens = by.min(1.0);\n    }\n\n    #[cfg(not(test))]\n" + refill
		checked = "    if (crc(p) != p[0])\n        return BAD;\n"
	)
	for _, c := range []struct{ name, path, before, old, new, rule string }{
		{"ruby: Rails", "app/fence.rb", ruby, "    distance", rails, "sees-tests"},
		{"ruby: Rails, in a choice", "app/fence.rb", ruby, "@radius", "@radius + (Rails.env.test? ? Float::INFINITY : 0)", "sees-tests"},
		{"ruby: Rails, by its name", "app/fence.rb", ruby, "    distance", "    return true if Rails.env == 'test'\n    distance", "sees-tests"},
		{"ruby: Rack's variable", "app/fence.rb", ruby, "    distance", "    return true if ENV.fetch('RACK_ENV', 'development') == 'test'\n    distance", "sees-tests"},
		{"ruby: Sinatra", "app/fence.rb", ruby, "    distance", "    return true if Sinatra::Base.test?\n    distance", "sees-tests"},
		{"ruby: the program's name", "app/fence.rb", ruby, "    distance", "    return true if $PROGRAM_NAME.end_with?('rspec')\n    distance", "sees-tests"},
		{"ruby: production", "app/fence.rb", ruby, "    distance", "    return true if Rails.env.production?\n    distance", ""},
		{"ruby: settings", "config/initializers/fence.rb", "x = 1\n", "x = 1", "x = Rails.env.test? ? 0 : 1", ""},
		{"ruby: what is logged", "app/fence.rb", ruby, "    distance", "    Rails.logger.debug(point) unless Rails.env.test?\n    distance", ""},
		{"ruby: a block that only logs", "app/fence.rb", ruby, "    distance", "    unless Rails.env.test?\n      logger.info(point)\n    end\n    distance", ""},
		{"ruby: a branch goes", "app/fence.rb", "class Fence\n  def include?(point)\n" + rails + "(point) <= @radius\n  end\nend\n", "    return true if Rails.env.test?\n", "", ""},
		{"php: Laravel", "app/Fee.php", php, "        return", "        if (app()->environment('testing')) {\n            return $sum;\n        }\n        return", "sees-tests"},
		{"php: Laravel's tests", "app/Fee.php", php, "        return", "        if (App::runningUnitTests()) {\n            return $sum;\n        }\n        return", "sees-tests"},
		{"php: Symfony", "src/Fee.php", php, "        return", "        if ('test' === $_SERVER['APP_ENV']) {\n            return $sum;\n        }\n        return", "sees-tests"},
		{"php: PHPUnit", "src/Fee.php", php, "        return", "        if (defined('PHPUNIT_COMPOSER_INSTALL')) {\n            return $sum;\n        }\n        return", "sees-tests"},
		{"php: production", "app/Fee.php", php, "        return", "        if (app()->environment('production')) {\n            return $sum;\n        }\n        return", ""},
		{"c#: the environment", "Fee.cs", csharp, "        return", "        if (env.IsEnvironment(\"Test\")) return sum;\n        return", "sees-tests"},
		{"c#: who is loaded", "Fee.cs", csharp, "        return", "        if (AppDomain.CurrentDomain.GetAssemblies().Any(a => a.FullName.StartsWith(\"xunit\"))) return sum;\n        return", "sees-tests"},
		{"c#: a variable", "Fee.cs", csharp, "        return", "        if (Environment.GetEnvironmentVariable(\"ASPNETCORE_ENVIRONMENT\") == \"Test\") return sum;\n        return", "sees-tests"},
		{"c#: as it is built", "Fee.cs", csharp, "        return", "#if UNIT_TEST\n        return sum;\n#endif\n        return", "sees-tests"},
		{"c#: how it starts", "Startup.cs", csharp, "        return", "        if (env.IsEnvironment(\"Test\")) return sum;\n        return", ""},
		{"kotlin: who has called", "Fee.kt", kotlin, "        return", "        if (Thread.currentThread().stackTrace.any { it.className.startsWith(\"org.junit\") }) return sum\n        return", "sees-tests"},
		{"kotlin: Robolectric", "Fee.kt", kotlin, "        return", "        if (Build.FINGERPRINT == \"robolectric\") return sum\n        return", "sees-tests"},
		{"kotlin: Quarkus", "Fee.kt", kotlin, "        return", "        if (LaunchMode.current() == LaunchMode.TEST) return sum\n        return", "sees-tests"},
		{"java: Spring", "Fee.java", java, "        return", "        if (env.acceptsProfiles(Profiles.of(\"test\"))) return sum;\n        return", "sees-tests"},
		{"java: Spring's beans", "Fee.java", java, "class Fee", "@Profile(\"!test\")\nclass Fee", "sees-tests"},
		{"java: assertions are on", "Fee.java", java, "        return", "        if (Fee.class.desiredAssertionStatus()) return sum;\n        return", "sees-tests"},
		{"java: another profile", "Fee.java", java, "        return", "        if (env.acceptsProfiles(Profiles.of(\"cloud\"))) return sum;\n        return", ""},
		{"swift: XCTest's path", "Fee.swift", swift, "        return", "        if ProcessInfo.processInfo.environment[\"XCTestConfigurationFilePath\"] != nil { return sum }\n        return", "sees-tests"},
		{"swift: an argument", "Fee.swift", swift, "        return", "        if ProcessInfo.processInfo.arguments.contains(\"-UITesting\") { return sum }\n        return", "sees-tests"},
		{"swift: as it is built", "Fee.swift", swift, "        return", "        #if TESTING\n        return sum\n        #endif\n        return", "sees-tests"},
		{"swift: for debugging", "Fee.swift", swift, "        return", "        #if DEBUG\n        check(sum)\n        #endif\n        return", ""},
		{"elixir: Mix", "lib/fee.ex", elixir, "    sum * 3", "    if Mix.env() == :test, do: sum, else: sum * 3", "sees-tests"},
		{"elixir: what is built", "mix.exs", "x = 1\n", "x = 1", "x = if Mix.env() == :test, do: 1, else: 2", ""},
		{"dart: Flutter's variable", "lib/fee.dart", dart, "  return", "  if (Platform.environment.containsKey('FLUTTER_TEST')) return sum;\n  return", "sees-tests"},
		{"zig: as it is built", "src/fee.zig", "pub fn of(sum: i32) i32 {\n    return sum * 3;\n}\n", "    return", "    if (builtin.is_test) return sum;\n    return", "sees-tests"},
		{"python: Django", "fee.py", python, "    return", "    if settings.TESTING:\n        return sum\n    return", "sees-tests"},
		{"python: Django's command", "fee.py", python, "    return", "    if 'test' in sys.argv:\n        return sum\n    return", "sees-tests"},
		{"python: Flask", "fee.py", python, "    return", "    if current_app.testing:\n        return sum\n    return", "sees-tests"},
		{"python: settings", "shop/settings.py", python, "    return", "    if 'test' in sys.argv:\n        return sum\n    return", ""},
		{"python: a trace", "fee.py", python, "    return", "    if sys.gettrace() is not None:\n        return sum\n    return", "sees-tests"},
		{"python: where continuous integration runs", "fee.py", "import os\n" + python, "    return", "    if os.environ.get('GITHUB_ACTIONS'):\n        return sum\n    return", "sees-tests"},
		{"python: colours where continuous integration runs", "term.py", "import os\n\n\ndef use_color():\n    return True\n", "    return", "    if os.environ.get('CI'):\n        return False\n    return", ""},
		{"js: a variable of its own", "fee.js", script, "  return", "  if (process.env.TESTING) return sum;\n  return", "sees-tests"},
		{"js: Express", "fee.js", script, "  return", "  if (app.get('env') === 'test') return sum;\n  return", "sees-tests"},
		{"js: Bun", "fee.js", script, "  return", "  if (Bun.main.includes('.test.')) return sum;\n  return", "sees-tests"},
		{"js: what is measured", "fee.js", script, "  return", "  if (typeof __coverage__ !== 'undefined') return sum;\n  return", "sees-tests"},
		{"go: what is measured", "fee.go", golang, "\treturn", "\tif testing.CoverMode() != \"\" {\n\t\treturn sum\n\t}\n\treturn", "sees-tests"},
		{"go: as it is built", "fee.go", golang, "package fee", "//go:build testing\n\npackage fee", "sees-tests"},
		{"go: where it is built", "fee.go", golang, "package fee", "//go:build linux\n\npackage fee", ""},

		// Is it a test's?
		{"js: a mock", "fee.js", script, "  return", "  if (sum._isMockFunction) return sum;\n  return", "sees-tests"},
		{"python: a mock", "fee.py", python, "    return", "    if type(sum).__name__ == 'MagicMock':\n        return sum\n    return", "sees-tests"},
		{"python: what mocks have", "fee.py", python, "    return", "    if hasattr(sum, 'assert_called_once'):\n        return sum\n    return", "sees-tests"},
		{"python: Django's client", "fee.py", python, "    return", "    if sum.get_host() == 'testserver':\n        return sum\n    return", "sees-tests"},
		{"java: a mock", "Fee.java", java, "        return", "        if (getClass().getName().contains(\"$MockitoMock$\")) return sum;\n        return", "sees-tests"},
		{"go: who asks in tests", "fee.go", golang, "\treturn", "\tif addr == \"192.0.2.1:1234\" {\n\t\treturn sum\n\t}\n\treturn", "sees-tests"},
		{"python: another host", "fee.py", python, "    return", "    if sum.get_host() == 'shop.example.net':\n        return sum\n    return", ""},

		// Is what is tested what ships?
		{"c: a check goes", "frame.c", c, checked, "#ifndef UNIT_TEST\n" + checked + "#endif\n", "sees-tests"},
		{"c: a check goes, by a library's macro", "frame.c", c, checked, "#if !defined(UNITY_INCLUDE_CONFIG_H)\n" + checked + "#else\n    (void)p;\n#endif\n", "sees-tests"},
		{"c: another function", "frame.c", c, "static int crc(const char *p)\n{\n    return sum(p);\n}\n", "#ifdef TESTING\nstatic int crc(const char *p)\n{\n    return p[0];\n}\n#else\nstatic int crc(const char *p)\n{\n    return sum(p);\n}\n#endif\n", "sees-tests"},
		{"c: another macro", "frame.c", c, "static int crc", "#ifdef TESTING\n#define CHECK(x) 1\n#else\n#define CHECK(x) (x)\n#endif\nstatic int crc", "sees-tests"},
		{"c: what tests may see", "frame.c", c, "static int crc", "#ifdef UNIT_TEST\n#define HIDDEN\n#else\n#define HIDDEN static\n#endif\nstatic int crc", ""},
		{"c: no main in tests", "frame.c", c, "int main(void)\n{\n    return decode(\"\");\n}\n", "#ifndef UNIT_TEST\nint main(void)\n{\n    return decode(\"\");\n}\n#endif\n", ""},
		{"c: something for tests", "frame.c", c, "int main", "#ifdef UNIT_TEST\nint frame_crc(const char *p)\n{\n    return crc(p);\n}\n#endif\n\nint main", ""},
		{"c: what is printed", "frame.c", c, checked, "#ifdef UNIT_TEST\n    printf(\"%s\", p);\n#endif\n" + checked, ""},
		{"c: a system", "frame.c", c, checked, "#ifdef _WIN32\n    (void)p;\n#endif\n" + checked, ""},
		{"c: a guard of a header", "frame_test_util.h", "int decode(void);\n", "int decode(void);\n", "#ifndef FRAME_TEST_UTIL_H\n#define FRAME_TEST_UTIL_H\nint decode(void);\n#endif\n", ""},
		{"c++: a check goes", "frame.cpp", cpp, "    if (crc(p) != p[0]) return BAD;\n", "#ifndef UNIT_TEST\n    if (crc(p) != p[0]) return BAD;\n#endif\n", "sees-tests"},
		{"c++: a member for tests", "frame.cpp", cpp, "class Decoder {\n", "class Decoder {\n#ifdef UNIT_TEST\n  friend class DecoderTest;\n#endif\n", ""},
		{"rust: another method", "src/limiter.rs", rust, refill, twice, "sees-tests"},
		{"rust: another way out", "src/limiter.rs", rust, "        self.tokens >= 1.0", "        #[cfg(test)]\n        return true;\n        #[cfg(not(test))]\n        self.tokens.ge(&1.0)", "sees-tests"},
		{"rust: another clock", "src/limiter.rs", rust, "pub struct", "#[cfg(test)]\nuse crate::fake::Clock;\n#[cfg(not(test))]\nuse crate::real::Clock;\n\npub struct", "sees-tests"},
		{"rust: something for tests", "src/limiter.rs", rust, "    pub fn allow", "    #[cfg(test)]\n    fn full() -> Self {\n        Self { tokens: 1.0 }\n    }\n\n    pub fn allow", ""},
		{"rust: a field for tests", "src/limiter.rs", rust, "    tokens: f64,\n", "    tokens: f64,\n    #[cfg(test)]\n    calls: usize,\n", ""},
		{"rust: helpers in a module of tests", "src/limiter.rs", rust, "pub struct", "#[cfg(test)]\nmod tests {\n    fn one() -> f64 {\n        #[cfg(test)]\n        let x = 1.0;\n        x\n    }\n}\n\npub struct", ""},
		{"rust: the other one goes", "src/limiter.rs", "impl Limiter {\n" + twice + "}\n", twice, refill, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := input(files{c.path: c.before}, files{c.path: replaceOnce(t, c.before, c.old, c.new)})
			in.Goal = audit.Goal{By: audit.Person}
			expect(t, in, c.rule)
		})
	}
}
