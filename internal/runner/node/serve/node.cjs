'use strict';
// node:test, as far as tests can tell: https://nodejs.org/api/test.html. Subtests (t.test) are run where they are called.

const { Runner, Group, callback } = require('./tests.cjs');

const major = Number(process.versions.node.split('.')[0]);

// title is a name as the report has it.
function title(name) {
  return String(name)
    .replace(/[\b\f\t\n\r\v]/g, (c) => ({ '\b': '\\b', '\f': '\\f', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\v': '\\v' })[c])
    .trim();
}

// take sorts the arguments that may be left out: (name, options, fn).
function take(name, options, fn) {
  if (typeof name === 'function') [name, options, fn] = ['', {}, name];
  else if (name !== null && typeof name === 'object') [name, options, fn] = ['', name, options];
  else if (typeof options === 'function') [options, fn] = [{}, options];
  return { name: title(name || fn?.name || '<anonymous>'), options: options ?? {}, fn };
}

function modeOf(options, mode) {
  if (mode) return mode;
  return options.skip ? 'skip' : options.todo ? 'todo' : '';
}

function limitOf(options, inherited) {
  return typeof options.timeout === 'number' ? options.timeout : inherited;
}

// create makes the module node:test over a runner of its own.
function create(timeout) {
  const real = require('node:test');
  const mock = real.mock;
  const runner = new Runner({ context, reset: () => {} });
  const inside = []; // the contexts of the tests that are under way

  class Skipped extends Error {}

  // context is what a test gets.
  function context(test) {
    const t = new Context(test);
    return {
      argument: t,
      skipped: Skipped,
      call(fn) {
        inside.push(t);
        const leave = () => inside.splice(inside.indexOf(t), 1);
        let value;
        try {
          value = fn.length > 1 ? callback(fn, t, [t]) : fn.call(t, t);
        } catch (error) {
          leave();
          throw error;
        }
        if (typeof value?.then !== 'function') {
          leave();
          return value;
        }
        return value.then((v) => (leave(), v), (e) => (leave(), Promise.reject(e)));
      },
      end: (failure) => t.finish(failure),
    };
  }

  class Context {
    #test;
    #group; // holds the subtests' hooks
    #pending = 0;
    #last = Promise.resolve();
    #failed = 0;
    #plan = -1;
    #count = 0;
    #tracker = null;
    #abort = null;
    #own = [];

    constructor(test) {
      this.#test = test;
      this.#group = new Group(test.name, test.parent);
      this.#group.path = test.path;
    }

    get name() { return this.#test.name; }
    get fullName() { return this.#test.path; }
    get filePath() { return process.mainModule?.filename; }
    get signal() { return (this.#abort ??= new AbortController()).signal; }
    get mock() { return (this.#tracker ??= new mock.constructor()); }
    get error() { return null; }
    get passed() { return true; }
    get attempt() { return 0; }
    get assert() { return this.#asserts(); }

    #asserts() {
      const all = {};
      const assert = require('node:assert');
      for (const [name, fn] of Object.entries(assert)) {
        if (typeof fn === 'function' && !/^[A-Z]|^strict$/.test(name)) all[name] = (...args) => (this.#count++, fn(...args));
      }
      all.ok = (...args) => (this.#count++, assert.ok(...args));
      return all;
    }

    diagnostic() {}
    runOnly() {}
    skip() { this.#test.mode = 'skip'; }
    todo() { this.#test.mode = 'todo'; }
    plan(n) { this.#plan = n; }
    waitFor(condition, { interval = 50, timeout: most = 1000 } = {}) {
      const began = performance.now();
      return new Promise((resolve, reject) => {
        const look = async () => {
          try {
            resolve(await condition());
          } catch (error) {
            if (performance.now() - began > most) reject(error);
            else setTimeout(look, interval);
          }
        };
        look();
      });
    }
    before(fn) { this.#own.push(Promise.resolve(fn.call(this, this))); }
    after(fn) { this.#group.after.push(hook(fn)); }
    beforeEach(fn) { this.#group.beforeEach.push(hook(fn)); }
    afterEach(fn) { this.#group.afterEach.push(hook(fn)); }

    // test runs a subtest, after those that were begun before it.
    test = Object.assign((...args) => this.#subtest('', args), {
      skip: (...args) => this.#subtest('skip', args),
      todo: (...args) => this.#subtest('todo', args),
      only: (...args) => this.#subtest('', args),
    });

    #subtest(mode, args) {
      const { name, options, fn } = take(...args);
      const parent = this.#group;
      const test = { name, parent, fn, mode: modeOf(options, mode), limit: limitOf(options, Infinity), retries: 0, fails: false, path: `${parent.path} > ${name}` };
      this.#pending++;
      this.#count++;
      const run = async () => {
        const failure = test.mode === 'skip' ? null : await runner.one(test);
        this.#pending--;
        if (test.mode === 'skip') return;
        if (test.mode !== 'todo') runner.outcomes.set(test.path, failure && failure.error);
        if (failure && test.mode !== 'todo') this.#failed++;
      };
      return (this.#last = this.#last.then(run));
    }

    async finish(failure) {
      if (this.#own.length) await Promise.all(this.#own);
      if (this.#pending && major >= 24) await this.#last;
      const late = this.#pending;
      if (late) await this.#last;
      if (this.#group.after.length) {
        const error = await runner.hooks(this.#group.after, this, this);
        if (error) throw error;
      }
      this.#tracker?.reset();
      this.#abort?.abort();
      if (failure) return;
      if (late) throw new Error('the test ended before its subtests');
      if (this.#failed) throw new Error(`${this.#failed} subtest${this.#failed > 1 ? 's' : ''} failed`);
      if (this.#plan >= 0 && this.#plan !== this.#count) throw new Error(`plan expected ${this.#plan} assertions but received ${this.#count}`);
    }
  }

  const hook = (fn, options) => ({ fn, callback: true, plain: 1, limit: limitOf(options ?? {}, Infinity) });

  const declare = (mode) => (...args) => {
    const t = inside.at(-1);
    if (t) return mode ? t.test[mode](...args) : t.test(...args);
    const { name, options, fn } = take(...args);
    const test = runner.test(name, fn, modeOf(options, mode === 'only' ? '' : mode));
    test.limit = limitOf(options, timeout);
    return Promise.resolve();
  };
  const group = (mode) => (...args) => {
    const { name, options, fn } = take(...args);
    runner.group(name, fn, modeOf(options, mode === 'only' ? '' : mode), limitOf(options, Infinity));
    return Promise.resolve();
  };
  const hooks = (which) => (fn, options) => {
    const t = inside.at(-1);
    if (t) t[which](fn, options);
    else runner.current[which].push(hook(fn, options));
  };

  const test = declare('');
  const describe = group('');
  for (const mode of ['skip', 'todo', 'only']) {
    test[mode] = declare(mode);
    describe[mode] = group(mode);
  }
  const all = {
    test, it: test, describe, suite: describe, mock, run: real.run, snapshot: real.snapshot, assert: real.assert,
    before: hooks('before'), after: hooks('after'), beforeEach: hooks('beforeEach'), afterEach: hooks('afterEach'),
  };
  Object.assign(test, all, { default: test });
  return {
    runner,
    shims: { 'node:test': test },
    load: (loader, file) => loader.main(file),
    begin: () => {
      inside.length = 0;
      runner.begin();
    },
    end: () => mock.reset(),
    run: (wanted) => runner.run(wanted),
  };
}

module.exports = { create };
