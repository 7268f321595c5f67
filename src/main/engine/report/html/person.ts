// The first page of a report, for the person decided about: plain words, no statistics to know.

import { tiedLabels } from '../../../../core/figures/beliefChanges.ts';
import { benchOf, votesOf } from '../../../../core/figures/bench.ts';
import { certaintyInList } from '../../../../core/figures/certainty.ts';
import { outcomeText } from '../../../../core/figures/outcomeText.ts';
import { type Interval, wilson } from '../../../../core/statistics/wilson.ts';
import { endedApart, sameMethodText, timesOf, triedOnce, triesText } from '../../../../core/telling/findingTexts.ts';
import { rulingOf } from '../../../../core/telling/mainReasons.ts';
import { plainChangeText } from '../../../../core/telling/unheard.ts';
import { outsideBySpeech, outsideText } from '../../../../core/text/unfoundedSpeeches.ts';
import { capitalized } from '../../../../core/text/visible.ts';
import { isImported } from '../../../../shared/imported.ts';
import { certainty } from './certainty.ts';
import { importOf, type OtherCases, type ReportData } from './data.ts';
import { type Content, html, isolated, type Markup, name } from './markup.ts';
import { isInvented, unfinishedText } from './opening.ts';
import { people } from './people.ts';
import { reasons, shortened } from './reasons.ts';
import { answerer, choicesText, count, isNarrowed, labels, listed, percent, quantity, speaker, wholeRange } from './words.ts';

const mostAnswers = 4;
/** Below this many cases a share says next to nothing. */
const fewCases = 10;

function decider(data: ReportData): Content {
  const { entries } = data;
  const taken = importOf(data);
  if (taken !== undefined) return html`It was not made here: a file says that ${name(taken.system)} made it.`;
  const role = rulingOf(data)?.role;
  const isArgued = entries.some((entry) => entry.kind === 'utterance' && entry.role !== role && entry.turn !== 'opinion');
  const { one, several } = answerer(isInvented(data));
  const argued = isArgued ? `${capitalized(several)} argued about the case. ` : '';
  if (entries.some(({ kind }) => kind === 'exchange' || kind === 'panel'))
    return `${argued}A fixed rule made the decision from what they answered and how they were scored.`;
  const votes = votesOf(entries);
  if (votes !== null && votes.asked > 1) {
    const bench = /^judge/.test(benchOf(entries)[0]?.role ?? '') ? ' in the role of judges' : '';
    const rule =
      votes.decidedBy === 'last'
        ? 'the last of them decided, not the majority'
        : 'a fixed rule made the decision from their answers';
    return `${argued}${count(votes.asked)} ${several}${bench} answered; ${rule}.`;
  }
  return `${argued}${capitalized(one)}${isArgued ? ', in the role of the judge,' : ''} gave this answer.`;
}

function decision(data: ReportData): Content {
  const { line, entries, kase } = data;
  const { outcome, prediction } = line;
  if (outcome === null) return html`<p>There is no decision yet: ${unfinishedText(entries)}.</p>`;
  if (outcome !== 'decided') {
    const declined = isImported(line) ? 'the file names none of the possible answers' : 'the model declined to choose';
    return html`<p>No decision was made: ${outcome === 'undecided' ? declined : outcomeText(outcome)}. The program does not guess one.</p>`;
  }
  const some = listed(kase.labels.slice(0, mostAnswers));
  const isLong = kase.labels.length > mostAnswers;
  const among = isNarrowed(data)
    ? html`The question has ${count(kase.labels.length)} possible answers${!isLong && html`: ${some}`}.${choicesText(data)}`
    : isLong
      ? `${count(kase.labels.length)} answers were possible.`
      : html`Possible answers: ${some}.`;
  const tie = tieOf(line);
  return html`<p class="decision">${labels(prediction)}${tie !== null && html`<b>, a tie at ${tie}</b>`}</p><p>${among} ${decider(data)}${
    line.incomplete && ' Something is missing: a part of the trial has no answer that could be read.'
  }${line.inconsistent && ' By its own numbers another answer was likelier.'}</p>`;
}

/** How likely the decision of a trial was that another answer was as likely as; null of others. */
const tieOf = ({ belief, prediction }: ReportData['line']): string | null =>
  belief !== null && tiedLabels(belief, prediction) !== null ? percent(belief[String(prediction)] ?? 0) : null;

/** What the same method decided in the other trials of the case, and which these are. */
function sameMethod({ runs, replicates, kase, line }: ReportData): Content {
  const text = sameMethodText(runs, timesOf(runs, replicates), kase.labels);
  if (text === null) return null;
  const others = runs.filter(({ trial, status }) => trial !== line.trial && status !== 'queued');
  const named = others.map(
    (each, place) =>
      html`${place > 0 && ', '}replicate ${each.replicate + 1} is trial <code>${each.trial}</code>${tieOf(each) !== null && `, a tie at ${tieOf(each)}`}`,
  );
  return html`<p><b>${name(text)}</b> This is replicate ${line.replicate + 1}${others.length > 0 && html`; ${named}`}.</p>`;
}

/** Other methods that are named, and trials of them all; of more there is their number. */
const mostMethods = 6;
const mostTrials = 4;

function surenessOf(run: ReportData['line']): Content {
  const [tie, sure] = [tieOf(run), certaintyInList(run)];
  if (tie !== null) return ` at a tie of ${tie}`;
  return sure !== '' && ` at ${sure}`;
}

/** Where a reader of a bundle finds them. */
function triesNamed(runs: ReportData['runs'], most: number): Content {
  const begun = runs.filter(({ status }) => status !== 'queued');
  const named = begun.slice(0, most).map((run, place) => html`${place > 0 && ', '}<code>${run.trial}</code>${surenessOf(run)}`);
  const more = begun.length - most;
  return begun.length > 0 && html`; trial id ${named}${more > 0 && `, and ${count(more)} more`}`;
}

/** What the other methods of the experiment decided in this case; the case was tried by each of them. */
function otherMethods({ otherMethods: all }: ReportData): Content {
  if (all.length === 0) return null;
  const shown = all.slice(0, mostMethods);
  const most = Math.ceil(mostTrials / shown.length);
  const named = shown.map(
    (each, place) =>
      html`${place > 0 && '; '}${name(each.name)} (${isolated(triesText(each.runs, each.all))}${place < mostTrials && triesNamed(each.runs, most)})`,
  );
  const more = all.length - mostMethods;
  return html`<p><b>Other methods for this case:</b> ${named}${more > 0 && `; and ${count(more)} more`}.</p>`;
}

/** Which answer each side argued for: the prosecution can be the side that speaks for the person. */
function sides({ claims, entries }: ReportData): Content {
  const spoke = Object.entries(claims).filter(([role]) =>
    entries.some((entry) => entry.kind === 'utterance' && entry.role === role),
  );
  if (spoke.length === 0) return null;
  return html`<p><b>Sides:</b> ${spoke.map(([role, label], place) => html`${place > 0 && ', '}${name(speaker(role))} for ${name(label)}`)}.</p>`;
}

/** Trials of one case resemble each other: each case counts once, with the share of its trials, rounded outward. */
function rangeOf({ n, cases, right }: Pick<OtherCases, 'n' | 'cases' | 'right'>): Interval | null {
  const rightCases = (right * cases) / (n || 1);
  const [low, high] = [wilson(Math.floor(rightCases), cases), wilson(Math.ceil(rightCases), cases)];
  return low === null || high === null ? null : { ...low, high: high.high };
}

const times = (number: number, of: number) =>
  number === of && of > 1 ? `all ${count(of)}` : number === 0 ? 'none' : count(number);

function known({ line: { truth, correct, decided_by: by } }: ReportData): Content {
  if (truth === null || by !== undefined) return null;
  return html` For this case the data set says ${labels(truth)}${correct !== null && `; by it the decision would be ${correct ? 'right' : 'wrong'}`}.`;
}

/** That somebody else decided the case too; nothing where no one is known to have. */
function othersDecision({ line: { truth, correct, decided_by: by } }: ReportData): Content {
  if (truth === null || by === undefined) return null;
  const agrees = correct === null ? '.' : `; it ${correct ? 'agrees with' : 'differs from'} that.`;
  return html`<p><b>${name(capitalized(by))} decided: ${labels(truth)}.</b> The decision in this record is a separate one${agrees} How the two are connected is not recorded: ask ${name(by)}.</p>`;
}

/** How often other decisions were right, or were those that somebody else made. */
const accuracyWords = (by: string | undefined) =>
  by === undefined
    ? {
        ...{ none: 'whose right answer is known', one: 'whose right answer is known', many: 'whose right answers are known' },
        ...{ was: 'was right', not: 'was wrong', probably: 'is probably right', been: 'been right', were: 'were right' },
      }
    : {
        ...{ none: `that ${by} decided too`, one: `that ${by} decided too`, many: `that ${by} decided too` },
        ...{ was: `agreed with ${by}`, not: `differed from ${by}`, probably: `probably agrees with ${by}` },
        ...{ been: `agreed with ${by}`, were: `agree with ${by}` },
      };

/** How often the method answered otherwise where each of two answers was the right one; first where that was not the answer here. */
function bySide({ others, line: { prediction, decided_by: by }, kase }: ReportData): Content {
  const sides = others.sides.toSorted((one, other) => Number(one.label === prediction) - Number(other.label === prediction));
  if (kase.labels.length !== 2 || sides.length === 0 || others.cases < fewCases) return null;
  const said = sides.map(({ label, n, cases, right }, place) => {
    const range = rangeOf({ n, cases, right: n - right });
    const share =
      cases < fewCases || range === null
        ? null
        : ` (${Math.round((1 - right / n) * 100)}%, probably ${wholeRange(range)} of 100)`;
    const of = `${quantity(cases, 'case')}${n > cases ? `, ${quantity(n, 'trial')}` : ''}`;
    return html`${place > 0 && '; '}where that was “${name(label)}” (${of}), ${place === 0 && 'this method answered otherwise '}in ${times(n - right, n)}${share}`;
  });
  return html`<p>By the answer ${by === undefined ? 'that is right' : html`of ${name(by)}`}: ${said}.</p>`;
}

function accuracy(data: ReportData): Markup {
  const { others, line } = data;
  const { n, cases, right, undecided, commonest } = others;
  const range = rangeOf(others);
  const words = accuracyWords(line.decided_by);
  if (range === null)
    return html`<p>Not known: here are no other cases that were decided in the same way and ${isolated(words.none)}.${known(data)}</p>`;
  const isRepeated = n > cases;
  const them = isRepeated ? 'of these trials' : 'of them';
  const share = cases < fewCases ? '' : ` (${Math.round((right / n) * 100)}%)`;
  const found =
    n === 1
      ? `It ${right === 1 ? words.was : words.not} there.`
      : `It ${words.was} in ${times(right, n)} ${them}${share}, without this case.`;
  const few = cases < fewCases ? 'So few cases say little: it' : 'It';
  const between = `${few} ${words.probably} in ${wholeRange(range)} of 100 such cases, but a range found in this way misses about 1 time in 20.`;
  const grouped =
    Object.keys(line.groups).length > 0 &&
    ' For one group it can be otherwise: report.html in the zip file (bundle) of the experiment has each.';
  const same =
    commonest !== null &&
    n > 1 &&
    html` To compare: answering “${name(commonest.label)}”, the most frequent answer among them, every time would have ${words.been} in ${times(commonest.right, n)} ${them}.`;
  const none =
    undecided > 0 && ` In ${quantity(undecided, isRepeated ? 'further trial' : 'further case')} there was no decision.`;
  return html`<p>The same method decided ${quantity(cases, 'other case')} ${isolated(cases === 1 ? words.one : words.many)}${isRepeated && `, in ${count(n)} trials`}. ${isolated(`${found} ${between}`)}${grouped}${same}${none}${known(data)}</p>${bySide(data)}`;
}

const mostNamed = 120;

/** The first thing that a speaker names as taken from outside the facts. */
function outsideNamed(entries: ReportData['entries']): Content {
  const speech = entries.find((entry) => entry.kind === 'utterance' && (entry.outside?.length ?? 0) > 0);
  const [first] = speech?.kind === 'utterance' ? (speech.outside ?? []) : [];
  if (speech === undefined || first === undefined) return null;
  return html` Named by ${name(speaker(speech.role))}: ${name(shortened(`“${first}”`, mostNamed).text)}`;
}

/** Of one moment: a review can still be given. */
const isWithoutPeople = (data: ReportData): boolean =>
  !isImported(data.line) &&
  data.firstJudged === null &&
  people(data, false) === null &&
  !data.entries.some(({ kind }) => kind === 'moderated');

/** Null of an open question: nothing is decided about anybody. */
export function person(data: ReportData): Markup | null {
  const { kase, line, entries } = data;
  if (kase.labels.length === 0) return null;
  const taken = isImported(line);
  const changed = plainChangeText(line, entries);
  const how = certainty(data);
  const why = taken ? html`<p>None are recorded: the file holds the answer alone.</p>` : reasons(data);
  const again =
    data.again === null
      ? data.runs.length > 1
        ? endedApart(data.runs)
          ? 'Another run in this record ended differently.'
          : 'A further run could end differently.'
        : triedOnce
      : html`It was tried again. ${name(capitalized(data.again))} A further run could still end differently.`;
  const cause = taken
    ? 'Nor does it show how the answer came about, or what the system knew of the case.'
    : isInvented(data)
      ? html`The reasons, and how sure the judge is, are made up by the demo model. ${again}`
      : html`The reasons are text that a language model wrote; they need not be what led to the decision. How sure a model says it is, is not how likely it is to be right. ${again}`;
  const outside = outsideText(entries);
  const named = outsideNamed(entries);
  const isOne =
    outsideBySpeech(entries)
      .values()
      .reduce((sum, each) => sum + each, 0) === 1;
  const unshown =
    line.outcome === 'decided'
      ? html`This page does not show that the decision is right or fair. ${cause}`
      : 'That there is no decision says nothing about the case.';
  return html`<section id="person"><h2>For the person decided about</h2>
${changed !== null && html`<p><b>${name(changed)}</b></p>`}<h3>What was asked</h3><p dir="auto">${kase.question}</p>
<h3>What was decided</h3>${othersDecision(data)}${decision(data)}${sides(data)}${sameMethod(data)}${otherMethods(data)}${data.judged !== null && html`<p>${data.judged} <a href="#people">“What people said”</a> has each answer.</p>`}${data.firstJudged !== null && html`<p>${data.firstJudged} Its report has each answer.</p>`}${isWithoutPeople(data) && html`<p>No person spoke, judged or reviewed here.</p>`}
<h3>Main reasons</h3>${why}${outside !== null && html`<p>${outside}${named} <a href="#transcript">The transcript</a> names ${isOne ? 'it' : 'them'}.</p>`}
${how !== null && html`<h3>${how.title}</h3>${how.body}`}
<h3>How often such decisions ${isolated(accuracyWords(line.decided_by).were)}</h3>${accuracy(data)}
<h3>What this does not show</h3><p>${unshown}</p>
<h3>What you can do</h3><ul>
<li>Ask for a person to look at your case and decide. Say what this page leaves out.</li>
<li>Read <a href="#facts">the facts</a>. If one is wrong or missing, ask for it to be corrected and for the case to be decided again.</li>
<li>Have the record checked by somebody you trust. <a href="#check">“How to check this”</a> says how; it needs no network and no language model.</li></ul>
<p><b>You can stop reading here.</b> What follows is the whole record, for those who check the decision.</p></section>`;
}
