package audit_test

import (
	"slices"
	"strings"
	"testing"

	"fettle/internal/audit"
)

// TestDemands are changes that people make to tests and configurations. What only demands more is a note; what demands less is refused, and asked about
// even where the change is meant to be of that kind; the rest is asked about unless it is meant, but for what is not about checks.
func TestDemands(t *testing.T) {
	const (
		py    = "from calc import add\n\n\ndef test_add():\n    x = add(2, 3)\n    assert x == 5\n    assert add(1, 1) is not None\n\n\n@pytest.mark.parametrize('a,b', [(1, 2), (2, 3)])\ndef test_rows(a, b):\n    assert add(a, 1) == b\n"
		js    = "import { add } from './calc';\n\ndescribe('calc', () => {\n  it('adds', () => {\n    expect(add(2, 3)).toBe(5);\n    expect(add(1, 1)).toBeDefined();\n  });\n});\n"
		golng = "package calc\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tfor _, c := range [][3]int{{2, 3, 5}} {\n\t\tif got := Add(c[0], c[1]); got != c[2] {\n\t\t\tt.Errorf(\"got %d\", got)\n\t\t}\n\t}\n\tif Add(1, 1) == 0 {\n\t\tt.Error(\"nothing\")\n\t}\n}\n"
		java  = "class CalcTest {\n    @Test\n    void adds() {\n        assertEquals(5, new Calc().add(2, 3));\n        assertNotNull(new Calc().add(1, 1));\n    }\n}\n"
		gh    = "jobs:\n  test:\n    steps:\n      - run: ruff check .\n      - run: pytest\n"
		on    = "on:\n  push:\n    branches: [main]\n  pull_request:\n" + gh
		mat   = "jobs:\n  test:\n    runs-on: ${{ matrix.os }}\n    strategy:\n      matrix:\n        os: [ubuntu-latest, windows-latest]\n        python: ['3.10', '3.11', '3.12']\n        include:\n          - os: macos-latest\n            python: '3.12'\n    steps:\n      - uses: actions/setup-python@v5\n        with:\n          python-version: ${{ matrix.python }}\n      - run: pytest\n"
		win   = "jobs:\n  test:\n    runs-on: windows-latest\n    steps:\n      - run: pytest\n  deploy:\n    runs-on: [self-hosted, linux]\n    steps:\n      - run: ./deploy.sh\n"
		az    = "steps:\n  - script: pytest\n"
		jen   = "pipeline {\n  stages {\n    stage('test') {\n      steps {\n        sh 'pytest'\n      }\n    }\n  }\n}\n"
		dro   = "steps:\n  - name: test\n    commands:\n      - pytest\n"
		gra   = "test {\n    useJUnitPlatform()\n}\n"
		nox   = "import nox\n\n\n@nox.session\ndef tests(session):\n    session.run(\"pytest\")\n"
		vit   = "export default defineConfig({\n  test: { coverage: { provider: 'v8', thresholds: { lines: 80, branches: 70 } } },\n});\n"
		pkg   = "{\n  \"jest\": {\n    \"coverageThreshold\": {\"global\": {\"lines\": 80}}\n  }\n}\n"
		scr   = "{\n  \"scripts\": {\n    \"lint\": \"eslint .\"\n  }\n}\n"
		pre   = "repos:\n  - repo: https://example.com/a\n    rev: v1\n    hooks:\n      - id: ruff\n      - id: mypy\n  - repo: https://example.com/b\n    hooks:\n      - id: codespell\n"
		cov   = "coverage:\n  status:\n    project:\n      default:\n        target: 80%\n        threshold: 1%\n"
		php   = "<phpunit bootstrap=\"a.php\" cacheDirectory=\".a\" failOnWarning=\"true\">\n    <testsuites>\n        <testsuite name=\"all\">\n            <directory>tests</directory>\n        </testsuite>\n    </testsuites>\n    <source>\n        <include><directory>src</directory></include>\n    </source>\n</phpunit>\n"
		lab   = "test:\n  script:\n    - pytest\ndeploy:\n  script:\n    - ./deploy.sh\n"
	)
	for _, c := range []struct{ name, path, before, old, new, want string }{
		// What demands more.
		{"python: a constant for anything", "test_calc.py", py, "add(1, 1) is not None", "add(1, 1) == 2", "more"},
		{"python: one more assertion", "test_calc.py", py, "    assert x == 5\n", "    assert x == 5\n    assert add(0, 0) == 0\n", "more"},
		{"python: one more test", "test_calc.py", py, "@pytest", "def test_zero():\n    assert add(0, 0) == 0\n\n\n@pytest", "more"},
		{"python: one more row", "test_calc.py", py, "(2, 3)])", "(2, 3), (3, 4)])", "more"},
		{"python: one more import", "test_calc.py", py, "from calc import add\n", "import math\nfrom calc import add\n", "more"},
		{"javascript: a constant for anything", "calc.test.js", js, ".toBeDefined()", ".toBe(2)", "more"},
		{"javascript: one more assertion", "calc.test.js", js, "    expect(add(1", "    expect(add(0, 0)).toBe(0);\n    expect(add(1", "more"},
		{"javascript: one more test", "calc.test.js", js, "  it('adds'", "  it('adds nothing', () => {\n    expect(add(0, 0)).toBe(0);\n  });\n  it('adds'", "more"},
		{"javascript: an assertion is waited for", "calc.test.js", "it('a', () => { expect(f()).resolves.toBe(1); });\n", "() => { expect", "async () => { await expect", "more"},
		{"go: one more row", "calc_test.go", golng, "{{2, 3, 5}}", "{{2, 3, 5}, {1, 1, 2}}", "more"},
		{"go: one more test", "calc_test.go", golng, "func TestAdd", "func TestZero(t *testing.T) {\n\tif Add(0, 0) != 0 {\n\t\tt.Fatal(\"zero\")\n\t}\n}\n\nfunc TestAdd", "more"},
		{"java: a constant for anything", "CalcTest.java", java, "assertNotNull(new Calc().add(1, 1))", "assertEquals(2, new Calc().add(1, 1))", "more"},
		{"java: one more test", "CalcTest.java", java, "    @Test\n", "    @Test\n    void zero() {\n        assertEquals(0, new Calc().add(0, 0));\n    }\n\n    @Test\n", "more"},
		{"a new file of tests", "tests/test_new.py", "", "", "from calc import add\n\n\ndef test_new():\n    assert add(0, 1) == 1\n", "more"},
		{"coverage up", ".coveragerc", "[report]\nfail_under = 80\n", "80", "85", "more"},
		{"coverage at all", ".coveragerc", "[report]\nshow_missing = true\n", "true\n", "true\nfail_under = 80\n", "more"},
		{"jest's threshold up", "jest.config.js", "module.exports = {\n  coverageThreshold: {\n    global: {\n      branches: 80,\n    },\n  },\n};\n", "80", "90", "more"},
		{"complexity down", "ruff.toml", "max-complexity = 12\n", "12", "10", "more"},
		{"a rule more", "ruff.toml", "select = [\"E\", \"F\"]\n", "\"F\"", "\"F\", \"B\"", "more"},
		{"every rule", "ruff.toml", "select = [\"E\"]\n", "\"E\"", "\"ALL\"", "more"},
		{"less left out", "ruff.toml", "ignore = [\"E1\", \"E2\"]\n", ", \"E2\"", "", "more"},
		{"strict", "mypy.ini", "[mypy]\nstrict = false\n", "false", "true", "more"},
		{"a warning becomes an error", ".eslintrc.json", "{\n  \"rules\": {\n    \"eqeqeq\": \"warn\"\n  }\n}\n", "warn", "error", "more"},
		{"a linter more", ".golangci.yml", "linters:\n  enable:\n    - govet\n", "    - govet\n", "    - govet\n    - errcheck\n", "more"},
		{"a step more", ".github/workflows/ci.yml", gh, "      - run: pytest\n", "      - run: pytest\n      - run: mypy src\n", "more"},

		// What demands less.
		{"python: anything for a constant", "test_calc.py", py, "x == 5", "x is not None", "less"},
		{"python: more than", "test_calc.py", py, "x == 5", "x > 0", "less"},
		{"python: one of", "test_calc.py", py, "x == 5", "x in (5, 6)", "less"},
		{"python: or", "test_calc.py", py, "x == 5", "x == 5 or x == 6", "less"},
		{"javascript: truthy", "calc.test.js", js, ".toBe(5)", ".toBeTruthy()", "less"},
		{"javascript: not", "calc.test.js", js, ".toBe(5)", ".not.toBe(5)", "less"},
		{"javascript: no assertion", "calc.test.js", js, "    expect(add(2, 3)).toBe(5);\n", "    add(2, 3);\n", "less"},
		{"javascript: of a constant", "calc.test.js", js, "expect(add(2, 3)).toBe(5)", "expect(5).toBe(5)", "less"},
		{"javascript: caught", "calc.test.js", js, "    expect(add(2, 3)).toBe(5);\n", "    try { expect(add(2, 3)).toBe(5); } catch (e) {}\n", "less"},
		{"javascript: returns first", "calc.test.js", js, "    expect(add(2", "    return;\n    expect(add(2", "less"},
		{"javascript: never", "calc.test.js", js, "    expect(add(2, 3)).toBe(5);\n", "    if (false) { expect(add(2, 3)).toBe(5); }\n", "less"},
		{"javascript: the test is gone", "calc.test.js", js, "it('adds'", "helper('adds'", "less"},
		{"go: the other way", "calc_test.go", golng, "Add(1, 1) == 0", "Add(1, 1) == 3 && false", "less"},
		{"java: not null", "CalcTest.java", java, "assertEquals(5, new Calc().add(2, 3))", "assertNotNull(new Calc().add(2, 3))", "less"},
		{"java: the test is gone", "CalcTest.java", java, "    @Test\n", "", "less"},
		{"coverage down", ".coveragerc", "[report]\nfail_under = 80\n", "80", "10", "less"},
		{"coverage gone", ".coveragerc", "[report]\nfail_under = 80\n", "fail_under = 80\n", "", "less"},
		{"a rule less", "ruff.toml", "select = [\"E\", \"F\"]\n", ", \"F\"", "", "less"},
		{"a rule ignored", "ruff.toml", "line-length = 80\n", "80\n", "80\nignore = [\"E501\"]\n", "less"},
		{"a rule off", ".eslintrc.json", "{\n  \"rules\": {\n    \"eqeqeq\": \"error\"\n  }\n}\n", "error", "off", "less"},
		{"files left out", "mypy.ini", "[mypy]\nstrict = true\n", "true\n", "true\nexclude = src/a\n", "less"},
		{"not strict", "mypy.ini", "[mypy]\nstrict = true\n", "true", "false", "less"},
		{"or true", ".github/workflows/ci.yml", gh, "run: pytest", "run: pytest || true", "less"},
		{"a step less", ".github/workflows/ci.yml", gh, "      - run: pytest\n", "", "less"},
		{"a step that may fail", ".github/workflows/ci.yml", gh, "      - run: pytest\n", "      - run: pytest\n        continue-on-error: true\n", "less"},
		{"a step that never runs", ".github/workflows/ci.yml", gh, "      - run: pytest\n", "      - if: false\n        run: pytest\n", "less"},
		{"a job that never runs", ".github/workflows/ci.yml", gh, "  test:\n", "  test:\n    if: ${{ github.actor == 'me' && false }}\n", "less"},
		{"a step for failures only", ".github/workflows/ci.yml", gh, "      - run: pytest\n", "      - run: pytest\n        if: failure()\n", "less"},
		{"a step in a pipe", ".github/workflows/ci.yml", gh, "run: pytest", "run: pytest | tee out.txt", "less"},
		{"a step whose failure is only told", ".github/workflows/ci.yml", gh, "run: pytest", "run: pytest || echo failed", "less"},
		{"a step that nobody waits for", ".github/workflows/ci.yml", gh, "run: pytest", "run: pytest &", "less"},
		{"a system less", ".github/workflows/ci.yml", mat, ", windows-latest", "", "less"},
		{"the oldest version less", ".github/workflows/ci.yml", mat, "'3.10', ", "", "asked"},
		{"no system of its own", ".github/workflows/ci.yml", mat, "        include:\n          - os: macos-latest\n            python: '3.12'\n", "", "less"},
		{"one pair less", ".github/workflows/ci.yml", mat, "        include:", "        exclude:\n          - os: windows-latest\n            python: '3.10'\n        include:", "less"},
		{"one system for all", ".github/workflows/ci.yml", mat, "runs-on: ${{ matrix.os }}", "runs-on: ubuntu-latest", "less"},
		{"one version for all", ".github/workflows/ci.yml", mat, "${{ matrix.python }}", "'3.12'", "less"},
		{"another system", ".github/workflows/ci.yml", win, "windows-latest", "ubuntu-latest", "less"},
		{"a job without a rule that lets it run", ".gitlab-ci.yml", lab, "test:\n", "test:\n  rules:\n    - when: never\n", "less"},
		{"a step that prints", ".github/workflows/ci.yml", gh, "run: pytest", "run: echo pytest", "less"},
		{"a step that prints, on several lines", ".github/workflows/ci.yml", gh, "run: pytest", "run: |\n          echo pytest", "less"},
		{"a step that lists", ".github/workflows/ci.yml", gh, "run: pytest", "run: pytest --co", "less"},
		{"a step that collects", ".github/workflows/ci.yml", gh, "run: pytest", "run: python -m pytest -q --collect-only", "less"},
		{"a step of some tests", ".github/workflows/ci.yml", gh, "run: pytest", "run: pytest -k add", "less"},
		{"one of two commands", "Makefile", "test:\n\truff check . && pytest\n", " && pytest", "", "less"},
		{"by hand only", ".github/workflows/ci.yml", on, "  push:\n    branches: [main]\n  pull_request:\n", "  workflow_dispatch:\n", "less"},
		{"not for requests", ".github/workflows/ci.yml", on, "  pull_request:\n", "", "less"},
		{"not in a list", ".github/workflows/ci.yml", "on: [push, pull_request]\n" + gh, "[push, pull_request]", "push", "less"},
		{"paths are ignored", ".github/workflows/ci.yml", on, "  pull_request:\n", "  pull_request:\n    paths-ignore: ['src/**']\n", "less"},
		{"all paths are ignored", ".github/workflows/ci.yml", "on:\n  push:\n    paths-ignore: ['docs/**', '*.md']\n" + gh, "'*.md'", "'**'", "less"},
		{"branches are ignored", ".github/workflows/ci.yml", on, "    branches: [main]\n", "    branches-ignore: [main]\n", "less"},
		{"only for some paths", ".github/workflows/ci.yml", on, "  pull_request:\n", "  pull_request:\n    paths: [docs/**]\n", "less"},
		{"a job by hand", ".gitlab-ci.yml", lab, "test:\n", "test:\n  when: manual\n", "less"},
		{"make prints", "Makefile", "test:\n\tpytest\n", "\tpytest", "\t@echo pytest", "less"},
		{"go runs no test", "Makefile", "test:\n\tgo test ./...\n", "./...", "-run XXX ./...", "less"},
		{"jest lists", "package.json", "{\n  \"scripts\": {\n    \"test\": \"jest\"\n  }\n}\n", "\"jest\"", "\"jest --listTests\"", "less"},
		{"some marks", "pytest.ini", "[pytest]\naddopts = -q\n", "-q", "-q -m 'not slow'", "less"},
		{"tests are called otherwise", "pytest.ini", "[pytest]\naddopts = -q\n", "-q\n", "-q\npython_functions = check_*\n", "less"},
		{"a new file that leaves code out", ".coveragerc", "", "", "[run]\nomit =\n    src/*\n", "less"},
		{"a new file that deselects", "pytest.ini", "", "", "[pytest]\naddopts =\n    -q\n    --deselect tests/test_a.py\n", "less"},
		{"a new file that selects", "setup.cfg", "", "", "[metadata]\nname = calc\n\n[tool:pytest]\naddopts = -k add\n", "less"},
		{"make goes on", "Makefile", "test:\n\tpytest\n", "\tpytest", "\t-pytest", "less"},
		{"a test is deselected", "pytest.ini", "[pytest]\naddopts = -q\n", "-q", "-q --deselect tests/test_a.py", "less"},
		{"tests that do nothing", "package.json", "{\n  \"scripts\": {\n    \"test\": \"jest\"\n  }\n}\n", "\"jest\"", "\"exit 0\"", "less"},

		// The same in the words of other systems and tools.
		{"azure: a step that may fail", "azure-pipelines.yml", az, "- script: pytest\n", "- script: pytest\n    continueOnError: true\n", "less"},
		{"azure: a step that might not fail, and may", "azure-pipelines.yml", "steps:\n  - script: pytest\n    continueOnError: false\n", "false", "true", "less"},
		{"jenkins: an error is caught", "Jenkinsfile", jen, "sh 'pytest'", "catchError(buildResult: 'SUCCESS') { sh 'pytest' }", "less"},
		{"jenkins: an error is caught, in a block", "Jenkinsfile", jen, "        sh 'pytest'\n", "        catchError {\n          sh 'pytest'\n        }\n", "less"},
		{"jenkins: an error is a number", "Jenkinsfile", jen, "sh 'pytest'", "sh(script: 'pytest', returnStatus: true)", "less"},
		{"drone: a failure is ignored", ".drone.yml", dro, "      - pytest\n", "      - pytest\n    failure: ignore\n", "less"},
		{"buildkite: a soft failure", ".buildkite/pipeline.yml", "steps:\n  - command: pytest\n", "pytest\n", "pytest\n    soft_fail: true\n", "less"},
		{"gradle: failures are ignored", "build.gradle", gra, "    useJUnitPlatform()\n", "    useJUnitPlatform()\n    ignoreFailures = true\n", "less"},
		{"gradle: failures are ignored, in Kotlin", "build.gradle.kts", "tasks.test {\n    useJUnitPlatform()\n}\n", "    use", "    ignoreFailures.set(true)\n    use", "less"},
		{"gradle: tests are off", "build.gradle", gra, "    useJUnitPlatform()\n", "    useJUnitPlatform()\n    enabled = false\n", "less"},
		{"gradle: tests are off, on one line", "build.gradle", gra, "test {\n", "tasks.withType(Test) { enabled = false }\ntest {\n", "less"},
		{"gradle: tests are off, by their name", "build.gradle", gra, "test {\n", "test.enabled = false\ntest {\n", "less"},
		{"gradle: tests are left out", "build.gradle", gra, "    useJUnitPlatform()\n", "    useJUnitPlatform()\n    exclude '**/SlowTest*'\n", "less"},
		{"gradle: tests are left out, in Kotlin", "build.gradle.kts", "tasks.test { useJUnitPlatform() }\n", "{ useJUnitPlatform() }", "{ exclude(\"**/SlowTest*\") }", "less"},
		{"tox: a failure is ignored", "tox.ini", "[testenv]\ncommands =\n    pytest\n", "    pytest", "    - pytest", "less"},
		{"tox: a failure is ignored, on one line", "tox.ini", "[testenv]\ncommands = pytest\n", "= pytest", "= - pytest", "less"},
		{"nox: a failure is a success", "noxfile.py", nox, "\"pytest\")", "\"pytest\", success_codes=[0, 1])", "less"},
		{"pytest: some tests, behind a quote", "pyproject.toml", "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n", "[\"tests\"]\n", "[\"tests\"]\naddopts = \"-k fast\"\n", "less"},
		{"pytest: some tests, in a list", "pyproject.toml", "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n", "[\"tests\"]\n", "[\"tests\"]\naddopts = [\"-k\", \"fast\"]\n", "less"},
		{"jest: no test is no failure", "jest.config.js", "module.exports = {\n  verbose: true,\n};\n", "true,\n", "true,\n  passWithNoTests: true,\n", "less"},
		{"jest: other files are tests", "jest.config.js", "module.exports = { testMatch: ['**/*.test.js', '**/*.spec.js'] };\n", "'**/*.test.js', '**/*.spec.js'", "'**/none.js'", "less"},
		{"jest: no file is a test", "package.json", "{\"jest\": {\"testMatch\": [\"**/*.test.js\"]}}\n", "\"**/*.test.js\"", "", "less"},
		{"vitest: a threshold on one line", "vitest.config.ts", vit, "lines: 80", "lines: 1", "less"},
		{"vitest: no threshold on one line", "vitest.config.ts", vit, ", thresholds: { lines: 80, branches: 70 }", "", "less"},
		{"jest: a threshold on one line", "package.json", pkg, "\"lines\": 80", "\"lines\": 1", "less"},
		{"jest: a threshold, all on one line", "jest.config.js", "module.exports = { coverageThreshold: { global: { lines: 80 } } };\n", "80", "1", "less"},
		{"yaml: a threshold in a mapping", ".nycrc.yml", "check-coverage: true\nper-file: {lines: 80, branches: 70}\n", "lines: 80", "lines: 8", "less"},
		{"gradle: a minimum", "build.gradle.kts", "rule { limit { minimum = \"0.8\".toBigDecimal() } }\n", "0.8", "0.1", "less"},
		{"maven: a minimum", "pom.xml", "<project>\n  <limit><minimum>0.80</minimum></limit>\n</project>\n", "0.80", "0.10", "less"},
		{"maven: failures are ignored", "pom.xml", "<project>\n  <configuration>\n    <forkCount>1</forkCount>\n  </configuration>\n</project>\n", "    <forkCount>", "    <testFailureIgnore>true</testFailureIgnore>\n    <forkCount>", "less"},
		{"eslint: a rule off, on one line", ".eslintrc.json", "{\"root\": true, \"rules\": {\"eqeqeq\": \"error\", \"no-eval\": [\"error\", {\"allowIndirect\": true}]}}\n", "\"eqeqeq\": \"error\"", "\"eqeqeq\": \"off\"", "less"},
		{"eslint: a rule with options off, on one line", ".eslintrc.json", "{\"rules\": {\"no-eval\": [\"error\", {\"allowIndirect\": true}]}}\n", "[\"error\"", "[\"off\"", "less"},
		{"eslint: a rule off, in single quotes", "eslint.config.js", "export default [{ rules: { 'no-eval': 'error' } }];\n", "'error'", "'off'", "less"},
		{"eslint: all is ignored", "eslint.config.js", "export default [\n  js.configs.recommended,\n];\n", "  js", "  { ignores: [\"**\"] },\n  js", "less"},
		{"eslint: warnings are not told", "package.json", scr, "\"eslint .\"", "\"eslint . --quiet\"", "less"},
		{"eslint: a folder instead of all", "package.json", scr, "\"eslint .\"", "\"eslint src\"", "less"},
		{"go: a package instead of all", "Makefile", "test:\n\tgo test ./...\n", "./...", "./internal/a", "less"},
		{"one of two folders", "Makefile", "lint:\n\truff check src tests\n", " tests", "", "less"},
		{"rubocop: a rule off", ".rubocop.yml", "AllCops:\n  NewCops: enable\nMetrics/MethodLength:\n  Max: 10\n", "  Max: 10\n", "  Max: 10\n  Enabled: false\n", "less"},
		{"rubocop: a rule turned off", ".rubocop.yml", "Lint/Eval: { Enabled: true }\n", "true", "false", "less"},
		{"pre-commit: a hook less", ".pre-commit-config.yaml", pre, "      - id: mypy\n", "", "less"},
		{"pre-commit: a repository of hooks less", ".pre-commit-config.yaml", pre, "  - repo: https://example.com/b\n    hooks:\n      - id: codespell\n", "", "less"},
		{"codecov: a lower target", "codecov.yml", cov, "target: 80%", "target: 10%", "less"},
		{"codecov: a number as target", "codecov.yml", "coverage:\n  status:\n    project:\n      default:\n        target: 80\n", "80", "10", "less"},
		{"codecov: a larger loss", "codecov.yml", cov, "threshold: 1%", "threshold: 50%", "less"},
		{"codecov: a status that only informs", "codecov.yml", cov, "        threshold: 1%\n", "        threshold: 1%\n        informational: true\n", "less"},
		{"sonar: code is left out", "sonar-project.properties", "sonar.projectKey=x\n", "=x\n", "=x\nsonar.exclusions=src/**\n", "less"},
		{"sonar: code is measured no more", "sonar-project.properties", "sonar.projectKey=x\n", "=x\n", "=x\nsonar.coverage.exclusions=src/legacy/**\n", "less"},
		{"phpunit: a test is left out", "phpunit.xml", php, "<directory>tests</directory>\n", "<directory>tests</directory>\n            <exclude>tests/SlowTest.php</exclude>\n", "less"},
		{"phpunit: a file is left out, below a key", "phpunit.xml", php, "<directory>src</directory></include>\n", "<directory>src</directory></include>\n        <exclude>\n            <file>src/Cart.php</file>\n        </exclude>\n", "less"},
		{"phpunit: a suite less", "phpunit.xml", php, "            <directory>tests</directory>\n", "", "less"},
		{"phpunit: a warning is no failure", "phpunit.xml", php, "failOnWarning=\"true\"", "failOnWarning=\"false\"", "less"},
		{"rust: a lint is allowed", "Cargo.toml", "[lints.rust]\nunsafe_code = \"forbid\"\n", "forbid", "allow", "less"},
		{"rust: a lint less, in one line", "Cargo.toml", "[lints]\nrust = { unsafe_code = \"forbid\", unused = \"deny\" }\n", ", unused = \"deny\"", "", "less"},

		// What demands nothing, or of nobody knows what.
		{"python: what is asked is replaced", "test_calc.py", py, "@pytest", "def test_zero(monkeypatch):\n    monkeypatch.setattr('calc.add', print)\n    assert add(0, 0) == 0\n\n\n@pytest", "asked"},
		{"python: a test that is skipped", "test_calc.py", py, "@pytest", "def test_zero():\n    pytest.skip('later')\n\n\n@pytest", "other"},
		{"python: a test that does nothing", "test_calc.py", py, "@pytest", "def test_zero():\n    pass\n\n\n@pytest", "other"},
		{"python: a test that only runs", "test_calc.py", py, "@pytest", "def test_zero():\n    add(0, 0)\n\n\n@pytest", "more"},
		{"javascript: a test that does nothing", "calc.test.js", js, "  it('adds'", "  it('adds nothing', () => {});\n  it('adds'", "other"},

		// What a person has to look at.
		{"python: another constant", "test_calc.py", py, "x == 5", "x == 6", "other"},
		{"python: another question", "test_calc.py", py, "x = add(2, 3)", "x = add(2, 4)", "other"},
		{"python: a name that is used means something else", "test_calc.py", py, "def test_add", "from other import add\n\n\ndef test_add", "other"},
		{"javascript: a setup", "calc.test.js", js, "  it('adds'", "  beforeEach(() => { add.x = 1; });\n  it('adds'", "other"},
		{"a fixture", "conftest.py", "import pytest\n", "pytest\n", "pytest\n\n\n@pytest.fixture(autouse=True)\ndef all(x):\n    return x\n", "other"},
		{"newer versions", ".github/workflows/ci.yml", mat, "['3.10', '3.11', '3.12']", "['3.11', '3.12', '3.13']", "other"},
		{"a version more", ".github/workflows/ci.yml", mat, "'3.12']", "'3.12', '3.13']", "other"},
		{"a system more", ".github/workflows/ci.yml", mat, "windows-latest]", "windows-latest, macos-14]", "other"},
		{"the same system by another name", ".github/workflows/ci.yml", win, "windows-latest", "windows-2025", "other"},
		{"systems that others choose", ".github/workflows/ci.yml", win, "windows-latest", "${{ inputs.system }}", "other"},
		{"a deployment by another machine", ".github/workflows/ci.yml", win, "[self-hosted, linux]", "windows-latest", "other"},
		{"a matrix of a job that had none", ".github/workflows/ci.yml", win, "    runs-on: windows-latest\n", "    strategy:\n      matrix:\n        os: [windows-latest, ubuntu-latest]\n    runs-on: ${{ matrix.os }}\n", "other"},
		{"what is no check may fail, and says so", ".github/workflows/ci.yml", gh, "      - run: pytest\n", "      - run: docker rm x || echo none\n      - run: pytest\n", "other"},
		{"a step that mends first", ".github/workflows/ci.yml", gh, "      - run: pytest\n", "      - run: npx eslint --fix .\n      - run: pytest\n", "other"},
		{"a script that mends first", ".github/workflows/ci.yml", gh, "      - run: pytest\n", "      - run: npm run lint:fix\n      - run: pytest\n", "other"},
		{"a formatter that writes", ".github/workflows/ci.yml", gh, "      - run: pytest\n", "      - run: black .\n      - run: pytest\n", "other"},
		{"a target where Codecov wants as much as there was", "codecov.yml", "coverage:\n  status:\n    project:\n      default:\n        threshold: 0%\n", "        threshold: 0%\n", "        target: 10%\n        threshold: 0%\n", "other"},
		{"a script that mends before the lint", "package.json", "{\"scripts\": {\n  \"lint\": \"eslint .\"\n}}\n", "  \"lint\"", "  \"prelint\": \"eslint --fix .\",\n  \"lint\"", "other"},
		{"a stranger's program before the tests", "package.json", "{\"scripts\": {\n  \"test\": \"jest\"\n}}\n", "  \"test\"", "  \"pretest\": \"deno run -A https://a.example/lint.ts\",\n  \"test\"", "other"},
		{"another package under a tool's name", "package.json", "{\"scripts\": {\n  \"test\": \"jest\"\n}, \"devDependencies\": {\n  \"jest\": \"^29.0.0\"\n}}\n", "^29.0.0", "npm:jest-noop@1.0.0", "other"},
		{"the least that pylint wants, lower than by itself", ".github/workflows/ci.yml", "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: pylint src\n", "pylint src", "pylint --fail-under=5 src", "less"},
		{"types: strict taken back", "package.json", "{\"scripts\": {\n  \"types\": \"tsc --noEmit\"\n}}\n", "--noEmit", "--noEmit --strict false", "less"},
		{"a step that has a name", ".github/workflows/ci.yml", gh, "      - run: pytest\n", "      - name: tests\n        run: pytest\n", "other"},
		{"a step that says more", ".github/workflows/ci.yml", gh, "run: pytest", "run: pytest -q --cov=src", "other"},
		{"a step on several lines", ".github/workflows/ci.yml", gh, "run: pytest", "run: |\n          pip install -e .\n          pytest -q", "other"},
		{"a step by another runner", ".github/workflows/ci.yml", gh, "run: pytest", "run: make test", "other"},
		{"a step by another launcher", ".github/workflows/ci.yml", gh, "run: pytest", "run: uv run pytest", "other"},
		{"a script by its name", ".github/workflows/ci.yml", "jobs:\n  test:\n    steps:\n      - run: npm test\n", "npm test", "npm run test:coverage", "other"},
		{"a step by a launcher with options", ".github/workflows/ci.yml", gh, "run: pytest", "run: uv run --locked --group dev pytest", "other"},
		{"other paths are ignored, that were before", ".github/workflows/ci.yml", "on:\n  push:\n    paths-ignore: ['docs/**', '*.md']\n" + gh, "'*.md'", "'README.md'", "other"},
		{"a step of its own for slow tests", ".github/workflows/ci.yml", gh, "      - run: pytest\n", "      - run: pytest\n      - run: pytest -m slow --ignore=docs\n", "more"},
		{"a step that prints too", ".github/workflows/ci.yml", gh, "      - run: pytest\n", "      - run: echo pytest\n      - run: pytest\n", "other"},
		{"a step that has a condition", ".github/workflows/ci.yml", gh, "      - run: pytest\n", "      - run: pytest\n        if: matrix.os != 'windows'\n", "other"},
		{"what follows a failure", ".github/workflows/ci.yml", gh, "      - run: pytest\n", "      - run: pytest\n      - if: failure()\n        run: cat out.txt\n", "other"},
		{"a job that deploys never runs", ".github/workflows/ci.yml", gh + "  deploy:\n    steps:\n      - run: ./deploy.sh\n", "  deploy:\n", "  deploy:\n    if: false\n", "other"},
		{"a step in a pipe that is minded", ".github/workflows/ci.yml", gh, "run: pytest", "run: set -o pipefail && pytest | tee out.txt", "other"},
		{"a job with rules", ".gitlab-ci.yml", lab, "test:\n", "test:\n  rules:\n    - if: $CI_COMMIT_TAG\n      when: never\n    - when: on_success\n", "other"},
		{"for more branches", ".github/workflows/ci.yml", on, "[main]", "[main, next]", "other"},
		{"for a branch by its new name", ".github/workflows/ci.yml", on, "[main]", "[trunk]", "other"},
		{"pushes of one branch, and every request", ".github/workflows/ci.yml", "on:\n  push:\n  pull_request:\n" + gh, "  push:\n", "  push:\n    branches: [main]\n", "other"},
		{"by hand too", ".github/workflows/ci.yml", on, "  pull_request:\n", "  pull_request:\n  workflow_dispatch:\n", "other"},
		{"a release by hand", ".github/workflows/release.yml", "on: [push]\njobs:\n  go:\n    steps:\n      - run: ./release.sh\n", "[push]", "[workflow_dispatch]", "other"},
		{"a deployment by hand", ".gitlab-ci.yml", lab, "deploy:\n", "deploy:\n  when: manual\n", "other"},
		{"another runner of scripts", "package.json", "{\n  \"scripts\": {\n    \"test\": \"jest\"\n  }\n}\n", "\"jest\"", "\"vitest run\"", "other"},
		{"a new file that says where code is", ".coveragerc", "", "", "[run]\nsource = src\n", "other"},
		{"a new file that says where tests are", "pytest.ini", "", "", "[pytest]\ntestpaths = tests\naddopts = -q --strict-markers\n", "other"},
		{"a hook by its new name", ".pre-commit-config.yaml", "repos:\n  - repo: r\n    hooks:\n      - id: ruff\n", "id: ruff", "id: ruff-check", "other"},
		{"a package less to install", "tox.ini", "[testenv]\ndeps =\n    pytest\n    mypy\ncommands =\n    pytest\n", "    mypy\n", "", "other"},
		{"a package less in a list", "pyproject.toml", "[project.optional-dependencies]\ntest = [\n  \"pytest\",\n  \"mypy\",\n]\n", "  \"mypy\",\n", "", "ordinary"},
		{"another length", "ruff.toml", "target = 80\n", "80", "100", "other"},
		{"a step that does more", ".github/workflows/ci.yml", gh, "      - run: pytest\n", "      - run: rm tests/test_a.py; pytest\n      - run: pytest\n", "other"},
		// Beside what demands less, in the words of other systems and tools.
		{"azure: a step that may not fail", "azure-pipelines.yml", az, "- script: pytest\n", "- script: pytest\n    continueOnError: false\n", "other"},
		{"azure: a step that might fail, and may not", "azure-pipelines.yml", "steps:\n  - script: pytest\n    continueOnError: true\n", "true", "false", "more"},
		{"jenkins: an error is caught, and counts", "Jenkinsfile", jen, "sh 'pytest'", "catchError(buildResult: 'FAILURE') { sh 'pytest' }", "other"},
		{"jenkins: what is printed is kept", "Jenkinsfile", jen, "        sh 'pytest'\n", "        sh(script: 'git rev-parse HEAD', returnStdout: true)\n        sh 'pytest'\n", "other"},
		{"drone: a failure counts", ".drone.yml", dro, "      - pytest\n", "      - pytest\n    failure: fail\n", "other"},
		{"gradle: failures are not ignored", "build.gradle", gra, "    useJUnitPlatform()\n", "    useJUnitPlatform()\n    ignoreFailures = false\n", "other"},
		{"gradle: a report is off", "build.gradle", gra, "test {\n", "jacocoTestReport { reports { html { enabled = false } } }\ntest {\n", "other"},
		{"gradle: generated code is left out", "build.gradle", gra, "    useJUnitPlatform()\n", "    useJUnitPlatform()\n    exclude '**/generated/**'\n", "other"},
		{"gradle: a dependency more", "build.gradle", gra, "test {\n", "dependencies { testImplementation 'junit:junit:4.13.2' }\ntest {\n", "other"},
		{"tox: another argument", "tox.ini", "[testenv]\ncommands =\n    pytest\n", "    pytest", "    pytest -q {posargs}", "other"},
		{"nox: success is success", "noxfile.py", nox, "\"pytest\")", "\"pytest\", success_codes=[0])", "other"},
		{"pytest: fewer words, behind a quote", "pyproject.toml", "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n", "[\"tests\"]\n", "[\"tests\"]\naddopts = \"-q --strict-markers\"\n", "other"},
		{"jest: no test is a failure", "jest.config.js", "module.exports = {\n  verbose: true,\n};\n", "true,\n", "true,\n  passWithNoTests: false,\n", "other"},
		{"jest: more files are tests", "jest.config.js", "module.exports = { testMatch: ['**/*.test.js'] };\n", "'**/*.test.js'", "'**/*.test.js', '**/*.spec.js'", "more"},
		{"jest: another environment, on one line", "jest.config.js", "module.exports = { testEnvironment: 'node', coverageThreshold: { global: { lines: 80 } } };\n", "'node'", "'jsdom'", "other"},
		{"vitest: a threshold up, on one line", "vitest.config.ts", vit, "lines: 80", "lines: 85", "more"},
		{"vitest: a threshold on several lines", "vitest.config.ts", vit, "{ lines: 80, branches: 70 }", "{\n        lines: 80,\n        branches: 75,\n      }", "more"},
		{"jest: a threshold up, on one line", "package.json", pkg, "\"lines\": 80", "\"lines\": 90", "more"},
		{"maven: a minimum up", "pom.xml", "<project>\n  <limit><minimum>0.80</minimum></limit>\n</project>\n", "0.80", "0.85", "more"},
		{"maven: another version", "pom.xml", "<project>\n  <dependency><artifactId>a</artifactId><version>1.2</version></dependency>\n</project>\n", "1.2", "1.3", "other"},
		{"eslint: a rule on, on one line", ".eslintrc.json", "{\"root\": true, \"rules\": {\"eqeqeq\": \"warn\", \"no-eval\": \"error\"}}\n", "\"warn\"", "\"error\"", "more"},
		{"eslint: generated code is ignored", "eslint.config.js", "export default [\n  js.configs.recommended,\n];\n", "  js", "  { ignores: [\"dist/**\", \"**/node_modules/\", \"coverage\"] },\n  js", "other"},
		{"mypy: a generated folder is left out", "mypy.ini", "[mypy]\nstrict = true\n", "true\n", "true\nexclude = ^build/\n", "other"},
		{"ruff: one more generated folder is left out", "ruff.toml", "extend-exclude = [\"vendor\"]\n", "\"vendor\"", "\"vendor\", \"*_pb2.py\"", "other"},
		{"eslint: a cache", "package.json", scr, "\"eslint .\"", "\"eslint . --cache --max-warnings=0\"", "other"},
		{"eslint: another format", "package.json", scr, "\"eslint .\"", "\"eslint . --format stylish\"", "other"},
		{"ruff: quiet", "Makefile", "lint:\n\truff check .\n", "check .", "check --quiet .", "other"},
		{"go: with a cover", "Makefile", "test:\n\tgo test ./...\n", "./...", "-race -cover ./...", "other"},
		{"one more folder", "Makefile", "lint:\n\truff check src\n", "src", "src tests", "other"},
		{"a folder by its new name", "Makefile", "lint:\n\truff check src tests\n", "tests", "test", "other"},
		{"an option less", "Makefile", "test:\n\tpytest tests -n auto\n", " -n auto", "", "other"},
		{"rubocop: another length", ".rubocop.yml", "Metrics/MethodLength:\n  Enabled: true\n  Max: 10\n", "10", "8", "more"},
		{"rubocop: a rule on", ".rubocop.yml", "Metrics/MethodLength:\n  Max: 10\n", "  Max: 10\n", "  Max: 10\n  Enabled: true\n", "other"},
		{"pre-commit: a hook more", ".pre-commit-config.yaml", pre, "      - id: mypy\n", "      - id: mypy\n      - id: typos\n", "more"},
		{"pre-commit: a newer version", ".pre-commit-config.yaml", pre, "rev: v1", "rev: v2", "other"},
		{"codecov: a higher target", "codecov.yml", cov, "target: 80%", "target: 85%", "more"},
		{"codecov: a comment", "codecov.yml", cov, "coverage:\n", "comment:\n  layout: diff\ncoverage:\n", "other"},
		{"a cache is off", ".github/workflows/ci.yml", gh, "      - run: pytest\n", "      - uses: a/b@v1\n        with: {cache: {enabled: false}}\n      - run: pytest\n", "other"},
		{"sonar: generated code is left out", "sonar-project.properties", "sonar.projectKey=x\n", "=x\n", "=x\nsonar.exclusions=**/generated/**,dist/**\n", "other"},
		{"phpunit: a folder more", "phpunit.xml", php, "            <directory>tests</directory>\n", "            <directory>tests</directory>\n            <directory>more</directory>\n", "more"},
		{"phpunit: vendored code is left out", "phpunit.xml", php, "<directory>src</directory></include>\n", "<directory>src</directory></include>\n        <exclude>\n            <directory>vendor</directory>\n        </exclude>\n", "other"},
		{"phpunit: another cache", "phpunit.xml", php, "cacheDirectory=\".a\"", "cacheDirectory=\".b\"", "other"},
		{"rust: a lint is denied", "Cargo.toml", "[lints.rust]\nunsafe_code = \"warn\"\n", "warn", "deny", "more"},
		{"rust: a feature, in one line", "Cargo.toml", "[dependencies]\nserde = { version = \"1\" }\n", "{ version = \"1\" }", "{ version = \"1\", features = [\"derive\"] }", "ordinary"},
		{"both ways", "ruff.toml", "max-complexity = 12\nfoo = 1\n", "12\nfoo = 1", "10\nfoo = 2", "other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			after := c.new
			if c.before != "" {
				after = replaceOnce(t, c.before, c.old, c.new)
			}
			in := input(files{c.path: c.before}, files{c.path: after})
			in.Goal.By = audit.Person
			strict := audit.Audit(t.Context(), in)
			in.Goal.Tests, in.Goal.Configs = true, true
			meant := audit.Audit(t.Context(), in)
			in.Goal = audit.Goal{}
			fixer := audit.Audit(t.Context(), in)
			got := string(strict.Decision()) + " " + string(meant.Decision())
			want := map[string]string{"more": "approve approve", "less": "refuse ask", "other": "ask approve", "ordinary": "approve approve", "asked": "ask ask"}[c.want]
			if got != want {
				t.Errorf("got %s, want %s\n%v\n%v", got, want, strict.Findings, meant.Findings)
			}
			if fixer.Decision() == "approve" {
				t.Error("a fixer may touch it")
			}
			if c.want == "more" && !slices.ContainsFunc(strict.Findings, func(f audit.Finding) bool { return strings.Contains(f.Evidence, "and more") }) {
				t.Errorf("nothing is noted: %v", strict.Findings)
			}
		})
	}
}

// TestVersionsThatEnd are left out of CI by whoever ends their support, and by nobody else.
func TestVersionsThatEnd(t *testing.T) {
	before := files{
		".github/workflows/ci.yml": "jobs:\n  test:\n    strategy:\n      matrix:\n        python: ['3.9', '3.10']\n    steps:\n      - run: pytest\n",
		"pyproject.toml":           "[project]\nname = \"calc\"\nrequires-python = \">=3.9\"\n",
	}
	after := before.changed(t, ".github/workflows/ci.yml", "'3.9', ", "")
	in := input(before, after)
	in.Goal = audit.Goal{By: audit.Person, Configs: true}
	check(t, in, []string{"ask weakened-check"})
	in = input(before, after.changed(t, "pyproject.toml", "3.9", "3.10"))
	in.Goal = audit.Goal{By: audit.Person, Configs: true}
	check(t, in, nil)
}
