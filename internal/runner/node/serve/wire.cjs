'use strict';
// The line between fettle and this process: one JSON value a line, requests on stdin, answers on stdout behind a mark, because
// the tests may print there too.
//
// Requests are read without the event loop: while tests run, nothing of ours keeps the loop alive, so that "nothing is left
// that could settle this promise" can be told from "it takes long".

const fs = require('node:fs');

const write = fs.writeSync.bind(fs);
const read = fs.readSync.bind(fs);

class Wire {
  #mark;
  #chunks = []; // of a line that has not ended yet
  #lines = [];
  #buffer = Buffer.allocUnsafe(1 << 16);
  #pause = new Int32Array(new SharedArrayBuffer(4));

  constructor(mark) {
    this.#mark = mark;
  }

  // send writes one answer, whole.
  send(value) {
    const bytes = Buffer.from(this.#mark + JSON.stringify(value) + '\n');
    for (let at = 0; at < bytes.length; ) at += this.#patiently(() => write(1, bytes, at));
  }

  // receive waits for the next request; null at the end.
  receive() {
    while (this.#lines.length === 0) {
      const n = this.#patiently(() => read(0, this.#buffer, 0, this.#buffer.length, null));
      if (n === 0) return null;
      this.#take(Buffer.from(this.#buffer.subarray(0, n)));
    }
    return JSON.parse(this.#lines.shift());
  }

  // ask sends a question and waits for the answer to it. Requests that were under way stay in order behind it.
  ask(question) {
    this.send(question);
    const before = this.#lines;
    this.#lines = [];
    const answer = this.receive();
    this.#lines = before.concat(this.#lines);
    return answer;
  }

  #take(bytes) {
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      this.#chunks.push(bytes.subarray(from, at));
      this.#lines.push(Buffer.concat(this.#chunks).toString());
      this.#chunks = [];
      from = at + 1;
    }
    if (from < bytes.length) this.#chunks.push(bytes.subarray(from));
  }

  // patiently does what may find a stream that is not ready: whoever started us decides whether streams block.
  #patiently(act) {
    for (;;) {
      try {
        return act();
      } catch (error) {
        if (error.code === 'EOF') return 0;
        if (error.code !== 'EAGAIN') throw error;
        Atomics.wait(this.#pause, 0, 0, 1);
      }
    }
  }
}

module.exports = { Wire };
