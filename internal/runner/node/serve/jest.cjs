'use strict';
// jest, as far as it can be had in one process: expect and the mock functions are the user's own packages; what declares and runs tests
// stands in words.cjs. Whatever else is asked of it (mocked modules, fake timers, snapshots, another environment than Node's) makes
// the tests unfit for it.

const path = require('node:path');
const { createRequire } = require('node:module');
const { words } = require('./words.cjs');
const { Unfit } = require('./loader.cjs');

// find looks for a package of jest's own from where jest itself would.
function find(own, name) {
  let from = own;
  for (const step of ['jest', 'jest-cli', '@jest/core', 'jest-runner', 'jest-circus', '@jest/expect']) {
    try {
      return from(name);
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error;
    }
    try {
      from = createRequire(from.resolve(`${step}/package.json`));
    } catch {
      // It is installed in another way; the next may be found from here.
    }
  }
  return from(name);
}

// unfit says why a configuration cannot be taken over; "" if it can.
function unfit(project, global, own) {
  const same = (file, name) => {
    try {
      return file === find(own, name + '/package.json') || file.includes(`${path.sep}${name}${path.sep}`);
    } catch {
      return false;
    }
  };
  if (!same(project.testEnvironment, 'jest-environment-node')) return `the environment of the tests is ${path.basename(project.testEnvironment)}`;
  for (const key of ['snapshotSerializers', 'unmockedModulePathPatterns', 'modulePaths']) {
    if (project[key]?.length) return `jest's ${key} is set`;
  }
  for (const key of ['automock', 'resolver', 'globalSetup', 'globalTeardown', 'dependencyExtractor', 'injectGlobals']) {
    if (key === 'injectGlobals' ? project[key] === false : project[key]) return `jest's ${key} is set`;
  }
  if (global.globalSetup || global.globalTeardown) return "jest's globalSetup is set";
  if (project.fakeTimers?.enableGlobally) return "jest's timers are faked";
  const other = project.transform.find(([, file]) => !/[\\/](babel-jest|ts-jest|@swc[\\/]jest|esbuild-jest)[\\/]/.test(file));
  return other ? `sources are transformed by ${other[1]}` : '';
}

function create(config) {
  const own = createRequire(path.join(config.dir, 'package.json'));
  const { expect } = find(own, 'expect');
  const { ModuleMocker } = find(own, 'jest-mock');
  const { readConfig } = find(own, 'jest-config');
  const { format } = find(own, 'pretty-format');
  const mocker = new ModuleMocker(globalThis);
  let project = {};
  let limit = 5000;
  let retries = 0;

  const said = words({
    get timeout() { return limit; },
    pretty: (value) => format(value, { maxDepth: 1, min: true }),
    around: {
      retries: () => retries,
      begin(test) {
        if (project.clearMocks) mocker.clearAllMocks();
        if (project.resetMocks) mocker.resetAllMocks();
        if (project.restoreMocks) mocker.restoreAllMocks();
        expect.setState({ assertionCalls: 0, expectedAssertionsNumber: null, expectedAssertionsNumberError: undefined, isExpectingAssertions: false,
          isExpectingAssertionsError: undefined, numPassingAsserts: 0, suppressedErrors: [], currentTestName: test.path.replaceAll(' > ', ' '), testFailing: test.fails });
      },
      end() {
        const { suppressedErrors } = expect.getState();
        if (suppressedErrors?.length) throw suppressedErrors[0];
        for (const { error } of expect.extractExpectedAssertionsErrors()) throw error;
      },
    },
  });

  const jest = new Proxy({
    fn: (...args) => mocker.fn(...args),
    spyOn: (...args) => mocker.spyOn(...args),
    replaceProperty: (...args) => mocker.replaceProperty(...args),
    mocked: (value) => value,
    isMockFunction: (value) => mocker.isMockFunction(value),
    clearAllMocks: () => (mocker.clearAllMocks(), jest),
    resetAllMocks: () => (mocker.resetAllMocks(), jest),
    restoreAllMocks: () => (mocker.restoreAllMocks(), jest),
    useRealTimers: () => jest,
    unmock: () => jest,
    autoMockOff: () => jest,
    disableAutomock: () => jest,
    setTimeout: (ms) => ((limit = ms), jest),
    retryTimes: (n) => ((retries = n), jest),
    now: () => Date.now(),
  }, {
    get(all, name) {
      if (name in all || typeof name === 'symbol' || name === 'then') return all[name];
      throw new Unfit(`jest.${name} is used`);
    },
  });
  const globals = { ...said.globals, expect, jest };
  for (const matcher of ['toMatchSnapshot', 'toMatchInlineSnapshot', 'toThrowErrorMatchingSnapshot', 'toThrowErrorMatchingInlineSnapshot']) {
    expect.extend({ [matcher]() { throw new Unfit('snapshots are used'); } });
  }
  Object.assign(globalThis, globals);

  return {
    runner: said.runner,
    shims: { '@jest/globals': globals },
    async ready(loader) {
      const read = await readConfig({ $0: 'jest', _: [], ...configured(config.words) }, config.dir);
      project = read.projectConfig;
      const why = unfit(project, read.globalConfig, own);
      if (why) throw new Error(why);
      limit = read.globalConfig.testTimeout ?? project.testTimeout ?? 5000;
      this.usual = limit;
      Object.assign(globalThis, project.globals);
      loader.names = (project.moduleNameMapper ?? []).map(([form, places]) => [new RegExp(form), [places].flat()]);
      this.before = [];
      for (const file of [...(project.setupFiles ?? []), ...(project.setupFilesAfterEnv ?? [])]) {
        if (loader.owns(file)) this.before.push(loader.relative(file));
        else own(file); // a package's: what it sets up stays
      }
    },
    begin() {
      limit = this.usual;
      retries = 0;
      said.runner.begin();
    },
    load(loader, file) {
      for (const name of this.before) loader.main(name);
      loader.main(file);
      this.file = file;
    },
    end() {
      mocker.restoreAllMocks();
      mocker.resetAllMocks();
    },
    run(wanted, broken) {
      return named(this.file, said.runner, wanted, broken);
    },
  };
}

// configured are the words of the command line that say which configuration holds.
function configured(args) {
  const out = {};
  args.forEach((word, i) => {
    const [name, value] = word.split(/=(.*)/s);
    if (name === '-c' || name === '--config') out.config = value ?? args[i + 1];
    if (name === '--env' || name === '--testEnvironment') out.testEnvironment = value ?? args[i + 1];
  });
  return out;
}

// named runs tests whose ids begin with their file. Where a file breaks, none of its tests is run.
async function named(file, runner, wanted, broken) {
  const outcomes = new Map();
  if (broken) return outcomes;
  const prefix = `${file}::`;
  const paths = wanted && new Set([...wanted].map((id) => (id.startsWith(prefix) ? id.slice(prefix.length) : id)));
  for (const [at, error] of await runner.run(paths)) outcomes.set(prefix + at, error);
  return outcomes;
}

module.exports = { create, named, configured };
