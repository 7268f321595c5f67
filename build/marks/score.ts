// How many marks are right, and how much of what should be marked is.
import type { Unfounded } from '../../src/core/text/unfounded.ts';
import type { KindCounts, MarkCounts } from '../../src/core/text/unfoundedAccuracy.ts';
import { share, table } from '../markdown.ts';
import type { Labelled } from './labelled.ts';

const meets = (one: Unfounded) => (other: Unfounded) => one.start < other.end && other.start < one.end;

export function countsOf(labelled: readonly Labelled[]): MarkCounts {
  const of = (kind: Unfounded['kind']): KindCounts => {
    const counts = labelled.map(({ wanted, marked }) => {
      const [marks, labels] = [marked, wanted].map((some) => some.filter((each) => each.kind === kind));
      return {
        marked: marks?.length ?? 0,
        right: marks?.filter((mark) => wanted.some(meets(mark))).length ?? 0,
        wanted: labels?.length ?? 0,
        found: labels?.filter((label) => marked.some((mark) => mark.kind === kind && meets(label)(mark))).length ?? 0,
      };
    });
    const sum = (field: keyof KindCounts) => counts.reduce((total, each) => total + each[field], 0);
    return { marked: sum('marked'), right: sum('right'), wanted: sum('wanted'), found: sum('found') };
  };
  return { utterances: labelled.length, number: of('number'), quote: of('quote') };
}

/** What the rules mark and should not, and what they should mark and do not, in its surroundings. */
export function faultsIn(labelled: readonly Labelled[]): string[] {
  return labelled.flatMap(({ data, text, wanted, marked }) => {
    const around = ({ start, end }: Unfounded) =>
      `${text.slice(Math.max(0, start - 50), start)}[[${text.slice(start, end)}]]${text.slice(end, end + 50)}`.replaceAll(
        '\n',
        ' / ',
      );
    return [
      ...marked.filter((mark) => !wanted.some(meets(mark))).map((mark) => `${data}: wrongly marked: ${around(mark)}`),
      ...wanted.filter((label) => !marked.some(meets(label))).map((label) => `${data}: missed: ${around(label)}`),
    ];
  });
}

/** A row for each data set, and one for all. */
export function tableOf(labelled: readonly Labelled[]): string {
  const groups = [...Map.groupBy(labelled, ({ data }) => data)].toSorted();
  const rows = [...groups, ['**all**', labelled] as const].map(([name, group]) => {
    const { utterances, number, quote } = countsOf(group);
    const cells = [number, quote].flatMap(({ marked, right, wanted, found }) => [share(right, marked), share(found, wanted)]);
    return [name, `${utterances}`, ...cells];
  });
  return table(['data set', 'utterances', 'numbers: precision', 'numbers: recall', 'quotes: precision', 'quotes: recall'], rows);
}
