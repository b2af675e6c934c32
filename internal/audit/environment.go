package audit

import (
	"path"
	"slices"
	"strings"

	"fettle/internal/audit/parts"
	"fettle/internal/code"
	"fettle/internal/pattern"
	danger "fettle/internal/policy/code"
)

// runnersOwn are variables that nobody but a runner of tests sets, in any language.
const runnersOwn = `JEST_(?:WORKER_ID|CIRCUS)|MOCHA_WORKER_ID|CYPRESS_(?:INTERNAL_ENV|RUN_BINARY|ENV)|TAP_CHILD_ID|BATS_(?:TEST_\w+|VERSION|TMPDIR|RUN_TMPDIR|SUITE_\w+)|TOX_ENV_NAME|TOX_ENV_DIR|NOX_CURRENT_SESSION|` +
	`COVERAGE_RUN|COVERAGE_PROCESS_START|HYPOTHESIS_STORAGE_DIRECTORY|GOCOVERDIR|CARGO_TARPAULIN|CARGO_LLVM_COV\w*|RUST_TEST_\w+|TEST_SRCDIR|TEST_TMPDIR|TEST_UNDECLARED_OUTPUTS_DIR|TEST_SHARD_INDEX|GTEST_\w+|` +
	`XCTest\w*Path|XCTestSession\w+|XCInject\w+|PHPUNIT_\w+|__PHPUNIT_\w+|VSTEST_\w+|FLUTTER_TEST|LARAVEL_PARALLEL_TESTING|surefire\.(?:test|real)\.[\w.]*|org\.gradle\.test\.worker`

// runnerMeta matches what bundlers and runners put beside a module of JavaScript while it is tested.
var runnerMeta = pattern.New(`^import\.meta\.(vitest|jest)$|^import\.meta\.env\.(VITEST\w*|JEST\w*)$|^(globalThis|global|window|self)\.(jest|vi|__vitest_\w+|__karma__|Cypress|jasmine|mocha)$|^Bun\.jest$|^process\.env\.(TAP|CYPRESS|AVA_\w+)$`)

// suiteInSource reports whether a node belongs to what vitest offers for tests that stand in the source: if (import.meta.vitest) {…}, outside of functions.
func suiteInSource(n *code.Node) bool {
	for at := n; at != nil; at = at.Parent {
		if at.Is(code.If) && at.Function() == nil && strings.HasPrefix(at.Kid(code.Cond).Text(), "import.meta.vitest") {
			return true
		}
	}
	return false
}

var (
	// environmentName matches the variables by which programs are told where they run.
	environmentName = pattern.New(`(?i)(^|\.)(meta\.)?env(iron)?\.(?:.*(?:_ENV|\.ENV|ENVIRONMENT|_MODE|\.MODE)|ENV|MODE)$|^(node_env|app_env|flask_env|env|rails_env|rack_env|mix_env|go_env|environment|aspnetcore_environment|dotnet_environment|spring_profiles_active)$`)
	testEnvironment = pattern.New(`^test(ing)?$`)
	// saysItself matches variables whose being there says that tests run, or the machines that run them.
	saysItself = pattern.New(`^(?:(?:(?:IS|IN|RUNNING|RUN)_)?(?:UNIT_?)?TEST(?:ING|S|_MODE|_ENV|_RUN)|(?:IS|IN|RUNNING)_(?:UNIT_?)?TEST|CI|IS_CI|CONTINUOUS_INTEGRATION|GITHUB_ACTIONS|GITLAB_CI|TRAVIS|CIRCLECI|JENKINS_URL|BUILDKITE|TF_BUILD|TEAMCITY_VERSION|APPVEYOR|DRONE|BITBUCKET_BUILD_NUMBER)$`)
	// scriptEvent matches the variable by which npm says what it was told to run.
	scriptEvent = pattern.New(`(?i)env\.npm_(lifecycle_event|lifecycle_script|command)$`)
	readsEnv    = pattern.New(`^(os\.(getenv|Getenv|LookupEnv|environ\.get)|(java\.lang\.)?System\.(getenv|getProperty)|Deno\.env\.get|syscall\.Getenv)$`)
)

// pathOf is what a name stands for; what a module of JavaScript is told about itself has no name that could stand for anything else.
func pathOf(n *code.Node, names *danger.Names) string {
	if where := names.Path(n); where != "" || n.Role != code.Attr || !parts.IsScript(n.File.Lang) {
		return where
	}
	if text := strings.ReplaceAll(parts.Bare(n.Text()), "?.", "."); strings.HasPrefix(text, "import.meta.") {
		return text
	}
	return ""
}

// toldTest reports whether a node is a variable that says where a program runs, and it is asked whether that is a test.
func toldTest(n *code.Node, names *danger.Names) bool {
	where := pathOf(n, names)
	if n.Role == code.Call && readsEnv.MatchString(names.Path(n.Kid(code.Callee))) && len(n.All(code.Arg)) > 0 {
		where, _ = names.Text(n.All(code.Arg)[0])
	} else if !strings.Contains(where, ".") {
		return false
	}
	if last := where[strings.LastIndex(where, ".")+1:]; saysItself.MatchString(last) && (where == last || strings.Contains(where, "env")) {
		return true
	}
	if !environmentName.MatchString(where) && !scriptEvent.MatchString(where) {
		return false
	}
	return says(asking(n), names, testEnvironment)
}

// ofEnvironment is what it means that code asks whether it is told to be a test: a fixer has no reason to; a person has, to set things up, but for what is computed.
func (v *patchView) ofEnvironment(n *code.Node) Effect {
	if v.goal.By != Person {
		return Ask
	}
	if isSetup(n.File.Path) || n.Function() != nil && saysOnly.MatchString(parts.OwnName(n.Function())) {
		return ""
	}
	if decides(n) {
		return Ask
	}
	for at := n; at != nil && !at.Is(code.Function); at = at.Parent {
		if at.Role != code.Assign || at.Kid(code.Target) == nil || at.Kid(code.Target).Role != code.Name {
			continue
		}
		name := at.Kid(code.Target).Name
		for k := range n.File.Root.Walk() {
			if k.Role == code.Name && k.Name == name && k.Part != code.Target && k.Function() != nil && !saysOnly.MatchString(parts.OwnName(k.Function())) && decides(k) {
				return Ask
			}
		}
	}
	return ""
}

// saysOnly matches names of functions that tell people and machines what happens, and compute nothing.
var saysOnly = pattern.New(`(?i)log|warn|colou?r|is_?ci$|tty|interactive|spinner|progress|report|debug|trace|print|banner|telemetry|analytics|metric|track|config|settings|setup|bootstrap|listen|serve|connect`)

// isSetup reports whether a file holds settings, by its name.
func isSetup(name string) bool {
	return slices.ContainsFunc(strings.Split(strings.ToLower(name), "/"), func(part string) bool {
		stem, _, _ := strings.Cut(part, ".")
		return stem == "config" || stem == "settings" || stem == "conf" || strings.HasPrefix(stem, "settings_") || strings.HasPrefix(stem, "config_")
	}) || strings.Contains(path.Base(name), ".config.") || strings.HasSuffix(path.Base(name), "rc.js")
}

// decides reports whether what a function gives, or how it goes on, depends on a value.
func decides(n *code.Node) bool {
	if n.Function() == nil {
		return false
	}
	for at := n; at.Parent != nil && !at.Is(code.Function); at = at.Parent {
		p := at.Parent
		switch {
		case p.Is(code.If, code.While) && at.Part == code.Cond:
			return leaves(p.Kid(code.Then)) || leaves(p.Kid(code.Else)) || leaves(p.Kid(code.Body))
		case p.Is(code.Return), p.Is(code.Function) && at.Part == code.Body:
			return true
		}
	}
	return false
}

// leaves reports whether a part of a function ends it, or what it goes through, or fails.
func leaves(part *code.Node) bool {
	if part == nil {
		return false
	}
	for n := range part.Own() {
		if n.Is(code.Return, code.Raise, code.Break, code.Continue) {
			return true
		}
	}
	return false
}
