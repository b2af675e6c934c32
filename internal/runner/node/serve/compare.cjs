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
  #functions = new Map(); // by name, as the sources last made them: {made, home, bound}, home for those of a class, bound for its static ones
  #noted = null; // by name: what each was called with, as JSON, and what came of it, while somebody listens

  // heard is a function that a source has made, which tells what it is called with.
  heard = (name, made) => (typeof made === 'function' ? this.#listening(name, { made }) : made);

  // method has a method of a class tell what it is called with, and on what. What is in the place of a method, and what there are two of, says nothing.
  method = (home, name, key) => {
    const holders = [home.prototype, home].filter((holder) => typeof Object.getOwnPropertyDescriptor(holder, key)?.value === 'function');
    if (holders.length !== 1) return;
    const [holder] = holders;
    const was = Object.getOwnPropertyDescriptor(holder, key);
    Object.defineProperty(holder, key, { ...was, value: this.#listening(name, { made: was.value, home, bound: holder === home }) });
  };

  #listening(name, one) {
    this.#functions.set(name, one);
    const noted = this.#noted;
    if (!noted) return one.made;
    return new Proxy(one.made, {
      apply: (target, self, args) => {
        const call = note(noted, name, one, self, args);
        const value = Reflect.apply(target, self, args);
        if (call && !hidden(value)) call.full = told(call, value, own(one) ? self : null, args).full;
        return value;
      },
    });
  }

  listen() {
    this.#functions.clear();
    this.#noted = new Map();
  }

  // noted are the calls that were heard, as {name, self, args, full}: full is what came of it, where that is known.
  noted() {
    const all = [...this.#noted.values()].flatMap((some) => [...some.values()]);
    this.#noted = null;
    return all;
  }

  begin() {
    this.#functions.clear();
  }

  // answers are what comes of calls; none where a function was not made, where it takes too long, or where one holds what cannot be seen.
  answers(calls) {
    if (!calls.every(({ name }) => this.#functions.has(name))) return [];
    const began = performance.now();
    const all = [];
    for (const call of calls) {
      const answer = this.#answer(call);
      if (!answer || performance.now() - began > patience) return [];
      all.push(answer);
    }
    return all;
  }

  // #answer is what comes of a call: {text, full, value}. Value is what it gave, as JSON, if that says all.
  #answer(call) {
    const one = this.#functions.get(call.name);
    const given = JSON.parse(call.args);
    const self = own(one) ? Object.assign(Object.create(one.home.prototype), JSON.parse(call.self)) : one.home;
    const mine = own(one) ? self : null;
    const before = { args: text(given), self: text({ ...mine }) };
    let out = {};
    guard.begin(steps, time);
    try {
      let value = Reflect.apply(one.made, self, given);
      if (util.types.isGeneratorObject(value)) value = [...take(value)];
      if (hidden(value)) return null;
      out = told(before, value, mine, given);
      out.value = faithful(value);
    } catch (error) {
      out.text = String(error?.constructor?.name ?? error);
      out.full = out.text + changes(before, mine, given);
    }
    if (guard.bound()) out = { text: 'no end', full: 'no end' };
    guard.begin(Infinity);
    if (out.text.length > longest) out.text = `${out.text.slice(0, longest - 1)}…`;
    return out;
  }
}

// own reports whether a function is one that objects have.
const own = ({ home, bound }) => Boolean(home) && !bound;

// told is what came of a call: {text, full}, with what it has left of what it was given. Of one that gives nothing, people are told that.
function told(before, value, self, args) {
  const result = util.inspect(value, shown);
  const left = changes(before, self, args);
  return { text: value === undefined && left ? left.trim() : result, full: result + left };
}

// changes are what a call has left of what it was given, which was {self, args} before, as JSON; empty: it has changed nothing.
function changes(before, self, args) {
  if (text(args) === before.args && (!self || text({ ...self }) === before.self)) return '';
  return ` leaves (${[...(self ? [self] : []), ...args].map((one) => util.inspect(one, shown)).join(', ')})`;
}

// hidden reports whether a value holds what cannot be seen: what a function would do, say, or what is still to come.
function hidden(value, seen = new Set()) {
  if (typeof value === 'function') return true;
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  if (util.types.isPromise(value)) {
    value.catch(() => {}); // nobody else is to hear of one that has failed
    return util.inspect(value, { depth: 0 }).includes('<pending>');
  }
  if (util.types.isProxy(value) || /Generator|Iterator|Weak/.test(Object.prototype.toString.call(value))) return true;
  if (util.types.isMap(value) || util.types.isSet(value)) return [...value].some((one) => hidden(one, seen));
  return Object.values(Object.getOwnPropertyDescriptors(value)).some((one) => hidden('value' in one ? one.value : one.get, seen));
}

function* take(generator) {
  let n = 0;
  for (const item of generator) {
    if (n++ === items) return;
    yield item;
  }
}

// note keeps what a function is called with, and on what, if that can be said in JSON; undefined: it is not kept.
function note(noted, name, one, self, args) {
  const some = noted.get(name) ?? noted.set(name, new Map()).get(name);
  if (some.size >= calls) return undefined;
  const call = { name, args: faithful(args) };
  if (own(one)) call.self = plain(one.home, self);
  if (call.args === undefined || (own(one) ? call.self === undefined : one.home && self !== one.home)) return undefined;
  const key = `${call.self} ${call.args}`;
  if (key.length >= 1 << 16 || some.has(key)) return undefined;
  some.set(key, call);
  return call;
}

// plain is what an object of a class holds, as JSON, if that says all that can be seen of it.
function plain(home, self) {
  if (typeof self !== 'object' || self === null || Object.getPrototypeOf(self) !== home.prototype) return undefined;
  const all = Reflect.ownKeys(self).map((key) => Object.getOwnPropertyDescriptor(self, key));
  return all.length === Object.keys(self).length && all.every((one) => 'value' in one) ? faithful({ ...self }) : undefined;
}

// text is a value as JSON; what has none as it is shown.
function text(value) {
  try {
    return JSON.stringify(value);
  } catch {
    return util.inspect(value, shown);
  }
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
