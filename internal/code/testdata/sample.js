const fs = require('fs'), {a, b: c} = require('x');
import q, {w as e} from './y.js';
class A extends B { #p = 1; constructor(x = 1, ...r) { super(x); this.y = x; } get z() { return !this.y; } static async m() { await f(); } }
const g = (a, b) => a + b, h = x => { return x ?? 1 };
function f({k}, [l]) {
  let i, s = `a${b}c`, t = /x/g, o = {a: 1, b, ...c, m() {}}, arr = [1, , ...z];
  if (a === b && !c || typeof d === 'string') return a ? b : -c; else if (x) { y++ } else { --z; }
  for (let i = 0; i < arr.length; i++) { arr[i] += 1; continue; }
  for (const k in o) {} for (const v of arr) {}
  while (x) { break; } do { x = y } while (z);
  switch (a) { case 1: f(); break; default: }
  try { throw new Error("x") } catch (e) { } finally { }
  a?.b?.[c](1, ...d); x = y = 3; [a, b] = [b, a]; delete o.a; label: for (;;) {}
  return;
}
module.exports = { f };
