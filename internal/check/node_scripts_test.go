package check_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettle/internal/check"
)

// found are the checks of a package with these scripts, as "name: command".
func found(t *testing.T, scripts map[string]string) string {
	t.Helper()
	root := t.TempDir()
	b, err := json.Marshal(map[string]any{"scripts": scripts})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "package.json"), b, 0o600); err != nil {
		t.Fatal(err)
	}
	checks, _, err := check.Discover(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range checks {
		line := strings.Join(c.Run, " ")
		line = strings.ReplaceAll(line, "npx --no-install --offline ", "")
		for _, report := range []string{" --json --testLocationInResults --outputFile={report}", " --reporter=default --reporter=json --outputFile={report}", " --reporter json --reporter-option output={report}"} {
			line = strings.ReplaceAll(line, report, " REPORT")
		}
		if env := c.Env["CI"]; env == "" {
			for k, v := range c.Env {
				line = k + "=" + v + " " + line
			}
		}
		out = append(out, c.Name+": "+line)
	}
	return strings.Join(out, "; ")
}

// Scripts as people write them: what is read, what is run as it stands, and what never starts.
func TestNodeScripts(t *testing.T) {
	type scripts = map[string]string
	for _, c := range []struct {
		scripts scripts
		want    string
	}{
		{scripts{"test": "jest"}, "test: jest REPORT"},
		{scripts{"test": "jest --watch -w 4 -u --json"}, "test: jest -w 4 REPORT"},
		{scripts{"test": "vitest"}, "test: vitest run REPORT"},
		{scripts{"test": "vitest watch --ui src"}, "test: vitest run src REPORT"},
		{scripts{"test": "vitest bench"}, "test: npm run -s test"},
		{scripts{"test": "mocha -R dot --watch \"test/**/*.js\""}, "test: mocha test/**/*.js REPORT"},
		{scripts{"test": "nyc --reporter=lcov mocha"}, "test: mocha REPORT"},
		{scripts{"test": "c8 --check-coverage mocha"}, "test: npm run -s test -- REPORT"},
		{scripts{"test": "c8 -r lcov -x test mocha"}, "test: mocha REPORT"},
		{scripts{"test": "npm run lint && npm run unit", "lint": "eslint .", "unit": "nyc --check-coverage tape test/*.js"},
			"test: npm run -s unit; lint.eslint: eslint . --format json"},
		{scripts{"test": "npm run test:unit && npm run test:jest && npm run test:typescript", "test:unit": "c8 --100 node --test", "test:jest": "jest jest.test.js", "test:typescript": "tstyche"},
			"test.unit: npm run -s test:unit -- --test-reporter=tap; test.jest: jest jest.test.js REPORT; type.script: npm run -s test:typescript"},
		{scripts{"test": "npm run build && npm run unit", "build": "rollup -c", "unit": "tap --100"}, "test: npm run -s test -- --reporter=tap; build: npm run -s build"},
		{scripts{"test": "npm run lint && npm run unit -- --ci", "lint": "eslint .", "unit": "c8 --100 mocha"}, "test: npm run -s test -- REPORT; lint.eslint: eslint . --format json"},
		{scripts{"pretest": "node setup.js", "test": "npm run lint && npm run unit", "lint": "eslint .", "unit": "c8 --100 mocha"}, "test: npm run -s test -- REPORT; lint.eslint: eslint . --format json"},
		{scripts{"test": "c8 --100 node --test test/a.js"}, "test: npm run -s test"},
		{scripts{"typescript": "tsc --project test/tsconfig.json", "test": "jest"}, "test: jest REPORT; type.tsc: tsc --noEmit --pretty false --project test/tsconfig.json"},
		{scripts{"test": "cross-env NODE_ENV=test jest"}, "test: NODE_ENV=test jest REPORT"},
		{scripts{"test": "node --experimental-vm-modules ./node_modules/jest/bin/jest.js --ci"}, "test: NODE_OPTIONS=--experimental-vm-modules jest --ci REPORT"},
		{scripts{"test": "node --test --watch 'test/**/*.test.js'"}, "test: node --test --test-reporter=tap test/**/*.test.js"},
		{scripts{"test": "node --test test/*.test.js"}, "test: sh -c exec node --test --test-reporter=tap test/*.test.js"},
		{scripts{"test": "tsx --test src/a.test.ts"}, "test: tsx --test --test-reporter=tap src/a.test.ts"},
		{scripts{"test": "ava --watch"}, "test: ava --tap"},
		{scripts{"test": "tape test/*.js | tap-spec"}, "test: npm run -s test"},
		{scripts{"test": "tap -R dot"}, "test: tap --reporter=tap"},
		{scripts{"test": "node test.js"}, "test: npm run -s test"},
		{scripts{"test": "nodemon --exec jest"}, ""},
		{scripts{"test": "karma start --watch"}, ""},
		{scripts{"test": "echo \"Error: no test specified\" && exit 1"}, ""},
		{scripts{"test": "echo \"Error: no test specified\" && exit 1", "test:unit": "jest"}, "test: jest REPORT"},
		{scripts{"test": "npm run lint && npm run test:unit -- --bail", "test:unit": "jest src", "lint": "eslint src"}, "test: jest src --bail REPORT; lint.eslint: eslint src --format json"},
		{scripts{"test": "xo && ava"}, "test: npm run -s test -- --tap"},
		{scripts{"test": "tsc && mocha dist"}, "test: npm run -s test -- REPORT"},
		{scripts{"test": "tsc --noEmit && mocha"}, "test: mocha REPORT; type.tsc: tsc --noEmit --pretty false"},
		{scripts{"test": "npm run build && vitest run", "build": "vite build"}, "test: npm run -s test -- REPORT; build: npm run -s build"},
		{scripts{"test": "npm run build && vitest", "build": "tsc"}, "test: npm run -s test"},
		{scripts{"test": "test"}, "test: npm run -s test"},
		{scripts{"test": "npm run test"}, "test: npm run -s test"},
		{scripts{"test": "jest; rm -rf x"}, "test: npm run -s test"},
		{scripts{"pretest": "node build.js", "test": "jest"}, "test: npm run -s test -- REPORT"},
		{scripts{"lint": "eslint . && prettier --check ."}, "lint.eslint: eslint . --format json; format.prettier: prettier --check ."},
		{scripts{"lint": "eslint src && eslint test --ext .ts --fix"}, "lint.eslint: eslint src --format json; lint.eslint-2: eslint test --ext .ts --format json"},
		{scripts{"lint": "next lint"}, "lint.script: npm run -s lint"},
		{scripts{"lint": "npx --yes eslint -f stylish --cache"}, "lint.eslint: eslint . --format json"},
		{scripts{"lint": "yarn eslint src", "format": "yarn prettier -w src"}, "lint.eslint: eslint src --format json; format.prettier: prettier --check src"},
		{scripts{"lint": "biome ci --error-on-warnings ."}, "lint.biome: biome check --reporter=github --max-diagnostics=none --colors=off --error-on-warnings ."},
		{scripts{"format": "dprint fmt"}, ""},
		{scripts{"format:check": "dprint check"}, "format.script: npm run -s format:check"},
		{scripts{"typecheck": "vue-tsc --noEmit -p tsconfig.app.json --pretty true"}, "type.tsc: vue-tsc --noEmit --pretty false -p tsconfig.app.json"},
		{scripts{"type-check": "tsc --build --watch"}, "type.tsc: tsc --build --force --pretty false"},
		{scripts{"build": "tsc -p ."}, ""},
		{scripts{"build": "webpack --watch"}, ""},
		{scripts{"dev": "vite", "deploy": "gh-pages -d dist", "postinstall": "node x.js"}, ""},
	} {
		if got := found(t, c.scripts); got != c.want {
			t.Errorf("%v:\n got %s\nwant %s", c.scripts, got, c.want)
		}
	}
}

// Whatever stands in a package.json and its workspace, discovery ends, and what it finds has a command.
func FuzzDiscoverNode(f *testing.F) {
	for _, s := range []string{"jest", "npm run lint", "a && b", "'", "tsc -b", "X=1", "node --test *", "biome", "yarn run", "nyc -"} {
		f.Add(s, s)
	}
	root := f.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "packages/a"), 0o700); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, test, lint string) {
		pkg, err := json.Marshal(map[string]any{"workspaces": []string{"packages/*", lint}, "scripts": map[string]string{"test": test, "lint": lint, "pretest": lint, "build": test}})
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"package.json": string(pkg), "packages/a/package.json": string(pkg), "pnpm-workspace.yaml": test, "tsconfig.json": lint} {
			if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		checks, _, err := check.Discover(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			if len(c.Run) == 0 || c.Run[0] == "" || c.Name == "" {
				t.Fatalf("%+v", c)
			}
		}
	})
}
