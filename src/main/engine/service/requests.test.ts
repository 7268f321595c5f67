import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isContractProcedure } from '@orpc/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contract } from '../../../shared/api/contract.ts';
import { longestMessage } from './connections.ts';
import { type Connection, type EngineHost, startEngineHost } from './testing/engineHost.ts';

const experiment = 'no such experiment';
const trial = '0123456789abcdef';
const upload = 'a'.repeat(43);
const draft = {
  entry: 'nlsy97',
  backend: 'standin',
  arms: [{ name: 'one', protocol: 'standard', cast: { '*': { model: 'm' } } }],
};

/** Its name is none, so that nothing is saved. */
const edited = { name: 'a b', protocol: 'single', about: '', parts: [] };

const predictions = {
  arm: 'panel',
  columns: { case: 'id', prediction: 'said', confidence: null, repeat: null, system: null, truth: null },
  map: [],
  positiveIf: null,
  confidenceScale: 1,
};

const tried = { protocol: 'none', model: 'm', backend: 'standin', question: 'Is it?', facts: 'It is.', labels: ['NO', 'YES'] };

/** An input of every procedure that fits its schema. */
const fitting: Record<string, Record<string, unknown>> = {
  'engine/status': {},
  'engine/watch': {},
  'settings/read': {},
  'settings/change': { concurrency: 2 },
  'settings/confirmServers': {},
  'search/find': { sought: 'a word', experiment: null },
  'reviews/next': { experiment, reviewer: 'one', arm: 'court', order: 'random', blind: true, asked: null },
  'reviews/results': { experiment },
  'reviews/given': { experiment },
  'reviews/comments': { trial },
  'reviews/comment': { trial, reviewer: 'one', utterance: 3, start: 0, end: 2, quote: 'It', comment: 'so', replaces: null },
  'reviews/disagreements': { experiment, reviewer: 'one' },
  'reviews/adjudicate': { experiment, trial, reviewer: 'one', label: 'YES', reason: 'so', settles: [0, 1], replaces: null },
  'reviews/signOffs': { experiment },
  'reviews/sign': { experiment, reviewer: 'one', reason: 'read', state: '', replaces: null },
  'reviews/give': {
    experiment,
    trial,
    reviewer: 'one',
    judgement: 'unsure',
    label: null,
    reason: null,
    blind: true,
    seconds: 1,
    replaces: null,
  },
  'backends/look': {},
  'backends/servers': {},
  'backends/ask': { name: 'gpu', backend: { kind: 'openai', url: 'http://127.0.0.1:9/v1' } },
  'daemon/status': {},
  'daemon/watch': {},
  'daemon/start': {},
  'daemon/stop': {},
  'models/read': {},
  'models/watch': {},
  'models/pull': { models: ['missing:1b'] },
  'models/cancel': { model: 'missing:1b' },
  'models/dismiss': { model: 'missing:1b' },
  'models/delete': { model: 'missing:1b' },
  'models/unload': { model: 'missing:1b' },
  'models/fits': { context: 8192, slots: 1 },
  'models/ensembles': {},
  'prompts/variants': {},
  'prompts/open': { from: 'own', name: 'none' },
  'prompts/check': edited,
  'prompts/preview': { edited, entry: 'none', params: {} },
  'prompts/save': { edited, replaces: null },
  'prompts/import': { upload },
  'prompts/remove': { name: 'none' },
  'prompts/restore': { content: 'no variant' },
  'prompts/export': { name: 'none' },
  'hardware/read': {},
  'hardware/watch': {},
  'dataFiles/list': {},
  'dataFiles/inspect': { upload },
  'dataFiles/preview': { upload, definition: {} },
  'dataFiles/add': { upload, name: 'mine', definition: {} },
  'dataFiles/rename': { entry: 'none', name: 'mine' },
  'dataFiles/nameColumns': { entry: 'none', names: {}, units: {} },
  'dataFiles/remove': { entry: 'none' },
  'dataFiles/restore': { entry: 'none' },
  'dataFiles/cases': { entry: 'none' },
  'experiments/list': {},
  'experiments/plan': { ...draft, entry: 'none' },
  'experiments/measure': { ...draft, entry: 'none' },
  'experiments/preview': { draft: { ...draft, entry: 'none' }, arm: 0 },
  'experiments/start': { ...draft, entry: 'none' },
  'experiments/undrawn': { experiment, sought: '' },
  'experiments/vary': { experiment, trial: null, changes: ['noise'] },
  'record/known': {},
  'record/place': {},
  'record/diskUse': {},
  'experiments/varySize': { experiment, trial: null, changes: ['noise'] },
  'experiments/facts': { experiment },
  'experiments/queues': { experiment },
  'experiments/read': { experiment },
  'experiments/trials': { experiment },
  'experiments/damage': { experiment },
  'experiments/stats': { experiment },
  'experiments/calibrationChoices': { experiment },
  'experiments/calibrated': { experiment, calibration: 'other' },
  'experiments/stagedStats': { experiment },
  'experiments/atPrevalence': { experiment, prevalence: 0.2 },
  'experiments/watchStats': { experiment },
  'experiments/cases': { experiment, disagree: true, answers: [{ arm: 'one', label: null }] },
  'experiments/compared': { experiment, a: 'one', b: 'other', baseline: false },
  'experiments/changed': { experiment, a: 'one', b: 'other' },
  'experiments/flipped': { experiment, base: 'one', swapped: 'other' },
  'experiments/deliberation': { experiment },
  'experiments/players': { experiment },
  'experiments/protocols': { experiment },
  'experiments/watch': { experiment, cursor: null },
  'imports/preview': { ...predictions, upload, experiment },
  'imports/make': { ...predictions, upload, experiment },
  'assistants/look': { experiment },
  'assistants/train': { experiment },
  'record/check': {},
  'record/checkFile': { upload, head: null },
  'record/compareFiles': { upload, other: upload },
  'record/read': { upload },
  'record/copy': { name: 'mine' },
  'record/copies': {},
  'record/openCopy': { name: 'mine' },
  'record/enter': { record: upload },
  'record/leave': { record: upload },
  'record/checkpoint': {},
  'record/sign': {},
  'record/attach': { upload },
  'record/saveCheckpoint': {},
  'record/erase': { target: { kind: 'experiment', experiment: 'x' }, confirmed: false },
  'runs/resume': { experiment },
  'runs/pause': { experiment },
  'runs/stop': { experiment },
  'trials/read': { trial },
  'trials/alike': { trial },
  'trials/call': { trial, key: 'none' },
  'trials/check': { trial },
  'trials/moderate': { trial, moderation: { action: 'accept' } },
  'trials/watch': { trial, after: -1 },
  'live/watch': { experiment: null },
  'tries/look': tried,
  'tries/start': tried,
  'exports/figure': { experiment, figure: 'accuracy-by-arm', format: 'svg', file: null, chunk: '<svg/>' },
  'exports/make': { experiment, trial: null, format: 'trials-csv' },
  'exports/report': { experiment, trial: null, format: 'html' },
};

function procedures(routes: object, path: readonly string[] = []): string[] {
  return Object.entries(routes).flatMap(([name, route]) =>
    isContractProcedure(route) ? [[...path, name].join('/')] : procedures(route, [...path, name]),
  );
}

const all = procedures(contract);

let host: EngineHost;
let connection: Connection;
let count = 0;

beforeAll(async () => {
  // What answers at the usual address of this machine is no part of the test.
  host = startEngineHost({ env: { OLLAMA_HOST: '127.0.0.1:9' } });
  await host.ready();
  connection = host.connect();
});

afterAll(() => host.remove());

interface Failure {
  code: string;
  message: string;
  data: { field: string | null; line: number | null };
}

/** Sends an input as it is and returns the status and the answer's text, with what it says of a failure. */
async function ask(procedure: string, input: unknown) {
  count += 1;
  const id = `t${count}`;
  const text = JSON.stringify({ i: id, p: { u: `/${procedure}`, b: { json: input } } });
  const { s: status = 200, b: body } = await connection.raw(id, text);
  return { status, text: JSON.stringify(body ?? null), failure: (body?.json ?? {}) as Failure };
}

test('the table above has an input for every procedure, and each fits', async () => {
  expect(Object.keys(fitting).toSorted()).toEqual(all.toSorted());
  for (const procedure of all) {
    const answer = await ask(procedure, fitting[procedure]);
    expectPlain(answer);
    expect(answer.failure.message ?? '', procedure).not.toMatch(/^(Unrecognized|Invalid|Too|expected)/i);
  }
});

/** Security 08: nothing of how the program is made. */
function expectPlain({ status, text }: Awaited<ReturnType<typeof ask>>): void {
  if (status === 200) return;
  expect(text).not.toContain(host.folder);
  expect(text).not.toMatch(/node_modules|\.ts:|file:\/\/|\\n\s+at |stack|Error:/);
}

test.each(all)(
  'security 07, 08: %s refuses unknown keys, what is no object and fields of another type, plainly',
  async (procedure) => {
    const unknown = await ask(procedure, { ...fitting[procedure], path: '/etc/passwd' });
    expectPlain(unknown);
    expect(unknown.status).toBeGreaterThanOrEqual(400);
    expect(unknown.failure).toMatchObject({ code: 'bad-input', message: expect.stringContaining('Unrecognized key: "path"') });
    const fields = Object.keys(fitting[procedure] ?? {});
    for (const misfit of [
      null,
      'words',
      7,
      [],
      true,
      ...fields.map((name) => ({ ...fitting[procedure], [name]: { odd: [1] } })),
    ]) {
      const answer = await ask(procedure, misfit);
      expectPlain(answer);
      expect(answer.status, JSON.stringify(misfit)).toBeGreaterThanOrEqual(400);
      expect(answer.failure.code, JSON.stringify(misfit)).toBe('bad-input');
      expect(Object.keys(answer.failure.data).toSorted()).toEqual(['field', 'line']);
    }
  },
);

test('security 07: a message that is too long is refused before it is read', async () => {
  const text = JSON.stringify({ i: 'long', p: { u: '/engine/status', b: { json: { long: 'x'.repeat(longestMessage) } } } });
  const { s: status, b: body } = await connection.raw('long', text);
  expect(status).toBe(400);
  expect(body?.json).toMatchObject({ code: 'bad-input', data: { field: null, line: null } });
  expect(JSON.stringify(body)).toContain(`at most ${longestMessage} are accepted`);
});

test.each([
  ['no JSON', '{"i":"m1",'],
  ['no request', '{"i":"m1","x":1}'],
  ['a request by another method', '{"i":"m1","p":{"u":"/engine/status","m":"GET"}}'],
  ['a request with headers', '{"i":"m1","p":{"u":"/engine/status","h":{"content-disposition":"x"},"b":{"json":{}}}}'],
  ['an address of another machine', '{"i":"m1","p":{"u":"http://example.org/engine/status"}}'],
  ['values that JSON does not have', '{"i":"m1","p":{"u":"/engine/status","b":{"json":{"a":"1"},"meta":[[0,"a"]]}}}'],
  ['a stream from the screen', '{"i":"m1","t":3,"p":{"e":"message","d":1}}'],
])('%s is refused, and the engine lives on', async (_what, text) => {
  expect(await connection.raw('m1', text)).toMatchObject({ s: 400, b: { json: { code: 'bad-input' } } });
  expect((await ask('engine/status', {})).status).toBe(200);
});

test('a request that the program does not know is refused as a failure', async () => {
  for (const procedure of ['nothing/here', 'engine', 'engine/status/more', 'constructor/toString']) {
    expect(await ask(procedure, {})).toMatchObject({
      status: 404,
      failure: { code: 'not-found', data: { field: null, line: null } },
    });
  }
});

test('nothing of all this was an error of the program', () => {
  const log = join(host.folder, 'assize.log');
  expect(existsSync(log) ? readFileSync(log, 'utf8') : '').toBe('');
});
