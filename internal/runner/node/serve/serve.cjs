'use strict';
// Runs tests for fettle, again and again in one process. Started with the name of a JSON file: {root, dialect, mark, trace, …}.
//
// Requests:  {do: "plan", files: [{file, targets: [id], passing: [id]}], fuel}   which tests are meant from now on
//            {do: "base"}                                        how they come out, and what they use, as the sources stand
//            {do: "try", all: [[{file, head, tail, text}]], fuel, ms}   candidates
//            {do: "run", file, id}                               one test, with all that it ran
//            {do: "listen", changes, fuel, ms}                   what functions are called with that tell __fettle.heard or __fettle.method
//            {do: "answer", changes, calls: [{name, self, args}]}     what comes of such calls
// Questions: {ask: file}      what is to run in place of a source; the answer is {text, esm, marks} or {unfit}
// Answers stand in order of the requests.

const fs = require('node:fs');
const config = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));

const guard = require('./guard.cjs');
const { Wire } = require('./wire.cjs');
const { World } = require('./world.cjs');
const processes = require('./processes.cjs');
const { Loader, Unfit, Wanted } = require('./loader.cjs');
const { Comparison } = require('./compare.cjs');

const wire = new Wire(config.mark);
const world = new World();
const trace = config.trace ? new (require('./trace.cjs').Trace)() : null;
guard.install();
const dialect = require(`./${config.dialect}.cjs`).create(config);
const loader = new Loader({
  root: fs.realpathSync(config.root),
  ask: (file) => (trace ? trace.serve(file, wire.ask({ ask: file })) : wire.ask({ ask: file })),
  step: guard.step,
  seen: trace?.seen ?? ((_, value) => value),
  shims: dialect.shims,
});
loader.onBuiltin = (module) => world.add(module);

const comparison = new Comparison();
guard.step.heard = comparison.heard;
guard.step.method = comparison.method;

let plan = null;

// Errors that nobody waited for belong to the test that is under way.
const blame = (kind) => (error) => dialect.runner.interrupt?.(error ?? new Error('failed'), kind);
for (const kind of ['uncaughtException', 'unhandledRejection']) process.on(kind, blame(kind));
const listeners = new Map(process.eventNames().map((name) => [name, process.listeners(name)]));

// When nothing is left to wait for, what is waited for never comes.
const idle = () => {
  const error = new Error('nothing is left that could settle the promise that the test waits for');
  if (dialect.runner.idle) dialect.runner.idle(error);
  else dialect.runner.interrupt?.(error);
};
process.on('beforeExit', () => guard.immediately(idle));
processes.install();

// turn lets what the last tests have put off happen while nobody listens to it yet: a file has a process of its own in the user's run.
const turn = () => new Promise(guard.immediately);
let rested = false; // nothing has run since the last turn

// runFile loads a test file from nothing and runs the wanted tests in it. Outcomes are by id: null for a pass, else the error.
async function runFile(file, wanted) {
  if (!rested) await turn();
  rested = false;
  loader.reset();
  dialect.begin();
  Unfit.last = null;
  let broken = null;
  try {
    await dialect.load(loader, file);
  } catch (error) {
    if (error instanceof Unfit || error instanceof Wanted) throw error;
    broken = { error };
  }
  const whole = wanted.has(file);
  const outcomes = new Map(await dialect.run(whole ? null : wanted, Boolean(broken)));
  if (Unfit.last) throw Unfit.last;
  if (whole) {
    const failed = [...outcomes.values()].find((error) => error !== null);
    outcomes.set(file, broken ? broken.error : failed ?? null);
  }
  return { outcomes, broken };
}

// patiently runs a file, and imports meanwhile what can only be imported.
async function patiently(file, wanted) {
  for (let rounds = 0; ; rounds++) {
    try {
      return await runFile(file, wanted);
    } catch (error) {
      if (!(error instanceof Wanted) || rounds > 50) throw error;
      await loader.fetch(error);
    }
  }
}

const few = 16; // targets that tell whether a candidate heals any, where there are more

// spread is some of a set, evenly from its beginning to its end.
function spread(set, n) {
  const all = [...set];
  return new Set(Array.from({ length: n }, (_, k) => all[Math.floor((k * all.length) / n)]));
}

// stage runs the tests of one kind ("targets", "passing") in all files, or some of each: then it was not whole. What it gives is the positions of
// those that passed.
async function stage(kind, first, { fuel, ms }, most = Infinity) {
  guard.begin(fuel, ms);
  const passed = [];
  let broken = false;
  let whole = true;
  for (const [i, f] of plan.files.entries()) {
    if (f[kind].size === 0 || (broken && !first)) continue;
    const wanted = f[kind].size > most && !f[kind].has(f.file) ? spread(f[kind], most) : f[kind];
    whole &&= wanted === f[kind];
    const r = await patiently(f.file, wanted);
    if (r.broken && !f.broken) broken = true;
    let missing = false;
    [...f[kind]].forEach((id, at) => {
      if (!wanted.has(id)) return;
      if (r.outcomes.get(id) === null) passed.push([i, at]);
      else if (kind === 'targets' && !r.outcomes.has(id)) missing = true;
      else if (kind === 'passing') broken = true;
    });
    if (guard.bound()) break;
    if (missing && !r.broken) passed.push(...(await gone(f, i)));
  }
  return { passed, broken, whole };
}

// gone are the targets that a file does not declare any more: some tests are only made where something has gone wrong. They count as
// passed when all that is left passes.
async function gone(f, i) {
  const all = new Set([...f.targets, ...f.passing, f.file]);
  const { outcomes, broken } = await patiently(f.file, all);
  if (broken || outcomes.get(f.file) !== null || outcomes.size < 2) return [];
  return [...f.targets].flatMap((id, at) => (outcomes.has(id) ? [] : [[i, at]]));
}

// clean ends what the last tests have left behind, and lets errors come to light that belong to them.
async function clean() {
  guard.begin(Infinity);
  dialect.end?.();
  await turn();
  rested = true;
  guard.forget();
  processes.forget();
  for (const name of process.eventNames()) {
    const mine = listeners.get(name) ?? [];
    for (const listener of process.listeners(name)) {
      if (!mine.includes(listener) && name !== 'beforeExit' && name !== 'newListener') process.off(name, listener);
    }
  }
  return world.after();
}

// try_ tries one candidate, which may take so many steps and so much time for them.
async function try_(changes, bounds) {
  try {
    loader.change(changes);
  } catch (error) {
    return { unbuilt: String(error.message) };
  }
  const answer = { targets: [], bound: '' };
  try {
    let one = await stage('targets', true, bounds, few);
    if (!one.whole && one.passed.length > 0 && !guard.bound()) one = await stage('targets', true, bounds);
    answer.targets = one.passed;
    answer.odd = one.broken;
    answer.bound = guard.bound();
    if (answer.targets.length > 0 && !answer.bound) {
      const two = await stage('passing', false, bounds);
      answer.passing = two.passed;
      answer.odd ||= two.broken;
      answer.bound = guard.bound();
    }
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    answer.bound = 'unfit';
  }
  return answer;
}

let resources = 0;
const held = () => process.getActiveResourcesInfo().length;

function stacks(limit) {
  Error.stackTraceLimit = limit;
  world.renew(Error);
}

const count = (report) => report.files.reduce((n, f) => n + f.passing.length, 0);

// measure runs all tests of the plan as the sources stand.
async function measure() {
  loader.change([]);
  const began = performance.now();
  const report = { files: [] };
  for (const f of plan.files) {
    processes.watch();
    guard.begin(Math.min(plan.first, plan.fuel));
    const targets = f.targets.size ? await patiently(f.file, f.targets) : null;
    const said = { targets: [], passing: [], errors: [], bound: guard.bound(), used: guard.bound() ? 0 : guard.used() };
    f.broken = Boolean(targets?.broken);
    [...f.targets].forEach((id, at) => {
      const error = targets.outcomes.get(id);
      if (error === null && !said.bound) said.targets.push(at); // one that ran dry may have caught that, and gone on
      else said.errors.push(String(error?.message ?? error ?? targets.broken?.error?.message ?? ''));
    });
    const loaded = new Set(loader.loaded());
    await clean();
    guard.begin(plan.fuel);
    if (f.passing.size) {
      const r = await patiently(f.file, f.passing);
      f.broken ||= Boolean(r.broken);
      [...f.passing].forEach((id, at) => r.outcomes.get(id) === null && said.passing.push(at));
      if (!guard.bound()) said.used = Math.max(said.used, guard.used());
      for (const name of loader.loaded()) loaded.add(name);
    }
    said.loaded = [...loaded];
    said.broken = f.broken;
    await clean();
    said.started = processes.any();
    report.files.push(said);
  }
  report.ms = performance.now() - began;
  return report;
}

const doings = {
  plan(request) {
    plan = request;
    for (const f of plan.files) {
      f.targets = new Set(f.targets);
      f.passing = new Set(f.passing);
    }
    return { ok: true };
  },

  // Stacks cost more than all the rest, and nobody reads those of candidates. Tests that do need them are given them.
  async base() {
    let report = await measure();
    if (report.files.some((f, i) => f.passing.length < plan.files[i].passing.size)) {
      stacks(10);
      const other = await measure();
      if (count(other) > count(report)) report = other;
      else stacks(0);
    }
    world.learn();
    world.settle();
    resources = held();
    return report;
  },

  // What comes of each candidate is said at once, so that it is known which one a process hangs in, or ends.
  async try({ all, ...bounds }) {
    let whole = true;
    for (const changes of all) {
      wire.send({ part: await try_(changes, bounds) });
      whole = (await clean()) && held() <= resources && whole;
      if (!whole) break;
    }
    const spoiled = world.spoiled();
    return { spoiled: spoiled || !whole, left: !whole };
  },

  async run({ file, id, fuel }) {
    loader.change([]);
    guard.begin(fuel);
    trace.begin();
    const began = performance.now();
    const r = await patiently(file, new Set([id]));
    const outcome = r.outcomes.has(id) ? r.outcomes.get(id) : r.broken ? r.broken.error : undefined;
    const ms = performance.now() - began;
    const lines = trace.end((name) => loader.relative(name));
    const answer = { lines, ms, bound: guard.bound() };
    if (outcome === undefined) answer.missing = true;
    else if (outcome !== null) answer.error = stackOf(outcome);
    await clean();
    return answer;
  },

  types() {
    return { types: trace.types() };
  },

  async listen({ changes, ...bounds }) {
    loader.change(changes);
    comparison.listen();
    await stage('targets', true, bounds);
    await stage('passing', false, bounds);
    await clean();
    return { calls: comparison.noted() };
  },

  // The sources are loaded by the tests' own files, of which no test is run.
  async answer({ changes, calls, ...bounds }) {
    loader.change(changes);
    comparison.begin();
    guard.begin(bounds.fuel, bounds.ms);
    for (const f of plan.files) await patiently(f.file, new Set());
    const answers = comparison.answers(calls);
    await clean();
    return { answers };
  },
};

// stackOf is the text of an error, the errors behind it included.
function stackOf(error) {
  let text = '';
  for (let depth = 0; error != null && depth < 5; depth++) {
    text += `${error?.stack ?? error}\n`;
    error = error?.cause;
  }
  return text;
}

async function serve() {
  await dialect.ready?.(loader);
  Error.stackTraceLimit = trace ? 50 : 0;
  world.note();
  wire.send({ ready: process.versions.node });
  for (let request = wire.receive(); request !== null; request = wire.receive()) {
    let answer;
    try {
      answer = await doings[request.do](request);
    } catch (error) {
      answer = { unfit: error instanceof Unfit ? error.message : String(error?.stack ?? error) };
    }
    wire.send(answer);
  }
  guard.leave(0);
}

serve().catch((error) => {
  wire.send({ unfit: String(error?.stack ?? error) });
  guard.leave(1);
});
