// Says which cases of a data set repeat an earlier one.
import { repeatedCases } from '../../../core/cases/peculiarities.ts';
import { type Check, warning } from '../../../shared/checks.ts';
import type { DatasetCase } from '../../../shared/domain.ts';
import type { DatasetDefinition } from '../../../shared/experiment.ts';
import type { Dataset } from './dataset.ts';
import { listed } from './spelling.ts';

const mostRepeated = 5;

type Repeated = ReturnType<typeof repeatedCases>;

function repeatedText(repeated: Repeated): string {
  const named = repeated
    .slice(0, mostRepeated)
    .map(
      ({ id, of, contradicts, apart }) =>
        `${id} repeats ${of}${apart.length === 0 ? '' : ` but for ${listed(apart)}`}${contradicts ? ', with another label' : ''}`,
    );
  const contradicting = repeated.filter(({ contradicts }) => contradicts).length;
  const more = repeated.length - named.length;
  const several = `${repeated.length} cases repeat an earlier one${contradicting === 0 ? '' : `, ${contradicting} of them with another label`}: `;
  return `${repeated.length === 1 ? 'case ' : several}${named.join('; ')}${more === 0 ? '' : `; and ${more} more`}`;
}

const inWhole =
  'leave one of them out of the file; “repeated cases only once” in “New experiment” ("distinct" in "sample" of a file) is enough only where both are on trial';

function checksOf(repeated: Repeated, advice: string): Check[] {
  const { same = [], datesApart = [] } = Object.groupBy(repeated, ({ apart }) => (apart.length === 0 ? 'same' : 'datesApart'));
  return [
    ...(same.length === 0 ? [] : [warning(repeatedText(same), advice)]),
    ...(datesApart.length === 0 ? [] : [warning(repeatedText(datesApart), 'see in the file whether they are one case')]),
  ];
}

export const repeatChecks = (cases: readonly DatasetCase[], kind: DatasetDefinition['kind']): Check[] =>
  checksOf(repeatedCases(cases, kind), inWhole);

/** Of an experiment: cases on trial that repeat another one on trial, or one to learn from, which `distinct` leaves in. */
export function repeatsOnTrial({ cases, sample, splits }: Dataset, kind: DatasetDefinition['kind']): Check[] {
  const onTrial = new Set(sample);
  const used = cases.filter(({ id }) => onTrial.has(id) || splits.get(id) === 'train');
  const found = repeatedCases(used, kind).filter(({ id, of }) => onTrial.has(id) || onTrial.has(of));
  const areBoth = found.some(({ id, of, apart }) => apart.length === 0 && onTrial.has(id) && onTrial.has(of));
  return checksOf(found, areBoth ? inWhole : 'one is on trial and the other to learn from: leave one of them out of the file');
}
