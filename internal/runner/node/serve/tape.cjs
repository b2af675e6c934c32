'use strict';
// tape, by the user's own: each file gets a harness of its own, so that it can be loaded again and again. Only the stream of results, and what
// tape does when the process ends, is left out.

const path = require('node:path');
const { createRequire } = require('node:module');
const guard = require('./guard.cjs');

// title is a test's name as tape prints it.
const title = (name) => String(name).replace(/\s+/g, ' ').trim();

// required are the modules that the command line wants loaded first.
function required(words) {
  const out = [];
  for (let i = 0; i < words.length; i++) {
    const [name, value] = words[i].split('=', 2);
    if (name === '--import') throw new Error('tape is told to import modules first, which is not taken over');
    if (name === '-r' || name === '--require') out.push(value ?? words[++i]);
  }
  return out.filter(Boolean);
}

// unwritten keeps tape from writing down what each assertion expected and got: that takes longer than most tests, and nobody reads it here.
function unwritten(results) {
  if (typeof results._watch !== 'function') return;
  results._watch = (test) => {
    test.on('result', (result) => {
      if (typeof result !== 'object' || result.ok || result.todo) return;
      results.fail++;
      results.emit('fail');
    });
    test.on('test', (inner) => results._watch(inner));
  };
}

function create(config) {
  const own = createRequire(path.join(config.dir, 'package.json'));
  const real = own('tape');
  let harness = null;
  let outcomes = new Map();
  let under = null; // the test that is under way
  let chosen = null; // the ids that are wanted, where it is known how the others can be left out
  const inner = new Set(); // ids of tests that were seen inside others
  const holding = new Set(); // … and of those that hold some
  let finish = null; // ends the run

  const running = () => (under ? title(under.name) : '');

  const tape = (...args) => harness(...args);
  Object.assign(tape, real, {
    test: tape,
    only: (...args) => harness.only(...args),
    getHarness: () => harness,
    createStream: (...args) => harness.createStream(...args),
    onFinish: (fn) => harness.onFinish(fn),
    onFailure: (fn) => harness.onFailure(fn),
    wait() {},
    run() {},
  });

  function watch(test) {
    const id = title(test.name);
    test.once('prerun', () => {
      under = test;
      if (!test._skip && !test._todo && !outcomes.has(id)) outcomes.set(id, null);
    });
    test.on('result', (result) => {
      if (typeof result !== 'object' || result.ok || result.todo || result.skip || outcomes.get(id)) return;
      const error = result.error instanceof Error ? result.error : new Error(result.name);
      if (result.actual instanceof Error && result.actual !== error) error.cause ??= result.actual;
      outcomes.set(id, error);
      if (guard.bound()) finish?.();
    });
    test.on('test', (one) => {
      const within = title(one.name);
      inner.add(within);
      holding.add(id);
      if (chosen && ![id, within].some((x) => chosen.has(x)) && !holding.has(within)) one._skip = true;
      watch(one);
    });
  }

  return {
    // An exception that nobody catches ends the user's run, too, and every test that would have come.
    runner: {
      interrupt: (error) => finish?.(error),
      // A test that does not come to its end while nothing is left to be done ends with the process; tape says so in its own words.
      idle(error) {
        under?._exit?.();
        finish?.(outcomes.get(running()) ? undefined : error);
      },
    },
    shims: { tape },

    ready() {
      for (const name of required(config.words)) own(name);
    },

    begin() {
      finish = null;
      under = null;
      outcomes = new Map();
      harness = real.createHarness({ autoclose: false });
      unwritten(harness._results);
      harness._results.on('_push', watch);
    },

    load: (loader, file) => loader.main(file),

    run(wanted, broken) {
      if (broken) return Promise.resolve(outcomes);
      const results = harness._results;
      chosen = null;
      if (wanted) {
        const declared = new Set(results.tests.map((test) => title(test.name)));
        const [outer, within] = [[], []];
        for (const id of wanted) (declared.has(id) ? outer : within).push(id);
        if (within.every((id) => inner.has(id))) { // else they have to be found first
          chosen = wanted;
          results.tests = results.tests.filter((test) => wanted.has(title(test.name)) || (within.length > 0 && holding.has(title(test.name))));
        }
      }
      return new Promise((resolve) => {
        finish = (error) => {
          finish = null;
          if (error) outcomes.set(running(), error);
          resolve(outcomes);
        };
        results.once('done', () => finish?.());
        harness.createStream({ objectMode: true }).resume();
      });
    },
  };
}

module.exports = { create };
