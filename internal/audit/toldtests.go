package audit

import (
	"cmp"
	"path"
	"strings"

	"fettle/internal/code"
	"fettle/internal/lang"
	"fettle/internal/pattern"
)

// isTestWord is how frameworks call the environment of tests, as a text, a symbol or a word.
const isTestWord = `["':]?\btest(?:ing|s)?\b["']?`

// asksEnvironment matches, in any language, how its frameworks are asked whether they run tests. Whoever asks a variable of a runner's own is found by testProbe.
var asksEnvironment = pattern.Any(
	// Ruby: Rails, Rack, Sinatra, Hanami, Padrino, Sidekiq.
	`\b(?:Rails|Hanami|Padrino|Jets|Lotus)\.env(?:ironment)?\s*(?:\.test\?|(?:==|!=|\.eql\?\(?|\.in\?\(?|===)[^\n]*?`+isTestWord+`)`,
	isTestWord+`\s*(?:==|!=|===|!==)\s*(?:Rails|Hanami|Padrino)\.env\b`,
	`\bHanami\.env\?\(?\s*:test`, `\b(?:Sinatra::(?:Base|Application)|settings|self\.class)\.test\?`, `\bsettings\.environment\s*[!=]=\s*:test`, `\bSidekiq::Testing\.(?:fake|inline|enabled)\?`,
	// PHP: Laravel, Symfony, Yii, CodeIgniter, CakePHP, WordPress, Drupal.
	`\brunningUnitTests\s*\(\)`, `(?:\bapp\(\)|\bApp|\$this->app|\$app)\s*(?:->|::)\s*environment\(\s*\[?[^)\n]*`+isTestWord, `\b(?:config|env)\(\s*["'](?:app\.env|APP_ENV)["'][^)\n]*\)\s*[!=]==?\s*`+isTestWord,
	`->getEnvironment\(\)\s*[!=]==?\s*`+isTestWord, isTestWord+`\s*[!=]==?\s*[^\n]*(?:->getEnvironment\(\)|\$(?:this->)?(?:kernelE|appE|e)nv(?:ironment)?\b)`, `\$(?:this->)?(?:kernelE|appE|e)nv(?:ironment)?\s*[!=]==?\s*`+isTestWord,
	`\bYII_ENV_TEST\b`, `\bENVIRONMENT\s*[!=]==?\s*["']testing["']`, `#\[When(?:Not)?\([^)\n]*["']test["']`, `\b(?:WP_TESTS_\w+|WP_RUN_CORE_TESTS|DRUPAL_TEST_IN_CHILD_SITE)\b`, `\bdrupal_valid_test_ua\s*\(`,
	// Elixir, Erlang.
	`\bMix\.env\b(?:\(\))?\s*(?:(?:==|!=|===|in)\s*\[?[^\n]*:test\b|\|>)`, `:test\s*(?:==|!=)\s*Mix\.env\b`, `@(?:mix_)?env\s*(?:==|!=)\s*:test\b`, `\bget_env\([^)\n]*:(?:env|environment|mix_env)\b[^)\n]*\)\s*(?:==|!=)\s*:test\b`,
	// .NET.
	`\bIsEnvironment\(\s*"(?i)(?:unit|integration)?_?tests?(?:ing)?"`, `(?i)\bEnvironmentName\s*(?:==|!=|\.Equals\()\s*"\w*test(?:ing|s)?"`,
	// The JVM: Spring, Quarkus, Micronaut, Grails, Play.
	`\bacceptsProfiles\([^\n]*"!?(?i)(?:\w+-)?tests?"`, `\b(?:getActiveProfiles\(\)|activeProfiles)[^\n]*"(?i)tests?"`, `@(?:IfBuild|UnlessBuild)?Profile\([^)\n]*"!?test"`, `\bLaunchMode\.TEST\b`, `\bdesiredAssertionStatus\(\)`,
	`@Requires\([^)\n]*(?:Environment\.TEST|[eE]nv\s*=\s*"test")`, `\bEnvironment\.(?:isTest\b|TEST\b)`, `\b(?:environment|env|app|play)\.mode\b[^\n]*\bMode\.Test\b`, `\bisRunningIn(?:User)?TestHarness\s*\(`,
	// Swift, Dart, Go, JavaScript.
	`\barguments\.contains\(\s*"-{0,2}(?i)(?:is)?_?-?(?:ui|unit)?_?-?test(?:ing|s|_?mode)?"`, `\bfromEnvironment\(\s*['"](?i)(?:is_?|in_?)?(?:unit_?)?test(?:ing|s|_mode)?['"]`, `\bgin\.Mode\(\)\s*[!=]=\s*(?:gin\.TestMode|"test")`,
	`\bEmber\.testing\b`, `\bmacroCondition\(\s*isTesting\(`, `\.get\(\s*['"]env['"]\s*\)\s*[!=]==?\s*['"]test['"]`, `\b__TEST__\b`,
	// Python: Django, Flask.
	`\b(?:settings|conf)\.(?:IS_|IN_|RUNNING_)?(?:UNIT_?)?TEST(?:ING|S|_MODE|_ENV|_RUN)?\b`, `\bgetattr\(\s*\w*settings\s*,\s*["'](?:IS_|IN_|RUNNING_)?(?:UNIT_?)?TEST\w*["']`, `\bconfig(?:\.get\(|\[)\s*["']TESTING["']`, `\b(?:current_app|app)\.testing\b`,
	`["']test["']\s+(?:not\s+)?in\s+sys\.argv\b`,
	// What is called so by programs themselves.
	`(?i)\b(?:is|in|running|under)_?(?:unit_?)?tests?(?:_?env(?:ironment)?|_?run)\b\s*(?:\(\s*\)|\?|&&|\|\||:|\)|and\b|or\b|then\b)`, `\b(?:isTesting|is_testing|isRunningTests?|is_running_tests?|runningInTests?|isUnderTest|is_under_test)\b\s*(?:\(\s*\)|\?|&&|\|\||:|\))`,
)

// asksVariable matches, in languages that are not read as programs, how variables are asked that say where a program runs.
var asksVariable = pattern.Any(
	`(?i)\b(?:(?:NODE|APP|RAILS|RACK|FLASK|DJANGO|MIX|GO|RUST|DART|SYMFONY|CI|CAKE|YII|KERNEL|HANAMI|RUNTIME|DEPLOY|BUILD)_ENV(?:IRONMENT)?|(?:ASPNETCORE|DOTNET)_ENVIRONMENT|SPRING_PROFILES_ACTIVE|MICRONAUT_ENVIRONMENTS|QUARKUS_PROFILE)\b["'\])]*(?:\s*,[^,)\n]*)?[\])]*[^\n=!;]{0,24}(?:===?|!==?|\.equals\(|\.eql\?\(?|<>|~=|\beq\b|\.include\?|\.contains\(|\.startsWith\(|\.Equals\()\s*`+isTestWord,
	isTestWord+`\)?\s*(?:===?|!==?|\.equals\(|\.equalsIgnoreCase\()\s*[^\n]{0,40}(?i)\b\w*(?:_ENV|_ENVIRONMENT|PROFILES_ACTIVE)\b`,
	`(?i)\b(?:env\w*|getenv|environ)\W{1,3}(?:get\W{1,2}|fetch\W{1,2}|var\W{1,2})?["']?(?:IS_|IN_|RUNNING_|RUN_)?(?:UNIT_?)?TEST(?:ING|S|_MODE|_ENV|_RUN)\b`,
	`\b(?i:env\w*|getenv|environ\w*|EnvironmentVariable)\W{1,3}(?:get\W{1,2}|fetch\W{1,2}|var\W{1,2}|key\?\W{1,2})?["'](?:CI|CONTINUOUS_INTEGRATION|GITHUB_ACTIONS|GITLAB_CI|TRAVIS|CIRCLECI|JENKINS_URL|BUILDKITE|TF_BUILD)["']`,
)

// toldByFrameworks looks for code that asks a framework whether it runs tests. Settings, and what only tells people what happens, may be others in tests; what is computed may not.
func (v *patchView) toldByFrameworks(f *fileView) []Finding {
	if isSetup(f.path) || tellsHow.MatchString(f.path) || !isSource(f.path) {
		return nil
	}
	lines := strings.Split(string(f.after), "\n")
	var all []Finding
	for _, found := range f.introduced(asksEnvironment, v.unless(Healer), asksTested) {
		if v.goal.By != Person || v.decidesAt(f, lines, found.Line) {
			all = append(all, found)
		}
	}
	if f.programAfter == nil {
		for _, found := range f.introduced(asksVariable, v.unless(Healer), asksTested) {
			if v.goal.By != Person || v.decidesAt(f, lines, found.Line) {
				all = append(all, found)
			}
		}
	}
	return oncePerLine(nil, all)
}

// decidesAt reports whether what is computed depends on what a line asks. A mark on what is made for tests, or for all but them, always does.
func (v *patchView) decidesAt(f *fileView, lines []string, line int) bool {
	if f.programAfter == nil || strings.HasPrefix(strings.TrimSpace(lines[line-1]), "@") {
		return !onlyTells(f.path, lines, line-1)
	}
	var asked *code.Node
	for n := range f.programAfter.Root.Walk() {
		if n.Line() == line && asksEnvironment.MatchString(n.Text()) {
			asked = n // the innermost comes last
		}
	}
	return asked != nil && v.ofEnvironment(asked) != ""
}

// isSource reports whether a file holds code, and no words or data.
func isSource(name string) bool {
	switch lang.Of(name) {
	case lang.Unknown:
		return otherSources.MatchString(name)
	case lang.Markdown, lang.ReST, lang.YAML, lang.JSON, lang.TOML, lang.INI, lang.XML, lang.CSS, lang.HTML, lang.Make, lang.Docker, lang.Starlark, lang.Shell, lang.SQL, lang.Protobuf:
		return strings.HasSuffix(name, ".html.erb")
	default:
		return !strings.HasSuffix(name, ".gemspec")
	}
}

// otherSources matches the sources of languages that are known by no more than their names.
var otherSources = pattern.New(`\.(?:exs?|erl|hrl|dart|zig|d|nim|cr|fsx?|vb|groovy|clj[cs]?|ml|hs|jl|pl|pm|r|R|m|mm|vue|svelte|erb|v|cu|ino|gd|elm|hx)$`)

// tellsHow matches files in which programs and their builds are told how to run, where tests are told otherwise for good reasons.
var tellsHow = pattern.New(`(?i)(?:^|/)(?:config|conf|settings|initializers|environments|migrations|seeds?)/|(?:^|/)(?:mix\.exs|rakefile|gemfile|manage\.py|program\.cs|startup\.cs|bootstrap\.\w+|kernel\.php|settings\w*\.py|config\w*\.\w+|gulpfile\.\w+|\w*\.config\.\w+|\w+rc\.[cm]?js|application\.(?:ex|rb)|celery\.py|wsgi\.py|asgi\.py)$`)

// onlyTells reports whether a line, or what it guards, does nothing but tell what happens: it logs, or stands in a function that is called so.
func onlyTells(name string, lines []string, at int) bool {
	if commentLine(name, lines[at]) || logs.MatchString(lines[at]) || guardsOnly(lines, at) {
		return true
	}
	indent := indentOf(lines[at])
	for i := at; i >= 0; i-- {
		if m := headOfFunction.FindStringSubmatch(lines[i]); m != nil && (i == at || indentOf(lines[i]) < indent) {
			return saysOnly.MatchString(cmp.Or(m[1:]...))
		}
	}
	return false
}

// guardsOnly reports whether a line begins a block, and all that stands in it tells what happens.
func guardsOnly(lines []string, at int) bool {
	some := false
	for _, text := range lines[at+1:] {
		trimmed := strings.TrimSpace(text)
		if trimmed == "" {
			continue
		}
		if indentOf(text) <= indentOf(lines[at]) {
			break
		}
		if !logs.MatchString(trimmed) {
			return false
		}
		some = true
	}
	return some && opensBlock.MatchString(lines[at])
}

func commentLine(name, text string) bool {
	_, is := comment(strings.TrimSpace(text), lang.Of(name).Comments())
	return is || path.Ext(name) != "" && strings.HasPrefix(strings.TrimSpace(text), "//")
}

func indentOf(text string) int { return len(text) - len(strings.TrimLeft(text, " \t")) }

var (
	logs           = pattern.New(`(?i)\b(?:logger|log|puts|print(?:ln|f)?|warn|console\.\w+|debug|trace|telemetry|metrics|statsd|sentry|bugsnag|honeybadger|rollbar|newrelic|Rails\.logger|NSLog|error_log|Log\.\w+|Console\.Write\w*)\b\s*[.(\s"':=]`)
	opensBlock     = pattern.New(`^\s*\}?\s*(?:else\s*)?(?:if|unless|when)\b`)
	headOfFunction = pattern.New(`\b(?:def|defp|func|fun|fn|function|sub)\s+(?:self\.)?(\w+)|^\s*(?:(?:public|private|protected|internal|static|async|override|final|virtual)\s+)+[\w<>\[\],.?\s]*?(\w+)\s*\([^;]*$`)
)

// oncePerLine adds to findings those about other lines.
func oncePerLine(all, more []Finding) []Finding {
	said := make(map[int]bool)
	for _, f := range all {
		said[f.Line] = true
	}
	for _, f := range more {
		if !said[f.Line] {
			said[f.Line] = true
			all = append(all, f)
		}
	}
	return all
}
