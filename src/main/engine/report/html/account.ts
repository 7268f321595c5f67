// The parts of a report on calls, checks, protocol and limits.
import { flagText, methodText, refusals } from '../../../../core/figures/answerText.ts';
import { countAnswers } from '../../../../core/statistics/answerCounts.ts';
import { endedApart } from '../../../../core/telling/findingTexts.ts';
import type { CheckpointView } from '../../../../shared/api/record.ts';
import { logEntryWords, madeWords, signedWhenWords } from '../../../../shared/checkpoints.ts';
import { labelLimit } from '../../../../shared/decidedBy.ts';
import { demoMark } from '../../../../shared/demoModel.ts';
import type { TextGuard } from '../../../../shared/events.ts';
import type { Runtime } from '../../../../shared/experiment.ts';
import { isImported } from '../../../../shared/imported.ts';
import type { Adoption } from '../../../../shared/outputs.ts';
import { adoptedWords } from '../../../../shared/proved.ts';
import type { RecordedCall, ReportData } from './data.ts';
import { type Content, html, isolated, type Markup, name, prose } from './markup.ts';
import { isInvented } from './opening.ts';
import { beliefText, count, listed, moment, quantity, speaker } from './words.ts';

const spoken = (counts: Readonly<Record<string, number | undefined>>) =>
  Object.entries(counts)
    .map(([rule, number]) => `${number} ${rule.replaceAll('-', ' ')}`)
    .join(', ');

function findings({ neutralised, flagged }: TextGuard): string {
  const [changed, kept] = [spoken(neutralised), spoken(flagged)];
  return [changed && `neutralised: ${changed}`, kept && `pointed out: ${kept}`].filter(Boolean).join('; ');
}

function guarded(calls: readonly RecordedCall[]): Markup | null {
  const found = calls.flatMap(({ payload: { key, guard } }) => (guard === undefined ? [] : [{ key, words: findings(guard) }]));
  if (found.length === 0) return null;
  const groups = [...Map.groupBy(found, ({ words }) => words)].map(
    ([words, prompts]) =>
      html`<li>${words}, in ${prompts.length === calls.length ? 'every prompt' : html`the prompts of ${prompts.map(({ key }, index) => html`${index > 0 && ', '}<code>${key}</code>`)}`}</li>`,
  );
  return html`<p>Text that could end a message or forge a heading of the record was neutralised before it was sent: <code>&lt;|im_end|&gt;</code> went out as <code>‹|im_end|›</code>. The case and the answers above keep it as it was. Text that only reads like an instruction was sent as it is.</p><ul>${groups}</ul>`;
}

function callRow({ payload, setup }: RecordedCall, step = payload.key): Markup {
  const { role, promptTokens, completionTokens, modelMs, wallMs, method, rejected, failure, done, flags = [] } = payload;
  const why = done === 'loop' ? 'it repeated itself' : rejected;
  const read =
    failure !== undefined
      ? `failed: ${failure.kind}`
      : rejected !== undefined
        ? `rejected: ${why}`
        : [`read as ${method}`, ...flags].join(', ');
  const ill = failure !== undefined || rejected !== undefined;
  return html`<tr><th scope="row"><code class="step">${step.split(/(?<=\/)/).map((part) => html`<span>${part}</span>`)}</code></th><td>${name(speaker(role))}</td><td>${setup === null ? 'erased' : html`${name(setup.model)}${demoMark(setup.standin === true)}`}</td><td class="number">${count(promptTokens)}</td><td class="number">${count(completionTokens)}</td><td class="number">${count(modelMs)}</td><td class="number">${count(wallMs)}</td><td class="${ill ? 'bad' : ''}">${read.replaceAll('_', ' ')}</td></tr>`;
}

const callHead = html`<thead><tr><th scope="col">Call</th><th scope="col">Role</th><th scope="col">Model</th><th scope="col" class="number">Prompt tokens</th><th scope="col" class="number">Answer tokens</th><th scope="col" class="number">Time of the server, ms</th><th scope="col" class="number">Time in all, ms</th><th scope="col">Answer</th></tr></thead>`;

/** Calls that count in no trial, since their answers serve several. */
function sharedTable(shared: ReportData['shared']): Markup | null {
  if (shared.length === 0) return null;
  return html`<div class="scroll"><table><caption>Shared, made once: the answers serve every trial that asks the same, and count in none of them.</caption>
${callHead}
<tbody>${shared.map(({ step, call }) => callRow(call, step))}</tbody></table></div>`;
}

/** How the answers were read, counted; nothing where every one was read as one whole JSON object. */
function readingTable(all: readonly RecordedCall[]): Markup | null {
  const counts = countAnswers(all.map(({ payload }) => payload));
  const rows = [
    ...Object.entries(counts.methods).map(([method, number]) => [`read as ${methodText(method)}`, number] as const),
    ...Object.entries(refusals(counts)).map(([kind, number]) => [`refused: ${kind.replaceAll('_', ' ')}`, number] as const),
    ...Object.entries(counts.flags).map(([flag, number]) => [`flagged: ${flag}. ${flagText(flag)}`, number] as const),
  ];
  if (rows.every(([words]) => words === `read as ${methodText('json')}`)) return null;
  return html`<table><caption>How answers were read. First attempts whose answer could be used: ${count(counts.first_usable)} of ${count(counts.first)}.</caption><thead><tr><th scope="col">Answers</th><th scope="col" class="number">Number</th></tr></thead><tbody>${rows.map(([words, number]) => html`<tr><th scope="row">${words}</th><td class="number">${count(number)}</td></tr>`)}</tbody></table>`;
}

export function calls({ calls: all, shared }: ReportData): Markup {
  const sum = (value: (call: RecordedCall) => number) => count(all.reduce((total, call) => total + value(call), 0));
  return html`<section id="calls"><h2>Calls</h2>
${guarded(all)}
<div class="scroll"><table><caption>Questions asked: ${count(new Set(all.map(({ payload }) => payload.key.replace(/\/attempt-\d+$/, ''))).size)}. Requests, repeated ones included: ${count(all.length)}. Times in milliseconds: as the server reports, and from sending to the last token.${all.some(({ setup }) => setup?.standin === true) && ' The demo model reports the time of a model that it imitates.'} Each time is rounded, and so is their sum.</caption>
${callHead}
<tbody>${all.map((call) => callRow(call))}</tbody>
<tfoot><tr><th scope="row">Sum</th><td></td><td></td><td class="number">${sum(({ payload }) => payload.promptTokens)}</td><td class="number">${sum(({ payload }) => payload.completionTokens)}</td><td class="number">${sum(({ payload }) => payload.modelMs)}</td><td class="number">${sum(({ payload }) => payload.wallMs)}</td><td></td></tr></tfoot></table></div>
${readingTable(all)}
${sharedTable(shared)}</section>`;
}

/** Where the record was copied from; no row for one that was made here. */
export const copiedRows = (adopted: Adoption | null): readonly (readonly [string, Content])[] =>
  adopted === null ? [] : [['Copied from', isolated(adoptedWords(adopted, moment))]];

export const keyRows = (rows: readonly (readonly [string | Markup, Content])[]) =>
  html`<table class="keys"><tbody>${rows.map(([key, value]) => html`<tr><th scope="row">${key}</th><td>${value}</td></tr>`)}</tbody></table>`;

/** The newest checkpoint of the record, or that there is none. */
export function signerRows(view: CheckpointView, adopted: Adoption | null = null): readonly (readonly [string, Content])[] {
  const { checkpoint, size, bundle, bundle_signers: signers, bundle_signed_at: signedAt } = view;
  if (bundle !== null && signers.length > 0)
    return [
      [
        'Fingerprint of the key that signed it',
        html`${signers.map((signer, place) => html`${place > 0 && ', '}<code>${signer}</code>`)}, as the check of the file ${name(bundle)} found when it was opened. The signatures are in that file.`,
      ],
      ['When it was signed', signedWhenWords(signedAt)],
    ];
  if (checkpoint === null) {
    const before = adopted?.signers ?? [];
    return [
      [
        'Signed with a key',
        before.length === 0
          ? 'no: nothing shows who wrote the record. A person’s sign-off is a review, not such a signature'
          : `this copy: no. The record that it was copied from: yes, by ${before.join(', ')}, as a check found when the copy was made; the signatures are in that file`,
      ],
    ];
  }
  const { size: signed, root, fingerprint, made_at: at, cosigners, time_stamp: stamped } = checkpoint;
  return [
    [
      'Newest checkpoint',
      `${count(signed)} of the ${count(size)} entries that one would cover now ${logEntryWords}; ${signed < size ? 'what came after it, such as a review or another trial, is not signed; ' : ''}${madeWords(moment(at), cosigners)}`,
    ],
    ['Log root that it signs', html`<code>${root}</code>`],
    ['Fingerprint of the key that signed it', html`<code>${fingerprint}</code>`],
    ['Witnesses', cosigners.length === 0 ? 'none' : listed(cosigners.map((cosigner) => cosigner.name))],
    ['Time stamp of an authority', stamped ? 'attached, not checked here' : 'none'],
  ];
}

export const coveredRow = (signed: number, ended: number): readonly [string, Content] => [
  'Trials of this experiment that it signs',
  `${count(signed)} of the ${count(ended)} that have ended${signed === 0 ? ': no key signed them here' : ''}`,
];

/** Of a bundle that is read here the store has only its chains, so its root is the one that a check of the bundle shows. */
export const rootRow = (root: string, { bundle }: CheckpointView): readonly [string, Content] => [
  bundle === null ? 'Record root when this was written' : 'Bundle root',
  html`<code>${root}</code>`,
];

const rootsText =
  'The record root is one hash over the ends of all chains of the record; each new event changes it. The log root covers what the record had when the checkpoint was made: the attempts at trials that had ended, and what people had said of them; a later record can prove that it extends them. A bundle holds some of the chains and has a root over these: its bundle root.';

const proofLimit =
  'A hash proves something only if it reached you by another way than the record did: then the record has not changed since that hash was given out. Nothing here shows who wrote the record, that nothing was left out, or that a given model gave the answers. The owner of the machine can write a whole new record before the first hash leaves it.';

/** Ways to check the record, and what its numbers prove. @param rows to compare @param file this report in a bundle, if any @param number the one to have confirmed */
export const howToCheck = (
  commands: Markup,
  rows: Markup,
  file: string | null,
  number: string,
) => html`<section id="check"><h2>How to check this</h2>
<p><b>Which number to have confirmed:</b> ${number}. If report and bundle both came from one sender, no number in them proves anything yet: ask for this one in a signed letter. The record cannot be changed unseen after that.</p><p>Each way needs no network and no language model.</p>
<ul>
<li>In any browser, without Assize: ask for a bundle of this experiment too. Unpack it, open its <code>verify.html</code>, and choose the bundle there. Enter the bundle root, or the head of a trial, that reached you by another way: the page says whether the bundle has it.</li>
<li>On the screens of Assize: on the first screen, under “Check somebody’s record”, choose the bundle or the record (a file, here called STORE), and enter what reached you by another way. Use the record root to check the whole record; a bundle has the same root only where the record holds nothing else. To check a bundle, use its bundle root, the head of a trial, or the fingerprint of the signer’s key.</li>
<li>On the command line of Assize, with the record: ${commands}</li>
<li>Whether this report says what the record holds: <code>npx --no assize verify REPORT.html --against STORE</code> makes it again from the record, and says whether the two are the same to the byte, or which parts differ. Without the command line: compare this file with ${file !== null && html`<code>${file}</code> in a bundle, or with `}one that you save again on the screens of the same version of Assize, with <code>cmp</code> on Linux and macOS or <code>fc /b</code> on Windows. They are the same to the byte if nothing was changed${file !== null && ', and each has all parts'}. The record root and the newest checkpoint differ where the record grew since.</li>
</ul>
${rows}
<p>${rootsText}</p><p>${proofLimit}</p></section>`;

export function checking({ head, events, root, adopted, freeze, line, checkpoint }: ReportData): Markup {
  return howToCheck(
    html`<code>npx --no assize verify STORE --head ${head}</code> recomputes every hash and tells whether a chain with this head is in the record. <code>npx --no assize replay STORE --trial ${line.trial}</code> derives the verdict again from the recorded answers.`,
    keyRows([
      [line.status === 'done' ? "Head of the trial's chain" : "Head of the trial's chain so far", html`<code>${head}</code>`],
      ['Events in the chain', count(events)],
      rootRow(root, checkpoint),
      ...copiedRows(adopted),
      ['Event that fixed data, prompts and parameters', html`<code>${freeze}</code>`],
      ...signerRows(checkpoint, adopted),
    ]),
    line.status === 'done' ? `reports/${line.trial}.html` : null,
    "the head of the trial's chain, the first number below",
  );
}

/** A value of an experiment's terms: text unchanged, everything else as JSON. */
const valueText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** @param invented whether the demo model answered in the place of the models */
export function armRows({ protocol, arm, terms }: Pick<ReportData, 'protocol' | 'arm' | 'terms'>, invented: boolean): Markup {
  const all = Object.entries(typeof terms.params === 'object' && terms.params !== null ? terms.params : {});
  const params = all.filter(([key]) => protocol?.unused.includes(key) !== true);
  const cast = Object.entries(terms.cast);
  const isOverruled = cast.some(([, { options }]) => options.temperature !== undefined);
  return keyRows([
    ['Protocol', html`${name(arm.protocol)}, version ${arm.protocolVersion}${protocol !== null && html` (${protocol.title})`}`],
    ['Paper', protocol === null ? 'not known: this program does not have this version of the protocol' : protocol.paper],
    ...(arm.prompts === undefined
      ? []
      : [['Prompts', html`variant ${name(arm.prompts.name)}, version <code>${arm.prompts.hash}</code>`] as const]),
    ...params.map(
      ([key, value]) =>
        [
          html`Parameter ${name(key)}`,
          html`${name(valueText(value))}${key === 'temperature' && isOverruled && ', where the options of the cast below name no other'}`,
        ] as const,
    ),
    ['Belief', isImported(arm) ? 'as imported, scores from 0 to 1; none where the file has none' : name(valueText(terms.belief))],
    ...cast.map(
      ([role, member]) =>
        [
          html`Cast: ${name(role === '*' ? 'everyone else' : role)}`,
          html`${name(member.model)}${demoMark(invented)}, options ${name(JSON.stringify(member.options))}`,
        ] as const,
    ),
  ]);
}

export const limitsText = ({ numCtx, numPredict, timeoutSeconds, retries }: Runtime): string =>
  `context ${numCtx} tokens, answer ${numPredict} tokens, ${timeoutSeconds} s a call, ${retries} further attempts at a call`;

export function protocol(data: ReportData): Markup {
  return html`<section id="protocol"><h2>Protocol</h2>
${armRows(data, data.line.standin)}${keyRows([
  ['Limits', limitsText(data.runtime)],
  ['Seed of the trial', html`<code>${data.line.seed}</code>`],
])}</section>`;
}

interface Prompt {
  readonly name: string;
  readonly hash: string;
  readonly text: string | null;
  readonly isUsed?: boolean | undefined;
}

const folded = (all: readonly Prompt[]) =>
  all.map(
    ({ name: prompt, hash, text }) =>
      html`<details><summary><b>${name(prompt)}</b> <code>${hash}</code></summary>${prose(text)}</details>`,
  );

/** Characters of messages on the page; longer ones are on the screen of the trial. */
const mostSent = 30_000;

/** What the one who decided was sent, filled in and in order, folded. */
function sentForDecision(deciding: ReportData['deciding']): Content {
  if (deciding === null) return null;
  const { step, messages } = deciding;
  const isLong = messages.reduce((sum, { content }) => sum + content.length, 0) > mostSent;
  const call = html`call <code>${step}</code>`;
  return html`<details><summary>What was sent for the decision, filled in (${call})</summary>${
    isLong
      ? html`<p>Too long for this page: in Assize, on the screen of the trial, choose this call.</p>`
      : messages.map(({ role, content }) => html`<p class="quiet">${role}</p>${prose(content)}`)
  }</details>`;
}

/** Every template that is asked with, folded, and those that a trial did not use in a fold. @param isPrinted whether paper has the texts too */
export function prompts(
  { prompts: all, deciding = null }: { readonly prompts: readonly Prompt[]; readonly deciding?: ReportData['deciding'] },
  isPrinted: boolean,
): Markup {
  const unused = all.filter(({ isUsed }) => isUsed === false);
  const unprinted =
    !isPrinted &&
    html`<p class="paper">The texts are not printed here. To get them, open the HTML file of this report, which has them in this place: it is in the folder reports of a bundle, and Assize saves it from the screen of the trial. The report over the experiment prints them too. The record has them under these hashes.</p>`;
  return html`<section id="prompts"${!isPrinted && html` class="unprinted"`}><h2>Appendix: the prompts${isPrinted ? ' in full' : html`<span class="onscreen"> in full</span><span class="paper">, by name and hash</span>`}</h2>
<p class="quiet">The texts that questions to the models were made from. Words in braces stand for what was filled in, such as the facts of the case. Each text has its hash next to it: base64url SHA-256.</p>${unprinted}
${sentForDecision(deciding)}${folded(all.filter((each) => !unused.includes(each)))}${unused.length > 0 && html`<details><summary>In no question of this trial: ${quantity(unused.length, 'more text')} of its method</summary>${folded(unused)}</details>`}</section>`;
}

/** In a statistician's words what the first page says in plain ones; none of an open question. */
export const rangeText = ({
  others: { n, cases },
  kase,
  line: { decided_by: by },
}: Pick<ReportData, 'others' | 'kase' | 'line'>): Content =>
  n > 0 &&
  kase.labels.length > 0 &&
  html`<li>How often such decisions ${by === undefined ? 'were right' : `agreed with ${by}`} is over n = ${count(n)} decided ${n > cases ? `trials of ${count(cases)} cases` : 'cases'} of the same arm with a known ${by === undefined ? 'truth' : 'decision'}, without this case. Its range is the 95% Wilson interval${n > cases && `, in which a case counts once with the share of its trials`}, rounded outward to whole numbers. The report over the experiment has another range: it counts this case and trials without a decision too, and draws the cases again (bootstrap).</li>`;

export function limits(data: ReportData): Markup {
  const { line, terms, runs } = data;
  const seed = endedApart(runs)
    ? 'With another seed this case ended differently in this record.'
    : `With another seed ${isInvented(data) ? 'the demo model may answer' : 'the same models may rule'} otherwise.`;
  return html`<section id="limits"><h2>What this does not show</h2><ul>
<li>This is one trial, n = 1. ${seed} It says nothing about how often they are right.</li>
<li>${beliefText(terms.belief).limit} They are not the probability that the verdict is correct, unless it was measured over many cases that they are.</li>
${rangeText(data)}<li>Plans, notes and opinions are text that a model wrote. They need not be what made it decide.</li>
<li>${line.truth === null ? 'Whether the verdict is right is not known.' : labelLimit(line)}</li>
<li>A verdict of language models is no ground for a decision about a person.</li></ul></section>`;
}
