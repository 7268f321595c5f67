import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ImportDraft } from '../../../../shared/api/imports.ts';
import { noColumns } from '../../../../shared/imported.ts';
import { verifyPath } from '../../audit/testing/tampering.ts';
import { type EngineRoom, failureOf, openEngineRoom } from '../testing/engineRoom.ts';
import { finished } from '../testing/runs.ts';

let room: EngineRoom;
let experiment: string;
beforeAll(async () => {
  room = openEngineRoom({ name: 'imports' });
  const cast = { '*': { model: 'llama3.1:8b' } };
  ({ experiment } = await room.client.experiments.start({
    entry: 'deposits',
    sample: { from: 'test', n: 6 },
    seed: 7,
    backend: 'standin',
    arms: [{ name: 'cot', protocol: 'standard', params: { style: 'system1' }, cast }],
  }));
  await finished(room.client, experiment);
});
afterAll(() => room.close());

const columns = { ...noColumns, case: 'id', prediction: 'said', confidence: 'sure' };
const draft = (upload: string, given: Partial<ImportDraft> = {}): ImportDraft => ({
  upload,
  experiment,
  arm: 'panel',
  columns,
  map: [],
  positiveIf: null,
  confidenceScale: 100,
  ...given,
});

async function labelsAndCases(): Promise<{ labels: readonly string[]; cases: string[] }> {
  const { labels } = await room.client.experiments.read({ experiment });
  const { lines } = await room.client.experiments.trials({ experiment, order: 'case' });
  return { labels, cases: [...new Set(lines.map((line) => line.case))] };
}

test('a preview shows what an import would do and writes nothing; the import does it, and a second time does nothing', async () => {
  const { labels, cases } = await labelsAndCases();
  const [first = '', second = '', third = ''] = cases;
  const [label = ''] = labels;
  const upload = room.upload('panel.csv', `id,said,sure\n${first},yea,90\n${second},${label},\n${third},dunno,10\n`);
  const map: ImportDraft['map'] = [['yea', label]];
  const before = await room.client.experiments.read({ experiment });
  const preview = await room.client.imports.preview(draft(upload, { map }));
  expect(preview.report).toMatchObject({ store: 'store.db', trials: 3, imported_now: 3, decided: 2, undecided: { dunno: 1 } });
  expect(preview.values).toEqual([
    { value: 'yea', trials: 1, label },
    { value: label, trials: 1, label },
    { value: 'dunno', trials: 1, label: null },
  ]);
  expect(preview.first.map(({ line, case: id, prediction, confidence }) => [line, id, prediction, confidence])).toEqual([
    [2, first, label, 0.9],
    [3, second, label, null],
    [4, third, null, null],
  ]);
  expect((await room.client.experiments.read({ experiment })).arms).toEqual(before.arms);

  const report = await room.client.imports.make(draft(upload, { map }));
  expect(report).toEqual(preview.report);
  expect(verifyPath(room.path('store.db'))).toMatchObject({ result: 'intact', trials: before.summary.done + 3 });
  const { arms, summary } = await room.client.experiments.read({ experiment });
  expect(arms.find(({ name }) => name === 'panel')).toMatchObject({
    protocol: 'imported',
    models: { system: 'panel' },
    planned: 3,
    done: 3,
    running: 0,
    outcomes: { decided: 2, undecided: 1 },
  });
  expect(summary.planned).toBe(before.summary.planned + 3);
  const { lines } = await room.client.experiments.trials({ experiment, arm: 'panel', order: 'case' });
  const trial = await room.client.trials.read({ trial: lines.find((line) => line.case === first)?.trial ?? '' });
  expect(trial.entries).toEqual([
    {
      kind: 'import',
      seq: 1,
      key: 'import',
      role: '',
      system: 'panel',
      line: 2,
      mapping: { v: 1, file: 'panel.csv', columns, map, positiveIf: null, confidenceScale: 100 },
      value: 'yea',
      stated: '90',
      prediction: label,
      confidence: 0.9,
    },
    { kind: 'close', seq: 2, key: 'close', role: '', outcome: 'decided', incomplete: false },
  ]);
  expect(trial.cast).toEqual([]);
  expect(await room.client.trials.check({ trial: trial.line.trial })).toMatchObject({ chain: 'intact', replay: 'identical' });

  const again = room.upload('panel-again.csv', `id,said,sure\n${first},yea,90\n`);
  expect(await room.client.imports.make(draft(again, { map }))).toMatchObject({ trials: 1, imported_now: 0 });
  // The handle is given up once its file is imported.
  expect(await failureOf(room.client.imports.preview(draft(upload)))).toMatchObject({ code: 'not-found' });
});

test('a record that is known to be damaged is not signed after an import, and the advice is the one of the screens', async () => {
  const { labels, cases } = await labelsAndCases();
  const upload = room.upload('unsigned.csv', `id,said,sure\n${cases[0]},${labels[0]},90\n`);
  room.service.knownFaults.refused(experiment, { trial: null, problem: 'a text is missing' });
  const { notes } = await room.client.imports.make(draft(upload, { arm: 'unsigned' }));
  expect(notes).toEqual([expect.stringMatching(/a text is missing. Nothing was signed.*“Check the record” in the settings/)]);
  expect(notes.join()).not.toContain('assize verify');
});

test('an error is shown with line and column, and without a path', async () => {
  const { cases } = await labelsAndCases();
  const upload = room.upload('wrong.csv', `id,said,sure\n${cases[0]},x,50\nnobody,x,50\n`);
  for (const ask of [room.client.imports.preview, room.client.imports.make]) {
    const failure = await failureOf(ask(draft(upload)));
    expect(failure).toMatchObject({ code: 'bad-input', line: 3, field: 'id' });
    expect(failure.message).not.toContain('/');
  }
  expect(await failureOf(room.client.imports.preview(draft(upload, { arm: 'cot' })))).toMatchObject({ field: 'arm' });
  expect(await failureOf(room.client.imports.preview(draft(upload, { experiment: 'elsewhere' })))).toMatchObject({
    code: 'not-found',
  });
  expect(await failureOf(room.client.imports.preview(draft(upload, { positiveIf: 'five' })))).toMatchObject({
    code: 'bad-input',
  });
  expect(room.kept).toEqual([]);
});

test('a cancelled import keeps what is there, and the same import continues from it', async () => {
  const { cases, labels } = await labelsAndCases();
  const rows = Array.from({ length: 400 }, (_, repeat) => cases.slice(0, 5).map((id) => `${id},${labels[0]},,${repeat}`)).flat();
  const text = `id,said,sure,n\n${rows.join('\n')}\n`;
  const many = { arm: 'many', columns: { ...columns, repeat: 'n' } };
  const controller = new AbortController();
  const upload = room.upload('many.csv', text);
  const cut = room.client.imports.make(draft(upload, many), { signal: controller.signal });
  const begun = async () =>
    (await room.client.experiments.read({ experiment })).arms.find(({ name }) => name === 'many')?.done ?? 0;
  while ((await begun()) === 0);
  controller.abort();
  await expect(cut).rejects.toThrow();
  const report = await room.client.imports.make(draft(upload, many));
  expect(report).toMatchObject({ trials: 2000 });
  expect(report.imported_now).toBeLessThan(2000);
  expect(await begun()).toBe(2000);
  expect(verifyPath(room.path('store.db'))).toMatchObject({ result: 'intact' });
});

test('a file is imported as it was inspected: with its delimiter, and in its encoding', async () => {
  const { labels, cases } = await labelsAndCases();
  const [[case0 = ''], [label = '']] = [cases, labels];
  const upload = room.upload('older.csv', Buffer.from(`id;said;sure;note\n${case0};${label};90;M\xfcnchen\n`, 'latin1'));
  const { guess } = await room.client.dataFiles.inspect({ upload });
  const { delimiter, encoding } = guess;
  expect([delimiter, encoding]).toEqual([';', 'windows-1252']);
  const read = draft(upload, { arm: 'older', delimiter, encoding });
  expect((await room.client.imports.preview(read)).report).toMatchObject({ trials: 1, decided: 1 });
  expect(await room.client.imports.make(read)).toMatchObject({ imported_now: 1 });
  expect(verifyPath(room.path('store.db'))).toMatchObject({ result: 'intact' });
});

test('a new experiment is made from a file with its truths, and has the question and the positive label that were chosen', async () => {
  // Nothing is on its record: there is no store yet.
  const empty = openEngineRoom({ name: 'imports-new' });
  onTestFinished(() => empty.close());
  const rows = ['a,grant,repaid,0.2,F', 'b,refuse,default,0.9,M', 'c,refuse,repaid,0.6,F'];
  const upload = empty.upload('credit.csv', `id,said,was,risk,sex\n${rows.join('\n')}\n`);
  const asked: Partial<ImportDraft> = {
    experiment: 'credit',
    columns: {
      ...noColumns,
      case: 'id',
      prediction: 'said',
      truth: 'was',
      groups: ['sex'],
      probabilities: [['default', 'risk']],
    },
    map: [
      ['grant', 'repaid'],
      ['refuse', 'default'],
    ],
    confidenceScale: 1,
    positive: 'default',
    question: 'Will this person repay the loan?',
  };
  const { report } = await empty.client.imports.preview(draft(upload, asked));
  expect(report).toMatchObject({ created: true, decided: 3, labels: ['default', 'repaid'], positive: 'default' });
  expect(await failureOf(empty.client.imports.preview(draft(upload, { ...asked, positive: 'late' })))).toMatchObject({
    field: 'positive',
  });
  expect(await empty.client.imports.make(draft(upload, asked))).toMatchObject({ created: true, imported_now: 3 });
  const { definition, positive } = await empty.client.experiments.read({ experiment: 'credit' });
  expect([positive, definition.dataset.question]).toEqual(['default', asked.question]);

  const more = draft(empty.upload('credit-2.csv', `id,said,was,risk,sex\n${rows[0]}\n`), { ...asked, arm: 'second' });
  expect((await empty.client.imports.preview(more)).report).toMatchObject({ created: false, imported_now: 1 });
  for (const [field, value] of [
    ['positive', 'repaid'],
    ['question', 'Another?'],
  ] as const) {
    expect(await failureOf(empty.client.imports.preview({ ...more, [field]: value }))).toMatchObject({
      code: 'bad-input',
      field,
    });
  }
});
