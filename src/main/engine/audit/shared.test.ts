import { copyFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toHex } from '../../../core/record/hash.ts';
import type { EventPayload } from '../../../shared/events.ts';
import { replay } from '../engine.ts';
import { everyone, type Hearings, openHearings, textCases } from '../lab/preparation/testing/hearings.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { reading } from '../testing/reading.ts';
import { type ForgedEvent, forge } from './testing/forging.ts';
import { secondVerifier } from './testing/pythonVerifier.ts';
import { verifyPath } from './testing/tampering.ts';

/** What a forger who recomputes all hashes can claim about what trials share, and which command finds it. */

const chain = 'preparation/hearings';
const python = secondVerifier();
let standin: DemoServer;
let lab: Hearings;
/** One whose trials share no answers: nothing but precedents leads to its preparation chain. */
let alone: Hearings;

const arm = (name: string, protocol: string, params: object, retriever = true) => ({
  name,
  protocol,
  params,
  cast: everyone(retriever),
});

beforeAll(async () => {
  standin = await startDemoServer();
  lab = openHearings({
    url: standin.url,
    cases: textCases(16),
    arms: [
      arm('court', 'courtroom', { judges: 1, ambiguity: 5 }),
      arm('vectors', 'single', { shots: 2 }),
      arm('terms', 'single', { shots: 2 }, false),
      arm('drawn', 'courtroom', { judges: 1, retriever: 'random' }, false),
    ],
  });
  await lab.run();
  alone = openHearings({ url: standin.url, cases: textCases(16), arms: [arm('vectors', 'single', { shots: 2 })] });
  await alone.run();
});

afterAll(async () => {
  lab.close();
  alone.close();
  await standin.close();
});

const stepOf = <T>(events: readonly ForgedEvent[], kind: string, key?: string) => {
  const found = events.find((event) => event.kind === kind && (key === undefined || event.payload.key === key));
  if (found === undefined) throw new Error(`no ${kind} ${key ?? ''}`);
  return found.payload as T & Record<string, unknown>;
};

const trialOf = (name: string): string => lab.look((store) => store.trials.all().find((row) => row.arm === name)?.trial) ?? '';

/** Events of a chain as they are in a store, with their hashes. */
function eventsIn(path: string, name: string): { kind: string; payload: Record<string, unknown>; hash: string }[] {
  const chain = reading(path, ({ events }) => events.chain(name));
  return chain.map(({ kind, payload, hash }) => ({ kind, payload: JSON.parse(payload.toString('utf8')), hash: toHex(hash) }));
}

/** Forges a copy of the store, one chain after the other, and asks every verifier, and replay about a trial or all of them. */
async function forged(
  trial: string | undefined,
  of: Hearings,
  ...changes: readonly (readonly [name: string, change: (events: ForgedEvent[], path: string) => void])[]
) {
  const path = `${of.store}.forged`;
  copyFileSync(of.store, path);
  try {
    for (const [name, change] of changes) {
      const next = `${path}.next`;
      forge(path, next, name, ({ events }) => change(events, path));
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
      copyFileSync(next, path);
      for (const suffix of ['', '-wal', '-shm']) rmSync(next + suffix, { force: true });
    }
    const report = verifyPath(path);
    await python.agrees(path, report);
    const { result, first_bad } = report;
    const replayed = await replay(path, trial, () => undefined);
    return { result, problem: first_bad?.problem ?? null, replay: replayed.trials.at(0)?.problem ?? 'identical' };
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  }
}

test('as it was written every trial is intact and replays', async () => {
  expect(verifyPath(lab.store)).toMatchObject({ result: 'intact', trials: 16 });
  expect(await replay(lab.store, undefined, () => undefined)).toMatchObject({ identical: 16, different: 0 });
});

type Share = EventPayload<'answer-share'>;
type Call = EventPayload<'call-answer'>;
type Retrieved = EventPayload<'precedent-retrieve'>;

const hearing = (number: number) => `ambiguity/hearing-${number}`;

/** Makes a share say what a call of the preparation chain says. */
function point(share: Share, { payload, hash }: ReturnType<typeof eventsIn>[number]): void {
  const { key, setup, answer, done, method, rejected } = payload as Call;
  Object.assign(share, { call: { key, hash }, setup, answer, done, method, rejected });
}

describe('a shared answer', () => {
  test('that is another question’s is found', async () => {
    const trial = trialOf('court');
    const found = await forged(trial, lab, [
      trial,
      (events, path) => {
        const [one, other] = [1, 2].map((number) => stepOf<Share>(events, 'answer-share', hearing(number)));
        const call = eventsIn(path, chain).find(({ hash }) => hash === other?.call.hash);
        if (one === undefined || call === undefined) throw new Error('no such call');
        point(one, call);
      },
    ]);
    expect(found).toMatchObject({ result: 'tampered', problem: 'the call that it names answers another question' });
  });

  test('that is not what the call said is found, changed in the trial or in what was prepared', async () => {
    const trial = trialOf('court');
    const exchange = (kind: string) => (events: ForgedEvent[]) => {
      const one = stepOf<{ answer: unknown }>(events, kind);
      const other = events.find((event) => event.kind === kind && event.payload.answer !== one.answer);
      one.answer = other?.payload.answer;
    };
    expect(await forged(trial, lab, [trial, exchange('answer-share')])).toMatchObject({
      problem: 'its answer is not that of the call that it names',
    });
    expect(await forged(trial, lab, [chain, exchange('call-answer')])).toMatchObject({
      problem: expect.stringMatching(/not in the preparation chain/),
    });
  });

  test('that was followed by a further attempt is found', async () => {
    const trial = trialOf('court');
    const found = await forged(trial, lab, [
      chain,
      (events) => {
        const index = events.findIndex(({ kind }) => kind === 'call-answer');
        const share = lab.inTrials('answer-share').find((each) => each.trial === trial && each.payload.key === hearing(1));
        const call = events.find(({ payload }) => payload.key === share?.payload.call.key);
        if (call === undefined) throw new Error(`no call among ${index}`);
        const key = String(call.payload.key).replace(/\d+$/, '2');
        events.push({ kind: call.kind, payload: { ...call.payload, key } });
      },
    ]);
    expect(found).toMatchObject({ result: 'tampered', problem: expect.stringMatching(/followed by another attempt/) });
    expect(found.replay).toMatch(/not from the call/);
  });

  test('to a question that took another’s place in the preparation chain passes verify, and is found by replay', async () => {
    const trial = trialOf('court');
    const keys = lab
      .inTrials('answer-share')
      .filter((each) => each.trial === trial && [hearing(1), hearing(2)].includes(each.payload.key))
      .map(({ payload }) => payload.call.key);
    const follow = (events: ForgedEvent[], path: string) => {
      const calls = eventsIn(path, chain);
      for (const { kind, payload } of events) {
        if (kind !== 'answer-share') continue;
        const share = payload as Share;
        const call = calls.find((each) => each.payload.key === share.call.key);
        if (call === undefined) throw new Error('no such call');
        point(share, call);
      }
    };
    const [one = '', other = ''] = keys;
    const sharing = [...new Set(lab.inTrials('answer-share').map((each) => each.trial))];
    const found = await forged(
      trial,
      lab,
      [
        chain,
        (events) => {
          const swapped = new Map([
            [one, other],
            [other, one],
          ]);
          for (const { payload } of events) payload.key = swapped.get(String(payload.key)) ?? payload.key;
        },
      ],
      ...sharing.map((name) => [name, follow] as const),
    );
    expect(found).toMatchObject({
      result: 'intact',
      replay: expect.stringMatching(/once\/.*the recorded request is not the one/),
    });
  });
});

const precedents = (change: (retrieved: Retrieved) => void) => (events: ForgedEvent[]) => {
  change(stepOf<Retrieved>(events, 'precedent-retrieve'));
};

describe('precedents', () => {
  const someOther = (retrieved: Retrieved): string => {
    const found = new Set(retrieved.precedents.map((each) => each.case));
    const [{ label = '' } = {}] = retrieved.precedents;
    return lab.look((store) => {
      const { id: dataset } = store.datasets.all().at(-1) ?? { id: 0 };
      const other = store.datasets
        .cases(dataset)
        .find(({ ref, split }) => split === 'train' && !found.has(ref) && store.datasets.read(ref).truth === label);
      return other?.ref ?? '';
    });
  };
  const nudge = (by: number) => (retrieved: Retrieved) => {
    const [first] = retrieved.precedents;
    if (first !== undefined) first.similarity = Math.max(-1, (first.similarity ?? 0) - by);
  };
  const exchange = (retrieved: Retrieved) => {
    const [first] = retrieved.precedents;
    if (first !== undefined) first.case = someOther(retrieved);
  };
  const turn = (retrieved: Retrieved) => {
    const [first, second] = retrieved.precedents;
    if (first !== undefined && second !== undefined) retrieved.precedents.splice(0, 2, second, first);
  };
  const drop = (retrieved: Retrieved) => {
    retrieved.precedents.splice(0, 1);
  };

  test.each([
    ['vectors', 'similarity', nudge(0.01), /the similarity of a precedent is not/],
    ['terms', 'similarity', nudge(0.01), /the similarity of a precedent is not/],
    ['vectors', 'choice', exchange, /the similarity of a precedent is not/],
    ['terms', 'choice', exchange, /similarity of a precedent is not|nearer case/],
    ['vectors', 'order', turn, /not in the order/],
    ['terms', 'number', drop, /a nearer case of the training split/],
    ['drawn', 'choice', exchange, /the seed draws other precedents/],
    ['drawn', 'number', drop, /the seed draws other precedents/],
  ])('of arm %s: a forged %s passes verify and is found by replay', async (name, _what, change, problem) => {
    const trial = trialOf(name);
    const found = await forged(trial, lab, [trial, precedents(change)]);
    expect(found.result).toBe('intact');
    expect(found.replay).toMatch(problem);
  });

  test.each([
    [
      'another label',
      (_events: ForgedEvent[], label: string) => ({ label: label === 'delay' ? 'praise' : 'delay' }),
      /another label/,
    ],
    [
      'the case on trial',
      (events: ForgedEvent[]) => ({ case: stepOf<{ case: string }>(events, 'trial-open').case }),
      /not of the training split/,
    ],
  ])('one of which has %s are found', async (_what, change, problem) => {
    const trial = trialOf('terms');
    const found = await forged(trial, lab, [
      trial,
      (events) => {
        const [first] = stepOf<Retrieved>(events, 'precedent-retrieve').precedents;
        if (first !== undefined) Object.assign(first, change(events, first.label));
      },
    ]);
    expect(found).toMatchObject({ result: 'tampered', problem: expect.stringMatching(problem) });
  });

  test.each([
    ['vectors', 'tf-idf', /no model that the method/],
    ['vectors', 'random', /similarities of the method random/],
    ['terms', 'embeddings', /does not say what made its vectors/],
  ])('of arm %s: said to be found by %s', async (name, method, problem) => {
    const trial = trialOf(name);
    const found = await forged(trial, lab, [trial, precedents((retrieved) => Object.assign(retrieved, { method }))]);
    expect(found).toMatchObject({ result: 'tampered', problem: expect.stringMatching(problem) });
    expect(found.replay).toMatch(/precedents are found by/);
  });

  test('without a setup, as if no model had been asked, pass verify and are found by replay', async () => {
    const trial = trialOf('vectors');
    const forgery = precedents((retrieved) => Object.assign(retrieved, { method: 'tf-idf', setup: null }));
    expect(await forged(trial, lab, [trial, forgery])).toMatchObject({
      result: 'intact',
      replay: expect.stringMatching(/precedents are found by embeddings/),
    });
  });

  test.each([
    ['cut off at its end', (events: ForgedEvent[]) => events.findLastIndex(({ kind }) => kind === 'embedding-make')],
    ['taken out', () => 0],
  ])('whose preparation chain was %s are found', async (_what, from) => {
    const found = await forged(undefined, alone, [chain, (events) => void events.splice(from(events))]);
    expect(found.result).toBe('tampered');
    expect(found.problem).toMatch(/preparation chain of its experiment/);
    expect(found.replay).not.toBe('identical');
  });

  test('whose vectors are others than the record has are found', async () => {
    const found = await forged(undefined, alone, [
      chain,
      (events) => {
        const made = events.filter(({ kind, payload }) => kind === 'embedding-make' && (payload.cases as string[]).length === 1);
        const [one, other] = made;
        if (one === undefined || other === undefined) throw new Error('too few vectors');
        [one.payload.vectors, other.payload.vectors] = [other.payload.vectors, one.payload.vectors];
      },
    ]);
    expect(found.result).toBe('intact');
    expect(found.replay).toMatch(/the similarity of a precedent is not/);
  });
});

describe('what was prepared, damaged', () => {
  const setupOf = (events: ForgedEvent[]) => stepOf<EventPayload<'embedding-make'>>(events, 'embedding-make').setup;

  test.each([
    ['cases that are none', (events: ForgedEvent[]) => ({ cases: [setupOf(events)] })],
    [
      'a setup that is a case',
      (events: ForgedEvent[]) => ({ setup: stepOf<EventPayload<'embedding-make'>>(events, 'embedding-make').cases[0] }),
    ],
    ['vectors that are a text', (events: ForgedEvent[]) => ({ vectors: setupOf(events) })],
    ['no cases', () => ({ cases: 'none' })],
    [
      'vectors of other cases',
      (events: ForgedEvent[]) => ({ cases: stepOf<EventPayload<'embedding-make'>>(events, 'embedding-make').cases.toReversed() }),
    ],
  ])('with %s is tampered, and the event is named', async (_what, change) => {
    const path = `${alone.store}.forged`;
    forge(alone.store, path, chain, ({ events }) => {
      Object.assign(stepOf(events, 'embedding-make'), change(events));
    });
    try {
      expect(verifyPath(path)).toMatchObject({ result: 'tampered', first_bad: { problem: expect.any(String) } });
    } finally {
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    }
  });
});
