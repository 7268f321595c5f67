import { expect, test } from 'vitest';
import { shownArmNames } from '../../../core/figures/armNames.ts';
import { recordedNames, recordedTrials, shownSources } from './shownSources.ts';

const names = shownArmNames(['EVINCE, m:8b', 'StandardLLM, m:8b', 'court', 'court~sides']);

test('figures get arms as they are called, and a mark leads back to their names in the record', () => {
  const sources = {
    view: {},
    report: { arms: [{ arm: 'EVINCE, m:8b', models: ['m:8b'], note: 'EVINCE, m:8b wins' }], byArm: { 'court~sides': 1 } },
  };
  const shown = shownSources({ ...sources, deliberation: null, protocols: null } as never, names);
  expect(shown).toEqual({
    view: {},
    report: {
      arms: [{ arm: 'EVINCE · m', models: ['m:8b'], note: 'EVINCE, m:8b wins' }],
      byArm: { 'court, sides exchanged': 1 },
    },
    deliberation: null,
    protocols: null,
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

test('what holds no name is not copied, and an answer is called once for all figures', () => {
  const rows = { arm: [0, 1], case: ['c1', 'c2'] };
  const deliberation = { arms: [{ name: 'court~sides' }], rows };
  const of = (report: object) => shownSources({ view: {}, report, deliberation, protocols: null } as never, names).deliberation;
  const shown = of({});
  expect(shown).toEqual({ arms: [{ name: 'court, sides exchanged' }], rows });
  expect(shown?.rows).toBe(rows);
  expect(of({ of: 'another figure' })).toBe(shown);
});
