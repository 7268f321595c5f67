// What a report says in addition to its numbers.
import { minuteOf } from '../../../shared/checkpoints.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import { quantity } from '../../../shared/sizes.ts';
import type { CaseTerms } from './armMeasures.ts';
import { mostGroups } from './groups.ts';
import type { ReportedTrial } from './heldTrials.ts';
import { mostLabels } from './labelMeasures.ts';

export interface RoundCounts {
  readonly settled: number;
  readonly unreliable: number;
}

export interface Measured {
  readonly statistics: ArmStatistics;
  readonly severalTimes: boolean;
  /** Group columns with too many values. */
  readonly leftOut: readonly string[];
}

/** An extension with more replicates, after trials had begun. */
export interface RaisedReplicates {
  /** ISO 8601, in UTC. */
  readonly at: string;
  readonly from: number;
  readonly to: number;
  /** Trials that had begun before. */
  readonly trials: number;
}

interface NotedMaterial {
  readonly lines: readonly ReportedTrial[];
  readonly added?: readonly string[];
  readonly raised?: readonly RaisedReplicates[];
  readonly terms: CaseTerms;
  readonly rounds?: ReadonlyMap<string, RoundCounts>;
}

/** Rounds from which on a share of them says something, and the share from which on an arm hardly leaves its first opinion. */
const fewestRounds = 10;
const hardlyAny = 0.9;

const unmovedArms = ({ rounds = new Map() }: NotedMaterial): string[] =>
  [...rounds].flatMap(([arm, { settled, unreliable }]) =>
    settled < fewestRounds || unreliable < hardlyAny * settled
      ? []
      : [
          `${arm}: ${unreliable} of ${settled} rounds did not pass, so that its verdicts are nearly all its first opinion. Lower the threshold, or let the best rating decide.`,
        ],
  );

/** Arms that decided nothing: mostly labels that were spelled in another way. */
const undecidedArms = (all: readonly Measured[]): string[] =>
  all.flatMap(({ statistics: { arm, n, failures } }) =>
    n > 0 && failures.undecided === n
      ? [
          `${arm}: all ${n} trials are undecided, since none of its values is a label. If they are labels in another spelling, import them under another name with --map VALUE=LABEL.`,
        ]
      : [],
  );

/** True cases of a label below which its F1 has no trustworthy interval: docs/statistics.md has the simulation. */
const fewestTrue = 10;

function rareLabels({ lines, terms: { labels } }: NotedMaterial): string[] {
  const truths = new Map(
    lines.flatMap(({ status, case: id, truth }) => (status === 'done' && truth !== null ? [[id, truth] as const] : [])),
  );
  const counts = new Map<string, number>();
  for (const label of [...truths.values()].flat()) counts.set(label, (counts.get(label) ?? 0) + 1);
  const rare = labels.filter((label) => (counts.get(label) ?? 0) < fewestTrue).length;
  return truths.size === 0 || rare === 0
    ? []
    : [
        `${rare} of ${labels.length} labels are the truth of fewer than ${fewestTrue} cases each: F1 and macro-F1 are then too low on average, and their 95% intervals hold the true value less often than in 95 of 100 experiments.`,
      ];
}

function erasedCases({ lines, terms: { groups, erased } }: NotedMaterial): string[] {
  const trials = lines.filter(({ status, case: id }) => status === 'done' && erased?.has(id) === true);
  const cases = new Set(trials.map(({ case: id }) => id)).size;
  if (cases === 0 || groups.length === 0) return [];
  const what = cases === 1 ? 'The erased case belongs' : `The ${cases} erased cases belong`;
  return [`${what} to no group: ${trials.length === 1 ? 'its trial is' : `${trials.length} trials are`} in no rate by group.`];
}

/** That arms came when the others' results could be known; empty where there are none. */
export const addedText = (arms: readonly string[], after: string): string[] =>
  arms.length === 0
    ? []
    : [`${arms.join(', ')} ${arms.length === 1 ? 'was' : 'were'} added after ${after}, when results could be known.`];

const raisedText = ({ at, from, to, trials }: RaisedReplicates): string =>
  `Replicates were raised from ${from} to ${to} on ${minuteOf(at)}, when ${quantity(trials, 'trial')} had begun and results could be known. Each number counts the earlier and the later replicates together, unless it says otherwise.`;

/** What a reader should know of a report apart from its numbers, in sentences. */
export function notesOf(material: NotedMaterial, all: readonly Measured[]): string[] {
  const { terms } = material;
  const attributes = [...new Set(all.flatMap(({ leftOut }) => leftOut))];
  return [
    ...addedText(material.added ?? [], 'the experiment was first fixed'),
    ...(material.raised ?? []).map(raisedText),
    ...(all.some(({ severalTimes }) => severalTimes)
      ? ['Cases were tried several times: each case weighs the same, and intervals are drawn by resampling cases, not trials.']
      : []),
    ...unmovedArms(material),
    ...undecidedArms(all),
    ...rareLabels(material),
    ...(material.lines.some(({ protocol }) => protocol === 'completion')
      ? [
          'Arms of protocol completion give no verdicts on cases: their accuracy is the share of cells that they completed exactly. A model that knows only how often each value is in the column would be right as often as if the rows were shuffled (completed if shuffled). A difference from that rate (completed beyond shuffled) whose interval lies above 0 shows that the answers follow the rows. That can be memory, or what the shown columns tell: it is memory only as far as the model is also right more often than the baselines that learned the column from other rows. No difference does not exclude memory.',
        ]
      : []),
    ...erasedCases(material),
    ...attributes.map(
      (attribute) => `${attribute} has more than ${mostGroups} values, so that there are no rates by ${attribute}.`,
    ),
    ...(terms.labels.length > mostLabels
      ? [`There are more than ${mostLabels} labels: no interval is drawn for each of them, and no agreement beyond chance.`]
      : []),
  ];
}
