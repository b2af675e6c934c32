'use strict';
// Preloaded (--require) into the user's own test run: tells what each process ran of the repository's sources, with the texts that ran, which a
// runner may have made of them. FETTLE_RECORD is a JSON file: {roots, dir}; a file for each process and thread is written to dir, a line of JSON for each text
// and then one for each time at which more of it had run.

const fs = require('node:fs');
const inspector = require('node:inspector');
const path = require('node:path');
const url = require('node:url');
const { MessagePort, isMainThread, threadId } = require('node:worker_threads');

const { roots, dir } = JSON.parse(fs.readFileSync(process.env.FETTLE_RECORD, 'utf8'));
const { appendFileSync } = fs; // tests may stand in for it
const name = path.join(dir, `${process.pid}-${threadId}.json`);
const session = new inspector.Session();
session.connect();

function post(method, params) {
  let answer;
  session.post(method, params, (error, result) => {
    if (error) throw new Error(error.message);
    answer = result;
  });
  return answer;
}

post('Profiler.enable');
post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

// source is the path of one of the repository's own sources, from its root; '' for everything else.
function source(address) {
  let file = address;
  if (address.startsWith('file:')) {
    try {
      file = url.fileURLToPath(address.split(/[?#]/)[0]);
    } catch {
      return '';
    }
  }
  const root = roots.find((folder) => file.startsWith(folder + path.sep));
  if (root === undefined || file.includes(`${path.sep}node_modules${path.sep}`)) return '';
  return file.slice(root.length + 1).split(path.sep).join('/');
}

// stretches are the parts of a function that ran, of its ranges, outer ones first.
function stretches(ranges) {
  const out = [];
  const open = [];
  let at = ranges[0].startOffset;
  const upTo = (to) => {
    if (open.at(-1)?.count > 0 && at < to) out.push([at, to]);
    at = Math.max(at, to);
  };
  const close = (before) => {
    while (open.length > 0 && open.at(-1).endOffset <= before) {
      upTo(open.at(-1).endOffset);
      open.pop();
    }
  };
  for (const range of ranges) {
    close(range.startOffset);
    upTo(range.startOffset);
    open.push(range);
  }
  close(Infinity);
  return out;
}

// joined are stretches of either.
function joined(one, other) {
  const out = [];
  for (const [from, to] of [...one, ...other].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

const scripts = new Map(); // by V8's number, of each function what of it ran, by its place

// more are the functions of a script that are new, or of which more ran than is known: their own place, and what of them ran. Counts begin anew each time:
// what ran is what ran in any of them.
function more(known, functions) {
  const all = [];
  for (const { ranges } of functions) {
    const { startOffset, endOffset } = ranges[0];
    const key = `${startOffset}-${endOffset}`;
    const had = known.get(key);
    const has = joined(had ?? [], stretches(ranges));
    if (had && had.length === has.length && had.every(([from, to], i) => from === has[i][0] && to === has[i][1])) continue;
    known.set(key, has);
    all.push([[startOffset, endOffset], ...has]);
  }
  return all;
}

// record writes down what has run since the last time.
function record() {
  const found = post('Profiler.takePreciseCoverage').result.map((script) => ({ ...script, file: source(script.url) })).filter(({ file }) => file !== '');
  const fresh = found.filter(({ scriptId }) => !scripts.has(scriptId));
  let lines = '';
  const tell = (line) => (lines += `${JSON.stringify(line)}\n`);
  if (fresh.length > 0) {
    post('Debugger.enable'); // to ask for texts, and no longer: what has a debugger stops where it is told to
    for (const { scriptId, file } of fresh) {
      scripts.set(scriptId, new Map());
      tell({ id: scriptId, file, text: post('Debugger.getScriptSource', { scriptId }).scriptSource });
    }
    post('Debugger.disable');
  }
  for (const { scriptId, functions } of found) {
    const ran = more(scripts.get(scriptId), functions);
    if (ran.length > 0) tell({ id: scriptId, ran });
  }
  if (lines !== '') appendFileSync(name, lines); // it may be ended meanwhile
}

process.on('exit', record);
if (isMainThread) {
  // Runners end their processes by a signal.
  process.on('SIGTERM', function ended() {
    record();
    process.off('SIGTERM', ended);
    if (process.listenerCount('SIGTERM') === 0) process.kill(process.pid, 'SIGTERM');
  });
} else {
  // A thread is ended without a word; what it says before may be its last.
  const { postMessage } = MessagePort.prototype;
  MessagePort.prototype.postMessage = function (...all) {
    record();
    return postMessage.apply(this, all);
  };
}
