package node_test

import (
	"testing"

	"fettle/internal/runner/node"
	"fettle/internal/runner/runnertest"
	"fettle/internal/testenv"
)

func TestKeeps(t *testing.T) {
	testenv.NeedTool(t, "node")
	runnertest.Keeps(t, node.New(), runnertest.Kept{
		Files: `
-- package.json --
{"name": "clean"}
-- clean.js --
const fs = require('node:fs');
const path = require('node:path');
const here = (name) => path.join(__dirname, name);

exports.clean = (names) => {
  fs.rmSync(here('nothing'), { recursive: true, force: true });
  return names.filter((n) => n !== 'b');
};
-- data/names.txt --
a b
-- test/clean.test.js --
const { test } = require('node:test');
const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { clean } = require('../clean.js');

test('clean', () => {
  const names = fs.readFileSync(path.join(__dirname, '../data/names.txt'), 'utf8').split(/\s+/);
  assert.deepStrictEqual(clean(names.slice(0, 2)), ['b']);
});
`,
		Check: nodeTest(),
		File:  "clean.js",
		Does:  `fs.rmSync(here('nothing'), { recursive: true, force: true })`,
		Wrong: []string{
			`fs.rmSync(here('data'), { recursive: true, force: true })`, `fs.writeFileSync(here('data/names.txt'), '')`, `fs.writeFileSync(here('clean.js'), 'broken(')`,
			`fs.rmSync(here('test'), { recursive: true, force: true })`, `fs.rmSync(here(''), { recursive: true, force: true })`, `fs.renameSync(here('data'), here('date'))`,
		},
		Fault: `n !== 'b'`, Rights: []string{`n === 'b'`, `n > 'a'`, `!(n < 'b')`, `'b' === n`, `n >= 'b'`, `n == 'b'`},
	})
}
