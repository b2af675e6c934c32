package audit

import (
	"strings"

	"fettle/internal/pattern"
)

// quietWorld matches what makes errors, warnings and complaints of all of a program come to nothing.
var quietWorld = pattern.Any(
	// JavaScript.
	`\bprocess\.on\(\s*['"](?:uncaughtException|unhandledRejection)['"]\s*,\s*(?:\(\w*\)|\w+|function\s*\(\w*\))\s*(?:=>)?\s*(?:\{\s*\}|null|undefined)\s*\)`,
	`\b(?:window|globalThis|self)\.on(?:error|unhandledrejection)\s*=\s*(?:\([^)]*\)|\w+|function\s*\([^)]*\))\s*(?:=>)?\s*(?:true|null|\{\s*(?:return\s+true;?)?\s*\})`,
	`\bconsole\.(?:error|warn|assert)\s*=\s*(?:\([^)]*\)|\w+|function\s*\([^)]*\))\s*(?:=>)?\s*(?:\{\s*\}|null|undefined)`, `\bconsole\.(?:error|warn|assert)\s*=\s*(?:noop|_\.noop)\b`,
	// Python.
	`\bsys\.excepthook\s*=\s*lambda[^:\n]*:\s*None`, `\b(?:filterwarnings|simplefilter)\(\s*['"]ignore['"]\s*\)`, `\blogging\.disable\(`, `\bsys\.std(?:err|out)\s*=\s*(?:open\(\s*os\.devnull|None\b)`,
	// PHP, Ruby.
	`\bset_error_handler\(\s*(?:static\s+)?(?:fn|function)\s*\([^)]*\)\s*(?:=>\s*(?:true|null)|\{\s*(?:return\s+true;)?\s*\})`, `\bset_exception_handler\(\s*(?:static\s+)?(?:fn|function)\s*\([^)]*\)\s*(?:=>\s*null|\{\s*\})`, `\berror_reporting\(\s*0\s*\)`,
	`\$VERBOSE\s*=\s*nil\b`, `\breport_on_exception\s*=\s*false`,
	// The JVM, .NET, C, Rust.
	`\bsetDefaultUncaughtExceptionHandler\s*[({]\s*\(?[^)>\n]*\)?\s*->\s*(?:\{\s*\}|\})`, `\bUn(?:handledException|observedTaskException)\s*\+=\s*\([^)]*\)\s*=>\s*\{\s*\}`, `\bsignal\(\s*SIG(?:SEGV|ABRT|FPE|ILL|BUS)\s*,\s*SIG_IGN\s*\)`, `\bset_hook\(\s*Box::new\(\s*\|_?\w*\|\s*(?:\{\s*\}|\(\))\s*\)`,
)

// stoppedWorld matches what puts a clock that stands, or chance that is none, in the place of those that all of a program uses.
var stoppedWorld = pattern.Any(
	`\b(?:Date|performance)\.now\s*=[^=]`, `\bMath\.random\s*=[^=]`, `\b(?:globalThis|global|window)\.(?:Date|Math|performance|setTimeout|setInterval|fetch)\s*=[^=]`,
	`(?m)^\s*(?:time\.(?:time|sleep|monotonic|perf_counter)|random\.(?:random|randint|choice|shuffle|uniform)|datetime\.datetime|uuid\.uuid[14]|os\.urandom)\s*=[^=]`, `\bsetattr\(\s*(?:time|random|datetime|uuid)\s*,`,
	`\bTime\.(?:stub|define_singleton_method)\b|\bdef\s+(?:Time|Date|Kernel|Random)\.(?:now|today|rand)\b`, `(?m)^\s*class\s+<<\s*(?:Time|Date|Random|Kernel)\b`,
)

// fixedSeed matches a seed of chance that is written out.
var fixedSeed = pattern.Any(`\brandom\.seed\(\s*(?:\d+|["'][^"']*["'])\s*\)`, `\brandom\.Random\(\s*\d+\s*\)`, `\brand\.Seed\(\s*\d+\s*\)`, `\brand\.NewSource\(\s*\d+\s*\)`, `\bm?t?_?srand\(\s*\d+\s*\)`, `\bnew\s+(?:java\.util\.)?(?:Secure)?Random\(\s*\d+L?\s*\)`, `\b(?:Std|Small)Rng::seed_from_u64\(\s*\d+\s*\)`, `\bRandom\.new\(\s*\d+\s*\)`, `[=(\s]Random\(\s*\d+L?\s*\)`)

// chance matches what draws at random.
var chance = pattern.New(`(?i)\brand(?:om|int|n|range|bytes)?\b|shuffle|\bsample\b|_rng\b|\brng\b|choice|SecureRandom`)

// seeded matches functions and files in which a seed is meant: experiments, and what has to come out the same for everybody.
var seeded = pattern.New(`(?i)seed|train|main|experiment|simulat|benchmark|demo|example|fixture|fake|deterministic|reproduc|split|notebook|setup|init|fit\b|world|level|map_?gen|dataset`)

// changesTheWorld looks for code that makes the whole program's errors come to nothing, stops its clock, or takes chance out of what drew at random.
func changesTheWorld(v *patchView, f *fileView) []Finding {
	if f.test || f.formatted || !f.text() || !isSource(f.path) {
		return nil
	}
	lines := strings.Split(string(f.after), "\n")
	var all []Finding
	add := func(re *pattern.Pattern, says string, means func(line int) bool) {
		for _, found := range f.introduced(re, v.unless(Healer), says) {
			if !commentLine(f.path, lines[found.Line-1]) && means(found.Line-1) {
				all = append(all, found)
			}
		}
	}
	always := func(int) bool { return true }
	add(quietWorld, "makes every error or warning of the program come to nothing: handle those that are expected where they are", always)
	add(stoppedWorld, "puts something of the program's own in the place of the clock, or of chance, for everybody: hand it to who needs it", always)
	add(fixedSeed, "makes what was drawn at random the same each time: let whoever tests hand the seed in", func(at int) bool {
		return len(f.before) > 0 && chance.MatchString(string(f.before)) && !fixedSeed.Match(f.before) && !seeded.MatchString(f.path) && !seeded.MatchString(functionAt(lines, at))
	})
	return all
}

// functionAt is the head's line of the function that a line stands in; empty outside of functions.
func functionAt(lines []string, at int) string {
	for i := at; i >= 0; i-- {
		if headOfFunction.MatchString(lines[i]) && indentOf(lines[i]) < indentOf(lines[at]) {
			return lines[i]
		}
	}
	return ""
}

// answersAll matches objects that have an answer to whatever they are asked, the same each time.
var answersAll = pattern.Any(
	`\bdef\s+__getattr(?:ibute)?__\(self,\s*\w+[^)\n]*\)[^:\n]*:\s*(?:"""[^"]*"""\s*)?return\s+(?:lambda[^:\n]*:\s*(?:None|True|self|0|\[\]|\{\}|""|'')|self|True|None|\w*Mock\w*\(\))\s*(?:\n|$)`,
	`\bnew\s+Proxy\([^;]*?\bget\s*(?::\s*(?:\([^)]*\)|\w+)\s*=>\s*|\([^)]*\)\s*\{\s*return\s+)(?:(?:\([^)]*\)|\w+)\s*=>\s*)?\(?(?:true|null|undefined|\{\s*\}|this|receiver|\[\])`,
	`\bdef\s+(?:self\.)?method_missing\(?[^)\n]*\)?\s*\n\s*(?:true|nil|self|0|\[\]|\{\})\s*\n\s*end`,
	`\bfunction\s+__(?:call|callStatic|get)\s*\([^)]*\)[^{;]*\{\s*(?:return\s+(?:true|null|\$this|\[\]|0)\s*;)?\s*\}`,
)

// standsForNothing matches the names of objects that are meant to do nothing.
var standsForNothing = pattern.New(`(?i)null|no_?op|dummy|blank|empty|nothing|missing|void|chain|undefined|placeholder|stub|fake`)

// answersEverything looks for objects that begin to answer whatever they are asked. Those that stand for nothing say so by their names.
func answersEverything(v *patchView, f *fileView) []Finding {
	if f.test || f.formatted || !f.text() || !isSource(f.path) {
		return nil
	}
	places := func(src []byte) [][]int { return answersAll.FindAllStringIndex(string(src), -1) }
	is := places(f.after)
	var all []Finding
	for _, at := range is[min(len(is), len(places(f.before))):] {
		above := string(f.after[:at[0]])
		if holders := holderNamed.FindAllStringSubmatch(above, -1); len(holders) > 0 && standsForNothing.MatchString(holders[len(holders)-1][1]) {
			continue
		}
		all = append(all, Finding{Line: 1 + strings.Count(above, "\n"), Effect: v.unless(Healer, Tidier), Evidence: "an object answers whatever it is asked with the same: answer what is known, and fail for the rest"})
	}
	return all
}

// holderNamed matches what an object is called that is defined there.
var holderNamed = pattern.New(`\b(?:class|module|object|const|let|var|function)\s+(\w+)`)
