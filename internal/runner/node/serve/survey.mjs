// A reporter of node --test that tells of every test in which file it stands, which none of Node's own does.
const mark = process.env.FETTLE_MARK;

export default async function* survey(events) {
  const names = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      names.length = data.nesting;
      names[data.nesting] = data.name;
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const test = {
      names: [...names.slice(0, data.nesting), data.name],
      file: data.file,
      passed: type === 'test:pass',
      skipped: Boolean(data.skip ?? data.todo),
      suite: data.details?.type === 'suite',
      ms: data.details?.duration_ms ?? 0,
    };
    yield `${mark}${JSON.stringify(test)}\n`;
  }
}
