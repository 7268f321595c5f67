import { expect, test } from 'vitest';
import { shownArmNames } from '../../../core/figures/armNames.ts';
import { recordedNames, recordedTrials, shownSources } from './shownSources.ts';

const names = shownArmNames(['EVINCE, m:8b', 'StandardLLM, m:8b', 'court', 'court~sides']);

test('figures get arms as they are called, and a mark leads back to their names in the record', () => {
  const sources = {
    report: { arms: [{ arm: 'EVINCE, m:8b', models: ['m:8b'], note: 'EVINCE, m:8b wins' }], byArm: { 'court~sides': 1 } },
  };
  const shown = shownSources(sources as never, names) as unknown as typeof sources;
  expect(shown).toEqual({
    report: {
      arms: [{ arm: 'EVINCE · m', models: ['m:8b'], note: 'EVINCE, m:8b wins' }],
      byArm: { 'court, sides exchanged': 1 },
    },
  });
  expect(recordedTrials({ arm: 'EVINCE · m', subset: { arms: ['court, sides exchanged', 'court'] } }, names)).toEqual({
    arm: 'EVINCE, m:8b',
    subset: { arms: ['court~sides', 'court'] },
  });
  expect(recordedNames(names).get('StandardLLM · m')).toBe('StandardLLM, m:8b');
});

test('sources without a name to change are the same', () => {
  const sources = { report: {} } as never;
  expect(shownSources(sources, shownArmNames(['court', 'single']))).toBe(sources);
});
