'use strict';
// What tests start besides: processes, threads and contexts of their own, which run the sources as they stand on the disk and would make every candidate
// look alike. A candidate may start so many of them; its processes end with it.

const guard = require('./guard.cjs');

const most = 64; // processes and threads of one candidate

// Functions that start something, by module, and whether it goes on beside the test. All processes that nobody waits for are started by one method.
const starters = [
  ['child_process', ['spawnSync', 'execSync', 'execFileSync'], true],
  ['worker_threads', ['Worker'], true],
  ['vm', ['Script', 'runInContext', 'runInNewContext'], false],
];

let any = false; // something was started
let number = 0;
let children = [];

// together are a process's options without what would take it out of our group, as whose part it ends with us at the latest.
function together(args) {
  return args.map((arg) => (arg !== null && typeof arg === 'object' && !Array.isArray(arg) && arg.detached ? { ...arg, detached: false } : arg));
}

// started takes note of what is about to start.
function started(beside) {
  any = true;
  if (beside && ++number > most) guard.stop('processes');
}

// note takes note of a process or a thread that was started.
function note(child) {
  if (typeof (child?.kill ?? child?.terminate) === 'function') children.push(child);
  return child;
}

// install puts this in place.
function install() {
  for (const [module, names, beside] of starters) {
    const exports = require(`node:${module}`);
    for (const name of names) {
      exports[name] = new Proxy(exports[name], {
        apply: (target, self, args) => (started(beside), note(Reflect.apply(target, self, together(args)))),
        construct: (target, args, made) => (started(beside), note(Reflect.construct(target, args, made))),
      });
    }
  }
  const { prototype } = require('node:child_process').ChildProcess;
  const { spawn } = prototype;
  prototype.spawn = function (...args) {
    started(true);
    note(this);
    return spawn.apply(this, together(args));
  };
}

// watch has any() tell of what is started from now on.
function watch() {
  any = false;
}

// forget ends what is still running, and counts anew.
function forget() {
  for (const child of children) {
    if (!child.kill) child.terminate();
    else if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  }
  children = [];
  number = 0;
}

module.exports = { install, watch, forget, any: () => any };
