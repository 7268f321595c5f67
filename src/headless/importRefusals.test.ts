import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forAll, openImportBench, reportOf } from './importing.fixture.ts';
import { errorOf, eventCount, snapshot, until } from './testing.ts';

const imports = await openImportBench();

/** Enough that an import takes some seconds. */
const manyRows = 1_000;

/** Whether the first trials are on the record of a store that is being made. */
function hasTrials(path: string): boolean {
  try {
    return eventCount(path) > 1;
  } catch {
    return false;
  }
}

test('an error in the file is reported with line and column, and nothing is written', async () => {
  const { run, take, source, room } = imports.withPredictions('wrong', forAll);
  await run('--max-trials', '0');
  const before = snapshot(room);
  const refused = async (text: string, words: readonly string[], expected: object) => {
    writeFileSync(source, text);
    const ended = await take(...words);
    expect(ended.code, ended.errors).toBe(2);
    expect(errorOf(ended)).toMatchObject(expected);
  };
  const message = (pattern: RegExp) => expect.stringMatching(pattern);
  await refused('id,said\nc01,YES\nzz,NO\n', [], {
    line: 3,
    field: 'id',
    message: message(/"zz" is not in the data set .*as they are there, such as "c\d+"/),
  });
  await refused('id,said\nc01,YES\n\nc01,NO\n', [], { line: 4, field: 'id', message: message(/line 2 and in line 4/) });
  const fresh = ['--experiment', 'fresh', '--truth', 'truth'];
  const twins = 'id,said,truth\nc01,caf\u00e9,caf\u00e9\nc02,caf\u00e9,cafe\u0301\nc03,no,no\n';
  await refused(twins, fresh, { field: 'truth', message: message(/look the same and differ in how their letters are composed/) });
  await refused('id,sayd\nc01,YES\n', [], { line: 1, field: 'said', message: message(/did you mean "sayd"/) });
  await refused('id;said;sure\nc01;YES;0,5\n', ['--confidence', 'sure'], { line: 2, message: message(/with a point, as 0.5/) });
  await refused('id,said\n', [], { message: message(/no rows/) });
  await refused('id,said\n,YES\n', [], { line: 2, field: 'id', message: message(/empty/) });
  const sure = ['--confidence', 'sure'];
  await refused('id,said,sure\nc01,YES,0.5\nc02,NO,85\n', sure, { line: 3, field: 'sure', message: message(/percentages/) });
  await refused('id,said,sure\nc01,YES,high\n', sure, { line: 2, field: 'sure' });
  await refused('id,said,sure\nc01,YES,101\n', [...sure, '--confidence-scale', '100'], { line: 2, field: 'sure' });
  const truth = ['--truth', 'was'];
  await refused('id,said,was\nc01,YES,True\nc02,NO,True\n', truth, {
    line: 3,
    field: 'was',
    message: message(/"YES" here and "NO" in the data set/),
  });
  await refused('id,said,was\nc01,YES,wet\n', truth, { line: 2, field: 'was', message: message(/none of the labels/) });
  await refused(forAll, ['--arm', 'plain'], { field: 'arm', message: message(/was run here/) });
  await refused(forAll, ['--arm', ''], { field: 'arm' });
  await refused(forAll, ['--experiment', 'snow'], {
    code: 'not-found',
    message: message(/there is no experiment "snow".*"rain".*truths/),
  });
  await refused(forAll, ['--map', 'YES'], { field: '--map' });
  await refused(forAll, ['--map', 'a=YES', '--map', 'a=NO'], { field: '--map' });
  await refused(forAll, ['--positive-if', 'five'], { field: '--positive-if' });
  await refused(forAll, ['--confidence-scale', '10'], { field: '--confidence-scale' });
  await refused('id,said,who\nc01,YES,\n', ['--system', 'who'], { line: 2, field: 'who' });
  writeFileSync(source, forAll);
  expect(snapshot(room)).toEqual(before);
});

test('a trial that is on the record keeps its prediction', async () => {
  const { run, take, source, store } = imports.withPredictions('twice', 'id,said\nc01,YES\nc02,maybe\n');
  await run('--max-trials', '0');
  await take();
  const events = eventCount(store);
  for (const text of ['id,said\nc01,YES\nc02,NO\n', 'id,said\nc01,YES\nc02,perhaps\n']) {
    writeFileSync(source, text);
    const ended = await take();
    expect(ended.code).toBe(2);
    expect(errorOf(ended)).toMatchObject({
      line: 3,
      field: 'said',
      message: expect.stringContaining('on the record with "maybe"'),
    });
  }
  expect(eventCount(store)).toBe(events);
  writeFileSync(source, 'id,said\nc03,NO\nc02,maybe\n');
  expect(reportOf(await take())).toMatchObject({ trials: 2, imported_now: 1 });
});

test('an experiment of truths needs two labels, one truth for each case, and no store beforehand', async () => {
  const room = imports.room('truths');
  const [source, store] = [join(room, 'p.csv'), join(room, 'store.db')];
  const take = (text: string, ...more: string[]) => {
    writeFileSync(source, text);
    const words = `import-predictions ${source} --store ${store} --experiment new --arm a --json --case id --prediction said`;
    return imports.assize([...words.split(' '), ...more]);
  };
  expect(errorOf(await take('id,said\n1,a\n'))).toMatchObject({ code: 'not-found' });
  expect(errorOf(await take('id,said,was\n1,a,b\n2,a,b\n', '--truth', 'was'))).toMatchObject({ code: 'bad-input', field: 'was' });
  const torn = await take('id,said,was,n\n1,a,a,1\n2,a,b,1\n1,b,b,2\n', '--truth', 'was', '--repeat', 'n');
  expect(errorOf(torn)).toMatchObject({ line: 4, field: 'was', message: expect.stringMatching(/"b" here and "a" in line 2/) });
  expect(Object.keys(snapshot(room))).toEqual(['p.csv']);
  const other = ['--truth', 'was', '--positive', 'c'];
  expect(errorOf(await take('id,said,was\n1,a,b\n2,a,a\n', ...other))).toMatchObject({ field: 'positive' });
  const three = await take('id,said,was\n1,c,a\n2,a,b\n3,,c\n4,b,\n', '--truth', 'was');
  const expected = { created: true, labels: ['a', 'b', 'c'], positive: null, decided: 3, undecided: { '': 1 } };
  expect(reportOf(three)).toMatchObject(expected);
  const compared = await take('id,said,was\n1,3,a\n', '--truth', 'was', '--positive-if', '>=2');
  expect(errorOf(compared)).toMatchObject({ field: 'positive-if' });
  const page = join(room, 'page.html');
  const [line] = await imports.lines(store, 'new');
  await imports.assize(`export new --store ${store} --format html --trial ${line?.trial} --out ${page}`);
  expect(readFileSync(page, 'utf8')).toContain('No facts were imported.');
  await imports.assize(`export new --store ${store} --format html --out ${page} --force`);
  expect(readFileSync(page, 'utf8')).toMatch(
    /predictions for the cases were imported, of one system.*as imported, scores from 0 to 1/s,
  );
  await imports.intact(store, 4);
});

// `kill.test.ts` ends imports by SIGKILL.
test('an import that is interrupted leaves whole trials, and continues from them', { timeout: 120_000 }, async () => {
  const room = imports.room('interrupted');
  const [source, store] = [join(room, 'many.csv'), join(room, 'store.db')];
  const rows = Array.from(
    { length: manyRows },
    (_, index) => `${index},${index % 2 === 0 ? 'a' : 'b'},${index % 3 === 0 ? 'a' : 'b'}`,
  );
  writeFileSync(source, `id,said,was\n${rows.join('\n')}\n`);
  const words = `import-predictions ${source} --store ${store} --experiment many --arm x --json --case id --prediction said --truth was`;
  const started = imports.start(words);
  // The store is made only once the file has been read: then trials are being written.
  await until(() => existsSync(store) && statSync(store).size > 0 && hasTrials(store));
  started.kill('SIGINT');
  expect((await started.ended).code).toBe(130);
  const there = (eventCount(store) - 1) / 3;
  expect(there).toBeGreaterThan(0);
  expect(there).toBeLessThan(manyRows);
  expect(await imports.assize(`verify ${store}`)).toMatchObject({ code: 0 });
  expect(reportOf(await imports.assize(words))).toMatchObject({ trials: manyRows, imported_now: manyRows - there });
  await imports.intact(store, manyRows);
});
