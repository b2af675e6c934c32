'use strict';
// vitest, as far as it can be had in one process: expect and the spies are the user's own packages (@vitest/expect, @vitest/spy, chai);
// what declares and runs tests stands in words.cjs. Whatever else is asked of it makes the tests unfit for it.

const fs = require('node:fs');
const path = require('node:path');
const url = require('node:url');
const { createRequire } = require('node:module');
const { words } = require('./words.cjs');
const { Unfit } = require('./loader.cjs');
const { named } = require('./jest.cjs');

// What a configuration may not hold, by what it says: it is a program, and is only run where it says what names stand for.
const foreign = /\b(plugins|environment|setupFiles|globalSetup|define|poolMatchGlobs|environmentMatchGlobs|fakeTimers|sequence|runner|workspace|projects|css|server|deps|typecheck|browser|provide|env)\b/;

function create(config) {
  const own = createRequire(path.join(config.dir, 'package.json'));
  const home = path.dirname(own.resolve('vitest/package.json'));
  let globals = false;
  let configuration = '';
  let aliased = false;
  for (const name of fs.readdirSync(config.dir)) {
    if (!/^(vite|vitest)\.(config|workspace)\./.test(name)) continue;
    const text = fs.readFileSync(path.join(config.dir, name), 'utf8').replace(/\/\/.*|\/\*[^]*?\*\//g, '');
    const found = foreign.exec(text);
    if (found) throw new Error(`${name} speaks of ${found[0]}`);
    globals ||= /\bglobals\s*:\s*true/.test(text);
    aliased ||= /\balias\b/.test(text);
    if (name.includes('.config.') && !configuration.startsWith('vitest.')) configuration = name; // vitest's own comes before vite's
  }
  for (const word of config.words) {
    if (/^--(environment|config|root|dir|project|workspace|typecheck|browser)\b|^-[cr]$/.test(word)) throw new Error(`vitest is told ${word}`);
    globals ||= word === '--globals';
  }
  let vitest = null;
  let tools = null;
  let undo = [];
  const stubbed = [];

  const fresh = { assertionCalls: 0, isExpectingAssertions: false, isExpectingAssertionsError: null, expectedAssertionsNumber: null, expectedAssertionsNumberErrorGen: null };
  const said = words({
    timeout: 5000,
    hookPlain: 1,
    around: {
      begin(test) {
        undo = [];
        tools.setState({ ...fresh, testPath: '', currentTestName: test.path }, vitest.expect);
      },
      context: (test) => ({ task: { name: test.name }, expect: vitest.expect, skip: () => { throw new Unfit('context.skip is used'); }, onTestFinished: (fn) => undo.push(fn) }),
      async end(failed) {
        for (const fn of undo.reverse()) await fn();
        if (failed) return;
        const state = tools.getState(vitest.expect);
        if (state.expectedAssertionsNumber !== null && state.assertionCalls !== state.expectedAssertionsNumber) throw state.expectedAssertionsNumberErrorGen?.() ?? new Error('expected another number of assertions');
        if (state.isExpectingAssertions && state.assertionCalls === 0) throw state.isExpectingAssertionsError ?? new Error('expected any number of assertions');
      },
    },
  });
  const shims = {};

  // expecting makes vitest's own expect of its parts.
  function expecting({ expect: parts, chai }) {
    chai.use(parts.JestExtend);
    chai.use(parts.JestChaiExpect);
    chai.use(parts.JestAsymmetricMatchers);
    const expect = (value, message) => {
      const { assertionCalls } = parts.getState(expect);
      parts.setState({ assertionCalls: assertionCalls + 1 }, expect);
      return chai.expect(value, message);
    };
    Object.assign(expect, chai.expect, globalThis[parts.ASYMMETRIC_MATCHERS_OBJECT]);
    expect.getState = () => parts.getState(expect);
    expect.setState = (state) => parts.setState(state, expect);
    expect.extend = (matchers) => chai.expect.extend(expect, matchers);
    expect.addEqualityTesters = (all) => parts.addCustomEqualityTesters(all);
    expect.assert = chai.assert;
    expect.unreachable = (message) => chai.assert.fail(`expected${message ? ` "${message}" ` : ' '}not to be reached`);
    expect.assertions = (n) => expect.setState({ expectedAssertionsNumber: n, expectedAssertionsNumberErrorGen: () => new Error(`expected number of assertions to be ${n}`) });
    expect.hasAssertions = () => expect.setState({ isExpectingAssertions: true, isExpectingAssertionsError: new Error('expected any number of assertions') });
    for (const name of ['soft', 'poll', 'element', 'addSnapshotSerializer']) expect[name] = () => { throw new Unfit(`expect.${name} is used`); };
    for (const name of ['toMatchSnapshot', 'toMatchInlineSnapshot', 'toMatchFileSnapshot', 'toThrowErrorMatchingSnapshot', 'toThrowErrorMatchingInlineSnapshot']) {
      chai.Assertion.addMethod(name, () => { throw new Unfit('snapshots are used'); });
    }
    return expect;
  }

  function spies(spy) {
    const all = (what) => () => {
      for (const mock of spy.mocks) mock[what]();
      return vi;
    };
    const vi = new Proxy({
      fn: spy.fn, spyOn: spy.spyOn, isMockFunction: spy.isMockFunction, mocked: (value) => value,
      clearAllMocks: all('mockClear'), resetAllMocks: all('mockReset'), restoreAllMocks: all('mockRestore'),
      useRealTimers: () => vi, isFakeTimers: () => false, hoisted: (make) => make(),
      stubEnv: (name, value) => (stubbed.push([process.env, name, process.env[name]]), (process.env[name] = value), vi),
      stubGlobal: (name, value) => (stubbed.push([globalThis, name, globalThis[name]]), (globalThis[name] = value), vi),
      unstubAllEnvs: () => (unstub(), vi),
      unstubAllGlobals: () => (unstub(), vi),
      setConfig: () => {},
    }, {
      get(own, name) {
        if (name in own || typeof name === 'symbol' || name === 'then') return own[name];
        throw new Unfit(`vi.${name} is used`);
      },
    });
    return vi;
  }

  function unstub() {
    for (const [object, name, value] of stubbed.splice(0).reverse()) {
      if (value === undefined) delete object[name];
      else object[name] = value;
    }
  }

  return {
    runner: said.runner,
    shims,
    async ready(loader) {
      const { from } = await import(url.pathToFileURL(path.join(__dirname, 'resolve.mjs')));
      const parent = url.pathToFileURL(path.join(home, 'package.json')).href;
      const get = async (name) => import(await from(name, parent));
      const expect = await get('@vitest/expect');
      const chai = await get('chai');
      const spy = await get('@vitest/spy');
      tools = expect;
      const vi = spies(spy);
      vitest = { ...said.globals, expect: expecting({ expect, chai }), vi, vitest: vi, chai, assert: chai.assert, should: chai.should,
        onTestFinished: (fn) => undo.push(fn), onTestFailed: () => {}, expectTypeOf: () => anything, assertType: () => {} };
      this.spy = spy;
      shims.vitest = Object.assign(Object.create(null, { __esModule: { value: true } }), vitest);
      if (globals) Object.assign(globalThis, vitest);
      if (aliased) loader.names = aliases(config.dir, await (await get('vite')).loadConfigFromFile({ command: 'serve', mode: 'test' }, path.join(config.dir, configuration), config.dir, 'silent'));
    },
    begin() {
      said.runner.begin();
    },
    load(loader, file) {
      loader.main(file);
      this.file = file;
    },
    end() {
      for (const mock of this.spy.mocks) mock.mockRestore();
      this.spy.mocks.clear();
      unstub();
    },
    run(wanted, broken) {
      return named(this.file, said.runner, wanted, broken);
    },
  };
}

// aliases are what a configuration, as vite has read it, says that names stand for, in the loader's form.
function aliases(dir, { config }) {
  const listed = (all) => (Array.isArray(all) ? all : Object.entries(all ?? {}).map(([find, replacement]) => ({ find, replacement })));
  return [...listed(config.test?.alias), ...listed(config.resolve?.alias)].map(({ find, replacement, customResolver }) => {
    if (customResolver) throw new Error('a function resolves names');
    let form = find;
    if (typeof find === 'string') {
      if (find.endsWith('/') && replacement.endsWith('/')) [find, replacement] = [find.slice(0, -1), replacement.slice(0, -1)];
      form = new RegExp(`^${find.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?=/|$)`);
    }
    const meant = (request) => request.replace(find, replacement);
    return [form, [meant, (request) => path.join(dir, meant(request))]]; // what begins with / may begin at the project
  });
}

// anything takes every word that follows it: types are not judged at run time.
const anything = new Proxy(function () {}, { get: (_, name) => (name === 'then' ? undefined : anything), apply: () => anything });

module.exports = { create };
