'use strict';
// Tells how candidates differ where no test looks: functions are noted with what tests call them with, and called with other things.

const { performance } = require('node:perf_hooks');
const util = require('node:util');
const guard = require('./guard.cjs');

const calls = 40; // of a function that are kept
const steps = 50_000; // that a call may take
const time = 100; // ms of processor time that they may take
const patience = 3000; // ms that all calls may take
const longest = 120; // letters of an answer that are told
const items = 1000; // that are taken from an iterator
const shown = { depth: 8, sorted: true, maxArrayLength: 1000, maxStringLength: 10_000, breakLength: Infinity, compact: true };

class Comparison {
  #functions = new Map(); // by name, as the sources last made them
  #noted = null; // by name: what each was called with, as JSON, while somebody listens

  // heard is a function that a source has made, which tells what it is called with.
  heard = (name, made) => {
    if (typeof made !== 'function') return made;
    this.#functions.set(name, made);
    const noted = this.#noted;
    if (!noted) return made;
    return new Proxy(made, {
      apply: (target, self, args) => {
        note(noted, name, args);
        return Reflect.apply(target, self, args);
      },
    });
  };

  listen() {
    this.#functions.clear();
    this.#noted = new Map();
  }

  // noted are the calls that were heard, as {name, args}.
  noted() {
    const all = [...this.#noted].flatMap(([name, some]) => [...some].map((args) => ({ name, args })));
    this.#noted = null;
    return all;
  }

  begin() {
    this.#functions.clear();
  }

  // answers are what comes of calls; none where a function was not made, or where it takes too long.
  answers(calls) {
    if (!calls.every(({ name }) => this.#functions.has(name))) return [];
    const began = performance.now();
    const all = [];
    for (const call of calls) {
      all.push(this.#answer(call));
      if (performance.now() - began > patience) return [];
    }
    return all;
  }

  // #answer is what comes of a call: {text, full, value}. Value is what it gave, as JSON, if that says all.
  #answer({ name, args }) {
    const made = this.#functions.get(name);
    const given = JSON.parse(args);
    const out = {};
    guard.begin(steps, time);
    try {
      let value = made(...given);
      if (util.types.isGeneratorObject(value)) value = [...take(value)];
      out.text = util.inspect(value, shown);
      out.value = faithful(value);
    } catch (error) {
      out.text = String(error?.constructor?.name ?? error);
    }
    if (guard.bound()) {
      out.text = 'no end';
      delete out.value;
    }
    guard.begin(Infinity);
    const after = JSON.stringify(given);
    out.full = after === args ? out.text : `${out.text} ${after}`;
    if (out.text.length > longest) out.text = `${out.text.slice(0, longest - 1)}…`;
    return out;
  }
}

function* take(generator) {
  let n = 0;
  for (const item of generator) {
    if (n++ === items) return;
    yield item;
  }
}

// note keeps what a function is called with, if that can be said in JSON.
function note(noted, name, args) {
  const some = noted.get(name) ?? noted.set(name, new Set()).get(name);
  if (some.size >= calls) return;
  const text = faithful(args);
  if (text !== undefined && text.length < 1 << 16) some.add(text);
}

// faithful is a value as JSON, unless that would say something else.
function faithful(value) {
  try {
    const text = JSON.stringify(value);
    return text !== undefined && util.isDeepStrictEqual(JSON.parse(text), value) ? text : undefined;
  } catch {
    return undefined;
  }
}

module.exports = { Comparison };
