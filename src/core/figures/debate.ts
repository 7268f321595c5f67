// A SocraSynth debate, round by round, with the scores of its panel.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import { type EntryOf, entryAt, lastOf, ofKind } from './entries.ts';
import { orderAgreement, type PanelSide, totalPoints } from './panel.ts';

export const sideNames: Readonly<Record<PanelSide, string>> = { agentA: 'Agent A', agentB: 'Agent B' };

export function roundTitle(name: string): string {
  if (name === 'opening') return 'Opening';
  return name === 'closing' ? 'Closing statements' : `Round ${name.replace('round-', '')}`;
}

export const stopText: Readonly<Record<EntryOf<'stop'>['reason'], string>> = {
  contentiousness: 'Contentiousness fell to 0.1 or less.',
  quality: 'The score of the debate fell.',
  rounds: 'All rounds were held.',
  agreement: 'Both agents predict the same.',
  tolerance: 'Nothing moved any more.',
};

export const winnerText = (winner: PanelSide | null): string => (winner === null ? 'a tie' : sideNames[winner]);

const roundOf = (key: string) => key.split('/')[0] ?? '';
const isRound = (name: string) => /^(?:opening|closing|round-\d+)$/.test(name);

/** What one side said in a round, and where it was prevented. */
export type RoundSide = Readonly<ReturnType<typeof sideOf>>;

function sideOf(entries: readonly TranscriptEntry[], side: PanelSide, subtopics: number) {
  const own = entries.filter(({ role }) => role === side);
  const spoken = ofKind(own, 'utterance');
  return {
    /** One for each subtopic, or one on the whole question; null where nothing was said. */
    speeches: Array.from({ length: subtopics }, (_, index) => spoken.find(({ subtopic = 1 }) => subtopic === index + 1) ?? null),
    forfeit: ofKind(own, 'forfeit')[0] ?? null,
    /** What the side predicts after it; null where it predicts nothing. */
    belief: lastOf(own, 'belief'),
  };
}

export type DebateRound = Readonly<ReturnType<typeof roundFrom>>;

function roundFrom(name: string, entries: readonly TranscriptEntry[], subtopics: number) {
  return {
    /** `opening`, `round-1`, `closing`: the first part of its keys. */
    name,
    title: roundTitle(name),
    /** 0-1; null before it is on record. */
    contentiousness: ofKind(entries, 'measure').find((measure) => measure.name === 'contentiousness')?.value ?? null,
    sides: { agentA: sideOf(entries, 'agentA', subtopics), agentB: sideOf(entries, 'agentB', subtopics) },
    /** Of the claim of agent A, and of that of agent B where both are examined. */
    evaluations: ofKind(entries, 'evaluation'),
    /** The critic's message to both agents; null if there is none. */
    feedback: ofKind(entries, 'utterance').find(({ role }) => role === 'critic') ?? null,
    /** CRIT of a claim was requested and failed. */
    unscored: entries.some(({ kind, key }) => kind === 'forfeit' && /^[^/]+\/critic(?:-b)?\/forfeit$/.test(key)),
  };
}

/** What the trial asked its moderator and has no answer to; null if it is not waiting. */
export function askedOf(entries: readonly TranscriptEntry[]): EntryOf<'moderation'> | null {
  return ofKind(entries, 'moderation').find(({ key }) => entryAt(entries, 'moderated', key) === null) ?? null;
}

export type DebateFigure = Readonly<ReturnType<typeof debateOf>>;
export type PanelRow = DebateFigure['panel'][number];

export function debateOf(entries: readonly TranscriptEntry[]) {
  const settled = lastOf(entries, 'subtopics');
  const subtopics = settled?.subtopics ?? [];
  const topics = settled === null ? 1 : subtopics.length;
  const answers = ofKind(entries, 'answer');
  const grouped = Map.groupBy(
    entries.filter(({ key }) => isRound(roundOf(key))),
    ({ key }) => roundOf(key),
  );
  const sheets = ofKind(entries, 'panel');
  const proposals = ofKind(entries, 'proposal');
  const moderated = ofKind(entries, 'moderated');
  const remark = moderated.findLast(({ moderation }) => moderation?.action === 'remark')?.moderation;
  return {
    settled,
    /** Those that hold. */
    subtopics,
    rounds: [...grouped].map(([name, own]) => roundFrom(name, own, topics)),
    stop: lastOf(entries, 'stop'),
    /** The joint proposal, or the draft where it was never revised. */
    proposal: proposals.find(({ stage }) => stage === 'joint') ?? proposals.at(-1) ?? null,
    panel: sheets.map((sheet) => ({ sheet, totals: totalPoints(sheet.scores) })),
    /** Judges with both orders, and those among them with the same winner in both. */
    agreement: orderAgreement(sheets),
    answer: answers.find(({ from }) => from === undefined) ?? null,
    /** The result of the debate as an answer of the same form; null if it is compared by its closing statements. */
    debated: answers.find(({ from }) => from === 'debate') ?? null,
    comparisons: ofKind(entries, 'comparison'),
    remark: remark?.action === 'remark' ? remark : null,
  };
}

type Remark = Extract<NonNullable<EntryOf<'moderated'>['moderation']>, { action: 'remark' }>;

export const settledText = ({ settledBy }: EntryOf<'subtopics'>): string =>
  settledBy === 'moderator' ? 'As the moderator left them.' : 'As both agents settled them.';

/** What the critic finds of the subtopics; null where it could not be asked. */
export const balanceText = ({ balanced }: EntryOf<'subtopics'>): string | null =>
  balanced === null ? null : balanced ? 'balanced' : 'not balanced';

export const unaskedBalance = 'The critic could not be asked whether they are balanced.';

/** Who says a remark to whom; the remark follows. */
export const remarkText = ({ to }: Remark): string => `The moderator to ${to === 'both' ? 'both agents' : sideNames[to]}:`;

export const stopLevelText = ({ contentiousness, conceded }: EntryOf<'stop'>): string =>
  [
    ...(conceded === undefined ? [] : [`${sideNames[conceded]} concedes.`]),
    ...(contentiousness === undefined
      ? []
      : [`A further round would have had a contentiousness of ${contentiousness.toFixed(2)}.`]),
  ].join(' ');

/** Whose claim CRIT examines, and that it is only one. */
export const critOfText = ({ subject }: EntryOf<'evaluation'>): string =>
  `of 10, for the claim of ${subject}; the other side counts against it`;

export const betterText: Readonly<Record<EntryOf<'comparison'>['better'], string>> = {
  debate: 'the debate informs better',
  answer: 'the plain answer informs better',
  tie: 'a tie',
};

export const draftText = 'Agent B gave no revision: this is the draft of agent A.';

export const waitingText: Readonly<Record<EntryOf<'moderation'>['asks'], string>> = {
  subtopics: 'it waits for its moderator, to accept the subtopics or to change them',
  remark: 'it waits for its moderator, to say something to the agents or to let them continue',
};

/** What each judge finds of a debate and a plain answer that it has read in both orders. A tie is one of three results. */
export const preferencesOf = (comparisons: readonly EntryOf<'comparison'>[]) =>
  [...Map.groupBy(comparisons, ({ role }) => role)].map(([role, sheets]) => {
    const [one, other] = sheets;
    /** `order`: the judge prefers something else when the order is turned; null where one order is missing. */
    const result =
      one === undefined || other === undefined ? null : one.better === other.better ? one.better : ('order' as const);
    return { role, sheets, result };
  });

export const preferenceText = ({ result }: ReturnType<typeof preferencesOf>[number]): string => {
  if (result === null) return 'one order is missing';
  return result === 'order' ? 'the preference turns with the order' : `${betterText[result]}, in both orders`;
};
