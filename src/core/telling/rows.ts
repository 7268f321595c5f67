// Makes the rows of a transcript: what was said or ruled, with the beliefs stated at that moment.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import type { TrialChange } from '../../shared/changes.ts';
import { groundsText } from '../figures/grounds.ts';
import { type Side, sideOf, speakerName, theSpeaker, turnNames } from '../figures/speakers.ts';
import { type Block, failureText, labelName, type Span, speech, words } from './blocks.ts';
import { ownBlocks, sureness } from './sections.ts';
import { heardInPlace, heardInsteadOf, notHeard } from './unheard.ts';

type Spoken = Extract<TranscriptEntry, { kind: 'utterance' | 'forfeit' | 'ruling' }>;
type Believed = Extract<TranscriptEntry, { kind: 'belief' }>;
type Ruling = Extract<Spoken, { kind: 'ruling' }>;

export interface ToldRow {
  /** Of its first entry; no other row of the trial has it. */
  readonly seq: number;
  readonly form: 'utterance' | 'forfeit' | 'ruling' | 'silent';
  readonly side: Side;
  /** Who spoke, or of several who were asked the first. */
  readonly role: string;
  /** `Prosecution`. */
  readonly who: string;
  /** `rebuttal 2`. */
  readonly what: string;
  /** Words that the court heard in place of the speech; null: it heard nothing there; undefined: it heard the speech. */
  readonly heardInstead: string | null | undefined;
  /** The speech with its plan, the ruling, or why nothing was said; what the court heard instead comes before the speech. */
  readonly said: readonly Block[];
  /** The notes behind each belief. */
  readonly notes: readonly Block[];
  /** In order; a ruling is the last. */
  readonly beliefs: readonly (Believed | Ruling)[];
}

/** Something said, or nothing before anyone spoke, and the beliefs that followed it. */
interface Row {
  readonly spoken: Spoken | null;
  readonly beliefs: readonly Believed[];
}

/** The step of the protocol that an entry belongs to: `judgement/judge-1` for `judgement/judge-1/belief`. */
const stepOf = (key: string): string => key.replace(/\/[^/]*$/, '');

/** Beliefs go with what was last said, recalled ones with the utterance they name; before anyone spoke each role has its row. */
function rowsOf(entries: readonly TranscriptEntry[]): Row[] {
  const aloud = new Set(entries.flatMap((entry) => (entry.kind === 'utterance' ? [stepOf(entry.key)] : [])));
  const rows: { spoken: Spoken | null; beliefs: Believed[] }[] = [];
  const announced: Believed[] = [];
  for (const entry of entries) {
    if (entry.kind === 'utterance' || entry.kind === 'forfeit' || entry.kind === 'ruling') {
      const own = announced.filter(({ key }) => entry.kind === 'utterance' && stepOf(key) === stepOf(entry.key));
      rows.push({ spoken: entry, beliefs: own });
    }
    if (entry.kind !== 'belief') continue;
    if (entry.after === null && aloud.has(stepOf(entry.key))) {
      announced.push(entry);
      continue;
    }
    const named = rows.find(({ spoken }) => entry.moment === 'retrospective' && spoken?.key === entry.after) ?? rows.at(-1);
    const silent = named?.spoken === null && named.beliefs.some(({ role }) => role !== entry.role);
    if (named === undefined || silent) rows.push({ spoken: null, beliefs: [entry] });
    else named.beliefs.push(entry);
  }
  return rows;
}

const groundsBlocks = ({ grounds }: Pick<Believed, 'grounds'>): Block[] => {
  const text = groundsText(grounds);
  return text === null ? [] : [words({ name: text }, 'quiet')];
};

export function rulingBlocks(ruling: Ruling): Block[] {
  const { prediction, inconsistent, opinion } = ruling;
  const grounds = groundsBlocks(ruling);
  const belief = grounds.length === 0 ? 'The stated belief' : 'The belief';
  const labels = Array.isArray(prediction) ? 'these labels' : 'this label';
  return [
    words([labelName(prediction), ' ', { quiet: sureness(ruling) }], 'verdict'),
    ...(inconsistent ? [words(`${belief} does not favour ${labels}. The ruling is shown as it was given.`, 'warn')] : []),
    ...grounds,
    ...(opinion === '' ? [] : [speech(opinion, { ofCase: true, hasFields: true, utterance: ruling.seq })]),
  ];
}

function saidBlocks(spoken: Spoken | null, heardInstead: string | null | undefined): Block[] {
  switch (spoken?.kind) {
    case undefined:
      return [];
    case 'ruling':
      return rulingBlocks(spoken);
    case 'forfeit':
      return [words(`${failureText[spoken.failure]} The trial continued without it, and is marked incomplete.`)];
    case 'utterance': {
      const plan = speech(spoken.plan, { isPrivate: true });
      const aside = 'read by no other role';
      return [
        ...(typeof heardInstead === 'string'
          ? [words({ pill: heardInPlace, tone: 'warn' }), speech(heardInstead, { ofCase: true })]
          : []),
        ...(heardInstead === undefined ? [] : [words({ pill: notHeard, tone: 'warn' })]),
        speech(spoken.text, { ofCase: true, utterance: spoken.seq }),
        ...ownBlocks(spoken),
        ...(spoken.planned ? [{ kind: 'fold', isSealed: true, title: 'Sealed plan', aside, blocks: [plan] } as const] : []),
      ];
    }
  }
}

/** The notes behind a belief, folded; null where there are none, as of one that was recalled. */
export function notesFold({ seq, role, notes, moment, inconsistent }: Believed): Block | null {
  if (notes === null || moment === 'retrospective') return null;
  const aside = inconsistent ? 'belief and prediction disagree' : 'private';
  return {
    kind: 'fold',
    isSealed: true,
    title: `Notes of ${theSpeaker(role)}`,
    aside,
    blocks: [speech(notes, { isPrivate: true, seq })],
  };
}

function notesBlocks(belief: Believed, spoken: Spoken | null, heading: string): Block[] {
  const { seq, role, notes, moment, after, source } = belief;
  if (moment === 'retrospective') return [];
  const calls: Span = { callsOf: seq, what: `the belief of ${theSpeaker(role)} after ${heading}` };
  // A belief that its own role speaks has no notes, nor has one that the protocol made of several.
  const isBare = notes === null && (source === 'smoothed' || (spoken?.role === role && spoken.key === after));
  const block = notesFold(belief) ?? words(`Notes of ${theSpeaker(role)}: erased, or none were made.`, 'quiet');
  return [{ kind: 'row', blocks: [...(isBare ? [] : [block]), ...groundsBlocks(belief), words(calls)] }];
}

const forms = { ruling: 'ruling', forfeit: 'turn forfeited' } as const;

/** What was said and believed in a trial, in order. Turns of one name are numbered. @param change marks what was withheld */
export function toldRows(entries: readonly TranscriptEntry[], change?: TrialChange): ToldRow[] {
  const rows = rowsOf(entries);
  const uttered = entries.filter((entry) => entry.kind === 'utterance');
  const turns = turnNames(uttered);
  const whatOf = ({ spoken }: Row): string => {
    if (spoken === null) return 'before anyone spoke';
    return spoken.kind === 'utterance' ? (turns[uttered.indexOf(spoken)] ?? spoken.turn) : forms[spoken.kind];
  };
  return rows.map((row): ToldRow => {
    const { spoken, beliefs } = row;
    const role = spoken?.role ?? beliefs[0]?.role ?? '';
    const who = speakerName(role);
    const what = whatOf(row);
    const heardInstead = spoken?.kind === 'utterance' ? heardInsteadOf(spoken, change, uttered) : undefined;
    return {
      seq: spoken?.seq ?? beliefs[0]?.seq ?? 0,
      form: spoken?.kind ?? 'silent',
      side: spoken === null || spoken.kind === 'ruling' ? 'neutral' : sideOf(spoken.role),
      role,
      who,
      what,
      heardInstead,
      said: saidBlocks(spoken, heardInstead),
      notes: beliefs.flatMap((belief) => notesBlocks(belief, spoken, `${who}, ${what}`)),
      beliefs: [...beliefs, ...(spoken?.kind === 'ruling' ? [spoken] : [])],
    };
  });
}
