import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ReplayReport } from '../../../shared/outputs.ts';
import { replay } from '../engine.ts';
import type { TrialRow } from '../store/trials.ts';
import { keptFolder } from '../testing/kept.ts';
import { reading } from '../testing/reading.ts';
import { type ForgedEvent, type Forgery, forge } from './testing/forging.ts';
import { makeSampleStore, noFault, openFolder } from './testing/sampleStore.ts';
import { verifyPath } from './testing/tampering.ts';

const room = openFolder('replay');
const cases = 6;
let store: string;
let trials: TrialRow[];

const replayAll = (path: string, trial?: string): Promise<ReplayReport> => replay(path, trial, () => undefined);

beforeAll(async () => {
  store = await makeSampleStore(room.folder, { cases });
  trials = reading(store, (opened) => opened.trials.all());
});

/** A decided trial in which everything went right. */
const plain = (arm: string) =>
  trials.find((row) => row.arm === arm && row.outcome === 'decided' && row.attempts === (arm === 'cot' ? 1 : 13))?.trial ?? '';

test('the record of a run replays identically, with its retries, forfeits and failures', async () => {
  expect(trials.some(({ outcome }) => outcome !== 'decided')).toBe(true);
  expect(trials.some(({ attempts }) => attempts > 13)).toBe(true);
  expect(trials.some(({ incomplete }) => incomplete === 1)).toBe(true);
  expect(await replayAll(store)).toEqual({
    store,
    identical: 2 * cases,
    different: 0,
    not_replayable: 0,
    unfinished: 0,
    erased: 0,
    older_readings: [],
    trials: [],
  });
});

test('a single trial, and a trial that does not exist', async () => {
  expect(await replayAll(store, plain('court'))).toMatchObject({ identical: 1, different: 0 });
  await expect(replayAll(store, 'nonsense')).rejects.toMatchObject({ code: 'not-found' });
});

test('an interrupt is heard between two trials', async () => {
  let stopped = false;
  const heard: number[] = [];
  const replayed = replay(store, undefined, (done) => {
    heard.push(done);
    setImmediate(() => {
      stopped = true;
    });
    if (stopped) throw new Error('stopped');
  });
  await expect(replayed).rejects.toThrow('stopped');
  expect(heard).toEqual([1, 2]);
});

const find = (events: readonly ForgedEvent[], kind: string, index = 0): ForgedEvent => {
  const found = events.filter((event) => event.kind === kind)[index];
  if (found === undefined) throw new Error(`there is no ${kind}`);
  return found;
};

const other = (label: unknown) => (label === 'YES' ? 'NO' : 'YES');

test.each([undefined, 4, 999])('answers read by rules of version %s make a trial not replayable', async (reader) => {
  const path = room.path(`reader-${reader}.db`);
  forge(store, path, plain('cot'), ({ events }) => {
    find(events, 'call-answer').payload.reader = reader;
  });
  const problem = `version ${reader ?? 1} of the rules by which answers are read is not in this program`;
  expect(await replayAll(path)).toMatchObject({
    identical: 2 * cases - 1,
    different: 0,
    not_replayable: 1,
    trials: [{ trial: plain('cot'), result: 'not-replayable', problem }],
  });
});

/** Rewrites an answer with another verdict, and all that follows from it directly. */
function turnVerdict({ events, text, keep }: Forgery): void {
  const answer = find(events, 'call-answer', events.filter(({ kind }) => kind === 'call-answer').length - 1);
  const said = JSON.parse(text(answer.payload.answer)) as Record<string, unknown>;
  answer.payload.answer = keep(JSON.stringify({ ...said, prediction: other(said.prediction) }));
}

interface Forged {
  readonly name: string;
  readonly arm: 'cot' | 'court';
  readonly change: (forgery: Forgery) => void;
  readonly named: RegExp;
}

const forgeries: readonly Forged[] = [
  { name: 'the verdict in the last answer', arm: 'cot', change: turnVerdict, named: /^ruling: / },
  {
    name: 'the ruling',
    arm: 'court',
    change: ({ events }) => {
      const ruling = find(events, 'ruling-give');
      ruling.payload.prediction = other(ruling.payload.prediction);
    },
    named: /^ruling: the recorded ruling-give/,
  },
  {
    name: 'a speech in an answer',
    arm: 'court',
    change: ({ events, text, keep }) => {
      const answer = find(events, 'call-answer', 0);
      const said = JSON.parse(text(answer.payload.answer)) as Record<string, unknown>;
      answer.payload.answer = keep(JSON.stringify({ ...said, utterance: 'Something else.' }));
    },
    named: /^turn-1\/prosecutor/,
  },
  {
    name: 'a speech',
    arm: 'court',
    change: ({ events, keep }) => {
      find(events, 'utterance-make', 1).payload.text = keep('Something else.');
    },
    named: /^turn-1\/defense\/utterance: /,
  },
  {
    name: 'a belief that was taken out',
    arm: 'court',
    change: ({ events }) => {
      events.splice(events.indexOf(find(events, 'belief-update', 2)), 1);
    },
    named: /^turn-2\/after-prosecutor\/belief: .*belief-update/,
  },
  {
    name: 'an answer that was taken out',
    arm: 'court',
    change: ({ events }) => {
      events.splice(events.indexOf(find(events, 'call-answer', 3)), 1);
    },
    named: /^turn-1\/after-defense\/attempt-1: /,
  },
  {
    name: 'a speech that was put in',
    arm: 'court',
    change: ({ events, keep }) => {
      const payload = {
        v: 1,
        key: 'turn-9/defense/utterance',
        role: 'defense',
        turn: 'closing',
        text: keep('One more word.'),
        plan: null,
      };
      events.splice(-2, 0, { kind: 'utterance-make', payload });
    },
    named: /utterance-make turn-9\/defense\/utterance/,
  },
  {
    name: 'the outcome',
    arm: 'cot',
    change: ({ events }) => {
      find(events, 'trial-close').payload.outcome = 'timeout';
    },
    named: /the record says timeout, the replay ends decided/,
  },
  {
    name: 'whether turns were forfeited',
    arm: 'court',
    change: ({ events }) => {
      find(events, 'trial-close').payload.incomplete = true;
    },
    named: /incomplete/,
  },
  {
    name: 'how an answer was read',
    arm: 'cot',
    change: ({ events }) => {
      find(events, 'call-answer').payload.method = 'labelled-fields';
    },
    named: /^answer\/attempt-1: the recorded answer is not read/,
  },
  {
    name: 'the role of a call',
    arm: 'court',
    change: ({ events }) => {
      find(events, 'call-answer').payload.role = 'judge';
    },
    named: /^turn-1\/prosecutor\/attempt-1: .*role/,
  },
  {
    name: 'the backend of a call',
    arm: 'cot',
    change: ({ events, text, keep }) => {
      const call = find(events, 'call-answer');
      call.payload.setup = keep(text(call.payload.setup).replace('"backend":"default"', '"backend":"another"'));
    },
    named: /^answer\/attempt-1: .*backend/,
  },
  {
    name: 'the seed of a trial',
    arm: 'cot',
    change: ({ events }) => {
      const open = find(events, 'trial-open');
      open.payload.seed = Number(open.payload.seed) ^ 1;
    },
    named: /^trial-open: .*seed/,
  },
  {
    name: 'the protocol of a trial',
    arm: 'cot',
    change: ({ events }) => {
      find(events, 'trial-open').payload.protocolVersion = 7;
    },
    named: /^trial-open: .*protocol/,
  },
];

describe('a record that was forged so well that verify finds nothing', () => {
  test.each(forgeries)('$name', async ({ name, arm, change, named }) => {
    const path = room.path(`${name.replaceAll(/\W/g, '-')}.db`);
    const trial = plain(arm);
    forge(store, path, trial, change);
    expect(verifyPath(path)).toMatchObject({ result: 'intact', first_bad: null });
    const report = await replayAll(path);
    expect(report).toMatchObject({ identical: 2 * cases - 1, different: 1, trials: [{ trial, arm, result: 'different' }] });
    expect(report.trials[0]?.problem).toMatch(named);
  });

  test('a prompt cannot be exchanged: verify rebuilds each request', () => {
    const path = room.path('prompt.db');
    const trial = plain('cot');
    forge(store, path, trial, ({ events, keep }) => {
      const messages = find(events, 'call-answer').payload.messages as [string, string[]][];
      messages[1]?.[1].splice(0, 1, keep('Other facts.').slice(0, 12));
    });
    expect(verifyPath(path)).toMatchObject({ result: 'tampered', first_bad: { trial, seq: 1, kind: 'call-answer' } });
  });

  test('a case cannot be exchanged: the id of the trial covers it', () => {
    const path = room.path('case.db');
    const [one = '', two = ''] = trials.filter(({ arm }) => arm === 'cot').map(({ trial }) => trial);
    const [opening] = reading(store, ({ events }) => events.chain(two));
    const open = JSON.parse(opening?.payload.toString('utf8') ?? '{}');
    // The forger's own program refuses to make such a row.
    expect(() =>
      forge(store, path, one, ({ events }) => {
        find(events, 'trial-open').payload.case = open.case;
      }),
    ).toThrow('do not give its id');
    expect(verifyPath(path)).toMatchObject({ result: 'tampered', first_bad: { trial: one, kind: 'trials' } });
  });
});

test('a protocol version that this program lacks makes its trials not replayable', async () => {
  const path = room.path('version.db');
  const [chain = ''] = reading(store, ({ events }) => [...events.names('experiment/')]);
  forge(store, path, chain, ({ events }) => {
    const arms = find(events, 'experiment-freeze').payload.arms as { name: string; protocolVersion: number }[];
    for (const arm of arms) if (arm.name === 'cot') arm.protocolVersion = 999;
  });
  // The trials still name the freeze that was there before: they follow it.
  const copy = new Database(path);
  const freeze = copy
    .prepare<[string], { hash: Buffer }>('SELECT hash FROM events WHERE trial = ?')
    .get(chain)
    ?.hash.toString('hex');
  copy.prepare('UPDATE experiments SET head_hash = ?').run(freeze);
  copy.close();
  for (const { trial, arm } of trials) {
    const next = `${path}.next`;
    forge(path, next, trial, ({ events }) => {
      const open = find(events, 'trial-open').payload;
      open.freeze = freeze;
      if (arm === 'cot') open.protocolVersion = 999;
    });
    forge(next, path, trial, () => undefined);
  }
  expect(verifyPath(path)).toMatchObject({ result: 'intact' });
  const report = await replayAll(path);
  expect(report).toMatchObject({ identical: cases, different: 0, not_replayable: cases });
  expect(report.trials.every(({ result, problem }) => result === 'not-replayable' && problem?.includes('version 999'))).toBe(
    true,
  );
});

test('trials that are not done are reported as such', async () => {
  const path = await makeSampleStore(keptFolder(), { cases: 2, fault: noFault });
  const trial = reading(path, (opened) => opened.trials.all().find(({ arm }) => arm === 'court')?.trial) ?? '';
  forge(path, `${path}.cut`, trial, ({ events }) => {
    events.splice(7);
  });
  expect(verifyPath(`${path}.cut`)).toMatchObject({ result: 'intact' });
  const report = await replayAll(`${path}.cut`);
  expect(report).toMatchObject({ identical: 3, different: 0, unfinished: 1, trials: [{ trial, result: 'unfinished' }] });
});
