import { test } from 'vitest';
import reference from '../../../docs/reference/values/krippendorffAlpha.json' with { type: 'json' };
import { expectAgreement, repeated } from './agreement.fixture.ts';
import { alphaSums, krippendorffAlpha } from './krippendorffAlpha.ts';

function alphaOf(units: readonly (readonly number[])[], labels: number): number | null {
  const kinds = Array.from({ length: labels }, (_, label) => label);
  const sums = units.map((unit) => alphaSums(kinds.map((label) => unit.filter((rating) => rating === label).length)));
  return krippendorffAlpha({
    counts: kinds.map((label) => sums.reduce((sum, { counts }) => sum + (counts[label] ?? 0), 0)),
    disagreed: sums.reduce((sum, { disagreed }) => sum + disagreed, 0),
  });
}

test.each(reference.sets)('as krippendorff has it, with missing ratings and repeated units: $name', (set) => {
  expectAgreement(alphaOf(set.ratings, set.labels), set.expected);
  expectAgreement(alphaOf(repeated(set.ratings, set.weights), set.labels), set.weighted);
});
