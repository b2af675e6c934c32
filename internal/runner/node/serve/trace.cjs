'use strict';
// Tells what ran and what was seen: V8's own counts of blocks, and the types of values at places that fettle has put marks at.

const inspector = require('node:inspector');

class Trace {
  #session = new inspector.Session();
  #types = new Map(); // by mark: names of types
  #texts = new Map(); // by file: the text that runs, and which lines of the source its places stand for

  constructor() {
    this.#session.connect();
    this.#post('Profiler.enable');
    this.#post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    this.seen = (mark, value) => {
      let types = this.#types.get(mark);
      if (!types) this.#types.set(mark, (types = new Set()));
      if (types.size < 8) types.add(typeName(value));
      return value;
    };
  }

  #post(method, params) {
    let answer;
    this.#session.post(method, params, (error, result) => {
      if (error) throw new Error(error.message);
      answer = result;
    });
    return answer;
  }

  // serve takes note of a text that is about to run.
  serve(file, answer) {
    this.#texts.set(file, { text: answer.text, marks: answer.marks ?? lineStarts(answer.text) });
    return answer;
  }

  // begin forgets what has run so far.
  begin() {
    this.#post('Profiler.takePreciseCoverage');
  }

  // end is what has run since begin: by file the lines, in order.
  end(relative) {
    const lines = {};
    for (const script of this.#post('Profiler.takePreciseCoverage').result) {
      const file = relative(script.url.startsWith('file:') ? require('node:url').fileURLToPath(script.url) : script.url);
      const known = file && this.#texts.get(file);
      if (!known) continue;
      const ran = new Uint8Array(known.text.length + 1);
      for (const { ranges } of script.functions) {
        for (const { startOffset, endOffset, count } of ranges) ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
      }
      const all = new Set();
      for (const [at, line] of known.marks) if (ran[at]) all.add(line);
      if (all.size > 0) lines[file] = [...all].sort((a, b) => a - b);
    }
    return lines;
  }

  // types is what was seen so far, by mark.
  types() {
    return [...this.#types].map(([mark, types]) => [mark, [...types].sort()]);
  }
}

// lineStarts are the places of the first visible character of each line.
function lineStarts(text) {
  const marks = [];
  let line = 1;
  const visible = /\S|\n/g;
  let open = true;
  for (let m = visible.exec(text); m; m = visible.exec(text)) {
    if (m[0] === '\n') {
      line++;
      open = true;
    } else if (open) {
      marks.push([m.index, line]);
      open = false;
    }
  }
  return marks;
}

// typeName is a value's type in words: what typeof says, and the class of objects.
function typeName(value, deep = true) {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  try {
    if (Array.isArray(value)) {
      if (!deep || value.length === 0) return 'Array';
      const inner = new Set();
      for (let i = 0; i < value.length && i < 16; i++) inner.add(typeName(value[i], false));
      return inner.size === 1 ? `Array<${[...inner][0]}>` : 'Array';
    }
    const name = Object.getPrototypeOf(value)?.constructor?.name;
    return typeof name === 'string' && name !== '' ? name : 'Object';
  } catch {
    return 'Object';
  }
}

module.exports = { Trace };
