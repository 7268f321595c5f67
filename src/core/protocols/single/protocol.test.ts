import { expect, test } from 'vitest';
import type { PreparedCall } from '../../record/effects.ts';
import { protocols } from '../index.ts';
import { caseOf } from '../testing/cases.ts';
import { emptyRecord, runInMemory, termsFor } from '../testing/memoryTrial.ts';
import { scriptedEffects } from '../testing/scriptedModel.ts';
import { textOf } from '../testing/settings.ts';

async function hold(id: string, params: object) {
  const registered = protocols.find((protocol) => protocol.id === id);
  if (registered === undefined) throw new Error(`${id} is not registered`);
  const record = emptyRecord();
  const effects = scriptedEffects();
  const end = await runInMemory(record, registered.bind(params), termsFor(registered, [], 0), caseOf('pair', 3), effects);
  return { end, effects, ruling: record.events.flatMap((event) => (event.kind === 'ruling-give' ? [event.payload] : [])) };
}

test('asks what a voter is asked, once', async () => {
  const one = await hold('single', { shots: 2 });
  const voter = await hold('vote', { voters: 1, shots: 2 });
  expect(one.effects.calls.map(textOf)).toEqual(voter.effects.calls.map(textOf));
  expect(one.ruling).toMatchObject([{ role: 'predictor', source: 'verbal' }]);
});

test.each([0, 1, 2])('shows %i training cases of each label, with their labels and without reasons', async (shots) => {
  const { effects, end } = await hold('single', { shots });
  expect(end).toEqual({ outcome: 'decided', incomplete: false });
  const prompt = textOf(effects.calls[0] as PreparedCall);
  expect(prompt.match(/^Right answer: "label [123]"$/gm) ?? []).toHaveLength(3 * shots);
  expect(prompt.includes('Earlier cases')).toBe(shots > 0);
  expect(effects.sharedCalls).toEqual([]);
});
