import { percent } from '../../../core/figures/shares.ts';
import type { DeliberationFigures } from '../../../shared/api/deliberation.ts';
import { retitled, rightWords } from '../../../shared/decidedBy.ts';
import { type AmbiguityAccuracy, type AmbiguityStatistics, ambiguityParts } from '../../../shared/statistics.ts';
import { quantity, quantityOf } from '../../ui/quantity.ts';
import { cutName, smallN } from '../kit/axes.ts';
import { idsOf, rowsByArm } from '../kit/beliefLines.ts';
import { countsAsText, quantityIs } from '../kit/counts.ts';
import { dotRows } from '../kit/dotRows.ts';
import { count, figure, number, share, table, text } from '../kit/plot.ts';
import { endColumns, manyNamed, namedTrials, type Point, plainArms, shareText } from '../kit/points.ts';

type Part = (typeof ambiguityParts)[number];
type PartTrials = ReadonlyMap<string, Readonly<Record<Part, readonly string[]>>>;

const partNames = { total: 'all cases', normal: 'normal cases', ambiguous: 'ambiguous cases' } as const;

/** Finished trials of each arm by whether their case is ambiguous, which one arm's hearings show for all. */
function trialsByPart(source: DeliberationFigures, plain: ReadonlySet<string>): PartTrials {
  const { rows, arms } = source;
  const known = new Map<number, boolean>();
  for (const [row, found] of rows.ambiguous.entries()) {
    const id = rows.case[row] ?? -1;
    if (found >= 0 && plain.has(arms[rows.arm[row] ?? -1]?.name ?? '')) known.set(id, known.get(id) === true || found === 1);
  }
  return new Map(
    [...rowsByArm(source)].map(([arm, mine]) => {
      const of = (fits: (found: boolean | undefined) => boolean) =>
        idsOf(
          source,
          mine.filter((row) => fits(known.get(rows.case[row] ?? -1))),
        );
      const parts = {
        total: of((found) => found !== undefined),
        normal: of((found) => found === false),
        ambiguous: of((found) => found === true),
      };
      return [arms[arm]?.name ?? '', parts];
    }),
  );
}

/** Accuracies are of the trials with a known truth. */
function accuracyOf(
  { arm, part, n, cases, accuracy: { value, low, high } }: AmbiguityAccuracy,
  trials: PartTrials,
): Point | null {
  const found = trials.get(arm)?.[part] ?? [];
  if (value === null) return null;
  const behind = { ...namedTrials(found, { n, of: 'trials' }), subset: { known: ['truth' as const] } };
  return { value, low, high, n, cases, method: null, behind: found.length === 0 ? null : behind };
}

/** Gains are of the cases that the reference has too. */
function gainOf({ arm, part, gain }: AmbiguityAccuracy, trials: PartTrials, reference: string | null): Point | null {
  if (gain === null || gain.value === null || reference === null) return null;
  const [mine, others] = [trials.get(arm)?.[part] ?? [], trials.get(reference)?.[part] ?? []];
  const n = gain.paired_cases;
  const behind = {
    ...namedTrials([...mine, ...others], { n, of: 'cases' }),
    subset: { known: ['truth' as const] },
    matched: { arms: [arm, reference], by: 'case' as const },
  };
  const { value, low, high } = gain;
  return { value, low, high, n, cases: n, method: null, behind: mine.length === 0 || others.length === 0 ? null : behind };
}

function captionOf(
  { share: found, reference, unknown, disagreeing, arms }: AmbiguityStatistics,
  most: number,
  level: number,
  words: ReturnType<typeof rightWords>,
): string {
  const gain =
    reference === null
      ? 'Without an arm of single or standard there is no reference for a gain.'
      : `Relative gain: (${words.accuracy} − that of ${reference}) / that of ${reference}, over the cases that both have. There is none where that of ${reference} is 0.`;
  const asked =
    unknown === 0 ? '' : ` Whether ${quantity(unknown, 'further case')} ${unknown === 1 ? 'is' : 'are'} ambiguous is not known.`;
  const split =
    disagreeing === 0
      ? ''
      : ` ${quantityIs(disagreeing, 'case')} ambiguous by the hearings of one arm and not by those of another, and ${disagreeing === 1 ? 'counts' : 'count'} as ambiguous.`;
  const counts = countsAsText(arms, ({ n }) => n, { noun: 'finished trial', each: 'behind each mark' });
  return `${quantityOf(found.count, found.n, 'case')} ${found.count === 1 ? 'is' : 'are'} ambiguous: ${shareText(found)}; the label of five fresh hearings varies. ${counts}, a failed one as ${words.not}; lines are ${percent(level)} intervals over cases. ${gain}${asked}${split}${manyNamed(most)}${smallN(Math.min(found.count, found.n - found.count))}`;
}

export const ambiguousCasesFigure = figure({
  id: 'ambiguous-cases',
  title: 'Accuracy and relative gain on ambiguous and on normal cases',
  paper: 'Courtroom-LLM: figures 5, 6 and 11',
  requires:
    'cases of known truth of which it is known whether they are ambiguous: an arm of courtroom can hold five fresh hearings of each case, which show whether their label varies',
  needs: ['deliberation'],
  plot({ report, deliberation }) {
    const { ambiguity, interval } = report;
    if (ambiguity === undefined || ambiguity.why_null !== null) return null;
    const { arms, reference } = ambiguity;
    if (arms.every(({ accuracy }) => accuracy.value === null)) return null;
    const trials = trialsByPart(deliberation, new Set(plainArms(report).map(({ arm }) => arm)));
    const inPart = (arm: string, part: Part) => arms.find((each) => each.arm === arm && each.part === part);
    const channels = (id: string, of: (each: AmbiguityAccuracy) => Point | null) =>
      ambiguityParts.map((part) => ({
        id: `${id}/${part}`,
        name: partNames[part],
        of: (arm: string) => {
          const found = inPart(arm, part);
          return found === undefined ? null : of(found);
        },
      }));
    const accuracies = channels('accuracy', (each) => accuracyOf(each, trials));
    const gains = channels('gain', (each) => gainOf(each, trials, reference));
    const gainTitle = `relative gain over ${cutName(reference ?? '', 40)}`;
    return {
      caption: captionOf(
        ambiguity,
        Math.max(0, ...[...trials.values()].map(({ total }) => total.length)),
        interval.level,
        rightWords(report),
      ),
      ...dotRows({
        rows: [...new Set(arms.map(({ arm }) => arm))],
        name: (arm) => arm,
        panels: [
          { id: 'accuracy', title: rightWords(report).accuracy, scale: 'share', channels: accuracies },
          ...(arms.every(({ gain }) => gain === null)
            ? []
            : [{ id: 'gain', title: gainTitle, scale: 'gain' as const, channels: gains }]),
        ],
      }),
      table: table(
        arms,
        [
          text('arm', ({ arm }: AmbiguityAccuracy) => arm),
          text('cases that are', ({ part }) => partNames[part]),
          count('n', ({ n }) => n),
          count('cases', ({ cases }) => cases),
          ...endColumns(
            [retitled('accuracy of all', report), retitled('accuracy, low', report), retitled('accuracy, high', report)],
            share,
            ({ accuracy }: AmbiguityAccuracy) => accuracy,
          ),
          ...endColumns(['relative gain', 'gain, low', 'gain, high'], number, ({ gain }: AmbiguityAccuracy) => gain),
          count('cases of both', ({ gain }) => gain?.paired_cases ?? null),
        ],
        (each) => accuracyOf(each, trials)?.behind ?? null,
      ),
    };
  },
});
