package audit_test

import "testing"

// TestUnheard are assertions of JavaScript that are written where nobody hears of them when they fail, and others that only look so.
func TestUnheard(t *testing.T) {
	const (
		js  = "const { add, load } = require('./calc');\n\ntest('adds', async () => {\n  const got = await load(2, 3);\n  expect(got).toBe(5);\n});\n"
		old = "  expect(got).toBe(5);"
		cb  = "const { add } = require('./calc');\n\nit('adds', (done) => {\n  const got = add(2, 3);\n  expect(got).toBe(5);\n  done();\n});\n"
		pro = "it('loads', async () => {\n  await expect(load(1)).resolves.toBe(5);\n  await expect(load(0)).rejects.toThrow('none');\n});\n"
		ret = "it('loads', () => {\n  return load(1).then((got) => {\n    expect(got).toBe(5);\n  });\n});\n"
		all = "it('loads', async () => {\n  await Promise.all(items.map(async (i) => {\n    expect(await load(i)).toBe(5);\n  }));\n});\n"
		nod = "const assert = require('node:assert');\n\ntest('loads', async (t) => {\n  await assert.rejects(load(0), /none/);\n  assert.equal(await load(1), 5);\n});\n"
		tsx = "it('shows', async () => {\n  render(<Sum a={2} />);\n  await waitFor(() => expect(screen.getByText('5')).toBeVisible());\n  await waitFor(() => { expect(sum()).toBe(5); });\n});\n"
	)
	const weak, fine = "weakened-test", ""
	for _, c := range []struct {
		change
		want string
	}{
		// Later.
		{change{"in a timer", "calc.test.js", js, old, "  setTimeout(() => expect(got).toBe(5), 0);"}, weak},
		{change{"in a timer's block", "calc.test.ts", js, old, "  setTimeout(() => {\n    expect(got).toBe(5);\n  });"}, weak},
		{change{"in a timer of the window", "calc.test.js", js, old, "  window.setTimeout(function () { expect(got).toBe(5); }, 10);"}, weak},
		{change{"in the next round", "calc.test.js", js, old, "  setImmediate(() => { expect(got).toBe(5); });"}, weak},
		{change{"at the next tick", "calc.test.js", js, old, "  process.nextTick(() => { expect(got).toBe(5); });"}, weak},
		{change{"in a microtask", "calc.test.js", js, old, "  queueMicrotask(() => { expect(got).toBe(5); });"}, weak},
		{change{"in a timer, by a name", "calc.test.js", js, old, "  const check = () => { expect(got).toBe(5); };\n  setTimeout(check);"}, weak},
		{change{"in a timer, by a call", "calc.test.js", js, old, "  const check = () => { expect(got).toBe(5); };\n  setTimeout(() => check());"}, weak},
		{change{"in a timer, and done at once", "calc.test.js", cb, "  expect(got).toBe(5);\n  done();", "  setTimeout(() => { expect(got).toBe(5); });\n  done();"}, weak},
		{change{"in a timer, and nothing is waited for", "calc.test.js", js, old, "  setTimeout(() => { expect(got).toBe(5); });\n  await Promise.resolve();"}, weak},
		{change{"in a timer, with a clock that stands", "calc.test.js", js, old, "  jest.useFakeTimers();\n  setTimeout(() => { expect(got).toBe(5); });"}, weak},
		{change{"in a timer that is waited for", "calc.test.js", js, old, "  await new Promise((resolve) => setTimeout(() => { expect(got).toBe(5); resolve(); }, 5));"}, fine},
		{change{"in a timer, with a promise that nobody has", "calc.test.js", js, old, "  new Promise((resolve) => { expect(got).toBe(5); });"}, weak},
		{change{"in a timer, and done behind it", "calc.test.js", cb, "  expect(got).toBe(5);\n  done();", "  setTimeout(() => { expect(got).toBe(5); done(); });"}, fine},
		{change{"in a timer, and done in another", "calc.test.js", cb, "  expect(got).toBe(5);\n  done();", "  setTimeout(() => { expect(got).toBe(5); });\n  setTimeout(done, 20);"}, fine},
		{change{"in a timer, and something is waited for", "calc.test.js", js, old, "  setTimeout(() => { expect(got).toBe(5); }, 5);\n  await sleep(20);"}, fine},
		{change{"in a timer, with a clock that is moved on", "calc.test.js", js, old, "  jest.useFakeTimers();\n  setTimeout(() => { expect(got).toBe(5); }, 1000);\n  jest.advanceTimersByTime(1000);"}, fine},
		{change{"in a timer, with sinon's clock", "calc.test.js", js, old, "  const clock = sinon.useFakeTimers();\n  setTimeout(() => { expect(got).toBe(5); }, 1000);\n  clock.tick(1000);"}, fine},
		{change{"in a timer, and counted", "calc.test.js", js, old, "  expect.assertions(1);\n  setTimeout(() => { expect(got).toBe(5); });"}, fine},
		{change{"in a listener", "calc.test.js", js, old, "  source.on('end', () => { expect(got).toBe(5); });\n  source.end();"}, fine},

		// In promises.
		{change{"then, and nobody has it", "calc.test.js", ret, "return load", "load"}, weak},
		{change{"then, as a value of nothing", "calc.test.js", ret, "return load", "void load"}, weak},
		{change{"then, in a variable that nobody reads", "calc.test.js", ret, "return load", "const later = load"}, weak},
		{change{"then, in a variable that is waited for", "calc.test.js", js, old, "  const later = load(1).then((x) => expect(got).toBe(5));\n  await later;"}, fine},
		{change{"then, in short", "calc.test.js", ret, "{\n  return load(1).then((got) => {\n    expect(got).toBe(5);\n  });\n}", "load(1).then((got) => expect(got).toBe(5))"}, fine},
		{change{"then, within another", "calc.test.js", ret, "    expect(got).toBe(5);", "    return load(2).then(() => { expect(got).toBe(5); });"}, fine},
		{change{"then, within another that does not give it", "calc.test.js", ret, "    expect(got).toBe(5);", "    load(2).then(() => { expect(got).toBe(5); });"}, weak},
		{change{"then, and done behind it", "calc.test.js", cb, "  expect(got).toBe(5);\n  done();", "  load(2).then(() => { expect(got).toBe(5); done(); }, done);"}, fine},
		{change{"then, and done last", "calc.test.js", cb, "  expect(got).toBe(5);\n  done();", "  load(2).then(() => { expect(got).toBe(5); }).then(done, done);"}, fine},
		{change{"then, and done at once", "calc.test.js", cb, "  expect(got).toBe(5);\n  done();", "  load(2).then(() => { expect(got).toBe(5); });\n  done();"}, weak},
		{change{"then, and what fails is forgotten", "calc.test.js", ret, "  });\n});", "  }).catch(() => {});\n});"}, weak},
		{change{"then, and what fails fails", "calc.test.js", ret, "  });\n});", "  }).catch((err) => { throw err; });\n});"}, fine},
		{change{"then, and the end of it", "calc.test.js", ret, "  });\n});", "  }).finally(() => close());\n});"}, fine},
		{change{"a function that is called at once", "calc.test.js", js, old, "  (async () => { expect(got).toBe(5); })();"}, weak},
		{change{"a function that is called at once, and waited for", "calc.test.js", js, old, "  await (async () => { expect(got).toBe(5); })();"}, fine},
		{change{"a function that is called, and not waited for", "calc.test.js", js, old, "  const check = async () => { expect(got).toBe(5); };\n  check();"}, weak},
		{change{"a function that is called, and waited for", "calc.test.js", js, old, "  const check = async () => { expect(got).toBe(5); };\n  await check();"}, fine},
		{change{"a function of the file, and waited for once", "calc.test.js", "async function check(n) {\n  expect(await load(n)).toBe(5);\n}\n\nit('a', async () => { await check(1); });\nit('b', async () => { await check(2); });\n", "await check(2)", "check(2)"}, fine},
		{change{"a function of the file, and never waited for", "calc.test.js", "async function check(n) {\n  expect(await load(n)).toBe(5);\n}\n\nit('a', async () => { await check(1); });\n", "await check(1)", "check(1)"}, weak},
		{change{"what is called is not waited for itself", "calc.test.js", "it('a', async () => { expect(await load(1)).toBe(5); });\n", "async () => { expect(await load(1)).toBe(5); }", "() => { load(1).then((x) => expect(await load(1)).toBe(5)); }"}, weak},

		// In lists.
		{change{"for each of a list", "calc.test.js", all, "  await Promise.all(items.map(async (i) => {\n    expect(await load(i)).toBe(5);\n  }));", "  items.forEach(async (i) => {\n    expect(await load(i)).toBe(5);\n  });"}, weak},
		{change{"all of a list, and nobody has it", "calc.test.js", all, "await Promise.all", "Promise.all"}, weak},
		{change{"a list of promises", "calc.test.js", all, "await Promise.all(items.map(async (i) => {\n    expect(await load(i)).toBe(5);\n  }))", "items.map(async (i) => {\n    expect(await load(i)).toBe(5);\n  })"}, weak},
		{change{"all of a list, whatever becomes of them", "calc.test.js", all, "Promise.all(", "Promise.allSettled("}, weak},
		{change{"all of a list, and their results", "calc.test.js", all, "  await Promise.all(", "  const done = await Promise.allSettled("}, fine},
		{change{"all of a list, given back", "calc.test.js", all, "await Promise.all", "return Promise.all"}, fine},
		{change{"one after the other", "calc.test.js", all, "await Promise.all(items.map(async (i) => {\n    expect(await load(i)).toBe(5);\n  }));", "for (const i of items) {\n    expect(await load(i)).toBe(5);\n  }"}, fine},
		{change{"for each of an empty list", "calc.test.js", js, old, "  [].forEach(() => { expect(got).toBe(5); });"}, weak},
		{change{"for each of a list, now", "calc.test.js", js, old, "  [got].forEach((x) => { expect(got).toBe(5); });"}, fine},
		{change{"in a loop over nothing", "calc.test.js", js, old, "  for (const x of []) { expect(got).toBe(5); }"}, weak},
		{change{"in a loop that is never begun", "calc.test.js", js, old, "  while (false) { expect(got).toBe(5); }"}, weak},

		// Assertions that are promises.
		{change{"what comes is not waited for", "calc.test.js", pro, "await expect(load(1))", "expect(load(1))"}, weak},
		{change{"what fails is not waited for", "calc.test.js", pro, "await expect(load(0))", "expect(load(0))"}, weak},
		{change{"what comes is given back", "calc.test.js", pro, "  await expect(load(0))", "  return expect(load(0))"}, fine},
		{change{"all that comes is waited for", "calc.test.js", pro, "  await expect(load(1)).resolves.toBe(5);", "  await Promise.all([expect(load(1)).resolves.toBe(5)]);"}, fine},
		{change{"node: what fails is not waited for", "calc.test.js", nod, "await assert.rejects", "assert.rejects"}, weak},
		{change{"node: what fails is given back", "calc.test.js", nod, "  await assert.rejects(load(0), /none/);\n  assert.equal(await load(1), 5);", "  assert.equal(await load(1), 5);\n  return assert.rejects(load(0), /none/);"}, fine},
		{change{"what is shown is not waited for", "sum.test.tsx", tsx, "await waitFor(() => { expect", "waitFor(() => { expect"}, weak},
		{change{"what is shown is waited for with more", "sum.test.tsx", tsx, "await waitFor(() => { expect(sum()).toBe(5); });", "await waitFor(() => { expect(sum()).toBe(5); }, { timeout: 50 });"}, fine},
		{change{"it never was waited for", "calc.test.js", "it('a', () => {\n  expect(load(1)).resolves.toBe(5);\n});\n", "load(1)", "load( 1)"}, fine},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, c.input(t), c.want) })
	}
}
