// A SocraSynth debate, round by round, with the scores of its panel.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import { orderAgreement, type PanelSide, totalPoints } from './panel.ts';

type Of<K extends TranscriptEntry['kind']> = Extract<TranscriptEntry, { kind: K }>;

export interface PanelRow {
  readonly sheet: Of<'panel'>;
  readonly totals: Readonly<Record<PanelSide, number>>;
}

export const sideNames: Readonly<Record<PanelSide, string>> = { agentA: 'Agent A', agentB: 'Agent B' };

/** A round by the first part of its keys. */
export function roundTitle(name: string): string {
  if (name === 'opening') return 'Opening';
  return name === 'closing' ? 'Closing statements' : `Round ${name.replace('round-', '')}`;
}

/** Why the rounds ended, in words. */
export const stopText: Readonly<Record<Of<'stop'>['reason'], string>> = {
  contentiousness: 'Contentiousness fell to 0.1 or less.',
  quality: 'The score of the debate fell.',
  rounds: 'All rounds were held.',
  agreement: 'Both agents predict the same.',
  tolerance: 'Nothing moved any more.',
};

/** Who wins by points, or whom a judge declares, in words. */
export const winnerText = (winner: PanelSide | null): string => (winner === null ? 'a tie' : sideNames[winner]);

const roundOf = (key: string) => key.split('/')[0] ?? '';
const isRound = (name: string) => /^(?:opening|closing|round-\d+)$/.test(name);

/** What one side said in a round, and where it was prevented. */
export type RoundSide = Readonly<ReturnType<typeof sideOf>>;

function sideOf(entries: readonly TranscriptEntry[], side: PanelSide, subtopics: number) {
  const own = entries.filter(({ role }) => role === side);
  const spoken = own.filter((entry): entry is Of<'utterance'> => entry.kind === 'utterance');
  return {
    /** One for each subtopic, or one on the whole question; null where nothing was said. */
    speeches: Array.from({ length: subtopics }, (_, index) => spoken.find(({ subtopic = 1 }) => subtopic === index + 1) ?? null),
    forfeit: own.find((entry): entry is Of<'forfeit'> => entry.kind === 'forfeit') ?? null,
    /** What the side predicts after it; null where it predicts nothing. */
    belief: own.findLast((entry): entry is Of<'belief'> => entry.kind === 'belief') ?? null,
  };
}

export type DebateRound = Readonly<ReturnType<typeof roundFrom>>;

function roundFrom(name: string, entries: readonly TranscriptEntry[], subtopics: number) {
  const measured = entries.find((entry) => entry.kind === 'measure' && entry.name === 'contentiousness');
  return {
    /** `opening`, `round-1`, `closing`: the first part of its keys. */
    name,
    title: roundTitle(name),
    /** 0-1; null before it is on record. */
    contentiousness: measured?.kind === 'measure' ? measured.value : null,
    sides: { agentA: sideOf(entries, 'agentA', subtopics), agentB: sideOf(entries, 'agentB', subtopics) },
    /** Of the claim of agent A, and of that of agent B where both are examined. */
    evaluations: entries.filter((entry): entry is Of<'evaluation'> => entry.kind === 'evaluation'),
    /** The critic's message to both agents; null if there is none. */
    feedback: entries.find((entry): entry is Of<'utterance'> => entry.kind === 'utterance' && entry.role === 'critic') ?? null,
    /** CRIT of a claim was requested and failed. */
    unscored: entries.some(({ kind, key }) => kind === 'forfeit' && /^[^/]+\/critic(?:-b)?\/forfeit$/.test(key)),
  };
}

/** What the trial asked its moderator and has no answer to; null if it is not waiting. */
export function askedOf(entries: readonly TranscriptEntry[]): Of<'moderation'> | null {
  const answered = new Set(entries.flatMap(({ kind, key }) => (kind === 'moderated' ? [key] : [])));
  return entries.find((entry): entry is Of<'moderation'> => entry.kind === 'moderation' && !answered.has(entry.key)) ?? null;
}

export type DebateFigure = Readonly<ReturnType<typeof debateOf>>;

/** Reads a debate from the entries of its trial, in order. */
export function debateOf(entries: readonly TranscriptEntry[]) {
  const all = <K extends TranscriptEntry['kind']>(kind: K) => entries.filter((entry): entry is Of<K> => entry.kind === kind);
  const settled = all('subtopics').at(-1) ?? null;
  const subtopics = settled?.subtopics ?? [];
  const topics = settled === null ? 1 : subtopics.length;
  const answers = all('answer');
  const grouped = Map.groupBy(
    entries.filter(({ key }) => isRound(roundOf(key))),
    ({ key }) => roundOf(key),
  );
  const sheets = all('panel');
  const proposals = all('proposal');
  const moderated = all('moderated');
  const remark = moderated.findLast(({ moderation }) => moderation?.action === 'remark')?.moderation;
  return {
    settled,
    /** Those that hold. */
    subtopics,
    rounds: [...grouped].map(([name, own]) => roundFrom(name, own, topics)),
    stop: all('stop').at(-1) ?? null,
    /** The joint proposal, or the draft where it was never revised. */
    proposal: proposals.find(({ stage }) => stage === 'joint') ?? proposals.at(-1) ?? null,
    panel: sheets.map((sheet) => ({ sheet, totals: totalPoints(sheet.scores) })),
    /** Judges with both orders, and those among them with the same winner in both. */
    agreement: orderAgreement(sheets),
    answer: answers.find(({ from }) => from === undefined) ?? null,
    /** The result of the debate as an answer of the same form; null if it is compared by its closing statements. */
    debated: answers.find(({ from }) => from === 'debate') ?? null,
    comparisons: all('comparison'),
    /** What the trial asked its moderator without an answer so far. */
    asked: askedOf(entries),
    remark: remark?.action === 'remark' ? remark : null,
  };
}
