'use strict';
// Preloaded (--require) into the user's own test run: tells what each process ran of the repository's sources, with the texts that ran, which a
// runner may have made of them. FETTLE_RECORD is a JSON file: {roots, dir}; a file for each process and thread is written to dir.

const fs = require('node:fs');
const inspector = require('node:inspector');
const path = require('node:path');
const url = require('node:url');
const { MessagePort, isMainThread, threadId } = require('node:worker_threads');

const { roots, dir } = JSON.parse(fs.readFileSync(process.env.FETTLE_RECORD, 'utf8'));
const { renameSync, writeFileSync } = fs; // tests may stand in for them
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

const scripts = new Map(); // by V8's number: {file, text, ran: each time that was looked, of each function its stretches}

// record writes down what has run so far.
function record() {
  const found = post('Profiler.takePreciseCoverage').result.map((script) => ({ ...script, file: source(script.url) })).filter(({ file }) => file !== '');
  const fresh = found.filter(({ scriptId }) => !scripts.has(scriptId));
  if (fresh.length > 0) {
    post('Debugger.enable'); // to ask for texts, and no longer: what has a debugger stops where it is told to
    for (const { scriptId, file } of fresh) scripts.set(scriptId, { file, text: post('Debugger.getScriptSource', { scriptId }).scriptSource, ran: [] });
    post('Debugger.disable');
  }
  for (const { scriptId, functions } of found) {
    // Counts begin anew each time: what ran is what ran in any of them.
    scripts.get(scriptId).ran.push(functions.map(({ ranges }) => ranges.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count > 0 ? 1 : 0])));
  }
  if (scripts.size === 0) return;
  writeFileSync(`${name}.part`, JSON.stringify([...scripts.values()])); // it may be ended meanwhile
  renameSync(`${name}.part`, name);
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
