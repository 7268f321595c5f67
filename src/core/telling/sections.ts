// Sections that several protocols share, an imported prediction, and the steps that only one protocol has.
import type { z } from 'zod';
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import { labelNoun, rightnessText, rightnessTone } from '../../shared/decidedBy.ts';
import { quantity } from '../../shared/sizes.ts';
import { ruleOf, type Seat, votesOf } from '../figures/bench.ts';
import { certaintyOf } from '../figures/certainty.ts';
import { outcomeText } from '../figures/outcomeText.ts';
import { caseOf, cosine, methodOf, precedentsOf, type ReasonedPrecedent, shortfallOf } from '../figures/precedents.ts';
import { percent } from '../figures/shares.ts';
import { type Side, sideOf, speakerName } from '../figures/speakers.ts';
import { capitalized } from '../text/visible.ts';
import {
  type Block,
  type Card,
  joined,
  type LineBlock,
  labelName,
  type Section,
  type Span,
  speech,
  type ToldTrial,
  type Words,
  words,
} from './blocks.ts';

type Of<K extends TranscriptEntry['kind']> = Extract<TranscriptEntry, { kind: K }>;

/** What a speaker says that it took from outside the facts: its own statement, unchecked. */
function outsideBlocks({ outside }: Of<'utterance'>): Block[] {
  if (outside === undefined) return [];
  if (outside.length === 0) return [words('Nothing from outside the facts, as the speaker says; not checked.', 'quiet')];
  const names = outside.map((text): Words => (text === null ? 'erased' : { name: text }));
  return [words([{ pill: 'from outside the facts, as the speaker says:', tone: 'warn' }, ' ', ...joined(names, ' · ')])];
}

export const ownBlocks = (said: Of<'utterance'>): Block[] => [
  ...(said.concedes === true ? [words({ pill: 'says that the others have convinced it', tone: 'good' })] : []),
  ...outsideBlocks(said),
];

/** A speech as others heard it, and how much of it that is where it was cut. */
export const heardSpeech = (said: Of<'utterance'>): Block[] => [
  speech(said.text, { ofCase: true }),
  ...(said.shortened === undefined
    ? []
    : [words({ pill: `cut: ${said.shortened.kept} of ${said.shortened.words} words were heard`, tone: 'warn' })]),
  ...ownBlocks(said),
];

/** Replaces an answer that is not on the record. */
export const awaited = ({ line }: ToldTrial, step: string, fields: readonly string[]): Block =>
  line.status === 'running' ? { kind: 'awaited', step, fields } : words('Was not heard.', 'quiet');

type Lost = Pick<Of<'forfeit'>, 'failure'>;

/** @param result what became of the trial */
export const lostBlock = ({ failure }: Lost, result: string): Block => ({ kind: 'failure', failure, result });

/** A speech as others heard it, why there is none, or what is in its place until it is on the record. */
export function spokenBlocks(
  { speech: said, forfeit }: { readonly speech: Of<'utterance'> | null; readonly forfeit: Lost | null },
  result: string,
  none: Block,
): Block[] {
  if (forfeit !== null) return [lostBlock(forfeit, result)];
  return said === null ? [none] : heardSpeech(said);
}

/** What a role thought that answered first, which no other role read. */
export const thoughtFold = (role: string, title: string, { notes, belief }: Pick<Of<'belief'>, 'notes' | 'belief'>): Block => ({
  kind: 'fold',
  title: `What the ${role} thought`,
  aside: 'read by no other role',
  blocks: [speech(notes, { isPrivate: true }), ...(belief === null ? [] : [{ kind: 'distribution', title, belief } as const])],
});

/** How sure a role is of what it found: `70% sure, as stated`. */
export function sureness({ prediction, confidence, source }: Of<'ruling'>): string {
  if (confidence !== null) return `${percent(confidence)} ${certaintyOf(source).of}`;
  return Array.isArray(prediction) ? 'each label judged by itself' : 'no confidence stated';
}

function tally(votes: NonNullable<ReturnType<typeof votesOf>>): Block[] {
  const counted = Object.entries(votes.counts)
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one);
  const lost = Object.entries(votes.failures).map(([kind, count]) => `${count} ${kind.replaceAll('_', ' ')}`);
  const found = joined(
    counted.map(([label, count]) => [`${count} for `, { name: label }]),
    ', ',
  );
  return [
    words([...found, ` of ${votes.asked} asked${lost.length === 0 ? '' : `; lost: ${lost.join(', ')}`}.`]),
    ...(votes.asked > 1 ? [words(ruleOf(votes), 'quiet')] : []),
  ];
}

function againstTruth(line: ToldTrial['line']): Block {
  const { truth, correct } = line;
  const [noun, tone] = [labelNoun(line), rightnessTone(line)];
  if (truth === null) return words(`The ${noun} is not known.`, 'quiet');
  const truthText = [`${capitalized(noun)}: `, labelName(truth)] as const;
  if (correct === null) return words(truthText);
  return words([...truthText, '. ', tone === null ? { strong: rightnessText(line) } : { strong: rightnessText(line), tone }]);
}

function meanText({ counts }: NonNullable<ReturnType<typeof votesOf>>): string {
  const answers = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return `Mean of the beliefs of ${quantity(answers, 'answer')}`;
}

function verdictBlocks({ entries, line }: ToldTrial, lost: readonly Block[]): readonly Block[] {
  const ruling = entries.findLast((entry): entry is Of<'ruling'> => entry.kind === 'ruling');
  if (ruling === undefined) return lost;
  const votes = votesOf(entries);
  const { prediction, belief, source } = ruling;
  const mean = votes === null || votes.asked < 2 ? null : votes.mean;
  const columns: Block[][] = [
    ...(belief === null ? [] : [[{ kind: 'distribution', title: certaintyOf(source).belief, belief } as const]]),
    ...(mean === null || votes === null ? [] : [[{ kind: 'distribution', title: meanText(votes), belief: mean } as const]]),
  ];
  return [
    words([labelName(prediction), ' ', { quiet: sureness(ruling) }], 'verdict'),
    ...(votes === null ? [] : tally(votes)),
    againstTruth(line),
    ...(columns.length === 0 ? [] : [{ kind: 'columns', columns } as const]),
  ];
}

export function verdictSection(trial: ToldTrial): Section {
  const { status, outcome } = trial.line;
  const section = (blocks: readonly Block[]): Section => ({ id: 'verdict', title: 'Verdict', blocks });
  if (trial.labels.length === 0) {
    const none = `An open question ${status === 'done' ? 'has no verdict' : 'will have no verdict'}: `;
    return section([words(`${none}what counts is what was argued, proposed and scored.`, 'quiet')]);
  }
  const failed = status === 'done' && outcome !== null && outcome !== 'decided';
  return section(
    verdictBlocks(
      trial,
      failed
        ? [
            words(`No verdict: ${outcomeText(outcome)}`, 'verdict'),
            {
              kind: 'failure',
              failure: outcome,
              result: 'The trial counts as a failure of this kind, not as wrong and not as right.',
            },
          ]
        : [words('There is none yet.', 'quiet')],
    ),
  );
}

function reasonBlocks({ number, reason }: ReasonedPrecedent): Block[] {
  if (reason === null) return [];
  const by: readonly Span[] = reason.model === null ? [] : [', by ', { name: reason.model }];
  const lost = reason.rejected ?? reason.failure;
  const calls: Span = { callsOf: reason.seq, what: `the reason of precedent ${number}` };
  return [
    words(['Why its label fits', ...by, calls], 'title'),
    lost === null
      ? speech(reason.text, { isPrivate: true })
      : { kind: 'failure', failure: lost, result: 'The judges read this precedent without a reason.' },
  ];
}

/** Labelled cases that were looked up, how near they are and why their labels fit; none if there was no search. */
export function precedentsSection({ entries, line }: ToldTrial, title: string): Section[] {
  const found = precedentsOf(entries);
  if (found === null) return [];
  const { retrieved, precedents } = found;
  const shortfall = shortfallOf(retrieved);
  const by: readonly Span[] = retrieved.model === null ? [] : [': ', { name: retrieved.model }];
  const decided: readonly Span[] = line.decided_by ? ['the decisions of ', { name: line.decided_by }] : ['those of the data set'];
  const labels: readonly Span[] =
    precedents.length === 0 ? [] : [{ quiet: [' Their labels, shown as the right answers, are ', ...decided, '.'] }];
  const invented: readonly Span[] =
    line.standin && precedents.some(({ reason }) => reason !== null)
      ? [{ quiet: ' The demo model made up the reasons: one can argue for another label.' }]
      : [];
  return [
    {
      ...{ id: 'precedents', title, aside: quantity(precedents.length, 'case') },
      blocks: [
        words([methodOf(retrieved), ...by, '.', ...labels, ...invented], 'quiet'),
        ...(retrieved.failure === null
          ? []
          : [{ kind: 'failure', failure: retrieved.failure, result: 'The trial continued without them.' } as const]),
        ...(shortfall === null ? [] : [words(shortfall, retrieved.withoutVector === undefined ? undefined : 'bad')]),
        {
          kind: 'retrieval',
          cases: precedents.map((precedent) => ({
            title: [`${precedent.number}. `, ...caseOf(precedent), { name: precedent.label }],
            case: precedent.case === null ? null : { experiment: line.experiment, id: precedent.case },
            near: precedent.similarity === null ? 'drawn at random' : `similarity ${cosine(precedent.similarity)}`,
            facts: precedent.facts,
            blocks: reasonBlocks(precedent),
          })),
        },
      ],
    },
  ];
}

interface BenchTerms {
  /** Roles of the bench in their order, also those that have not spoken. */
  readonly roles: readonly string[];
  /** Key of a role's step in the protocol. */
  readonly stepOf: (role: string) => string;
  /** Each knows what those before it have found. */
  readonly inTurn: boolean;
  /** Label -> the role that argues for it. */
  readonly advocates: ReadonlyMap<string, string>;
}

function voteBlocks(
  { vote, reason, outside, changed }: Seat,
  before: Seat | undefined,
  { inTurn, advocates }: BenchTerms,
): Block[] {
  if (vote === null) return [];
  const label = labelName(vote.prediction);
  const advocate = typeof vote.prediction === 'string' ? advocates.get(vote.prediction) : undefined;
  const sure = vote.confidence === null ? 'no confidence stated' : `${percent(vote.confidence)} sure`;
  const pills: Span[] = [
    ...(!inTurn || changed === null || before === undefined
      ? []
      : changed
        ? [{ pill: ['unlike the one before: ', labelName(before.vote?.prediction ?? null)], tone: 'warn' } as const]
        : [{ pill: 'as the one before', tone: 'plain' } as const]),
    ...(outside ? [{ pill: 'a label that nobody argued for', tone: 'warn' } as const] : []),
    ...(vote.inconsistent ? [{ pill: 'belief and label disagree', tone: 'warn' } as const] : []),
  ];
  return [
    words([
      { strong: label },
      ' ',
      { quiet: `${sure}${advocate === undefined ? '' : `, with the ${speakerName(advocate).toLowerCase()}`}` },
    ]),
    ...(vote.confidence === null ? [] : [{ kind: 'measure', name: '', value: vote.confidence } as const]),
    ...(pills.length === 0 ? [] : [words(joined(pills, ' '))]),
    speech(reason, { isPrivate: true, ofCase: true }),
  ];
}

/** The judges or voters with what each finds: side by side, or as a chain where each knows those before it. */
export function benchBlock(trial: ToldTrial, seats: readonly Seat[], terms: BenchTerms): Block {
  const byRole = new Map(seats.map((seat) => [seat.role, seat]));
  const cards = terms.roles.map((role, index): Card => {
    const seat = byRole.get(role);
    const before = terms.roles
      .slice(0, index)
      .flatMap((other) => byRole.get(other) ?? [])
      .findLast(({ vote }) => vote !== null);
    const entry = seat?.vote ?? seat?.forfeit ?? null;
    const label = seat?.vote?.prediction;
    const advocate = typeof label === 'string' ? terms.advocates.get(label) : undefined;
    const name = speakerName(role);
    return {
      name,
      title: entry === null ? name : [name, { callsOf: entry.seq, what: `the vote of ${name}` }],
      side: advocate === undefined ? 'neutral' : sideOf(advocate),
      lost: seat?.forfeit != null,
      blocks:
        seat === undefined
          ? [awaited(trial, terms.stepOf(role), ['reason'])]
          : seat.forfeit === null
            ? voteBlocks(seat, before, terms)
            : [lostBlock(seat.forfeit, 'The bench continued without this vote.')],
    };
  });
  return { kind: 'cards', as: terms.inTurn ? 'chain' : 'seats', cards };
}

export const sideNamed = (index: number): Side => (['prosecution', 'defense'] as const)[index] ?? 'neutral';

type Row = readonly [name: string, words: Words];

const erased = 'erased from the record';

function stoodText(value: string | null): Words {
  if (value === null) return erased;
  return value === '' ? 'an empty cell' : { code: value };
}

/** What a reader needs to find the prediction in its file, and to read it again. */
export function importBlock(entry: Extract<TranscriptEntry, { kind: 'import' }>): Block {
  const { system, line, mapping, value, stated, prediction, confidence, probabilities, opinions = [], course = [] } = entry;
  const { file, columns, map = [], positiveIf } = mapping ?? {};
  const pairs = map.map(([from, to]): Words => [{ name: from }, ' means ', { name: to }]);
  const unread: Words = stated === null || stated === '' ? 'not stated' : ['not counted: ', { name: stated }];
  const rows: readonly Row[] = [
    ['System', { name: system }],
    ['File', file === undefined ? erased : { name: file }],
    ['Line', line.toLocaleString('en-GB')],
    ...(columns?.prediction == null ? [] : [['Column', { name: columns.prediction }] as const]),
    ...(columns?.prediction === null ? [] : [['In the file', stoodText(value)] as const]),
    ...(columns?.probabilities ?? []).map(
      ([label, column], place): Row => [`Probability of ${label}, column ${column}`, stoodText(probabilities?.[place] ?? null)],
    ),
    ...opinions.map(
      (cell, place): Row => [
        `Opinion ${place + 1}${columns === undefined ? '' : `, column ${columns.opinions[place]}`}`,
        [stoodText(cell), ', read as ', course[place] === null ? 'no label' : { name: course[place] ?? '' }].flat() as Words,
      ],
    ),
    ['Read as', prediction === null ? 'no label of this experiment: undecided' : labelName(prediction)],
    ...(pairs.length === 0 ? [] : [['Mapped', joined(pairs, ', ')] as const]),
    ...(positiveIf == null ? [] : [['Positive where the number is', { code: positiveIf }] as const]),
    ['Stated confidence', confidence === null ? unread : percent(confidence)],
  ];
  return { kind: 'keys', rows: rows.map(([name, words]) => ({ name, words })) };
}

interface Declared<T> {
  /** The id of the protocol, a slash and a word, such as `objecting/objection`. */
  readonly name: string;
  /** As a heading has it. */
  readonly title: string;
  readonly form: z.ZodType<T>;
  tell(said: T): readonly LineBlock[];
}

/** A step as far as it can be shown without knowing its form. */
export interface OwnStep extends Pick<Declared<unknown>, 'name' | 'title'> {
  /** @param said what is on the record; null where it was erased */
  blocks(said: string | null): readonly LineBlock[];
}

export function ownStep<T>({ name, title, form, tell }: Declared<T>) {
  const read = (said: string): T => form.parse(JSON.parse(said));
  const blocks = (said: string | null) => (said === null ? [words('erased from the store')] : tell(read(said)));
  return {
    name,
    title,
    blocks,
    read,
    /** What `court.record('step-take', key, …)` puts on the record. */
    taken: (role: string, said: T) => ({ role, step: name, said: JSON.stringify(form.parse(said)) }),
    /** All such steps of a trial as a part of its view; none where it has none. */
    sections(entries: readonly TranscriptEntry[]): Section[] {
      const found = entries.filter((entry) => entry.kind === 'step' && entry.step === name);
      if (found.length === 0) return [];
      const steps = found.flatMap((entry) => (entry.kind === 'step' ? blocks(entry.said) : []));
      return [{ id: name.replaceAll('/', '-'), title, blocks: steps }];
    },
  };
}
