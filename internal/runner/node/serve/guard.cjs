'use strict';
// What keeps a candidate within bounds: it may take so many steps and print so much, and what it leaves behind (timers, exit
// codes, listeners) is taken away. A candidate that breaks a bound is over: whatever its tests say then does not count.

const util = require('node:util');

const maxOutput = 1 << 20; // characters

let left = Infinity; // steps that are left to the candidate
let given = 0;
let over = ''; // the bound that was broken

class Over extends Error {}

// step is called by instrumented sources in every round of a loop and on entering every function.
function step() {
  if (--left < 0) stop('fuel');
}

// stop ends the candidate. What catches the error gets it again at the next step.
function stop(why) {
  over ||= why;
  left = -1;
  throw new Over(why);
}

// begin gives a candidate its steps.
function begin(steps) {
  left = given = steps;
  over = '';
  printed = 0;
}

// bound is the name of the bound that was broken, or "".
function bound() {
  return over;
}

// used is how many steps were taken since begin.
function used() {
  return given - Math.max(left, 0);
}

let printed = 0;

// quiet counts what is printed instead of printing it.
function quiet(stream) {
  stream.write = (chunk, encoding, done) => {
    const size = chunk?.length ?? 0;
    printed += size;
    left -= 32 + (size >> 5); // what prints works
    const callback = typeof encoding === 'function' ? encoding : done;
    if (callback) process.nextTick(callback);
    if (printed > maxOutput || left < 0) stop('output');
    return true;
  };
}

const timers = [];

// tracked is a function that makes timers, whose timers are known.
function tracked(make) {
  const wrapped = function (...args) {
    const timer = make.apply(this, args);
    timers.push(timer);
    return timer;
  };
  Object.defineProperty(wrapped, 'name', { value: make.name });
  if (make[util.promisify.custom]) {
    Object.defineProperty(wrapped, util.promisify.custom, { get: () => make[util.promisify.custom] });
  }
  return wrapped;
}

const { clearTimeout, clearImmediate } = globalThis;
const immediately = globalThis.setImmediate;
const later = globalThis.setTimeout;
const leave = process.reallyExit.bind(process);

// forget ends the timers that were left behind.
function forget() {
  for (const timer of timers) {
    if (timer?.constructor?.name === 'Immediate') clearImmediate(timer);
    else clearTimeout(timer);
  }
  timers.length = 0;
}

// install puts all of this in place.
function install() {
  quiet(process.stdout);
  quiet(process.stderr);
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
    globalThis[name] = require('node:timers')[name] = tracked(globalThis[name]);
  }
  for (const name of ['exit', 'reallyExit', 'abort']) process[name] = () => stop('exit');
}

module.exports = { begin, bound, used, step, stop, install, forget, immediately, later, clearTimeout, leave };
