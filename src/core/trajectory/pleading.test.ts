import { expect, test } from 'vitest';
import type { Swap } from '../../shared/swaps.ts';
import { findProtocol } from '../protocols/index.ts';
import { caseOf } from '../protocols/testing/cases.ts';
import { emptyRecord, runInMemory, termsFor } from '../protocols/testing/memoryTrial.ts';
import { failed, scriptedEffects } from '../protocols/testing/scriptedModel.ts';
import { persuasion } from '../statistics/persuasion.ts';
import { type Pleading, pleadingOf } from './pleading.ts';
import { trajectoryOf } from './trajectory.ts';
import { verdictPath } from './verdictPath.ts';

async function trialOf(id: string, swap: Swap | null, silent: (key: string) => boolean = () => false) {
  const protocol = findProtocol(id);
  if (protocol === undefined) throw new Error(`no protocol ${id}`);
  const [bound, kase, record] = [protocol.bind({}), caseOf('text', 2), emptyRecord()];
  const terms = { ...termsFor(protocol, [], 0), swap };
  await runInMemory(
    record,
    bound,
    terms,
    kase,
    scriptedEffects(({ key }) => (silent(key) ? failed('timeout', true) : null)),
  );
  const pleading: Pleading | null = pleadingOf(trajectoryOf(record.events), bound.claims(kase, swap));
  return { events: record.events, pleading };
}

test.each([
  [null, 'label 2', 'defense'],
  ['sides', 'label 1', 'defense'],
  ['order', 'label 2', 'prosecutor'],
] as const)('agentic-sim, %s exchanged: the prosecution argues for %s and %s has the last word', async (swap, label, last) => {
  const { pleading } = await trialOf('agentic-sim', swap);
  expect(pleading).toMatchObject({ claims: { prosecutor: label }, last });
});

test('a last speech that was forfeited is not the last word', async () => {
  const { pleading } = await trialOf('agentic-sim', null, (key) => key.startsWith('turn-3/defense'));
  expect(pleading?.last).toBe('prosecutor');
});

test('courtroom: as assigned in the trial, and as read', async () => {
  const usual = await trialOf('courtroom', null);
  const turned = await trialOf('courtroom', 'order');
  expect(usual.pleading?.last).toBe('attorney');
  expect(turned.pleading?.last).toBe('prosecutor');
  expect(turned.pleading?.claims).toEqual(usual.pleading?.claims);
});

test('if no one argues there is none', async () => {
  expect((await trialOf('standard', null)).pleading).toBeNull();
  expect(pleadingOf({ speeches: [{ role: 'constructor', turn: 'opening' }], assigned: null }, {})).toBeNull();
});

test('a speech persuades towards the label that its side argued for, also where sides were exchanged', async () => {
  const { events, pleading } = await trialOf('agentic-sim', 'sides');
  const path = verdictPath(trajectoryOf(events));
  if (path === null) throw new Error('no path');
  const effects = persuasion({ ...path, pleading }, 'label 2');
  expect(effects.length).toBeGreaterThan(3);
  // The change is of P(label 2), for which the defense argued.
  for (const { side, change, towards } of effects) expect(towards).toBe(side === 'defense' ? change : -change);
});
