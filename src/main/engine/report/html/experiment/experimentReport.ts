// The report over an experiment. Its first page has plain words, no statistics to know.
import type { BaselineName } from '../../../../../core/baselines/baseline.ts';
import { distinguishing } from '../../../../../core/figures/ablations.ts';
import { countOf, ofText } from '../../../../../core/figures/measureScale.ts';
import { pointsOf, roundedNote, wholePercent } from '../../../../../core/figures/shares.ts';
import { ownProbabilityText } from '../../../../../core/imported/ownProbability.ts';
import { lackText, unlabelledText } from '../../../../../core/statistics/caseCoverage.ts';
import { testedPairs, unshownPairs, wonPairs, worseText } from '../../../../../core/statistics/measures/finding.ts';
import { plainDecision } from '../../../../../core/statistics/measures/primaryText.ts';
import { isReplicated } from '../../../../../core/statistics/measures/shownComparisons.ts';
import {
  extremeText,
  meanProbabilityText,
  plainSureness,
  skillOf,
  surerWhenRight,
} from '../../../../../core/telling/calibrationTables.ts';
import { measureNamed, table } from '../../../../../core/telling/cells.ts';
import { changesFinding } from '../../../../../core/telling/changeTables.ts';
import { surestText } from '../../../../../core/telling/confidenceBins.ts';
import {
  baselineColumnTexts,
  commonestText,
  constantTexts,
  errorPieces,
  firstAnswerTexts,
  triedAgainTexts,
} from '../../../../../core/telling/findingTexts.ts';
import { otherAnswerTexts } from '../../../../../core/telling/otherAnswers.ts';
import { fitTexts, pairModels, pairsInWords, pairTexts, plainVerdict } from '../../../../../core/telling/pairSentences.ts';
import { precisionTexts, selectionText } from '../../../../../core/telling/populationTables.ts';
import { missesText, sharedMisses } from '../../../../../core/telling/sharedMisses.ts';
import { trustInShort } from '../../../../../core/telling/trustInShort.ts';
import {
  endedToo,
  isEndedByRule,
  openTrials,
  unsettledPieces,
  unsettledTitle,
} from '../../../../../core/telling/unsettledPart.ts';
import { capitalized } from '../../../../../core/text/visible.ts';
import { accuracyNote, hasTruths, rightWords } from '../../../../../shared/decidedBy.ts';
import { demoMark, everyAnswer, inventedAnswers } from '../../../../../shared/demoModel.ts';
import { isImported } from '../../../../../shared/imported.ts';
import type { ArmStatistics, StatsReport } from '../../../../../shared/outputs.ts';
import { proportion } from '../../../../../shared/sizes.ts';
import type { Comparison, Measure } from '../../../../../shared/statistics.ts';
import { replicateText, type TrialLine } from '../../../../../shared/trialLine.ts';
import type { Store } from '../../../store/store.ts';
import { prompts } from '../account.ts';
import { type Content, html, isolated, type Markup, name } from '../markup.ts';
import { demoBanner } from '../opening.ts';
import { navigation, page } from '../page.ts';
import { piecesOf } from '../pieces.ts';
import { count, listed, quantity, wholeRange } from '../words.ts';
import { type ArmRecord, type ExperimentData, experimentData, isStored } from './data.ts';
import { alikeTitle, groupsTable } from './groupsTable.ts';
import { about, cast, checking, limits, methods, statisticsSections, trials, wrongAndSure } from './parts.ts';

/** Faults of the record: of all of it, and of one trial. */
export interface RecordFaults {
  readonly first: string;
  of(trial: string): string | null;
}

export function experimentPage(data: ExperimentData, fault: string | null): string {
  const { statistics } = data;
  const sure = wrongAndSure(data);
  const parts: readonly (readonly [id: string, title: string, content: Content])[] = [
    ['summary', 'In plain words', summary(data)],
    ...(groupsTable(statistics) === null ? [] : [['alike', alikeTitle, null] as const]),
    ...(sure === null ? [] : [['sure', sure.title, sure.block] as const]),
    ['about', 'What this is', about(data)],
    ...statisticsSections(data).map(({ id, title, section }) => [id, title, section] as const),
    ['methods', 'Methods', methods(data)],
    ['cast', 'Who answered', cast(data)],
    ['limits', 'Limits', limits(data)],
    ['check', 'How to check this', checking(data)],
    ['trials', 'Trials', trials(data)],
    ...(data.prompts.length === 0 ? [] : [['prompts', 'Prompts in full', prompts(data, true)] as const]),
  ];
  const invented = inventedAnswers(statistics);
  const open = unfinished(data);
  const running = `Experiment ${statistics.experiment}${invented === null ? '' : `, DEMO MODEL${invented === everyAnswer ? '' : ' in some arms'}`}${open === false || isEndedByRule(statistics) ? '' : ', UNFINISHED'}`;
  return page({ title: `Experiment ${statistics.experiment}`, running, fault, erased: data.erased }, [
    demoBanner(invented),
    open,
    html`<header><h1>Experiment ${name(statistics.experiment)}</h1></header>`,
    navigation(parts),
    ...parts.map(([, , content]) => content),
  ]).source;
}

/** The report over an experiment as one HTML file that needs nothing else. The same record gives the same bytes. */
export const experimentReport = (store: Store, statistics: StatsReport, faults: RecordFaults | null): string =>
  experimentPage(experimentData(store, statistics, faults && ((trial) => faults.of(trial))), faults?.first ?? null);

/** The same from a bundle: with its root, without the list's name and, if redacted, words of people and the undrawn cases. */
export function bundledReport(
  store: Store,
  statistics: StatsReport,
  { file, root, redacted }: { readonly file: string; readonly root: string; readonly redacted: boolean },
): string {
  const data = experimentData(store, statistics, null);
  const checkpoint = { ...data.checkpoint, bundle: file };
  const hidden = redacted ? { reviews: null, undrawn: { ...data.undrawn, cases: [], table: null } } : {};
  return experimentPage({ ...data, checkpoint, root, dataName: null, ...hidden }, null);
}

/** The baselines as somebody knows them who has never fitted one. */
const ways: Readonly<Record<BaselineName, string>> = {
  majority: 'Always the same answer, the most frequent one of the cases that it learned from (majority)',
  'stratified-random': 'Answers drawn by lot (stratified-random)',
  'logistic-regression': 'Points for each fact, added up (logistic-regression)',
  'random-forest': 'Many small decision trees (random-forest)',
  'gradient-boosting': 'Decision trees that correct each other (gradient-boosting)',
  'tfidf-logistic-regression': 'Points for each word, added up (tfidf-logistic-regression)',
};
const waysIn: Readonly<Record<string, string | undefined>> = ways;

/** Lines of a list on this page; the sections after it have all. */
const most = 5;

function shortList<Item>(all: readonly Item[], rowOf: (item: Item) => Content, what: string): Markup {
  const more = all.length - most;
  return html`<ul>${all.slice(0, most).map((item) => html`<li>${rowOf(item)}</li>`)}${more > 0 && html`<li class="quiet">${count(more)} more ${what}</li>`}</ul>`;
}

const accuracyOf = (arm: Pick<ArmStatistics, 'measures'>) => measureNamed(arm, 'accuracy', { over: 'all', label: null });

/** How often each method tries a case; empty where it does once. */
const timesText = (replicates: number) =>
  replicates === 1 ? '' : `${replicates === 2 ? 'twice' : `${count(replicates)} times`} `;

/** `12 of 20 (60%, probably 38 to 79)`. */
function shareText(found: Measure | undefined): string {
  if (found?.value == null) return 'not known';
  const { value, n, low, high } = found;
  const range = low === null || high === null ? '' : `, probably ${wholeRange({ low, high })}`;
  const counted = countOf(found);
  if (counted === null) return `${wholePercent(value)} of ${ofText(found)}${range}`;
  return `${count(counted)} of ${count(n)} (${wholePercent(value)}${range})`;
}

/** `12 of 20 decisions were right (60%)`, and what the share can be in many more such decisions. A trial without a decision counts too. */
function rightText(
  found: Measure | undefined,
  { n: trials, decided }: Pick<ArmStatistics, 'n' | 'decided'>,
  { not, was, were }: ReturnType<typeof rightWords>,
): string {
  const ended = quantity(trials, 'trial');
  if (trials > 0 && decided === 0) return `no decision in ${ended}.`;
  if (found?.value == null) return `how often it ${was} is not known.`;
  const { value, n, low, high } = found;
  const range = low === null || high === null ? '' : `; probably ${wholeRange({ low, high })} of 100 such`;
  const share = `(${wholePercent(value)})${range}`;
  const without = trials === decided ? '' : ` In ${count(trials - decided)} there was no decision, which counts as ${not}.`;
  const counted = countOf(found);
  if (counted === null)
    return `in ${wholePercent(value)} of the trials of a case there was a decision that ${was}, on average over ${ofText(found)}${range}${range === '' ? '' : ' trials'}.${without}`;
  const right = count(counted);
  if (trials === decided)
    return `${right} of ${quantity(n, 'decision')} ${right === '1' && n === 1 ? was : were} ${share}${range === '' ? '' : ' decisions'}.`;
  return `in ${right} of ${quantity(n, 'trial')} there was a decision that ${was} ${share}${range === '' ? '' : ' trials'}.${without}`;
}

function modelsOf({ terms }: ArmRecord, statistics: ArmStatistics | undefined): readonly string[] {
  const answered = statistics?.models ?? [];
  return answered.length > 0 ? answered : [...new Set(Object.values(terms.cast).map(({ model }) => model))];
}

/** By name, the settings in which arms differ whose protocol and models are the same: `shots 2`. */
function setApart(arms: readonly ArmRecord[], byName: ReadonlyMap<string, ArmStatistics>): ReadonlyMap<string, string> {
  const alike = Map.groupBy(arms, (each) => JSON.stringify([each.arm.protocol, modelsOf(each, byName.get(each.arm.name))]));
  return new Map(
    [...alike.values()].flatMap((group) => {
      const settings = group.flatMap((each) => each.settings ?? []);
      const texts = distinguishing(settings, '');
      return settings.map(({ arm }, place) => [arm, texts[place] ?? ''] as const);
    }),
  );
}

function armRow(each: ArmRecord, statistics: ArmStatistics | undefined, apart = ''): Content {
  const { arm, protocol } = each;
  const models = modelsOf(each, statistics);
  const lacks = statistics?.cases === undefined ? null : lackText(statistics.cases);
  return html`<b>${name(arm.name)}</b>: ${protocol === null ? name(arm.protocol) : protocol.title}${apart !== '' && html`, ${isolated(apart)}`}, ${models.length === 0 ? 'no model yet' : listed(models.map((model) => `${model}${demoMark(statistics?.standin)}`))}${lacks !== null && html`; ${isolated(lacks)}`}`;
}

const isInPart = ({ cases }: ArmStatistics) => cases !== undefined && lackText(cases) !== null;

/** Whose percentages come nearest, at a glance. */
function scores(arms: readonly ArmStatistics[], report: StatsReport): Content {
  const rows = arms.flatMap((arm) => {
    const [brier, sureness] = [measureNamed(arm, 'brier', { label: null }), plainSureness(arm, report.arms)];
    if (brier?.value == null) return sureness === null ? [] : [[arm.arm, '-', '-', sureness.sure, sureness.right]];
    const { value, low, high } = brier;
    const range = low === null || high === null ? '' : `, probably ${proportion(low)} to ${proportion(high)}`;
    const cases = `${count(brier.cases)}${brier.n > brier.cases ? ` (${quantity(brier.n, 'trial')})` : ''}`;
    return [[arm.arm, cases, `${proportion(value)}${range}`, sureness?.sure ?? '-', sureness?.right ?? '-']];
  });
  const half = report.labels.length === 2 ? ', always saying 50% gives 0.25' : '';
  const unfair = arms.some(isInPart)
    ? ' The methods did not have the same cases; below, two are compared over those that both have.'
    : '';
  const head = ['Method', 'Cases', 'Brier score', 'Sure on average', capitalized(rightWords(report).right)];
  return html`${piecesOf([table(head, rows)])}<p class="quiet">Brier score: how far the percentages are from what was right, squared and on average (0 is best${half}).${unfair} Where nothing is said of how sure a method is and how often it was right, the difference can be chance.</p>`;
}

function probabilities(arms: readonly ArmStatistics[], report: StatsReport): Content {
  const rows = arms.flatMap((arm) => {
    const [skill, sureness] = [skillOf(arm), plainSureness(arm, report.arms)];
    const [surest, surer] = [surestText(arm, report, true), surerWhenRight(arm, report, true)];
    const { positive } = report;
    const mean = positive === null ? null : meanProbabilityText(arm, positive, report, true);
    const extreme = positive === null ? null : extremeText(arm, positive, report.arms, true);
    const said = [
      mean,
      sureness?.said ?? null,
      surest,
      surer?.text ?? null,
      extreme === null ? null : `The probabilities of ${positive} ${extreme.text}.`,
    ].filter((text) => text !== null);
    return skill === null && sureness === null
      ? []
      : [
          html`<b>${name(arm.arm)}</b>: ${trustInShort(arm, report)}<ul>${said.map((text) => html`<li>${isolated(text)}</li>`)}</ul>`,
        ];
  });
  const silent = arms.filter((arm) => arm.decided > 0 && arm.reliability.length === 0).map(({ arm }) => arm);
  return (
    rows.length > 0 &&
    html`<h3>How sure, and how rightly</h3>${scores(arms, report)}${shortList(rows, (row) => row, 'under “Calibration”')}${silent.length > 0 && html`<p>${listed(silent)} gave no percentages.</p>`}<p class="quiet">The same number for everybody: how often each answer is the right one in these cases. A slope below 1 means too extreme: too near 0 and 100%; below 0, that an answer is the rarer, the higher its percentage is. ${roundedNote}</p>${fitTexts(report, true).map(({ text }) => html`<p>${isolated(text)}</p>`)}`
  );
}

/** What was decided beforehand first, then the best method against the others. */
function among({ statistics, lines }: Pick<ExperimentData, 'statistics' | 'lines'>): Content {
  const { primary, decided_by: by } = statistics;
  const byArm = Map.groupBy(lines, ({ arm }) => arm);
  const ofArm = (arm: string) => byArm.get(arm) ?? [];
  const missed = (pair: Comparison) => missesText(sharedMisses(ofArm(pair.a), ofArm(pair.b), statistics), pair, statistics);
  const texts = [
    ...(primary == null ? [] : [`Decided beforehand: ${plainDecision(primary, statistics)}`]),
    ...pairTexts(statistics, (pair) => [plainVerdict(pair, by, isReplicated(statistics)), missed(pair) ?? []].flat().join(' ')),
    ...pairModels(statistics),
  ];
  return texts.length > 0 && html`<h3>Method against method</h3>${texts.map((text) => html`<p>${isolated(text)}</p>`)}`;
}

function comparison(data: ExperimentData): Content {
  const { statistics, definition } = data;
  const { arms, baselines, comparisons, labels, decided_by: by } = statistics;
  const commonest = commonestText(statistics);
  const words = rightWords({ decided_by: definition.dataset.label?.decidedBy });
  if (labels.length === 0)
    return html`<p>The questions are open: no answer is the right one, so nothing is counted as right or wrong.</p>`;
  const plain = arms.filter(({ base_arm }) => base_arm == null);
  const shareOf = (arm: ArmStatistics) => accuracyOf(arm)?.value ?? -1;
  const rows = shortList(
    plain.toSorted((one, other) => shareOf(other) - shareOf(one)),
    (each) => html`<b>${name(each.arm)}</b>: ${isolated(rightText(accuracyOf(each), each, words))}`,
    'under “Arms”',
  );
  const against = ownProbabilityText(plain, statistics);
  const order = plain.some(isInPart)
    ? 'The highest share first, which is no comparison: the methods did not have the same cases. '
    : new Set(plain.map(shareOf)).size > 1 && 'The best method first. ';
  const note = html`<p class="quiet">${order}Each range is what this number of decisions allows to say, rounded outward to whole numbers; about 1 in 20 such ranges misses, or more where a note says so.</p>`;
  const selected = precisionTexts({ ...statistics, arms: plain });
  const selection = selectionText(statistics, true);
  const accuracies = html`${rows}${note}${piecesOf(errorPieces(statistics, true))}${selection !== null && html`<p>${isolated(selection)}</p>`}${selected.length > 0 && shortList(selected, (text) => isolated(text), 'under “Arms”')}${against !== null && html`<p>${isolated(against)}</p>`}${probabilities(plain, statistics)}`;
  const pairs = among(data);
  if (baselines.length === 0)
    return html`${accuracies}${commonest !== null && html`<p>To compare: ${isolated(commonest)}</p>`}${pairs}`;
  const constant = [...constantTexts(statistics), ...baselineColumnTexts(statistics)].map(
    (text) => html`<p>${isolated(text)}</p>`,
  );
  const simple = html`<p>${baselines.map((each, place) => html`${place > 0 && '; '}${name(waysIn[each.arm] ?? each.arm)}: ${shareText(accuracyOf(each))}`)}.</p>`;
  const tested = testedPairs(comparisons);
  const better = plain.filter(({ arm }) => wonPairs(tested, arm).length > 0);
  const shown =
    better.length === 0
      ? html`No method is shown to ${isolated(words.be)} more often than every simple way.`
      : html`Shown to ${isolated(words.be)} more often than every simple way: ${listed(better.map(({ arm }) => arm))}.`;
  const { baseline } = pairsInWords(statistics);
  const isSound = statistics.damage === undefined;
  const worse = isSound ? worseText(comparisons, statistics) : null;
  const unshown = isSound
    ? unshownPairs(
        comparisons,
        plain.map(({ arm }) => arm),
      )
    : [];
  const sentence = (pair: Comparison) => isolated(plainVerdict(pair, by, isReplicated(statistics)));
  const nearest = worse ?? (baseline === null || unshown.length > 0 ? null : sentence(baseline));
  return html`${accuracies}${pairs}<h3>Against simple ways that ask no language model: how often they ${isolated(words.were)}</h3>${simple}${constant}<p><b>${shown}</b>${nearest !== null && html` ${nearest}`} <a href="#comparisons">“Exploratory comparisons”</a> has the tests.</p>${unshown.length > 0 && shortList(unshown, sentence, 'under “Exploratory comparisons”')}`;
}

const openText = (open: ReturnType<typeof openTrials>): Markup =>
  html`${open.slice(0, most).map(({ arm, trials }, place) => html`${place > 0 && ', '}${name(arm)} ${count(trials)}`)}${open.length > most && `, ${count(open.length - most)} more arms`}`;

const seeUnsettled = (statistics: StatsReport): Content =>
  unsettledPieces(statistics).length > 0 && html`<a href="#unsettled">“${unsettledTitle}”</a> names their cases.`;

/** Where the cases are from. The record has no name for an imported file. */
function sourceText({ definition: { dataset }, dataName }: ExperimentData): Markup {
  if (!isStored(dataset.path)) return name(dataset.path);
  return dataName === null
    ? html`an imported data set`
    : html`an imported data set (in the list of data sets, which is no part of the record, it is now called “${name(dataName)}”)`;
}

/** At the top, since every number after it can still change; nothing where all trials have ended. */
export function unfinished({ statistics, lines }: ExperimentData): Content {
  const open = openTrials(statistics);
  const unended = open.reduce((sum, { trials }) => sum + trials, 0);
  const ended = lines.filter((line) => line.status === 'done' && !isImported(line)).length;
  const imported = lines.filter(isImported).length;
  return (
    unended > 0 &&
    html`<p class="caveat" role="note"><b>${
      isEndedByRule(statistics)
        ? `ENDED BY ITS STOPPING RULE: ${count(unended)} of ${count(unended + ended)} planned trials have no result`
        : `UNFINISHED: ${count(unended)} of ${count(unended + ended)} trials have not ended`
    }</b>: ${openText(open)}${endedToo(ended, imported)}. They count in no number here. ${seeUnsettled(statistics)}</p>`
  );
}

export function summary(data: ExperimentData): Markup {
  const { statistics, definition, cases, arms, lines, spoken, outside, moved } = data;
  const { dataset } = definition;
  const by = dataset.label?.decidedBy;
  const byName = new Map(statistics.arms.map((each) => [each.arm, each]));
  const unlabelled = unlabelledText(statistics);
  const changed = changesFinding(statistics);
  const again = triedAgainTexts(statistics);
  const otherwise = otherAnswerTexts(statistics, lines).map(isolated);
  const fromFirst = firstAnswerTexts(statistics);
  const changes = arms.filter(({ terms }) => terms.change !== undefined).length;
  const replicateOf = (line: TrialLine) => {
    const text = replicateText(line, definition.replicates);
    return text !== null && `, ${text}`;
  };
  const tried = arms.filter(({ terms }) => terms.swap === undefined && terms.change === undefined);
  const apart = setApart(tried, byName);
  return html`<section id="summary"><h2>In plain words</h2>
<h3>What was asked</h3><p dir="auto">${dataset.question ?? 'Each case asks its own question.'}</p>
<h3>What was tried</h3><p>${quantity(cases, 'case')} from ${sourceText(data)}, each ${timesText(definition.replicates)}by ${tried.length === 1 ? 'one method' : `${statistics.arms.some(isInPart) ? 'up to ' : ''}${count(tried.length)} methods`}${definition.retrial !== undefined && ` (trial ${definition.retrial.trial} of the experiment ${definition.retrial.experiment})`}${changes > 0 && `, and again with one thing changed, in ${count(changes)} ${changes === 1 ? 'way' : 'ways'}`}:</p>
${shortList(tried, (each) => armRow(each, byName.get(each.arm.name), apart.get(each.arm.name)), 'under “Methods”')}${unlabelled !== null && html`<p>${isolated(unlabelled)}</p>`}
${changed.length > 0 && html`<h3>When one thing is changed</h3>${changed.map((text) => html`<p>${isolated(text)}</p>`)}`}
<h3>How often the decisions ${isolated(rightWords({ decided_by: by }).were)}</h3>${statistics.labels.length > 0 && hasTruths(statistics) && html`<p>${isolated(accuracyNote(by))}</p>`}${comparison(data)}
${fromFirst.length > 0 && html`<h3>From the first answers to the verdicts</h3>${fromFirst.map((text) => html`<p>${isolated(text)}</p>`)}`}
${again.length > 0 && html`<h3>Would a case end the same if it were tried again</h3>${again.map((text) => html`<p>${isolated(text)}</p>`)}${otherwise.map((text) => html`<p><b>Other answers:</b> ${text}</p>`)}`}
${groupsTable(statistics, lines)}
${outside > 0 && html`<p>A speaker names something from outside the facts in ${count(outside)} of the ${quantity(spoken, 'trial')} with speeches, as the speaker says; no one checked.${lines.length > spoken && ' Single answers are not counted, whatever they name.'}</p>`}
${moved.length > 0 && html`<p>The judge’s belief changed most from first to last in: ${moved.map(({ line, movement, changed }, place) => html`${place > 0 && '; '}case ${isolated(line.case)}, ${isolated(line.arm)}${replicateOf(line)} (${pointsOf(movement)}${changed !== null && `; the verdict is ${changed ? 'not ' : ''}its first answer`})`)}.</p>`}
<h3>What this does not show</h3><p>It does not show that any single decision is right, or how these methods do on cases of another kind. How sure a method says it is, is not how likely it is to be right.</p>
<h3>What you can do</h3><ul>
<li>For one decision, read the report of its trial, in a bundle <code>reports/TRIAL.html</code>: <a href="#trials">“Trials”</a> lists them all.</li>
<li>Have the record checked by somebody you trust. <a href="#check">“How to check this”</a> says how; it needs no network and no language model.</li>
<li>For pictures, open the record or a full bundle in Assize: “Figures” on the experiment’s screen draws and saves them.</li></ul></section>`;
}
