package check_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"fettle/internal/check"
)

// A script is taken apart into its test runner's own command only where that is all that has to be run.
func TestDirect(t *testing.T) {
	for _, c := range []struct{ scripts, run, parser, want string }{
		{`"unit": "c8 --100 node --test"`, "npm run -s unit -- --test-reporter=tap", "tap", "node --test --test-reporter=tap"},
		{`"unit": "nyc --lines 100 --check-coverage tape test/a.js test/b.js"`, "npm run -s unit", "tape", "node_modules/.bin/tape test/a.js test/b.js"},
		{`"unit": "nyc tape 'test/*.js'", "test": "npm run lint && npm run unit", "lint": "eslint ."`, "npm test", "tape", "node_modules/.bin/tape test/*.js"},
		{`"unit": "nyc tape test/*.js"`, "yarn run unit", "tape", "sh -c exec node_modules/.bin/tape test/*.js"},
		{`"unit": "NODE_ENV=x c8 --100 mocha -r esm"`, "pnpm --silent run unit", "mocha", "NODE_ENV=x node_modules/.bin/mocha -r esm --reporter json --reporter-option output={report}"},
		{`"unit": "c8 --100 node --test"`, "npm run -s unit", "mocha", ""},                                                                                                 // reports of another kind
		{`"preunit": "tsc -p .", "unit": "c8 --100 node --test"`, "npm run -s unit", "tap", ""},                                                                            // what it tests is made first
		{`"unit": "node prepare.js && node --test"`, "npm run -s unit", "tap", ""},                                                                                         // something is to be done before
		{`"unit": "mocha a && mocha b"`, "npm run -s unit", "mocha", ""},                                                                                                   // two runs
		{`"unit": "c8 --100 node --test"`, "npm run -s other", "tap", ""},                                                                                                  // no such script
		{`"unit": "c8 --100 node --test"`, "make unit", "tap", ""},                                                                                                         // no script at all
		{`"unit": "tape test/*.js | tap-spec"`, "npm run -s unit", "tape", ""},                                                                                             // a shell's doing
		{`"unit": "npm run unit"`, "npm run -s unit", "tap", ""},                                                                                                           // itself
		{`"unit": "cross-env A=1 jest --ci"`, "npm run -s unit -- --json", "jest", "A=1 node_modules/.bin/jest --ci --json --testLocationInResults --outputFile={report}"}, //
	} {
		root := tree(t, "-- package.json --\n{\"scripts\": {"+c.scripts+"}}\n"+
			"-- node_modules/.bin/tape --\n-- node_modules/.bin/mocha --\n-- node_modules/.bin/jest --\n")
		given := check.Check{Name: "test", Run: strings.Fields(c.run), Parser: c.parser, Env: map[string]string{"CI": "1"}}
		got, ok := given.Direct(root)
		words := slices.Clone(got.Run)
		for _, k := range slices.Sorted(maps.Keys(got.Env)) {
			if k != "CI" {
				words = slices.Insert(words, 0, k+"="+got.Env[k])
			}
		}
		have := strings.Join(words, " ")
		if ok != (c.want != "") || ok && have != c.want {
			t.Errorf("%s of {%s}:\n got %q %v\nwant %q", c.run, c.scripts, have, ok, c.want)
		}
	}
}
