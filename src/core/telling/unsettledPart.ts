// Trials that were not started, did not end, failed or lost a turn: how many, of which arms and cases, and where they count.
import { andImported, isImported } from '../../shared/imported.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { count, quantity } from '../../shared/sizes.ts';
import { plainAmong } from '../../shared/trialLine.ts';
import type { UnsettledTrials } from '../../shared/unsettled.ts';
import { outcomeText } from '../figures/outcomeText.ts';
import { measureNamed, type Piece, table } from './cells.ts';

type Kind = UnsettledTrials['kind'];

const kindText = (kind: Kind): string => {
  if (kind === 'not_begun') return 'not begun';
  if (kind === 'not_ended') return 'begun, not ended';
  return kind === 'turn_lost' ? 'decided with a turn lost' : `failed: ${outcomeText(kind)}`;
};

/** Where trials of each kind count, in the order of the table. */
const countings: readonly { readonly holds: (kind: Kind) => boolean; readonly text: string }[] = [
  {
    holds: (kind) => kind === 'not_begun' || kind === 'not_ended',
    text: 'Trials that were not begun or did not end count in no figure.',
  },
  {
    holds: (kind) => !['not_begun', 'not_ended', 'turn_lost'].includes(kind),
    text: 'Failed trials count as not right in accuracy of all and in comparisons, as not selected in “failures as not selected”, and in the failure rate. They are in no figure over decided trials, such as accuracy of decided, precision, recall, F1, calibration and selection rate.',
  },
  { holds: (kind) => kind === 'turn_lost', text: 'Trials that were decided with a turn lost count as all decided trials do.' },
];

/** Ids in a cell; the report as JSON has some more. */
const mostNamed = 10;

export const casesText = ({ cases, first }: Pick<UnsettledTrials, 'cases' | 'first'>) => {
  const named = first.slice(0, mostNamed);
  return `${cases === 1 ? 'case' : 'cases'} ${named.join(', ')}${cases > named.length ? ` and ${count(cases - named.length)} more` : ''}`;
};

/** Trials of arms: those that are planned, how many of them have ended, and those that were imported; `decided` is of all. */
function totals(arms: StatsReport['arms']) {
  const sum = (of: 'planned' | 'n' | 'decided', some = arms) => some.reduce((total, arm) => total + arm[of], 0);
  const own = arms.filter((arm) => !isImported(arm));
  return { planned: sum('planned', own), n: sum('n', own), imported: sum('n') - sum('n', own), decided: sum('decided') };
}

export function openTrials({ arms }: Pick<StatsReport, 'arms'>): { arm: string; trials: number }[] {
  return arms.flatMap(({ arm, planned, n }) => (planned > n ? [{ arm, trials: planned - n }] : []));
}

/** After what has not ended: what has, where some of it was imported and so was never planned. */
export const endedToo = (ended: number, imported: number): string =>
  imported === 0 ? '' : `; ${count(ended)} have${andImported(imported)}`;

const mostArms = 3;

/** Whether the stopping rule ended the run. Other arms still get the cases that it took: until then it has not ended. */
export function isEndedByRule({ primary, arms }: Pick<StatsReport, 'primary' | 'arms'>): boolean {
  const after = primary?.stop?.after ?? null;
  if (after === null) return false;
  const taken = after * (primary?.planned?.replicates ?? 1);
  return arms.every((arm) => arm.n >= Math.min(taken, arm.planned));
}

/** That trials are missing, and that arms have different cases; nothing where neither is so. */
export function missingTexts(report: Pick<StatsReport, 'arms' | 'comparisons' | 'primary'>): string[] {
  const { arms, comparisons } = report;
  const plain = plainAmong(arms);
  const open = openTrials({ arms: plain });
  const missing = open.reduce((sum, { trials }) => sum + trials, 0);
  const ended = totals(plain);
  const named = open.slice(0, mostArms).map(({ arm, trials }) => `${arm} ${count(trials)}`);
  const more = open.length > mostArms ? ` and ${quantity(open.length - mostArms, 'more arm')}` : '';
  const cases = plain.flatMap((arm) => measureNamed(arm, 'accuracy', { over: 'all', label: null })?.cases ?? []);
  const [least, most] = [Math.min(...cases), Math.max(...cases)];
  const isUnequal = least < most || comparisons.some((pair) => !pair.baseline && pair.paired_cases < most);
  return [
    ...(open.length === 0
      ? []
      : [
          `${count(missing)} of ${count(ended.planned)} planned trials ${isEndedByRule(report) ? 'have no result, since the stopping rule ended the run' : 'have not ended'}: ${named.join(', ')}${more}${endedToo(ended.n, ended.imported)}.`,
        ]),
    ...(isUnequal
      ? [
          `${open.length === 0 || isEndedByRule(report) ? 'The arms' : 'So far the arms'} have different cases (${least < most ? `${count(least)} to ` : ''}${count(most)} each). Comparisons in pairs are over the cases that both have.`,
        ]
      : []),
  ];
}

export const unsettledTitle = 'Trials that did not end or failed';

/** Nothing where every trial was decided without a lost turn. */
export function unsettledPieces({ arms }: Pick<StatsReport, 'arms'>): Piece[] {
  const found = arms.flatMap(({ arm, unsettled = [] }) => unsettled.map((each) => ({ arm, ...each })));
  if (found.length === 0) return [];
  const rows = found.map((each) => [each.arm, kindText(each.kind), count(each.trials), count(each.cases), casesText(each)]);
  const { planned, n, imported, decided } = totals(arms);
  const ended =
    planned === 0
      ? `Of ${quantity(imported, 'imported trial')} ${count(decided)} have a verdict.`
      : `Of ${count(planned)} planned trials ${count(n)} have ended${andImported(imported)}, ${count(decided)} of them with a verdict.`;
  return [
    '',
    `${ended} The others, and those in which a turn was lost:`,
    table(['arm', 'what happened', 'trials', 'cases', 'which cases'], rows),
    ...countings.flatMap(({ holds, text }) => (found.some(({ kind }) => holds(kind)) ? [text] : [])),
  ];
}
