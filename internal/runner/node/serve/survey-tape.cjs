'use strict';
// Preloaded (--require) into a run of tape: it tells of every test in which file it stands, which tape itself does not.

const fs = require('node:fs');
const Module = require('node:module');

const mark = process.env.FETTLE_MARK;
const pending = new Set();
const wrapped = new WeakMap();

// declaredIn is the file that declares a test: of the repository's own files on the stack the outermost, the one that tape has loaded.
function declaredIn() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? '');
  const files = new Error().stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  const own = files.map((file) => file.replace(/^file:\/\//, '')).filter((file) => file.startsWith('/') && file !== __filename && !file.includes('/node_modules/'));
  return own.at(-1);
}

// watch tells of a test once it has ended, or when the process does.
function watch(test, file) {
  if (typeof test?.once !== 'function') return test;
  const told = { names: [String(test.name).replace(/\s+/g, ' ')], file, passed: true, skipped: Boolean(test._skip || test._todo), ms: 0 };
  let began = 0;
  test.once('prerun', () => {
    began = performance.now();
    pending.add(told);
  });
  test.on('result', (result) => {
    if (typeof result === 'object' && !result.ok && !result.todo) told.passed = false;
  });
  test.on('test', (inner) => watch(inner, file));
  test.once('end', () => {
    told.ms = performance.now() - began;
    pending.delete(told);
    tell(told);
  });
  return test;
}

function tell(told) {
  fs.writeSync(1, `\n${mark}${JSON.stringify(told)}\n`);
}

process.on('exit', () => {
  for (const told of pending) tell({ ...told, passed: false });
});

// listening is tape, or one of the functions that it has tests declared by.
function listening(declare) {
  if (!wrapped.has(declare)) {
    wrapped.set(declare, new Proxy(declare, {
      apply: (target, self, args) => watch(Reflect.apply(target, self, args), declaredIn()),
      get: (target, key) => {
        const value = target[key];
        return (key === 'test' || key === 'only') && typeof value === 'function' ? listening(value) : value;
      },
    }));
  }
  return wrapped.get(declare);
}

const load = Module._load;
Module._load = function (...args) {
  const exports = load.apply(this, args);
  return typeof exports === 'function' && exports.createHarness && exports.getHarness && exports.Test ? listening(exports) : exports;
};
