package settings

import (
	"fettle/internal/pattern"
)

// The tables of what settings mean: of their keys, of their keys with what these stand below ("default.target=80%"), and of words in them. All is in small letters.
var (
	least    = pattern.Any(`fail[_-]?under`, `minimum`, `min[_-]?coverage`, `coveragethreshold`, `^min[_-]`, `cov-fail-under`, `^break$`)
	shares   = pattern.Any(`^branches$`, `^functions$`, `^lines$`, `^statements$`) // of what has to be covered, where their value is a number
	greatest = pattern.Any(`^max`, `complexity`, `maxwarnings`, `max-warnings`, `^retries$`, `reruns`)

	leastIn    = pattern.Any(`(^|\.)(default|project|patch|changes)\.target=["']?\d`, `\.target=["']?[\d.]+%`)
	greatestIn = pattern.Any(`(^|\.)(default|project|patch|changes)\.threshold=["']?\d`, `\.threshold=["']?[\d.]+%`)

	switchedOn = pattern.Any(`^strict`, `^warn_`, `^disallow_`, `^check_untyped`, `^no_?implicit`, `^nounused`, `^check-`, `^require-`, `warningsaserrors$`, `^xfail_strict`, `^nofallthrough`, `^fail-fast`, `^fail_fast`, `^filterwarnings`,
		`^fails?on`, `^bestrict`, `^sonar\.qualitygate\.wait$`)
	// enabled matches a switch of a whole check: of a linter's rule, which has a name with a slash, or of a task that is called as checks are.
	enabled = pattern.Any(`(/\w+|\b\w*tests?|\bcheck\w*|\w*lint\w*|\bcoverage|\btypecheck|verification|detekt|pmd\w*|spotbugs\w*|jacoco\w*)[^\w.]*\.(is)?enabled=`,
		`^\.[\w.]*(\b\w*tests?|\bcheck\w*|\w*lint\w*|detekt|verification|pmd\w*|spotbugs\w*)\.(is)?enabled=`)

	// ofStrict matches the switches that strictness turns on, of TypeScript's compiler and of mypy.
	ofStrict = pattern.Any(`^noimplicit(any|this)$`, `^strict\w+$`, `^alwaysstrict$`, `^useunknownincatchvariables$`, `^disallow_\w+$`, `^warn_(unused_configs|redundant_casts|unused_ignores|return_any)$`, `^check_untyped_defs$`, `^extra_checks$`)

	including = pattern.Any(`^(extend[-_])?select$`, `^enable([-_]error[-_]code)?$`, `^testpaths$`, `^linters$`, `^checks$`, `^plugins$`, `^testmatch$`, `^testregex$`, `^specs?$`, `^testsuite$`)
	excluding = pattern.Any(`^(extend[-_])?(ignore|exclude)s?$`, `^exclude_lines$`, `^exclude_also$`, `^omit$`, `^disable(_error_code)?$`, `^skip$`, `^(lint\.)?(extend-)?per-file-ignores$`, `^norecursedirs$`,
		`^(test|coverage|module)pathignorepatterns$`, `^ignorepatterns$`, `^ignore_errors$`, `^ignore_missing_imports$`, `^(skip|exclude)-(dirs|files|functions)$`, `^exclusions$`, `^exclude-rules$`, `^deselect$`, `^collect_ignore$`,
		`^excludetestsmatching$`, `^exclude(d)?groups$`, `^exclude(d)?tags$`, `^sonar\.([\w.]+\.)?exclusions$`)
	// partOf matches how what is left out, or looked at, is named below the key that says so.
	partOf = pattern.Any(`^file$`, `^directory$`, `^dir$`, `^class$`, `^package$`, `^paths?$`, `^pattern$`)

	// relaxes matches a switch, with what it stands below, by which a check that looks says less.
	relaxes = pattern.Any(`^issues\.new=true`, `^issues\.new-from-[\w-]+=["']?[^"'\s]`, `^run\.tests=false`, `^run\.issues-exit-code=0`, `\.follow_imports=["']?(skip|silent)`, `\.(skiplibcheck|nocheck)=true`, `^linters\.(disable-all|fast)=true`)
	// filesOff matches what stands below settings that leave out rules for some files.
	filesOff = pattern.New(`^(lint\.)?(extend-)?per-file-ignores$`)

	onlySays = pattern.New(`\|\|\s*(echo|printf)\b[^&;|]*$`) // that a check has failed
	// narrows matches words by which a runner or a linter leaves out what it would look at, or say.
	narrows = pattern.Any(`--deselect`, `--ignore`, `addopts.*[\s="'\[]-[km][\s='",]`, `addopts.*--(lf|last-failed|sw|stepwise)\b`, `\bgoflags["']?\s*[:=].*-(short|run|skip|vet=off)\b`, `pytest\b[^|;&]*\s-[km][\s='"]`, `(^|[^{])maven\.test\.skip`, `(^|[^{])skiptests`, `--new-from-(rev|patch|merge-base)\b`, `\b(eslint|stylelint|oxlint)\b[^|;&]*\s--quiet\b`)
	// letsPass matches words by which a failure counts no more: of shells, of systems of CI, of runners and builds, of scripts that do nothing.
	letsPass = pattern.Any(`\|\|\s*(true|:|exit 0)`, `;\s*(true|exit 0)\s*$`, `set \+e`,
		`continue-?on-?error`, `allow_?failure`, `soft_fail`, `\bfailure["']?\s*[:=]\s*["']?ignore`, `on-failure["']?\s*:\s*["']?continue`, `\bcatcherror\b`, `\bwarnerror\b`, `\breturnstatus\s*:`,
		`\binformational\b`,
		`--exit-zero`, `pass-?with-?no-?tests`, `--no-cov`, `--issues-exit-code[= ]["']?0`, `maven\.test\.failure\.ignore(=true|["'\s]|$)`, `testfailureignore`, `ignorefailures`, `--exitfirst`, `--no-verify`, `success_codes\s*=\s*[\[(]\s*(0\s*,\s*\d|[1-9])`,
		`"(test|lint|check|typecheck)":\s*"(exit 0|true|:|echo[^"]*)"`)
	// denied matches such words with a no behind them.
	denied = pattern.Any(`\b(false|buildresult:\s*["']failure["'])["'`+"`"+`;,)}\s]*$`, `\bcatcherror\b.*buildresult:\s*["']failure["']`)
)
