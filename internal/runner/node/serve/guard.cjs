'use strict';
// What keeps a candidate within bounds: it may take so many steps and print so much, and what it leaves behind (timers, exit
// codes, listeners) is taken away. A candidate that breaks a bound is over: whatever its tests say then does not count.

const { performance } = require('node:perf_hooks');
const util = require('node:util');

// Tests put clocks of their own in the place of these.
const now = performance.now.bind(performance);
const usage = process.cpuUsage.bind(process);

const maxOutput = 1 << 20; // characters

const least = 1 << 5; // steps after which somebody first looks at the time
const most = 1 << 10; // … at the latest, where they turn out to be quick
const grace = 1 / 4; // of the time that a candidate may take is not counted
const glance = 4; // ms that lie between two looks, where steps are so slow that this makes a difference

let portion = most; // steps until the next look
let looked = 0; // when that was, on the clock
let left = Infinity; // steps until then
let rest = 0; // steps that are left to the candidate after that
let given = 0;
let may = Infinity; // ms of processor time that they may take: each may take longer than the last
let began = 0; // on the clock
let busyAt = NaN; // the processor time from which on that counts
let over = ''; // the bound that was broken

class Over extends Error {}

// step is called by instrumented sources in every round of a loop and on entering every function.
function step() {
  if (--left < 0) look();
}

// look lets the candidate go on with its next portion, if it has any steps left and any time.
function look() {
  rest += left; // what it owes
  const at = now();
  if (rest < 0 || (at - began > may * grace && overdue(at))) stop('fuel');
  const took = at - looked;
  looked = at;
  portion = took > glance ? Math.max(1, Math.floor((portion * glance) / took)) : Math.min(most, portion * 2);
  left = Math.min(rest, portion);
  rest -= left;
}

// overdue reports whether the time is used up. To ask for the processor time costs as much as a quick candidate does, so it counts from the first time
// on that somebody asks.
function overdue(at) {
  if (Number.isNaN(busyAt)) {
    busyAt = busy();
    return false;
  }
  return at - began > may && busy() - busyAt > may;
}

// busy is the processor time of this process, in ms.
function busy() {
  const { user, system } = usage();
  return (user + system) / 1000;
}

// stop ends the candidate. What catches the error gets it again at the next step.
function stop(why) {
  over ||= why;
  left = -1;
  rest = 0;
  throw new Over(why);
}

// begin gives a candidate its steps, and so much processor time, in ms, for those that take long.
function begin(steps, ms = Infinity) {
  given = steps;
  portion = least;
  left = Math.min(steps, portion);
  rest = steps - left;
  may = ms;
  began = looked = now();
  busyAt = NaN;
  over = '';
  printed = 0;
}

// bound is the name of the bound that was broken, or "".
function bound() {
  return over;
}

// used is how many steps were taken since begin.
function used() {
  return given - Math.max(left + rest, 0);
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
    if (printed > maxOutput || left + rest < 0) stop('output');
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
