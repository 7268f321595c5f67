// Stated confidence in bins and where it is high, and how often the verdicts there were right.
import { rightWords } from '../../shared/decidedBy.ts';
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import { count, quantity } from '../../shared/sizes.ts';
import type { Measure, ReliabilityBin } from '../../shared/statistics.ts';
import { plainAmong } from '../../shared/trialLine.ts';
import { countOf } from '../figures/measureScale.ts';
import { percent, wholeRange } from '../figures/shares.ts';
import { fewestInGroup } from '../statistics/measures/fairness.ts';
import { sureFrom } from '../statistics/riskCoverage.ts';
import { noise } from '../statistics/sameNumber.ts';
import { wilson } from '../statistics/wilson.ts';
import { estimate, measureNamed, type Piece, rangeInWords, table } from './cells.ts';

/** Arms beyond which the table does not go through them: each has up to 15 bins. */
const mostArms = 6;

export const stated = (bins: readonly ReliabilityBin[]) => bins.reduce((sum, bin) => sum + bin.n, 0);

export const statedRange = ({ from, to }: ReliabilityBin): string =>
  from === to ? percent(from) : `${percent(from)} to ${percent(to)}`;

/** The share of some verdicts, such as those of a bin, that are right, 0-1, with its Wilson interval over trials. */
export function rightShare({ n, accuracy }: Pick<ReliabilityBin, 'n' | 'accuracy'>, level: number) {
  const { low = null, high = null } = wilson(Math.round(accuracy * n), n, level) ?? {};
  return {
    ...{ name: 'accuracy', value: accuracy, low, high, level, interval_method: 'wilson' },
    ...{ resamples: null, undefined_resamples: null, why_null: null },
  } satisfies Partial<Measure>;
}

/** Whether some finished trials have no known truth: what is counted where it is known says nothing of those. */
export const lacksTruths = (arm: Pick<ArmStatistics, 'measures' | 'n'>): boolean =>
  (measureNamed(arm, 'accuracy', { over: 'all', label: null })?.n ?? 0) < arm.n;

/**
 * How often an arm is right where it is at least 90% sure, or where it never is, where it is surest; after its name. Null where no
 * confidence was stated; how often it is right there is left out of fewer than `fewestInGroup` cases. @param isPlain in words that need no statistics
 */
export function surestText(arm: ArmStatistics, of: Pick<StatsReport, 'decided_by'>, isPlain = false): string | null {
  const found = measureNamed(arm, 'accuracy_when_sure');
  // As the sentences around it count: a failed trial states nothing.
  const decided = measureNamed(arm, 'accuracy', { over: 'decided' });
  const top = arm.reliability.at(-1)?.to;
  if (found?.value == null || decided === undefined || top === undefined) return null;
  const { value, n, cases, low, high } = found;
  const ofCases = ` of ${quantity(decided.cases, 'case')}`;
  const where =
    decided.n > decided.cases ? `${count(n)} of ${count(decided.n)} trials (${count(cases)}${ofCases})` : `${count(n)}${ofCases}`;
  const right = countOf(found);
  const share = right === null ? percent(value) : count(right);
  const words = rightWords(of);
  const are = isPlain ? (share === '1' ? words.was : words.were) : share === '1' ? words.is : words.are;
  const plainRange = low === null || high === null ? '' : `, probably ${wholeRange({ low, high })} of 100`;
  const range = `${right === null ? '' : percent(value)}${isPlain ? plainRange : rangeInWords(found)}`.replace(/^, /, '');
  const isSure = top >= sureFrom - noise;
  const known = lacksTruths(arm) ? ' where the truth is known' : '';
  const never = `never says ${percent(sureFrom)}${known}: it is at most ${percent(top)} sure${known === '' ? '' : ' there'}`;
  if (!isSure && cases < fewestInGroup) return `${never}.`;
  return `${isSure ? `is at least ${percent(sureFrom)} sure in` : `${never}, in`} ${where}, and ${share} of these ${are}${range === '' ? '' : ` (${range})`}.`;
}

/** What the binned measures of each arm rest on; null where no confidence was stated. */
export function binsText(arms: readonly ArmStatistics[]): string | null {
  const each = arms.flatMap(({ arm, reliability: bins }) => {
    const n = stated(bins);
    return n === 0 ? [] : [`${arm} ${quantity(n, 'trial')} in ${quantity(bins.length, 'bin')}`];
  });
  return each.length === 0
    ? null
    : `To measure calibration, trials are sorted by their stated confidence (for one label, by the belief in it) and divided into at most 15 bins of about the same size. Equal values share a bin. Drawn bins are parted at gaps of over 10 points. By confidence: ${each.join('; ')}.`;
}

type Binned = Pick<StatsReport, 'arms' | 'interval'>;

/** Nothing where no arm has bins. @param met what the share of a bin is of */
function tableOf(
  { arms, interval: { level } }: Binned,
  binsOf: (arm: ArmStatistics) => readonly ReliabilityBin[],
  { text, met }: { readonly text: string; readonly met: string },
): Piece[] {
  const binned = plainAmong(arms).filter((arm) => binsOf(arm).length > 0);
  if (binned.length === 0) return [];
  const rows = binned
    .slice(0, mostArms)
    .flatMap((arm) =>
      binsOf(arm).map((bin) => [
        ...[arm.arm, statedRange(bin), count(bin.n), percent(bin.confidence)],
        estimate(rightShare(bin, level)),
      ]),
    );
  const more = binned.length > mostArms ? ` The first ${mostArms} of ${binned.length} arms.` : '';
  return [
    `${text}, with ${percent(level)} Wilson intervals over trials.${more}`,
    table(['arm', 'stated', 'trials', 'stated on average', met], rows),
  ];
}

/** What each arm said and how often it was right then; nothing where no confidence was stated. */
export const binsTable = (report: Binned): Piece[] =>
  tableOf(report, ({ reliability }) => reliability, {
    text: 'How sure an arm said it was, and how often it was right then',
    met: 'right',
  });

/** What probability each arm gave one of two labels, and how often it was that; nothing where none was stated. */
export function labelBinsTable(report: Binned & Pick<StatsReport, 'decided_by'>): Piece[] {
  const label = report.arms.flatMap(({ label_reliability: found }) => found?.label ?? [])[0];
  const met = report.decided_by === undefined ? `were ${label}` : `${report.decided_by} decided ${label}`;
  return tableOf(report, ({ label_reliability: found }) => found?.bins ?? [], {
    text: `What probability of ${label} an arm stated, and how often it was so then`,
    met,
  });
}
