'use strict';
// mocha, by the user's own: its interfaces, hooks and runner do the work. Only what stands around them (files, reports, the command
// line's doings) is left out.

const path = require('node:path');
const { createRequire } = require('node:module');
const guard = require('./guard.cjs');

// The names that mocha's interfaces put into the global object.
const names = ['describe', 'context', 'xdescribe', 'xcontext', 'it', 'specify', 'xit', 'xspecify', 'before', 'after', 'beforeEach', 'afterEach', 'suite', 'test',
  'setup', 'teardown', 'suiteSetup', 'suiteTeardown', 'run'];

function create(config) {
  const own = createRequire(path.join(config.dir, 'package.json'));
  const Mocha = own('mocha');
  const options = own('mocha/lib/cli/options').loadOptions(config.words);
  let context = {}; // what the interface gives the file that is being loaded
  let mocha = null;
  let running = null;
  let plugins = {};

  // Timers of mocha's own must not keep the loop alive: a promise that nothing can settle is found out at once.
  const { resetTimeout } = Mocha.Runnable.prototype;
  Mocha.Runnable.prototype.resetTimeout = function () {
    resetTimeout.call(this);
    this.timer?.unref?.();
  };
  Mocha.Runner.immediately = guard.immediately;
  for (const name of names) {
    Object.defineProperty(globalThis, name, { configurable: true, enumerable: true, get: () => context[name], set: (value) => (context[name] = value) });
  }

  return {
    runner: {
      // Mocha hears of exceptions by itself.
      interrupt: (error, kind) => kind !== 'uncaughtException' && running?._uncaught?.(error),
    },
    shims: {},

    async ready(loader) {
      if (options.delay || options.parallel || options.loader || options['node-option']?.length) {
        throw new Error('mocha is told to work in a way (delay, parallel, loader, node options) that is not taken over');
      }
      const helpers = own('mocha/lib/cli/run-helpers');
      plugins = (await helpers.handleRequires(options.require ?? [])) ?? {};
      if (plugins.globalSetup?.length || plugins.globalTeardown?.length) throw new Error('mocha has global fixtures, which are not taken over');
      this.files = (options.file ?? []).map((file) => loader.relative(path.resolve(config.dir, file)));
    },

    begin() {
      mocha = new Mocha({ ...options, reporter: function () {}, ui: options.ui, rootHooks: plugins.rootHooks, timeout: options.timeout });
      context = {};
    },

    load(loader, file) {
      for (const name of [...this.files, file]) {
        const absolute = loader.absolute(name);
        mocha.suite.emit('pre-require', context, absolute, mocha);
        mocha.suite.emit('require', loader.main(name), absolute, mocha);
        mocha.suite.emit('post-require', context, absolute, mocha);
      }
      this.file = file;
    },

    run(wanted, broken) {
      const outcomes = new Map();
      if (broken && wanted) return Promise.resolve(outcomes);
      const id = (test) => {
        const around = test.parent.fullTitle();
        return `${this.file}::${around ? `${around} > ` : ''}${test.title}`;
      };
      if (wanted) keep(mocha.suite, (test) => wanted.has(id(test)));
      return new Promise((resolve) => {
        running = new Mocha.Runner(mocha.suite, { delay: false, dryRun: false, cleanReferencesAfterRun: false, failHookAffectedTests: Boolean(options['fail-hook-affected-tests']) });
        running.asyncOnly = options['async-only'];
        running.on('pass', (test) => outcomes.set(id(test), null));
        running.on('fail', (test, error) => {
          outcomes.set(test.type === 'hook' ? `${this.file}::${test.title}` : id(test), error ?? new Error('failed'));
          if (guard.bound()) running.abort();
        });
        running.run(() => {
          running = null;
          resolve(outcomes);
        });
      });
    },
  };
}

// keep leaves only some tests in a suite and those in it.
function keep(suite, wanted) {
  suite.tests = suite.tests.filter(wanted);
  suite.suites.forEach((inner) => keep(inner, wanted));
}

module.exports = { create };
