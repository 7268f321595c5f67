// The first parts of a report: question, verdict, warnings, facts.

import { groupName } from '../../../../core/cases/columnNames.ts';
import { columnsLeftOut, leftOutBy } from '../../../../core/cases/columnsRead.ts';
import { certaintyOf } from '../../../../core/figures/certainty.ts';
import { askedOf, waitingText } from '../../../../core/figures/debate.ts';
import { mentionsIn, unnamedText } from '../../../../core/figures/mentions.ts';
import { outcomeText } from '../../../../core/figures/outcomeText.ts';
import { swapTitles } from '../../../../core/figures/swapText.ts';
import { isKnowledgeRule } from '../../../../core/protocols/knowledge.ts';
import { trialId } from '../../../../core/record/identity.ts';
import { failureText } from '../../../../core/telling/blocks.ts';
import { changedTrialText, unheardText } from '../../../../core/telling/unheard.ts';
import { setupCaption } from '../../../../core/telling/whoAnswered.ts';
import { type Instruction, instructionsIn, instructionText, whatInstructionsDo } from '../../../../core/text/instructions.ts';
import { capitalized } from '../../../../core/text/visible.ts';
import { labelNoun, rightness, rightnessTone } from '../../../../shared/decidedBy.ts';
import { demoText, digestText } from '../../../../shared/demoModel.ts';
import type { ShownFact } from '../../../../shared/domain.ts';
import { isImported } from '../../../../shared/imported.ts';
import type { ReportPart } from '../../../../shared/reportParts.ts';
import { replicateText } from '../../../../shared/trialLine.ts';
import type { CallSetup, RecordedCall, ReportData } from './data.ts';
import { attribute, type Content, html, isolated, type Markup, markedProse, name, prose } from './markup.ts';
import { answerer, choicesText, count, labels, listed, moment, percent, quantity, speaker } from './words.ts';

/** Where no model is behind answers: `invented` names them, or is null. */
export const demoBanner = (invented: string | null): Markup | null =>
  invented === null
    ? null
    : html`<p class="banner" role="note">${isolated(demoText(invented))}. They say nothing about the case or about any model. What a fact supports, the program decides by counting letters and adding numbers, not by its meaning.</p>`;

export const isInvented = ({ line, calls }: ReportData): boolean =>
  line.standin || calls.some(({ setup }) => setup?.standin === true);

const field = (what: string, content: Content, quality = '') =>
  html`<div><span class="what">${what}</span><b class="${quality}">${content}</b></div>`;

/** Of a trial that has not ended, and what it waits for. */
export function unfinishedText(entries: ReportData['entries']): string {
  const asked = askedOf(entries);
  return `the trial is not finished${asked === null ? '' : `; ${waitingText[asked.asks]}`}`;
}

function verdictFields({ line, entries }: ReportData): Content {
  const { outcome, prediction, confidence, belief_source: source, truth, correct, decided_by: by } = line;
  if (outcome === null) {
    return field('Verdict', `none yet: ${unfinishedText(entries)}`, 'bad');
  }
  if (outcome !== 'decided') return field('No verdict', outcomeText(outcome), 'bad');
  if (prediction === null) return field('Verdict', 'none: an open question');
  return [
    field('Verdict', labels(prediction)),
    !Array.isArray(prediction) && field(certaintyOf(source).title, confidence === null ? 'not stated' : percent(confidence)),
    field(capitalized(labelNoun(line)), truth === null ? 'not known' : labels(truth)),
    correct !== null && field(by === undefined ? 'The verdict is' : 'The verdict', rightness(line), rightnessTone(line) ?? ''),
  ];
}

/** What is exchanged, and against which trial: the two differ in nothing else that was asked. */
function counterbalancedText({ experiment, arm, swap, base_arm, case: id, replicate }: ReportData['line']): string {
  const title = swap === null ? '' : swapTitles[swap];
  const usual = trialId({ experiment, arm: base_arm ?? arm, case: id, replicate });
  return `Counterbalanced, with ${title}: the usual trial of the same case with the same seed is ${usual}, of arm ${base_arm}.`;
}

function flags({ line, entries, calls, kase }: ReportData): Markup | null {
  const { outcome } = line;
  const taken = isImported(line);
  const forfeits = entries.filter(({ kind }) => kind === 'forfeit').length;
  const hidden = calls.some(({ payload }) => payload.guard !== undefined);
  const parts: readonly (string | false)[] = [
    outcome !== null &&
      outcome !== 'decided' &&
      `${taken && outcome === 'undecided' ? 'The value in the file is none of the labels of this experiment.' : failureText[outcome]} The trial counts as a failure of this kind and as nothing else.`,
    line.incomplete &&
      `Incomplete: ${forfeits} turn${forfeits === 1 ? ' was' : 's were'} forfeited, because there was no answer that could be read.`,
    line.inconsistent &&
      (kase.multiLabel
        ? 'Inconsistent: the labels of the verdict are not those that the belief behind it gives one half or more.'
        : 'Inconsistent: the label of the verdict is not the one that the belief behind it makes the likeliest.'),
    line.swap !== null && counterbalancedText(line),
    changedTrialText(line) ?? false,
    unheardText(line.change, entries) ?? false,
    line.attempt > 1 && `This is attempt ${line.attempt} at the trial; the earlier ones are in the same chain.`,
    hidden && 'The case or the answers hold text that could steer a model. See "Facts" and "Calls".',
  ];
  const shown = parts.filter((one) => one !== false);
  return shown.length === 0 ? null : html`<ul class="flags">${shown.map((one) => html`<li>${one}</li>`)}</ul>`;
}

export function heading(data: ReportData): Markup {
  const { line, replicates, title } = data;
  const numbered = replicateText(line, replicates);
  return html`<p class="crumbs">${name(line.experiment)} › ${name(line.arm)}${numbered !== null && ` › ${numbered}`}</p>
<h1>${title === null ? html`Case ${name(line.case)}` : name(title)}</h1>`;
}

const mostModels = 3;

/** Who made what the page shows, when, and whether that is proved, for those who read no further. */
export function origin(data: ReportData): Markup {
  const { opened, calls, line } = data;
  const taken = isImported(line);
  const models = [...new Set(calls.flatMap(({ setup }) => setup?.model ?? []))];
  const rest = models.length - mostModels;
  const who = taken
    ? 'the answer is from a file'
    : isInvented(data)
      ? 'the demo model answered'
      : models.length === 0
        ? 'the models that answered are no longer named here'
        : html`${listed(models.slice(0, mostModels))}${rest > 0 && ` and ${count(rest)} more`} answered`;
  return html`<p class="quiet"><b>Who made it, and when:</b> ${who}, ${taken ? 'imported' : 'begun'} ${moment(opened)} by the clock of the machine that did it. Neither is proved: <a href="#check">“How to check this”</a> has what the record can prove, and which key signed it, if any.</p>`;
}

export const question = ({ kase }: ReportData): Markup => html`<p class="question" dir="auto">${kase.question}</p>`;

export const verdict = (
  data: ReportData,
): Markup => html`<div class="verdict">${verdictFields(data)}${isInvented(data) && html`<div><span class="what">Answered by</span><b class="bad">the demo model</b></div>`}</div>
${flags(data)}`;

export function preface(data: ReportData, without: ReadonlySet<ReportPart>): Markup {
  const { opened, closed, program, line } = data;
  const quoted = `${data.erased === null ? 'What they said' : 'What was not erased'} is quoted in full.`;
  const saidHere = without.has('transcript')
    ? 'The transcript is left out; other parts can quote from it.'
    : `${quoted} ${without.has('plans') ? 'Private plans and notes are left out.' : "This includes private texts: plans that no other role saw, and the judge's own notes."}`;
  return html`<section id="about"><h2>What this is</h2>
<p>The record of one trial: a case was put to ${answerer(isInvented(data)).several} that played roles in a courtroom protocol. Everything below was read from the record, a file in which each event carries the hash of the one before. ${saidHere}</p>
<p class="quiet">Trial <code>${line.trial}</code>, begun ${moment(opened)}, ${closed === null ? 'not finished' : `ended ${moment(closed)}`}, by the clock of the machine that ran it. Experiment frozen with Assize ${program}. This page needs no network and contains no program. When it was saved is not in it, so that one record gives the same page each time.</p>
</section>`;
}

const flagged = (found: readonly Instruction[]) =>
  found.map(({ start, end, rule }) => ({
    start,
    end,
    wrap: (content: Markup) => html`<mark title="${attribute(instructionText[rule])}">${content}</mark>`,
  }));

/** What people call a fact, above what the court called it. */
const factName = ({ name: asRead, shown }: ShownFact): Markup =>
  shown === undefined
    ? html`<th scope="row">${name(asRead)}</th>`
    : html`<th scope="row">${name(shown)} <span class="quiet">${name(asRead)}</span></th>`;

/** @param mentions null where nobody made a speech */
function factRow(fact: ShownFact, mentions: number | null): Markup {
  const { value } = fact;
  const found = instructionsIn(value);
  const warning = found.length > 0 && html`<p class="bad">${whatInstructionsDo(found)}</p>`;
  return html`<tr>${factName(fact)}<td>${markedProse(value, flagged(found))}${warning}</td>${mentions !== null && html`<td class="number">${mentions}</td>`}</tr>`;
}

function importedFacts(data: ReportData): Markup {
  const { kase, line } = data;
  const title = html`<h2>Facts of the case</h2>`;
  if (kase.facts.length === 0) {
    const groups = Object.entries(line.groups);
    return html`<section id="facts">${title}<p>${data.erased === null ? 'No facts were imported.' : 'They were erased.'}</p>
${
  groups.length > 0 &&
  html`<table><caption>Groups of the case</caption>
<tbody>${groups.map(([column, value]) => html`<tr>${factName({ name: column, value })}<td>${prose(groupName(value))}</td></tr>`)}</tbody></table>`
}</section>`;
  }
  return html`<section id="facts">${title}
<table class="wide"><caption>What the data set says of the case. The system need not have seen it.</caption>
<thead><tr><th scope="col">Fact</th><th scope="col">Value</th></tr></thead>
<tbody>${kase.facts.map((fact) => html`<tr>${factName(fact)}<td>${prose(fact.value)}</td></tr>`)}</tbody></table></section>`;
}

/** What the models were given in addition to the facts, and what the prompts say of what is in none of it. */
function alsoGiven({ entries, prompts, arm }: ReportData): Content {
  // Of erased messages it is not known.
  if (prompts.some(({ isUsed }) => isUsed === undefined)) return null;
  const isUsed = (name: string) => prompts.some((prompt) => prompt.name === name && prompt.isUsed === true);
  const found = entries.flatMap((entry) => (entry.kind === 'precedents' ? entry.precedents : [])).length;
  const earlier = found > 0 ? quantity(found, 'earlier case') : isUsed('earlierCase') ? 'earlier cases' : null;
  const given = earlier === null ? ' and the possible answers' : `, the possible answers and ${earlier} with the answer to each`;
  const knowledge = prompts.find(({ name: prompt, isUsed }) => isUsed === true && isKnowledgeRule(prompt))?.text;
  const isModerated = entries.some(({ kind }) => kind === 'moderated');
  return html`<p><b>Also given:</b> the question${given}. No law, rule or guideline was given, unless the question${isModerated && ', a moderator'} or a fact states one.${
    arm.prompts !== undefined && html` The prompts are those of the variant ${name(arm.prompts.name)}, which can state more.`
  }${knowledge != null && html` On what is not in the facts the prompts say: “${isolated(knowledge)}”`}</p>`;
}

export function facts(data: ReportData): Markup {
  const { kase, leftOut, entries, line } = data;
  if (isImported(line)) return importedFacts(data);
  const spoken = entries.filter((entry) => entry.kind === 'utterance');
  const speeches = spoken.map(({ text }) => new Set(mentionsIn(text ?? '', kase.facts).map(({ fact }) => fact)));
  const mentions = (fact: number) => speeches.filter((speech) => speech.has(fact)).length;
  const isSpoken = spoken.length > 0;
  if (kase.facts.length === 0)
    return html`<section id="facts"><h2>Facts before the court</h2><p>${data.erased === null ? 'None: there is only the question.' : 'They were erased.'}</p></section>`;
  return html`<section id="facts"><h2>Facts before the court</h2>
<table class="wide"><caption>All that the models were given of the case.${isSpoken && ` The last column counts the speeches that name a fact, or quote its value or four words of a longer one. ${unnamedText}`}${leftOut.length > 0 && html` ${columnsLeftOut}: ${listed(leftOut)}. ${leftOutBy}`}</caption>
<thead><tr><th scope="col">Fact</th><th scope="col">Value</th>${isSpoken && html`<th scope="col" class="number">Speeches with its words</th>`}</tr></thead>
<tbody>${kase.facts.map((fact, index) => factRow(fact, isSpoken ? mentions(index) : null))}</tbody></table>
<p class="quiet">Possible answers: ${listed(kase.labels)}${kase.multiLabel && '; none, one or several of them can be right'}.${choicesText(data)}${kase.positive !== null && html` The one in question: ${name(kase.positive)}.`}</p>${alsoGiven(data)}</section>`;
}

export const setupCells = (setup: CallSetup | null): Markup =>
  setup === null
    ? html`<td colspan="4" class="missing">erased from the record</td>`
    : html`<td>${name(setup.model)}${setup.standin === true && html` <strong class="bad">(demo model)</strong>`}</td><td><code>${digestText(setup)}</code></td><td>${name(setup.backend)}, version ${setup.version ?? 'not known'}</td><td><code>${setup.url ?? 'not known'}</code></td>`;

export const setupHead = html`<th scope="col">Model</th><th scope="col">Digest of its weights</th><th scope="col">Backend</th><th scope="col">Sent to</th><th scope="col" class="number">Calls</th>`;

function memberRow(calls: readonly RecordedCall[], claimed: readonly string[]): Content {
  const [first] = calls;
  if (first === undefined) return null;
  const { setup, payload } = first;
  return html`<tr><th scope="row">${name(speaker(payload.role))}</th><td>${claimed.length === 0 ? '–' : listed(claimed)}</td>${setupCells(setup)}<td class="number">${calls.length}</td></tr>`;
}

/** Who played whom, as the calls have it: a role that changed its model in between has a line for each. */
export function cast({ calls, claims, entries }: ReportData): Markup {
  const given = entries.findLast((entry) => entry.kind === 'positions')?.positions;
  const claimedBy = (role: string) => [claims[role] ?? given?.[role] ?? []].flat();
  const players = Map.groupBy(calls, ({ payload, setup }) => JSON.stringify([payload.role, setup]));
  return html`<section id="cast"><h2>Who spoke</h2><div class="scroll"><table>
<caption>${setupCaption}</caption>
<thead><tr><th scope="col">Role</th><th scope="col">Argues for</th>${setupHead}</tr></thead>
<tbody>${[...players].map(([, ofOne]) => memberRow(ofOne, claimedBy(ofOne[0]?.payload.role ?? '')))}</tbody></table></div></section>`;
}
