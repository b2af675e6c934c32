'use strict';
// The words that jest and vitest have in common: describe, it, test and the hooks around them, with skip, only, todo, each and the rest.

const util = require('node:util');
const { Runner } = require('./tests.cjs');
const { Unfit } = require('./loader.cjs');

// words makes them. o.timeout is how long a test may take, as it is when it is declared; o.around what is done around each test:
// {begin(test), context(test), end(failed)}; o.hookPlain how many arguments a hook may have that does not call back; o.pretty how values are
// written in titles.
function words(o) {
  const { around, hookPlain = 0, pretty } = o;
  const runner = new Runner({
    only: true,
    hookLimit: 60_000,
    context: (test) => {
      around.begin(test);
      const argument = around.context?.(test);
      return {
        argument,
        call: (fn) => (test.args ? fn(...test.args) : fn.length > 0 && !around.context ? calledBack(fn) : fn(argument)),
        end: (failure) => around.end(Boolean(failure)),
      };
    },
  });

  const calledBack = (fn) => new Promise((resolve, reject) => {
    const done = (error) => (error ? reject(error) : resolve());
    done.fail = (error) => reject(error ?? new Error('failed'));
    const value = fn(done);
    if (typeof value?.then === 'function') value.then(undefined, reject);
  });

  // sort takes the options out: vitest has them second, both have a number last.
  const sort = (second, third) => {
    if (typeof second === 'function') return { fn: second, options: typeof third === 'object' && third !== null ? third : { timeout: third } };
    return { fn: third, options: typeof second === 'object' && second !== null ? second : { timeout: second } };
  };
  const title = (name) => (typeof name === 'function' ? name.name : String(name));
  const modes = (options) => (options.skip ? 'skip' : options.todo ? 'todo' : options.only ? 'only' : '');

  const declare = (mode, more, args) => (name, second, third) => {
    const { fn, options } = sort(second, third);
    const test = runner.test(title(name), fn, mode || modes(options) || (typeof fn === 'function' ? '' : 'todo'));
    test.limit = options.timeout ?? o.timeout;
    test.retries = options.retry ?? around.retries?.() ?? 0;
    test.fails = Boolean(more.fails || options.fails);
    test.args = args;
  };
  const group = (mode, more, args) => (name, second, third) => {
    const { fn, options } = sort(second, third);
    runner.group(title(name), args && fn ? () => fn(...args) : fn, mode || modes(options) || (typeof fn === 'function' ? '' : 'todo'));
  };

  // chained is a word with those that may follow it.
  const chained = (make, mode, more, depth = 0) => {
    const word = (...args) => make(mode, more)(...args);
    word.each = each(make, mode, more, false);
    word.for = each(make, mode, more, true);
    word.skipIf = (condition) => (condition ? word.skip : word);
    word.runIf = (condition) => (condition ? word : word.skip);
    word.extend = () => { throw new Unfit('test.extend is used'); };
    if (depth < 2) {
      for (const next of ['skip', 'only', 'todo']) lazily(word, next, () => chained(make, next, more, depth + 1));
      for (const next of ['concurrent', 'sequential', 'shuffle']) lazily(word, next, () => chained(make, mode, more, depth + 1));
      for (const next of ['fails', 'failing']) lazily(word, next, () => chained(make, mode, { ...more, fails: true }, depth + 1));
    }
    return word;
  };

  // each declares a test for each row of a table, given as a list or written out between bars.
  const each = (make, mode, more, whole) => (table, ...values) => (name, second, third) => {
    let rows = table;
    let named = null;
    if (Array.isArray(table.raw)) {
      const heads = table[0].trim().split('\n')[0].split('|').map((head) => head.trim()).filter(Boolean);
      rows = [];
      for (let i = 0; i < values.length; i += heads.length) rows.push(Object.fromEntries(heads.map((head, n) => [head, values[i + n]])));
      named = true;
    }
    rows.forEach((row, i) => {
      const args = named || whole || !Array.isArray(row) ? [row] : row;
      make(mode, more, args)(filled(title(name), whole && Array.isArray(row) ? row : args, i, pretty), second, third);
    });
  };

  const hook = (list, which) => (fn, limit) => list().push({ fn, callback: !hookPlain, plain: hookPlain, limit: limit ?? o.timeout, keep: which });
  const after = {
    // What a hook of vitest's gives back is done afterwards.
    beforeAll: (undo) => typeof undo === 'function' && hookPlain && runner.root && runner.current.after.unshift({ fn: undo, callback: false }),
  };
  const test = chained(declare, '', {});
  const describe = chained(group, '', {});
  return {
    runner,
    globals: {
      test, it: test, describe, suite: describe, xit: test.skip, xtest: test.skip, xdescribe: describe.skip, fit: test.only, fdescribe: describe.only,
      beforeAll: hook(() => runner.current.before, after.beforeAll), afterAll: hook(() => runner.current.after),
      beforeEach: hook(() => runner.current.beforeEach), afterEach: hook(() => runner.current.afterEach),
    },
  };
}

function lazily(object, name, make) {
  Object.defineProperty(object, name, {
    configurable: true, enumerable: true,
    get() {
      const value = make();
      Object.defineProperty(object, name, { value, enumerable: true });
      return value;
    },
  });
}

// filled is a title with a row's values: %s and its like in order, %# the row's number, $name and $a.b what is in an object.
function filled(name, args, index, pretty) {
  let next = 0;
  const text = name.replace(/%(%|[sdifjop#$])/g, (whole, kind) => {
    if (kind === '%') return '%';
    if (kind === '#') return String(index);
    if (kind === '$') return String(index + 1);
    if (next >= args.length) return whole;
    const value = args[next++];
    if (kind === 'p') return pretty ? pretty(value) : util.inspect(value);
    if (kind === 's' && typeof value === 'object' && value !== null && pretty) return util.format('%s', value);
    return util.format(whole, value);
  });
  const row = args.length === 1 || typeof args[0] === 'object' ? args[0] : null;
  if (row === null || typeof row !== 'object') return text;
  return text.replace(/\$([\w$]+(?:\.[\w$]+)*)/g, (whole, at) => {
    if (at === '#') return String(index);
    let value = row;
    for (const key of at.split('.')) {
      if (value === null || value === undefined || !(key in Object(value))) return whole;
      value = value[key];
    }
    return pretty ? pretty(value) : typeof value === 'string' ? value : util.inspect(value);
  });
}

module.exports = { words };
