'use strict';
// Preloaded (--require) into the user's own test run: some files of the repository read as a candidate has them. Nothing on the disk
// changes, so that runs can go side by side. FETTLE_OVERLAY is a JSON file: {"files": {absolute path: path of the text}}.

const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const url = require('node:url');

const { files } = JSON.parse(fs.readFileSync(process.env.FETTLE_OVERLAY, 'utf8'));
const where = new Map(Object.entries(files));

// instead is the file to read for another one.
function instead(file) {
  if (typeof file === 'number') return file;
  let name = file;
  if (file instanceof URL) name = file.protocol === 'file:' ? url.fileURLToPath(file) : '';
  else if (Buffer.isBuffer(file)) name = file.toString();
  if (typeof name !== 'string' || name === '') return file;
  return where.get(path.resolve(name)) ?? file;
}

function replace(module, name) {
  const real = module[name];
  if (typeof real !== 'function') return;
  const own = function (file, ...rest) {
    return real.call(this, instead(file), ...rest);
  };
  module[name] = Object.assign(own, real);
}

for (const name of ['readFileSync', 'readFile', 'openSync', 'open', 'createReadStream', 'statSync', 'stat', 'lstatSync', 'lstat']) replace(fs, name);
for (const name of ['readFile', 'open', 'stat', 'lstat']) replace(fs.promises, name);
Module.syncBuiltinESMExports();

// Node reads modules of ES by means that cannot be replaced like this.
if (Module.registerHooks) {
  Module.registerHooks({
    load(address, context, next) {
      const loaded = next(address, context);
      const to = address.startsWith('file:') && where.get(url.fileURLToPath(address.split(/[?#]/)[0]));
      return to && loaded.source != null ? { ...loaded, source: fs.readFileSync(to, 'utf8') } : loaded;
    },
  });
} else if (Module.register && require('node:worker_threads').isMainThread) {
  Module.register(url.pathToFileURL(path.join(__dirname, 'overlay-hooks.mjs')), { data: files });
}
