'use strict';
// Loads the repository's own modules again and again, each time from nothing, with a candidate's text in place of a file's.
// What is unchanged is compiled once: the compiled function is called anew for every candidate. Packages and Node's own modules
// are loaded in the ordinary way, and once.

const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const url = require('node:url');
const vm = require('node:vm');

const parameters = ['exports', 'require', 'module', '__filename', '__dirname', '__fettle', '__fettleSeen', '__fettleURL'];
const sources = new Set(['.js', '.cjs', '.mjs', '.jsx', '.ts', '.cts', '.mts', '.tsx']);

// Unfit says that a source cannot be run here. It is about the source as it stands, or about a candidate's text.
// Tests may catch it; it is remembered.
class Unfit extends Error {
  static last = null;
  constructor(why) {
    super(why);
    Unfit.last ??= this;
  }
}

// Wanted says that a package can only be imported, which takes a moment; then all is to be done again.
class Wanted extends Error {
  constructor(request, parent) {
    super(`${request} has to be imported first`);
    this.request = request;
    this.parent = parent;
  }
}

class Loader {
  #root; // with a separator at its end
  #ask; // ask(file) is what is served in place of a source
  #step;
  #seen;
  #shims; // by name: modules that stand for others
  #files = new Map(); // by absolute path: {text, run, esm}
  #resolved = new Map(); // by folder, and what is asked for there
  #changed = new Map(); // by absolute path: the candidate's own
  #loaded = []; // absolute paths of this candidate's modules
  #imported = new Map(); // namespaces of packages that can only be imported
  #packages = Module._load;
  onBuiltin = () => {};
  names = []; // what names of modules stand for others: a pattern, and where to look: with $1 for its first group, or as a function says

  constructor({ root, ask, step, seen, shims }) {
    this.#root = root + path.sep;
    this.#ask = ask;
    this.#step = step;
    this.#seen = seen;
    this.#shims = shims;
    Module._load = (request, parent, main) => this.#request(request, parent, main);
    for (const extension of sources) Module._extensions[extension] ??= Module._extensions['.js']; // so that names without it are found
  }

  absolute(file) {
    return this.#root + file.split('/').join(path.sep);
  }

  relative(file) {
    return file.startsWith(this.#root) ? file.slice(this.#root.length).split(path.sep).join('/') : '';
  }

  // change lays a candidate over: of each file how much of its head and tail stays, and what stands between.
  change(changes) {
    this.#changed.clear();
    for (const { file, head, tail, text } of changes) {
      const name = this.absolute(file);
      const base = this.#file(name).text;
      this.#changed.set(name, { text: base.slice(0, head) + text + base.slice(base.length - tail), esm: this.#file(name).esm });
    }
    // What cannot be compiled need not be run.
    for (const [name, own] of this.#changed) own.run = this.#compile(name, own.text);
  }

  // reset forgets all modules of the repository.
  reset() {
    for (const name of this.#loaded) delete Module._cache[name];
    this.#loaded.length = 0;
  }

  // main runs a file as the program's own.
  main(file) {
    return this.#own(this.absolute(file), null);
  }

  loaded() {
    return this.#loaded.map((name) => this.relative(name)).filter(Boolean);
  }

  // fetch imports what could not be required.
  async fetch(wanted) {
    const resolve = await import(url.pathToFileURL(path.join(__dirname, 'resolve.mjs')));
    const parent = url.pathToFileURL(wanted.parent);
    this.#imported.set(wanted.request + '\0' + path.dirname(wanted.parent), await import(await resolve.from(wanted.request, parent.href)));
  }

  #file(name) {
    let own = this.#files.get(name);
    if (!own) {
      const answer = this.#ask(this.relative(name));
      if (answer.unfit) throw new Unfit(answer.unfit);
      own = { text: answer.text, esm: answer.esm, run: null };
      this.#files.set(name, own);
    }
    return own;
  }

  #compile(name, text) {
    return vm.compileFunction(text, parameters, { filename: name });
  }

  // owns tells the repository's own files from those of packages.
  owns(name) {
    return name.startsWith(this.#root) && !name.includes(`${path.sep}node_modules${path.sep}`) && path.isAbsolute(name);
  }

  // #own is a module of the repository.
  #own(name, parent) {
    const known = Module._cache[name];
    if (known) return known.exports;
    const module = new Module(name, parent ?? undefined);
    const dir = path.dirname(name);
    module.filename = name;
    module.paths = this.#paths(dir);
    Module._cache[name] = module;
    this.#loaded.push(name);
    const extension = path.extname(name);
    if (!sources.has(extension) && extension !== '') {
      module.load(name); // JSON and the like: read anew each time
      return module.exports;
    }
    const own = this.#changed.get(name) ?? this.#file(name);
    own.run ??= this.#compile(name, own.text);
    if (parent === null) {
      module.id = '.';
      process.mainModule = module;
    }
    try {
      own.run.call(own.esm ? undefined : module.exports, module.exports, this.#require(module, dir, own.esm), module, name, dir,
        this.#step, this.#seen, own.esm ? url.pathToFileURL(name).href : undefined);
      module.loaded = true;
    } catch (error) {
      delete Module._cache[name];
      throw error;
    }
    return module.exports;
  }

  #folders = new Map();
  #paths(dir) {
    let paths = this.#folders.get(dir);
    if (!paths) this.#folders.set(dir, (paths = Module._nodeModulePaths(dir)));
    return paths;
  }

  #require(module, dir, esm) {
    const require = (request) => (esm ? this.#importFor(request, module, dir) : this.#load(request, module, dir));
    require.resolve = (request, options) => Module._resolveFilename(request, module, false, options);
    require.main = process.mainModule;
    require.extensions = Module._extensions;
    require.cache = Module._cache;
    return require;
  }

  #load(request, module, dir) {
    const shim = this.#shims[request];
    if (shim) return shim;
    const key = dir + '\0' + request;
    let name = this.#resolved.get(key);
    if (name === undefined) {
      name = this.#meant(request, module);
      if (name === '' && (typeof request !== 'string' || Module.isBuiltin(request))) return this.#builtin(request, module);
      name ||= this.#resolve(request, module);
      this.#resolved.set(key, name);
    }
    return this.owns(name) ? this.#own(name, module) : this.#packages.call(Module, name, module, false);
  }

  // #meant is the file that a name stands for; '' where it stands for itself.
  #meant(request, module) {
    if (typeof request !== 'string') return '';
    const [form, places] = this.names.find(([form]) => form.test(request)) ?? [];
    if (!form) return '';
    const groups = form.exec(request);
    let failed;
    for (const place of places) {
      try {
        if (typeof place === 'function') return this.#resolve(place(request), module);
        return this.#resolve(place.replace(/\$(\d+)/g, (_, at) => groups[Number(at)] ?? ''), module);
      } catch (error) {
        failed = error;
      }
    }
    throw failed;
  }

  #builtin(request, module) {
    const exports = this.#packages.call(Module, request, module, false);
    this.onBuiltin(exports);
    return exports;
  }

  // #resolve also finds the TypeScript behind the name of the JavaScript that it would be compiled to.
  #resolve(request, module) {
    try {
      return Module._resolveFilename(request.startsWith('file:') ? url.fileURLToPath(request) : request, module, false);
    } catch (error) {
      const m = /^(\.{0,2}\/.*)\.([mc]?)js(x?)$/.exec(request);
      for (const x of m ? [m[3], 'x'] : []) {
        const name = path.resolve(path.dirname(module.filename), `${m[1]}.${m[2]}ts${x}`);
        if (fs.existsSync(name)) return name;
      }
      throw error;
    }
  }

  // #importFor is what an import gives: of a module that is none of ES its exports as the default, and by name.
  #importFor(request, module, dir) {
    const imported = this.#imported.get(request + '\0' + dir);
    if (imported) return esModule(imported);
    let exports;
    try {
      exports = this.#load(request, module, dir);
    } catch (error) {
      if (error.code !== 'ERR_REQUIRE_ESM' && error.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED' && error.code !== 'ERR_REQUIRE_ASYNC_MODULE') throw error;
      throw new Wanted(request, module.filename);
    }
    const name = this.#resolved.get(dir + '\0' + request);
    return name && this.owns(name) && this.#esm(name) ? exports : namespace(exports);
  }

  #esm(name) {
    return (this.#changed.get(name) ?? this.#files.get(name))?.esm;
  }

  // #request is a require that comes from a package, or from Node.
  #request(request, parent, main) {
    if (parent?.filename && this.#shims[request]) return this.#shims[request];
    const meant = parent?.filename ? this.#meant(request, parent) : '';
    if (meant !== '' || (parent?.filename && !Module.isBuiltin(request))) {
      const name = meant || Module._resolveFilename(request, parent, main);
      if (this.owns(name) && sources.has(path.extname(name))) return this.#own(name, parent);
    }
    return this.#packages.call(Module, meant || request, parent, main);
  }
}

const namespaces = new WeakMap();

// namespace is a CommonJS module as an import sees it. Names are read when they are used: they may be set later.
function namespace(exports) {
  if ((typeof exports !== 'object' && typeof exports !== 'function') || exports === null) return { __esModule: true, default: exports };
  let all = namespaces.get(exports);
  if (!all) {
    all = Object.create(null, { __esModule: { value: true }, default: { enumerable: true, get: () => exports } });
    for (const name of Object.keys(exports)) {
      if (name !== 'default') Object.defineProperty(all, name, { enumerable: true, get: () => exports[name] });
    }
    namespaces.set(exports, all);
  }
  return all;
}

const modules = new WeakMap();

// esModule marks the namespace of an imported package as what it is, for code that was made CommonJS.
function esModule(imported) {
  let all = modules.get(imported);
  if (!all) {
    all = Object.create(null, { __esModule: { value: true } });
    for (const name of Object.keys(imported)) Object.defineProperty(all, name, { enumerable: true, get: () => imported[name] });
    modules.set(imported, all);
  }
  return all;
}

module.exports = { Loader, Unfit, Wanted };
