import { afterEach, describe, expect, test, vi } from 'vitest';
import { BackendOutage, type TokenReport } from '../../../shared/model.ts';
import { probeDifference } from './probeAnswers.ts';
import { type FakeServer, pooled } from './testing/pooled.ts';

const minutes = 60_000;
afterEach(() => void vi.restoreAllMocks());

describe('weights that a run asks', () => {
  test.each([
    ['other weights', { digest: 'y' }, 'b: model m at http://b has other weights than at http://a (digest y, there x)'],
    ['no such model', { has: 'n' }, 'b: http://b does not have m'],
    ['no digest where the first has one', { digest: null }, 'b: model m at http://b has other weights than at http://a'],
  ])('%s: the server gets no calls', async (_what, state, why) => {
    const { notes, ask } = await pooled({}, { prepare: (_a, b) => Object.assign(b.state, state) });
    expect(notes).toEqual([expect.stringContaining(why)]);
    expect(await Promise.all([ask(), ask()])).toEqual(['http://a', 'http://a']);
  });

  test('are those of the newest answer on record where a server has them', async () => {
    const { notes, ask } = await pooled({}, { prepare: (_a, b) => Object.assign(b.state, { digest: 'y' }), recorded: () => 'y' });
    expect(notes).toEqual([expect.stringContaining('a: model m at http://a has other weights than at http://b')]);
    expect(await ask()).toBe('http://b');
  });

  test('are those that are there where no server has the recorded ones, and that is said', async () => {
    const { notes, ask } = await pooled({}, { recorded: () => 'old' });
    expect(notes).toEqual([expect.stringMatching(/other weights than gave the newest answers .*digest x, before old/)]);
    expect(await ask()).toBe('http://a');
  });
});

describe('weights that change during a run', () => {
  const change = ({ state }: FakeServer) => Object.assign(state, { digest: 'y', answer: { loadMs: 900 } });

  test('give no answer: a call that loaded them is made elsewhere', async () => {
    const { a, notes, report } = await pooled();
    change(a);
    expect((await report()).sentTo).toMatchObject({ url: 'http://b', digest: 'x' });
    expect(a.state.asked).toBe(1);
    expect(notes).toEqual([expect.stringMatching(/^a: model m at http:\/\/a has other weights than when the run began/)]);
  });

  test('end the run where no other server is there, with words on what to do', async () => {
    const { a, report } = await pooled({ waitMs: 0, lookAgainMs: 0 }, { names: ['a'] });
    await report();
    change(a);
    await expect(report()).rejects.toMatchObject({
      code: 'no-backend',
      message: expect.stringMatching(/other weights than when the run began .* the next one takes what is there/),
    });
  });

  test('that only load once more are the same', async () => {
    const { a, report } = await pooled({}, { names: ['a'] });
    Object.assign(a.state, { answer: { loadMs: 900 }, version: '2' });
    expect((await report()).sentTo).toMatchObject({ url: 'http://a', digest: 'x', version: '2' });
  });

  test.each([
    ['after ten minutes', () => vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 10 * minutes)],
    ['after a pause', () => (held += 1)],
  ])('are noticed %s without a load, and no call looks before', async (_when, pass) => {
    const { a, report } = await pooled({ hold }, { names: ['a'] });
    const { looked } = a.state;
    for (let calls = 0; calls < 3; calls++) await report();
    expect(a.state.looked).toBe(looked);
    a.state.version = '2';
    pass();
    expect(await Promise.all([report(), report()])).toMatchObject([{ sentTo: { version: '2' } }, { sentTo: { version: '2' } }]);
    expect(a.state.looked).toBe(looked + 1);
  });
  let held = 0;
  const hold = { heldMs: () => held, passed: async () => undefined, isHeld: () => false };
});

/** An answer of tokens that were chosen with this log-probability. */
const answer = (text: string, logprob: number | null) => ({
  text,
  tokens:
    logprob === null
      ? []
      : Array.from(
          { length: 12 },
          (_none, place): TokenReport => ({ token: `${place}`, logprob, top: [{ token: `${place}`, logprob }] }),
        ),
});

describe('servers without digests', () => {
  const without = (answers: readonly [object, object]) => (a: FakeServer, b: FakeServer) => {
    for (const [index, { state }] of [a, b].entries()) Object.assign(state, { digest: null, answer: answers[index] });
  };

  test('of another version share no calls', async () => {
    const prepare = (a: FakeServer, b: FakeServer) => {
      without([{}, {}])(a, b);
      b.state.version = '2';
    };
    const { notes } = await pooled({}, { prepare });
    expect(notes).toEqual(['b: http://b states no digest of model m and has version 2, while http://a has 1']);
  });

  test('share calls where fixed requests have the same answers', async () => {
    const { a, b, notes } = await pooled({}, { prepare: without([{ text: 'law' }, { text: 'law' }]) });
    expect([notes, a.state.asked, b.state.asked]).toEqual([[], 3, 3]);
  });

  test('share calls, with a warning, where only the words differ: other hardware can do that', async () => {
    const { notes } = await pooled({}, { prepare: without([{ text: 'law' }, { text: 'order' }]) });
    expect(notes).toEqual([
      expect.stringMatching(/^model m at http:\/\/b answers .* at http:\/\/a: "law" there and "order" here$/),
    ]);
  });

  test('share none where the probabilities of the tokens are far apart, also when one comes back', async () => {
    const of = (logprob: number) => ({ text: 'law', logprobs: answer('', logprob).tokens });
    const { notes } = await pooled({}, { prepare: without([of(-1), of(-1.5)]) });
    expect(notes).toEqual([expect.stringMatching(/^b: model m .*"law" there and "law" here; log-probabilities are 0.50 apart/)]);
    const { b, ...later } = await pooled({}, { prepare: without([of(-1), of(-1.1)]) });
    b.state.error = new BackendOutage('gone');
    const askTwice = () => Promise.all([later.ask(), later.ask()]);
    await expect.poll(() => askTwice().then(() => later.notes)).toEqual(['b: gone']);
    const { asked } = b.state;
    Object.assign(b.state, { error: null, answer: of(-2) });
    // Nothing but the fixed requests.
    await expect.poll(() => askTwice().then(() => b.state.asked)).toBe(asked + 3);
    expect(new Set(await askTwice())).toEqual(new Set(['http://a']));
  });

  test.each([
    ['the same', answer('x', -1), answer('x', -1), null],
    ['near, in other words', answer('x', -1), answer('y', -1.1), null],
    ['far', answer('x', -1), answer('x', -1.3), { isCertain: true }],
    ['other words without probabilities', answer('x', null), answer('y', null), { isCertain: false }],
    ['rare tokens only', answer('x', -9), answer('x', -5), null],
  ])('answers: %s', (_what, there, here, difference) => {
    const found = probeDifference([there], [here]);
    if (difference === null) expect(found).toBeNull();
    else expect(found).toMatchObject(difference);
    expect(probeDifference(null, [here])).toBeNull();
  });
});
