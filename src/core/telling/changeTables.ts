// What declared changes do to verdicts, in words and tables. Reports are those for readers.
import type { ChangeStatistics, SpeechWorth } from '../../shared/changeStatistics.ts';
import type { Expectation } from '../../shared/changes.ts';
import { rightWords } from '../../shared/decidedBy.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { count, quantity } from '../../shared/sizes.ts';
import type { Measure } from '../../shared/statistics.ts';

import { percent, points } from '../figures/shares.ts';
import { casesByInterval } from '../statistics/measures/casesNeeded.ts';
import { chanceText } from '../statistics/measures/shownComparisons.ts';
import { wilson } from '../statistics/wilson.ts';
import { differenceText, estimate, estimateOf, measureNamed, type Piece, table } from './cells.ts';

export function expectationText(expect: Expectation): string {
  return expect === 'INV' ? 'verdict stays' : `P(${expect.label}) not ${expect.DIR === 'up' ? 'down' : 'up'}`;
}

/** Pairs that flip among those that both decided, such as `3 of 8`. */
export const flippedText = ({ measures, moves }: Pick<ChangeStatistics, 'measures' | 'moves'>): string => {
  const of = measureNamed({ measures }, 'flip_rate')?.n ?? 0;
  return `${count(moves.reduce((sum, { n }) => sum + n, 0))} of ${count(of)}`;
};

export const changesText =
  'A retrial is the same case, replicate and seed tried again with one thing changed; those that both decided count. It flips if its verdict is another. Retrials without a speech count here with the same seed alone; “What caused it” also counts those with other seeds. Some verdicts flip with other seeds alone, by chance: this is counted over pairs of trials between which only the seed differs, of the cases of the row. The difference is the flip rate minus that share: what the change does beyond chance (below zero: less than another seed does). How often verdicts are right is counted over all retrials with a known truth, a failure as not right.';

/** Fewer cases without an interval say nothing of a difference. */
const fewest = 10;
export const tooFewToSay = 'too few to say';

type Part = Pick<ChangeStatistics, 'measures' | 'moves' | 'pairs'>;

/** Retrials that both decided. */
export const retrialsOf = ({ measures }: Pick<ChangeStatistics, 'measures'>): number =>
  measureNamed({ measures }, 'flip_rate')?.n ?? 0;

/** Why there is no difference to other seeds alone; null where there is one. */
export function differenceProblem(part: Part, kind: ChangeStatistics['kind']): string | null {
  if (kind === 'seed') return '-';
  if (retrialsOf(part) === 0) return 'nothing decided';
  const beyond = measureNamed(part, 'excess_flip_rate');
  if ((measureNamed(part, 'replicate_flip_rate')?.value ?? null) === null) return 'no other seeds tried';
  if (beyond === undefined || beyond.value === null) return 'nothing decided';
  return beyond.low === null && beyond.n < fewest ? tooFewToSay : null;
}

const cellsOf = (part: Part, kind: ChangeStatistics['kind']) => [
  count(retrialsOf(part)),
  count(part.moves.reduce((sum, { n }) => sum + n, 0)),
  estimate(measureNamed(part, 'flip_rate')),
  estimateOf(measureNamed(part, 'replicate_flip_rate')),
  differenceProblem(part, kind) ?? differenceText(measureNamed(part, 'excess_flip_rate')),
  estimateOf(measureNamed(part, 'accuracy_change')),
  differenceText(measureNamed(part, 'positive_change')),
  differenceText(measureNamed(part, 'probability_change')),
];

/** How far the final belief of a single pair moved: `, P(YES) −12 points`; nothing without two, or where it is said elsewhere. */
function movedText(of: ChangeStatistics, worths: readonly SpeechWorth[]): string {
  const { label, value = null } = measureNamed(of, 'probability_change') ?? {};
  const hasWorth = worths.some(({ arm, speech }) => arm === of.arm && speech === of.speech);
  return value === null || hasWorth ? '' : `, P(${label}) ${points(value)} points`;
}

/** A change of a single pair with the verdict that it leads to, such as `without age: NO, P(YES) −12 points`. */
const flipText = (of: ChangeStatistics, worths: readonly SpeechWorth[]): string =>
  `${of.change}: ${of.moves[0]?.to ?? ''}${movedText(of, worths)}`;

function namedChanges<Each>(changes: readonly Each[], text: (change: Each) => string): string {
  const named = changes.slice(0, mostChanges).map(text);
  const more = changes.length - named.length;
  return `${named.join('; ')}${more > 0 ? `; and ${count(more)} more` : ''}`;
}

const isDecided = ({ failed: { base, swapped, both } }: ChangeStatistics): boolean => base + swapped + both === 0;

/** Whether the change is to a speech that nobody heard in any trial whose belief counts. */
const isUnheard = ({ pairs, unheard }: Pick<ChangeStatistics, 'pairs' | 'unheard'>): boolean =>
  pairs === 0 && unheard !== undefined;

const isSeed = ({ kind }: ChangeStatistics): boolean => kind === 'seed';

/** What the signs of changes of the belief mean; empty where none is named. */
const signsText = (changes: readonly ChangeStatistics[], worths: readonly SpeechWorth[]): string =>
  changes.some((each) => movedText(each, worths) !== '') ? ' Points are of the changed trial less the original.' : '';

function changedVerdictText(changes: readonly ChangeStatistics[], worths: readonly SpeechWorth[]): string {
  const flipping = changes.filter(({ moves }) => moves.length > 0);
  const of = changes.length === 1 ? 'the change' : `each of the ${count(changes.length)} changes`;
  if (flipping.length === 0)
    return `The verdict stayed the same with ${of} (${namedChanges(changes, (each) => `${each.change}${movedText(each, worths)}`)}).${signsText(changes, worths)}`;
  const which = changes.length === 1 ? of : `${count(flipping.length)} of ${count(changes.length)} changes`;
  return `The verdict changed with ${which} (${namedChanges(flipping, (each) => flipText(each, worths))}).${signsText(flipping, worths)}`;
}

/** How often another seed can still end otherwise where none did: the upper end of Wilson's interval. */
const upperText = (repeated: number) => {
  const high = wilson(0, repeated)?.high ?? 1;
  return `; up to ${Math.ceil(100 * high)} of 100 more could still end otherwise (upper end of the 95% interval)`;
};

function repeatedText(ended: number, repeated: number): string {
  const same =
    repeated === 1 ? `it ended the same way${upperText(1)}` : `all ${count(repeated)} ended the same way${upperText(repeated)}`;
  const otherwise = repeated === 1 ? 'it ended otherwise' : `${count(ended)} of ${count(repeated)} ended otherwise`;
  return `Repeated with other seeds and no other change, ${ended === 0 ? same : otherwise}.`;
}

/** How stable a trial is that was tried with changes; null for several pairs. Other seeds are no change and counted apart. */
export function stabilityText({
  changes = [],
  speech_worth: worths = [],
}: Pick<StatsReport, 'changes' | 'speech_worth'>): string | null {
  if (changes.length === 0 || changes.some(({ pairs, unheard }) => pairs + (unheard?.pairs ?? 0) !== 1)) return null;
  const decided = changes.filter((each) => isDecided(each) && each.pairs > 0);
  const [seeds, others] = [decided.filter(isSeed), decided.filter((each) => !isSeed(each))];
  const parts = [
    ...(others.length === 0 ? [] : [changedVerdictText(others, worths)]),
    ...(seeds.length === 0 ? [] : [repeatedText(seeds.filter(({ moves }) => moves.length > 0).length, seeds.length)]),
  ];
  const unheard = unheardText(changes);
  const all = [...parts, ...(parts.length === 0 ? [] : [stabilityConclusion(decided)]), ...(unheard === null ? [] : [unheard])];
  return all.length === 0 ? null : all.join(' ');
}

/** That a withheld or replaced speech could change nothing, since nobody heard it; null where each was heard. */
function unheardText(changes: readonly ChangeStatistics[]): string | null {
  const unheard = changes.filter((each) => each.unheard !== undefined);
  const [first] = unheard;
  if (first === undefined) return null;
  const isOne = unheard.length === 1;
  const left = unheard.every(({ kind }) => kind === 'withhold') ? `leaving ${isOne ? 'it' : 'them'} out` : 'other words';
  const own = unheard.some((each) => (each.unheard?.own_belief ?? 0) > 0)
    ? ` The belief that its speaker stated with ${isOne ? 'the' : 'such a'} speech still counts.`
    : '';
  const named = namedChanges(unheard, ({ change }) => change);
  return `Nobody whose belief counts heard ${isOne ? 'this speech' : 'these speeches'}, so ${left} could change nothing (${named}).${own}`;
}

/** What the changed verdicts of one trial mean, compared with those of repeated trials. */
function stabilityConclusion(changes: readonly ChangeStatistics[]): string {
  const flips = (of: readonly ChangeStatistics[]) => of.some(({ moves }) => moves.length > 0);
  const isFlippedOtherwise = flips(changes.filter((each) => !isSeed(each)));
  if (flips(changes.filter(isSeed)))
    return isFlippedOtherwise
      ? 'So one changed verdict shows little: chance alone changes it too.'
      : 'So chance alone changes the verdict.';
  if (!flips(changes)) return changes.every(isSeed) ? 'No change of the case was tried.' : 'Nothing that was tried changes it.';
  const repeated = changes.filter((each) => isSeed(each) && isDecided(each)).length;
  return repeated > 0
    ? `So the change is the likelier reason, but ${quantity(repeated, 'repetition does', 'repetitions do')} not rule out chance.`
    : 'It was not repeated with other seeds alone, so chance may have changed the verdict.';
}

const sumOf = (changes: readonly ChangeStatistics[]) => ({
  of: changes.reduce((sum, each) => sum + retrialsOf(each), 0),
  changed: changes.reduce((sum, { moves }) => sum + moves.reduce((all, { n }) => all + n, 0), 0),
});

const unknownChance = 'Nothing was repeated with other seeds alone, so it is unknown how often chance alone changes a verdict.';

/** How often verdicts of these cases differ with other seeds alone: of the change with the most such pairs; null where there are none. */
const chanceOf = (changes: readonly ChangeStatistics[]) =>
  changes
    .flatMap((each) => measureNamed(each, 'replicate_flip_rate') ?? [])
    .filter(({ value }) => value !== null)
    .toSorted((one, other) => other.n - one.n)[0] ?? null;

const shareOf = ({ value, n }: Pick<Measure, 'value' | 'n'>) => `${percent(value ?? 0)} of ${count(n)}`;

/** A difference of shares, such as `+5 points [−2, +12]`; null where it has no value. @param name by default what a change does beyond chance */
export function pointsText(part: Pick<ChangeStatistics, 'measures'>, name = 'excess_flip_rate'): string | null {
  const { value = null, low = null, high = null } = measureNamed(part, name) ?? {};
  return value === null
    ? null
    : `${points(value)} points${low === null || high === null ? '' : ` [${points(low)}, ${points(high)}]`}`;
}

/** Whether verdicts are right less often with each change, by pairs of trials; empty where no truth of two cases is known. */
function accuracyTexts(changes: readonly ChangeStatistics[], report: Pick<StatsReport, 'decided_by'>): string[] {
  const isOfOne = new Set(changes.map(({ arm }) => arm)).size === 1;
  const found = changes.flatMap((each) => {
    const size = isSeed(each) ? null : pointsText(each, 'accuracy_change');
    const measure = measureNamed(each, 'accuracy_change');
    const { n = 0, cases = 0, p = null, low = null, high = null } = measure ?? {};
    const isShown = ((low ?? 0) > 0 || (high ?? 0) < 0) && (p ?? 1) <= 0.05;
    const needed = measure === undefined || isShown ? null : casesByInterval(measure);
    const over = n === cases ? quantity(n, 'case') : `${quantity(n, 'pair')} of ${quantity(cases, 'case')}`;
    return size === null || cases < 2
      ? []
      : [
          `${isOfOne ? '' : `${each.arm}, `}${each.change} ${size} (${over}${p === null ? '' : `, p ${chanceText(p)}`}${needed === null ? '' : `; ${needed}`})`,
        ];
  });
  if (found.length === 0) return [];
  const { accuracy, not } = rightWords(report);
  return [
    `Compared with the same arm unchanged, case by case, ${accuracy} changes by: ${namedChanges(found, (text) => text)}. A failure counts as ${not}; p is not adjusted.`,
  ];
}

const isBeyond = (part: Pick<ChangeStatistics, 'measures'>): boolean => (measureNamed(part, 'excess_flip_rate')?.low ?? 0) > 0;

/** What flips of several cases amount to, by the interval of the difference of each change to other seeds alone. */
function beyondChanceText(others: readonly ChangeStatistics[]): string {
  const beyond = others.filter(isBeyond);
  if (beyond.length === 0) return `This could be chance alone.${directionsBeyondText(others)}`;
  const which = others.length === 1 ? 'the change' : namedChanges(beyond, ({ change }) => `“${change}”`);
  return `With ${which}, the verdict changed more often than by chance.`;
}

function directionsBeyondText(others: readonly ChangeStatistics[]): string {
  const beyond = others
    .flatMap(({ change, directions }) => directions.map((part) => ({ ...part, of: others.length === 1 ? '' : `${change}, ` })))
    .filter((part) => retrialsOf(part) >= fewest && isBeyond(part));
  if (beyond.length === 0) return '';
  const named = namedChanges(beyond, (part) => `“${part.of}${part.from} → ${part.to}” (${quantity(retrialsOf(part), 'trial')})`);
  return ` With ${named} it changed more often than by chance: a hint and no finding, since only a part was looked at.`;
}

/** In plain words, of each arm: what was changed, how often the verdict changed with it and without it, and, not over a part of the trials, what that means. */
export function changesInShort(changes: readonly ChangeStatistics[], isPart = false): string {
  const arms = [...Map.groupBy(changes, ({ arm }) => arm)];
  if (arms.length === 1) return armInShort(changes, isPart);
  const left = arms.length - mostChanges;
  return [
    ...arms.slice(0, mostChanges).map(([arm, own]) => `${arm}: ${armInShort(own, isPart)}`),
    ...(left > 0 ? [`The table has ${quantity(left, 'more arm')}.`] : []),
  ].join(' ');
}

function armInShort(changes: readonly ChangeStatistics[], isPart: boolean): string {
  const others = changes.filter((each) => !isSeed(each) && !isUnheard(each));
  const unheard = unheardText(changes.filter(isUnheard));
  const [changed, chance] = [sumOf(others), chanceOf(changes)];
  const parts = [
    ...(others.length === 0
      ? []
      : [
          `Cases were tried again with one thing changed: ${namedChanges(others, ({ change }) => change)}. The verdict was another one in ${count(changed.changed)} of ${quantity(changed.of, 'trial')}.`,
        ]),
    chance === null
      ? unknownChance
      : `Between trials of one case with other seeds alone, the verdict differs in ${shareOf(chance)} pairs.`,
    ...(unheard === null ? [] : [unheard]),
  ];
  if (isPart || chance === null || changed.of === 0) return parts.join(' ');
  const meaning =
    Math.min(changed.of, chance.n) < fewest
      ? 'These are too few trials to tell the changes from chance.'
      : beyondChanceText(others);
  return [...parts, meaning].join(' ');
}

const mostChanges = 6;

/** How often chance alone flips verdicts of the arms of these changes, and which of them flip more than that. @param tried of how many they are */
function besideChance(changes: readonly ChangeStatistics[], tried: number, all: readonly ChangeStatistics[]): string {
  const arms = [...new Set(changes.map(({ arm }) => arm))].flatMap((arm) => {
    const chance = chanceOf(all.filter((each) => each.arm === arm));
    return chance === null ? [] : [{ arm, chance }];
  });
  // Where nothing was repeated, the first words say so.
  if (arms.length === 0) return '';
  const shares = namedChanges(arms, ({ arm, chance }) => `${arms.length === 1 ? '' : `${arm} `}${shareOf(chance)}`);
  const beyond = changes.filter(isBeyond);
  const named = namedChanges(beyond, (each) => `${each.arm}, ${each.change} (${pointsText(each)})`);
  const found =
    beyond.length === 0
      ? 'no change is shown to flip more than that'
      : `more than that beyond chance${tried === 1 ? '' : `, by intervals that are not corrected for ${count(tried)} changes`}: ${named}`;
  return ` With other seeds alone ${shares} pairs flip; ${found}.`;
}

/** How many verdicts flip with each change of an attribute, and how much more often than with other seeds alone. */
function fairnessText(arm: string, changes: readonly ChangeStatistics[]): string {
  const each = namedChanges(
    changes,
    (one) => `${one.change} (${flippedText(one)}, ${pointsText(one) ?? 'no other seeds were tried'})`,
  );
  return `Counterfactual fairness of ${arm}, as pairs whose verdict flips, and the difference to other seeds alone: ${each}.`;
}

/** Of an experiment: how the accuracy changes, which changes flip verdicts although they were expected not to, and what each exchanged attribute does. */
function expectationTexts({ changes: all = [], ...report }: Changed): string[] {
  const changes = all.filter((each) => (measureNamed(each, 'flip_rate')?.n ?? 0) > 0);
  // Other seeds show what chance does; they are no change of the case.
  const kept = changes.filter((each) => each.expect === 'INV' && !isSeed(each));
  const broken = kept.filter(({ moves }) => moves.length > 0);
  const named = namedChanges(broken, (each) => `${each.arm}, ${each.change} (${flippedText(each)} pairs)`);
  const attributes = changes.filter(({ kind }) => kind === 'attribute');
  return [
    ...accuracyTexts(all, report),
    ...(kept.length === 0
      ? []
      : [
          broken.length === 0
            ? `None of the changes that should leave every verdict as it is flips one (${count(kept.length)} tried).`
            : `${count(broken.length)} of ${count(kept.length)} changes that should leave every verdict as it is flip some: ${named}.${report.part === undefined ? besideChance(broken, kept.length, all) : ''}`,
        ]),
    ...[...Map.groupBy(attributes, ({ arm }) => arm)].map(([arm, own]) => fairnessText(arm, own)),
  ];
}

type Changed = Pick<StatsReport, 'changes' | 'speech_worth' | 'decided_by' | 'part'>;

/** What declared changes did, in the plain words that come first: how stable the one trial of a set is, or how often verdicts changed. Empty where none was tried. */
function changesLead(report: Changed): string[] {
  const text = stabilityText(report);
  if (text !== null) return [`Would another court have said the same? ${text}`];
  const { changes = [] } = report;
  return changes.length === 0 ? [] : [changesInShort(changes, report.part !== undefined)];
}

/** The rest of it: what was expected beforehand and exchanged. Nothing of one trial, of which the first words say all. */
export const changeDetails = (report: Changed): string[] => (stabilityText(report) === null ? expectationTexts(report) : []);

export const changesFinding = (report: Changed): string[] => [...changesLead(report), ...changeDetails(report)];

/** What an experiment shows, the finding first; of one trial, how stable it is. @param before what is said before any finding @param arms what is said of arms against each other */
export function mainTexts(
  report: Changed & Pick<StatsReport, 'finding'>,
  before: readonly string[],
  arms: readonly string[],
): string[] {
  const found = [...before, ...arms, report.finding.sentence];
  const lead = changesLead(report);
  return stabilityText(report) === null ? [...found, ...lead] : [...lead, ...found];
}

/** How many pairs the rates are without since their cases were erased; null where there are none. */
export function erasedText(changes: readonly ChangeStatistics[]): string | null {
  const pairs = changes.reduce((sum, { erased }) => sum + erased, 0);
  return pairs === 0
    ? null
    : `${quantity(pairs, 'pair')} of erased cases left out: it can no longer be known whether the change applied to the case. Other seeds apply to every case, so their pairs count.`;
}

const mostProxies = 6;

/** The facts that still reveal an attribute when it alone is changed; null if none was exchanged. */
export function proxiesText({ proxies = [] }: Pick<StatsReport, 'proxies'>): string | null {
  const attributes = [...new Set(proxies.map(({ attribute }) => attribute))];
  const sentences = attributes.map((attribute) => {
    const close = proxies.filter((each) => each.attribute === attribute && each.p_adjusted <= 0.05);
    const named = close.slice(0, mostProxies).map(({ fact, association }) => `${fact} (${association.toFixed(2)})`);
    const more = close.length > named.length ? ` and ${count(close.length - named.length)} more` : '';
    return named.length === 0
      ? `No fact was found to go with ${attribute}.`
      : `These facts go with ${attribute} and stayed as they were (Cramér's V): ${named.join(', ')}${more}.`;
  });
  return sentences.length === 0 ? null : `${sentences.join(' ')} Over the cases on trial; adjusted p of at most 5%.`;
}

/** Flip rates of arms with a declared change; empty where there are none. */
export function changesPieces({ changes = [], positive, proxies: found = [], decided_by: by, primary }: StatsReport): Piece[] {
  if (changes.length === 0) return [];
  const rows = changes.flatMap((each) => [
    [
      each.arm,
      each.change,
      ...cellsOf(each, each.kind),
      each.expect === undefined ? '-' : `${expectationText(each.expect)}: ${estimate(measureNamed(each, 'pass_rate'))}`,
    ],
    ...each.directions.map((part) => [
      '',
      `${part.from} → ${part.to}`,
      ...cellsOf(part, each.kind),
      estimate(measureNamed(part, 'pass_rate')),
    ]),
  ]);
  const isDecided = changes.some(({ changed_arm: arm }) => primary?.compare.includes(arm) === true);
  const header = ['arm', 'what was changed', 'retrials', 'flipped', 'flip rate', 'with other seeds alone', 'difference'];
  const erased = erasedText(changes);
  const proxies = proxiesText({ proxies: found });
  const label = positive ?? 'positive';
  return [
    '',
    `Declared changes. ${changesText} These arms are in no other comparison${isDecided ? ' but the primary one' : ''}.`,
    table(
      [
        ...header,
        `change of ${rightWords({ decided_by: by }).accuracy}, points`,
        `change of share ${label}, points`,
        `change of P(${label}), points`,
        'as expected',
      ],
      rows,
    ),
    ...(erased === null ? [] : [erased]),
    ...(proxies === null ? [] : [proxies]),
  ];
}
