'use strict';
// What one candidate must not leave to the next: the properties of the global object, of what the language has built in, of Node's
// own modules, and of the process. What was changed is put back. A change that the unchanged sources do not make, and that is seen
// late, spoils the answers since the last look: they are asked for again elsewhere.

const same = Object.is;

// Thing is an object with the properties that it has to have.
class Thing {
  constructor(object) {
    this.object = object;
    this.keys = Reflect.ownKeys(object);
    this.own = this.keys.map((key) => Object.getOwnPropertyDescriptor(object, key));
    this.data = this.own.map((d) => 'value' in d);
    this.prototype = Object.getPrototypeOf(object);
  }

  // kept reports whether nothing has changed. Accessors are looked at only as to whether they are there.
  kept() {
    const { object, own, data } = this;
    const keys = Reflect.ownKeys(object);
    if (keys.length !== this.keys.length) return false;
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] !== this.keys[i]) return false;
      if (data[i] && !same(own[i].value, object[keys[i]])) return false;
    }
    return Object.getPrototypeOf(object) === this.prototype;
  }

  // restore puts everything back, and reports whether that could be done.
  restore() {
    const { object } = this;
    const known = new Set(this.keys);
    let whole = Object.getPrototypeOf(object) === this.prototype || Reflect.setPrototypeOf(object, this.prototype);
    for (const key of Reflect.ownKeys(object)) {
      if (!known.has(key)) whole = Reflect.deleteProperty(object, key) && whole;
    }
    this.keys.forEach((key, i) => {
      const now = Object.getOwnPropertyDescriptor(object, key);
      const was = this.own[i];
      if (now && same(now.value, was.value) && now.get === was.get && now.set === was.set) return;
      whole = Reflect.defineProperty(object, key, was) && whole;
    });
    // The order of properties can be seen, and where it has changed, it would be found changed for ever.
    if (whole && !this.kept()) this.keys = Reflect.ownKeys(object), this.own = this.keys.map((key) => Object.getOwnPropertyDescriptor(object, key)), this.data = this.own.map((d) => 'value' in d);
    return whole;
  }
}

class World {
  #things = new Map(); // by object
  #hot = new Set(); // those that the unchanged sources, too, change
  #global;
  #names = []; // the global object's, as far as they can be enumerated
  #env = null;
  #cwd = process.cwd();

  // note takes down how things are now.
  note() {
    const iterator = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
    const generator = Object.getPrototypeOf(function* () {});
    for (const object of [iterator, generator, generator.prototype, Object.getPrototypeOf(Int8Array), Object.getPrototypeOf(Int8Array.prototype)]) this.add(object);
    for (const key of Reflect.ownKeys(globalThis)) {
      const { value } = Object.getOwnPropertyDescriptor(globalThis, key);
      if (value === globalThis || value === null || (typeof value !== 'function' && typeof value !== 'object')) continue;
      this.add(value);
      if (typeof value === 'function' && value.prototype) this.add(value.prototype);
    }
    this.#global = new Thing(globalThis);
    this.#env = JSON.stringify(process.env);
  }

  // add has another object looked after: a module of Node's.
  add(object) {
    if (object === null || (typeof object !== 'function' && typeof object !== 'object') || this.#things.has(object)) return;
    this.#things.set(object, new Thing(object));
  }

  // renew takes an object as it is now.
  renew(object) {
    this.#things.delete(object);
    this.add(object);
  }

  // learn is called after the unchanged sources have run: what they changed is put back from now on after every candidate.
  learn() {
    for (const [object, thing] of this.#things) {
      if (thing.kept()) continue;
      this.#hot.add(thing);
      if (!thing.restore()) this.#things.delete(object);
    }
    this.#global.restore();
    this.#names = Object.keys(globalThis);
  }

  // after puts back what can be seen at once. What it gives is false when that failed.
  after() {
    let whole = true;
    for (const thing of this.#hot) {
      if (!thing.kept()) whole = thing.restore() && whole;
    }
    return this.#quick() && whole;
  }

  // #quick looks at what is seen cheaply and happens often: a variable that nobody has declared.
  #quick() {
    if (process.exitCode !== undefined) process.exitCode = undefined;
    const names = Object.keys(globalThis);
    if (names.length === this.#names.length && names.every((name, i) => name === this.#names[i])) return true;
    const whole = this.#global.restore();
    this.#names = Object.keys(globalThis);
    return whole;
  }

  // spoiled looks at everything, and reports whether anything was changed.
  spoiled() {
    if (process.cwd() !== this.#cwd) return true;
    if (!this.#global.kept()) return true;
    for (const thing of this.#things.values()) {
      if (!thing.kept()) return true;
    }
    return JSON.stringify(process.env) !== this.#env;
  }

  // settle takes the process's variables and folder as they are after the unchanged sources have run.
  settle() {
    process.chdir(this.#cwd);
    this.#env = JSON.stringify(process.env);
  }
}

module.exports = { World };
