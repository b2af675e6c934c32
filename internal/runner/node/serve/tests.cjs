'use strict';
// A lean test runner: it keeps what a file declares and runs the tests that are wanted. The dialects (node.cjs, expect.cjs) put the
// runners' own words on top of it. What it leaves out is reporting, parallel tests and everything that makes a runner slow.

const guard = require('./guard.cjs');

// Group holds tests, groups and the hooks around them.
class Group {
  constructor(name, parent, mode = '') {
    this.name = name;
    this.parent = parent;
    this.mode = mode; // 'skip', 'todo', 'only'
    this.items = [];
    this.before = [];
    this.after = [];
    this.beforeEach = [];
    this.afterEach = [];
    this.limit = Infinity;
    this.path = parent?.parent ? `${parent.path} > ${name}` : name;
    this.ready = null; // what an asynchronous body has to do yet
    this.error = null; // of the body
  }
}

// Test is one test.
class Test {
  constructor(name, parent, fn, mode = '') {
    this.name = name;
    this.parent = parent;
    this.fn = fn;
    this.mode = mode;
    this.limit = Infinity;
    this.retries = 0;
    this.fails = false; // it is expected to fail
    this.path = parent.parent ? `${parent.path} > ${name}` : name;
  }
}

// Runner runs what the files of one dialect declare.
class Runner {
  constructor({ context, reset = () => {}, hookLimit = Infinity, only = false }) {
    this.context = context; // context(test, runner) is what is done around a test: see #test
    this.resetMocks = reset;
    this.hookLimit = hookLimit;
    this.only = only; // whether "only" counts
    this.interrupt = null; // ends what is waited for
    this.begin();
  }

  // begin forgets what was declared.
  begin() {
    this.root = new Group('', null);
    this.current = this.root;
    this.outcomes = new Map(); // by path: null for a pass, else the error; absent: not run or skipped
    this.interrupt = null;
  }

  // group declares a group; its body is run at once.
  group(name, body, mode, limit = Infinity) {
    const group = new Group(name, this.current, mode);
    group.limit = limit;
    this.current.items.push(group);
    if (typeof body !== 'function') return group;
    const outer = this.current;
    this.current = group;
    try {
      const value = body.call(group);
      if (typeof value?.then === 'function') group.ready = value;
    } catch (error) {
      if (guard.bound()) throw error;
      group.error = error;
    } finally {
      this.current = outer;
    }
    return group;
  }

  // test declares a test.
  test(name, fn, mode) {
    const test = new Test(name, this.current, fn, mode);
    this.current.items.push(test);
    return test;
  }

  // run runs the tests whose paths are wanted, or in which wanted ones stand; null: all.
  async run(wanted) {
    const all = wanted && ancestors(wanted);
    this.someOnly = this.only && hasOnly(this.root);
    await this.#group(this.root, all, false, this.someOnly);
    return this.outcomes;
  }

  async #group(group, wanted, skipped, onlyFrom) {
    if (group.ready) await this.wait(group.ready, group.limit).catch((error) => (group.error = error));
    if (onlyFrom && group.mode === 'only' && !hasOnly(group)) onlyFrom = false; // all in it is meant
    const items = group.items.filter((item) => !wanted || wanted.has(item.path));
    if (items.length === 0) return;
    let error = group.error;
    skipped ||= group.mode === 'skip' || group.mode === 'todo';
    if (!skipped && !error) {
      error = await this.hooks(group.before, group);
    }
    for (const item of items) {
      if (guard.bound()) return;
      if (item instanceof Group) {
        if (error) item.error = error;
        await this.#group(item, wanted, skipped || (onlyFrom && item.mode !== 'only' && !hasOnly(item)), onlyFrom && item.mode !== 'only' ? onlyFrom : onlyFrom && hasOnly(item));
      } else if (!skipped && item.mode !== 'skip' && !(onlyFrom && item.mode !== 'only')) {
        const failure = error ? { error } : await this.one(item);
        if (item.mode !== 'todo' && item.mode !== 'skip') this.outcomes.set(item.path, failure && failure.error);
      }
    }
    if (!skipped) {
      const late = await this.hooks(group.after, group);
      if (late) this.outcomes.set(group.path + ' (after)', late);
    }
  }

  // one runs a test with the hooks around it; what it gives is null, or holds the error.
  async one(test) {
    for (let attempt = 0; ; attempt++) {
      let failure = await this.#attempt(test);
      if (test.fails) failure = failure ? null : { error: new Error('the test was expected to fail') };
      if (!failure || attempt >= test.retries || guard.bound()) return failure;
    }
  }

  async #attempt(test) {
    const groups = [];
    for (let g = test.parent; g; g = g.parent) groups.unshift(g);
    const around = this.context(test, this);
    let failure = null;
    const note = (error) => (failure ??= { error });
    for (const group of groups) {
      const error = group.beforeEach.length && (await this.hooks(group.beforeEach, group, around.argument));
      if (error) note(error);
    }
    if (!failure && typeof test.fn === 'function') {
      try {
        const value = around.call(test.fn);
        if (typeof value?.then === 'function') await this.wait(value, test.limit);
      } catch (error) {
        note(error ?? new Error(String(error)));
      }
    }
    try {
      const rest = around.end?.(failure);
      if (typeof rest?.then === 'function') await this.wait(rest, Infinity);
    } catch (error) {
      if (error === around.skipped) failure = null;
      else note(error);
    }
    for (const group of groups.reverse()) {
      const error = group.afterEach.length && (await this.hooks(group.afterEach, group, around.argument));
      if (error) note(error);
    }
    if (guard.bound()) note(new Error(guard.bound()));
    this.resetMocks();
    return failure;
  }

  // hooks runs hooks in turn; what it gives is the first error.
  async hooks(all, self, argument) {
    for (const hook of all) {
      try {
        const value = hook.fn.length > (hook.plain ?? 0) && hook.callback ? callback(hook.fn, self, hook.plain ? [argument] : []) : hook.fn.call(self, argument);
        const after = typeof value?.then === 'function' ? await this.wait(value, hook.limit ?? this.hookLimit) : value;
        if (hook.keep) hook.keep(after);
      } catch (error) {
        return error ?? new Error('a hook failed');
      }
    }
    return null;
  }

  // wait waits for a promise, until the time is over, something fails outside of it, or nothing is left that could settle it.
  wait(promise, limit) {
    return new Promise((resolve, reject) => {
      const outer = this.interrupt;
      const finite = limit > 0 && limit < Infinity;
      const timer = finite && guard.later(() => end(reject, new Error(`the test did not end within ${limit} ms`)), limit);
      const end = (settle, value) => {
        if (timer) guard.clearTimeout(timer);
        this.interrupt = outer;
        settle(value);
      };
      this.interrupt = (error) => end(reject, error);
      promise.then((value) => end(resolve, value), (error) => end(reject, error));
    });
  }
}

// callback makes a promise of a function that calls back.
function callback(fn, self, args) {
  return new Promise((resolve, reject) => {
    const done = (error) => (error ? reject(error) : resolve());
    done.fail = (error) => reject(error ?? new Error('failed'));
    fn.call(self, ...args, done);
  });
}

const known = new WeakMap();

// ancestors are the paths, and those of what they may stand in: a name can hold " > " itself.
function ancestors(paths) {
  let all = known.get(paths);
  if (!all) {
    all = new Set(paths);
    for (const path of paths) {
      for (let at = path.indexOf(' > '); at >= 0; at = path.indexOf(' > ', at + 1)) all.add(path.slice(0, at));
    }
    known.set(paths, all);
  }
  return all;
}

function hasOnly(group) {
  return group.items.some((item) => item.mode === 'only' || (item instanceof Group && hasOnly(item)));
}

module.exports = { Runner, Group, Test, callback };
