// Sentences of the finding: errors, trials of one case that ended otherwise, what one answer every time would reach, and baselines.
import { rightWords } from '../../shared/decidedBy.ts';
import { isImported } from '../../shared/imported.ts';
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import { predictionText } from '../../shared/predictionText.ts';
import { count, quantity } from '../../shared/sizes.ts';
import type { Measure } from '../../shared/statistics.ts';
import { plainAmong, type TrialLine } from '../../shared/trialLine.ts';
import { countOf } from '../figures/measureScale.ts';
import { percent } from '../figures/shares.ts';
import { benjaminiHochberg } from '../statistics/adjustedPValues.ts';
import { haveSameCases } from '../statistics/measures/finding.ts';
import { chanceText } from '../statistics/measures/shownComparisons.ts';
import { wilson } from '../statistics/wilson.ts';
import { measureNamed, type Piece, rangeInWords, table } from './cells.ts';
import { pointsText } from './changeTables.ts';
import { constantBaseline } from './constantByGroup.ts';
import { plainRange } from './populationTables.ts';
import { casesText } from './unsettledPart.ts';

/** Labels beyond which a sentence is no longer read. */
const mostLabels = 5;
/** Sentences that are written out. */
const mostTexts = 8;

type Errors = Pick<StatsReport, 'labels' | 'decided_by' | 'arms'>;

/** How many trials, and of how many cases, have a label as their truth and what their verdicts were, of an arm; none where no truth is known. */
function errorRows({ confusion, measures }: Pick<ArmStatistics, 'confusion' | 'measures'>, labels: readonly string[]) {
  return labels.flatMap((label) => {
    const mine = confusion.filter(({ truth }) => truth === label);
    const of = mine.reduce((sum, { n }) => sum + n, 0);
    if (of === 0) return [];
    const found = measureNamed({ measures }, 'recall', { label });
    const missed = of - (mine.find(({ prediction }) => prediction === label)?.n ?? 0);
    const range = {
      low: found?.high == null ? null : 1 - found.high,
      high: found?.low == null ? null : 1 - found.low,
      level: found?.level ?? 0,
    };
    const given = labels.map((answer) => mine.find(({ prediction }) => prediction === answer)?.n ?? 0);
    return [{ label, of, cases: found?.cases ?? of, given, missed, share: missed / of, range }];
  });
}

/**
 * What each arm answered for each label that is the true one, and how much it missed: a row for all arms with the same errors.
 * Empty where the labels are many, or no truth is known.
 * @param isPlain in words that need no statistics
 */
export function errorPieces({ labels, decided_by: by, arms }: Errors, isPlain = false): Piece[] {
  if (labels.length > mostLabels) return [];
  const found = plainAmong(arms).map((arm) => ({ ...arm, rows: errorRows(arm, labels) }));
  const some = [...Map.groupBy(found, ({ rows }) => JSON.stringify(rows)).values()].filter(([first]) => first?.rows.length !== 0);
  if (some.length === 0) return [];
  const rows = some
    .slice(0, mostTexts)
    .flatMap((same) =>
      (same[0]?.rows ?? []).map(({ label, of, cases, given, missed, share, range }) => [
        same.map(({ arm }) => arm).join(', '),
        label,
        cases === of ? count(of) : `${count(of)} (${quantity(cases, 'case')})`,
        ...given.map(count),
        `${count(missed)} of ${count(of)} (${percent(share)}${isPlain ? plainRange(range) : rangeInWords(range)})`,
      ]),
    );
  const lacking = found.flatMap(({ arm, n, decided }) => (n > decided ? [`${count(n - decided)} of ${arm}`] : []));
  const trials = lacking.length > 0 ? 'decided trials' : 'trials';
  const more = some.length - mostTexts;
  return [
    '',
    table(
      [
        isPlain ? 'method' : 'arm',
        by === undefined ? 'right answer' : `decided by ${by}`,
        trials,
        ...labels.map((label) => `answered ${label}`),
        'missed',
      ],
      rows,
    ),
    ...(lacking.length > 0 ? [`Trials without a verdict are not in it: ${lacking.join(', ')}.`] : []),
    ...(more > 0 ? [`Tables of verdict and truth have ${count(more)} more.`] : []),
    '',
  ];
}

/** Arms that have a sentence; the others have one together. */
const mostArms = 8;

/** Of a trial without replicates, other seeds and other changes. */
export const triedOnce = 'This method tried the case once, with one seed: whether it would end the same is unknown.';

/** `court tried each of 14 cases 2 times: 1 of 14 did not end the same way each time: case K3.`; none of open questions, single tries or changes. */
export function triedAgainTexts({ arms, labels }: Pick<StatsReport, 'arms' | 'labels'>): string[] {
  const repeated = plainAmong(arms).flatMap(({ arm, n, decided, repeated: of }) =>
    of === undefined ? [] : [{ arm, n, decided, ...of }],
  );
  const isOnce = arms.every(({ change }) => change === undefined) && arms.some((arm) => arm.n > 0 && !isImported(arm));
  if (repeated.length === 0)
    return isOnce && labels.length > 0
      ? ['No method tried a case twice, with any seed: whether it would end the same is unknown.']
      : [];
  const texts = repeated.slice(0, mostArms).map(({ arm, n, decided, cases, least, most, differed, first }) => {
    const what = cases === 1 ? '1 case' : `each of ${count(cases)} cases`;
    const times = `${least === most ? '' : `${count(least)} to `}${count(most)} times`;
    const end = n > decided ? '; no decision is an end too' : '';
    const range = wilson(differed, cases);
    const interval = range === null ? '' : rangeInWords(range);
    return `${arm} tried ${what} ${times}: ${count(differed)} of ${count(cases)} did not end the same way each time (${percent(differed / cases)}${interval}${end})${differed === 0 ? '' : `: ${casesText({ cases: differed, first })}`}.`;
  });
  const seeds = plainAmong(arms).some((arm) => arm.repeated !== undefined && !isImported(arm))
    ? ['A case is tried again with another seed and the same prompts and settings; none was tried again with the same seed.']
    : [];
  const more = repeated.slice(mostArms);
  if (more.length === 0) return [...seeds, ...texts];
  const sum = (key: 'cases' | 'differed') => count(more.reduce((all, each) => all + each[key], 0));
  return [
    ...seeds,
    ...texts,
    `${count(more.length)} more arms tried ${sum('cases')} cases several times, each arm for itself: ${sum('differed')} did not end the same way each time.`,
  ];
}

/** What the way from first answer to verdict did, of each arm with both in several cases; `p` is adjusted over these arms. */
export function firstAnswerChanges({ arms, part }: Pick<StatsReport, 'arms' | 'part'>) {
  const found = plainAmong(arms).flatMap((arm) => {
    const of = (name: string) => measureNamed(arm, name, { over: 'initial-and-verdict' });
    const [first, last, corrected, spoiled, change] = [
      ...[of('initial_accuracy'), of('verdict_accuracy'), of('corrections'), of('degradations'), of('accuracy_change')],
    ];
    return first?.value == null || !last || !corrected || !spoiled || !change || change.cases < 2
      ? []
      : [{ arm: arm.arm, first, last, corrected, spoiled, change }];
  });
  const adjusted = benjaminiHochberg(found.map(({ change }) => change.p ?? null));
  return found.map((each, place) => {
    const p = part === undefined ? (adjusted[place] ?? null) : null;
    // Where all cases change alike there is no interval, and the exact test decides.
    const { low, high, resamples } = each.change;
    const isDoubted = resamples === null || (low !== null && high !== null && low * high <= 0);
    return { ...each, p, isShown: p !== null && p <= 0.05 && !isDoubted };
  });
}

export function firstAnswerTexts(report: Pick<StatsReport, 'arms' | 'decided_by' | 'part'>): string[] {
  const words = rightWords(report);
  const [met, lost] = report.decided_by === undefined ? ['became right', 'became wrong'] : ['came to agree', 'came to differ'];
  const changes = firstAnswerChanges(report).slice(0, mostArms);
  return changes.map(({ arm, first, last, corrected, spoiled, change, p, isShown }) => {
    const isCounted = [first, last, corrected, spoiled].every((found) => countOf(found) !== null);
    const share = (found: Measure) => (isCounted ? count(countOf(found) ?? 0) : percent(found.value ?? 0));
    const inAll = ({ value }: Measure) => (isCounted ? ` (${percent(value ?? 0)})` : '');
    const judged = isShown ? 'chance hardly explains it' : 'this can be chance';
    // Without an interval it is not judged.
    const chance = p === null ? '' : change.resamples === null ? `; p ${chanceText(p)}` : `; ${judged} (p ${chanceText(p)})`;
    return `${arm}: ${share(first)} of ${count(first.n)} first answers ${words.were}${inAll(first)}, and ${share(last)} of the verdicts after them${inAll(last)}: ${share(corrected)} ${met} and ${share(spoiled)} ${lost}, a change of ${pointsText({ measures: [change] }, 'accuracy_change')}${chance}.`;
  });
}

type Report = Pick<StatsReport, 'baselines' | 'finding' | 'decided_by'>;

const trialsText = ({ finding: { commonest } }: Report): string =>
  commonest?.trials == null ? '' : ` (in each arm, ${count(commonest.trials.n)} of ${count(commonest.trials.of)} trials)`;

/** What the most frequent label of the cases tried would reach; null where it is not known. */
export function commonestText(report: Report): string | null {
  const { commonest } = report.finding;
  if (commonest === undefined) return null;
  const { label, cases, of } = commonest;
  return `The same answer for everybody, ${label} (no answer is more frequent in the cases tried here), would ${rightWords(report).be} in ${count(cases)} of ${count(of)} cases${trialsText(report)}.`;
}

/** Nothing where no baseline always gives one answer: the finding then says what the most frequent label would reach. */
export function constantTexts(report: Report): string[] {
  const found = constantBaseline(report);
  const accuracy = found && measureNamed(found, 'accuracy', { over: 'all', label: null });
  if (found === null || accuracy?.value == null) return [];
  const { arm, about, answer } = found;
  const right = Math.round(accuracy.value * accuracy.n);
  const isSame = report.finding.commonest?.label === answer;
  const learned = about.trained_on === 1 ? 'the case' : `the ${count(about.trained_on)} cases`;
  const text = `The baseline ${arm} always answers ${answer}, the most frequent answer in ${learned} that it learned from: it ${rightWords(report).was} in ${count(right)} of ${count(accuracy.n)} cases${isSame ? trialsText(report) : ''}.`;
  const commonest = isSame ? null : commonestText(report);
  return [text, ...(commonest === null ? [] : [commonest])];
}

const mostNamed = 20;

const and = new Intl.ListFormat('en-GB');

function listed(columns: readonly string[]): string {
  const more = columns.length - mostNamed;
  return more > 0 ? `${columns.slice(0, mostNamed).join(', ')} and ${count(more)} more` : and.format(columns);
}

/** What a baseline that learns from columns uses of a case; nothing where all learn from the labels only. */
export function baselineColumnTexts({ baselines }: Pick<StatsReport, 'baselines'>): string[] {
  const learned = baselines.filter(({ about: { columns } }) => columns.length > 0);
  const groups = Map.groupBy(learned, ({ about: { columns, dropped } }) => JSON.stringify([columns, dropped]));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { columns, dropped } = first.about;
    const names = [first, ...others].map(({ arm }) => arm);
    const verb = others.length === 0 ? 'uses' : 'use';
    const left = listed(dropped.map(({ column, why }) => `${column} (${why})`));
    return `${names.length === 1 ? 'The baseline' : 'The baselines'} ${and.format(names)} ${verb} ${listed(columns)}${dropped.length === 0 ? '' : `, and not ${left}`}.`;
  });
}

export const missingBaselineTexts = ({ missing_baselines: missing }: Pick<StatsReport, 'missing_baselines'>): string[] =>
  missing.map(({ name, why }) => `No baseline ${name}: ${why}.`);

type Run = Pick<TrialLine, 'status' | 'outcome' | 'prediction'>;

const endOf = ({ status, outcome, prediction }: Run): string =>
  status === 'done' ? ((outcome === 'decided' ? predictionText(prediction) : null) ?? 'no decision') : 'not ended yet';

/** `each time GRANT`, or `2 GRANT, 1 no decision`, the most frequent end first. */
function endsText(runs: readonly Run[]): string {
  const ends = [...Map.groupBy(runs, endOf)].toSorted(
    ([one, some], [other, more]) => more.length - some.length || (one < other ? -1 : 1),
  );
  const [first] = ends;
  return ends.length === 1 && first !== undefined
    ? `each time ${first[0]}`
    : ends.map(([end, of]) => `${count(of.length)} ${end}`).join(', ');
}

/** Whether trials of one case ended in several ways. */
export const endedApart = (runs: readonly Run[]): boolean =>
  new Set(runs.filter(({ status }) => status === 'done').map(endOf)).size > 1;

/** How many trials of a case an arm has when all have ended: its replicates, or as many as were imported. */
export const timesOf = (runs: readonly Pick<TrialLine, 'protocol'>[], replicates: number): number =>
  runs.some(isImported) ? runs.length : replicates;

/** `2 times: 1 GRANT, 1 REFUSE`, or `once: GRANT`. @param runs some of the trials, in any order; all: how many there are */
export function triesText(runs: readonly Run[], all: number): string {
  const [only] = runs;
  if (all < 2 && only !== undefined) return `once: ${endOf(only)}`;
  const some = all > runs.length ? `, ${count(runs.length)} of which are shown here` : '';
  return `${count(Math.max(all, runs.length))} times${some}: ${endsText(runs)}`;
}

/** How the trials of another case ended: `Tried 2 times: each time GRANT.` Null where there is one, and for an open question. */
export const caseEndsText = (runs: readonly Run[]): string | null =>
  runs.length < 2 || runs.some(({ outcome, prediction }) => outcome === 'decided' && prediction === null)
    ? null
    : `Tried ${count(runs.length)} times: ${endsText(runs)}.`;

/** `This method tried this case 2 times: 1 GRANT, 1 REFUSE.`; null for one trial or an open question. @param all their number */
export function sameMethodText(runs: readonly Run[], all: number, labels: readonly string[]): string | null {
  if (runs.length < 2 || labels.length === 0) return null;
  const verb = runs.every(({ status }) => status === 'done') ? 'tried' : 'tries';
  return `This method ${verb} this case ${triesText(runs, all)}.`;
}

/** That baselines cover fewer cases than arms, which then have another denominator in the same table; null where they do not. */
export function baselineCasesText({ arms, baselines }: Pick<StatsReport, 'arms' | 'baselines'>): string | null {
  const casesOf = (some: readonly Pick<StatsReport['arms'][number], 'measures'>[]) =>
    some.flatMap((each) => measureNamed(each, 'accuracy', { over: 'all' })?.cases ?? []);
  const ofArms = Math.max(0, ...casesOf(arms));
  const ofBaselines = Math.min(...casesOf(baselines), Number.POSITIVE_INFINITY);
  return ofBaselines >= ofArms
    ? null
    : `Baselines cover ${count(ofBaselines)} of ${count(ofArms)} cases: they have nothing to predict from where the facts are gone, as after an erasure. Arms keep their verdicts there, so these accuracies are over different cases. Comparisons in pairs are over the cases that both have.`;
}

type Ordered = Pick<StatsReport, 'arms' | 'comparisons'>;

/** Whether some arm lacks cases. The report over a part does not say which: there the counts of cases and of pairs do. */
function lackCases({ arms, comparisons }: Ordered): boolean {
  const plain = plainAmong(arms);
  const counts = plain.map((arm) => ({ name: arm.arm, cases: measureNamed(arm, 'accuracy', { over: 'all' })?.cases ?? 0 }));
  const isLacking = plain.some(({ cases }) => cases !== undefined && cases.done < cases.of);
  return plain.length > 1 && (isLacking || !haveSameCases(counts, comparisons));
}

/** Whether the order of the arms in a table says which is best: not where some lack cases that others have. */
export function orderText(report: Ordered | undefined, hasBaselines: boolean): string {
  if (report === undefined || !lackCases(report))
    return hasBaselines ? 'Arms are above baselines, the best of each at the top.' : 'The best arm is at the top.';
  const unfair = 'The order of the arms is no comparison: some lack cases.';
  return hasBaselines ? `Arms are above baselines, of which the best is at the top. ${unfair}` : unfair;
}
