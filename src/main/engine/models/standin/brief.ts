import { type CaseFact, readFacts } from './caseFacts.ts';
import { assignedLabel, type Claims, readClaims, readLabels } from './labels.ts';
import { readLayout, roleNames } from './layout.ts';

export interface PromptMessage {
  readonly role: string;
  readonly content: string;
}

export type Side = 'prosecution' | 'defense' | 'judge' | 'neutral';
export type Turn = 'opening' | 'rebuttal' | 'closing';

/** Something that another role has said earlier in the trial. */
export interface Speech {
  readonly side: Side;
  readonly speaker: string;
  readonly text: string;
}

/** What the stand-in understands of a prompt. */
export interface Brief {
  readonly facts: readonly CaseFact[];
  /** Candidate labels that the prompt lists. */
  readonly labels: readonly string[];
  readonly claims: Claims;
  readonly side: Side;
  /** The role as the prompt names it, such as `agent a`. */
  readonly speaker: string;
  /** The label that the prompt tells the speaker to argue for. */
  readonly assigned: string | null;
  readonly turn: Turn;
  readonly speeches: readonly Speech[];
  /** Contentiousness between 0 and 1, where the prompt sets one. */
  readonly contentiousness: number | null;
}

const prosecutionWords = /\b(?:prosecut\w*|plaintiff|accus(?:er|ation))\b/i;
const defenseWords = /\b(?:defen[cs]e|defender|attorney)\b/i;
const judgeWords = /\b(?:judge|clerk|court|critic|juror|jury|panel|assessor|classifier|predictor|voter|moderator)\b/i;
const address = new RegExp(
  `\\b(?:you (?:are|act as|speak as|speak for)|act as|as|your role(?: is|:)?|role:)\\s+(?:the |an? )?(?:(?:advocate|lawyer|counsel|attorney) (?:of|for) )?(?:the )?(${roleNames})\\b`,
  'gi',
);

function sideOf(text: string): Side {
  if (prosecutionWords.test(text)) return 'prosecution';
  if (defenseWords.test(text)) return 'defense';
  return judgeWords.test(text) ? 'judge' : 'neutral';
}

function lastRole(text: string): string | null {
  return [...text.matchAll(address)].at(-1)?.[1]?.toLowerCase() ?? null;
}

/** Which speech is due: as the instruction says, else by whether anyone has spoken. */
function turnOf(instructions: string, spoken: boolean): Turn {
  const said = [
    ...instructions.matchAll(
      /\b(?:your turn|give|deliver|make|write|this is|turn:)[^.\n]{0,40}?\b(opening|rebuttal|closing)\b/gi,
    ),
  ].at(-1)?.[1];
  switch (said?.toLowerCase()) {
    case 'opening':
      return 'opening';
    case 'rebuttal':
      return 'rebuttal';
    case 'closing':
      return 'closing';
    default:
      return spoken ? 'rebuttal' : 'opening';
  }
}

/** Reads case, record and assignment out of the messages of a request. */
export function readBrief(messages: readonly PromptMessage[], schemaLabels: readonly string[]): Brief {
  const layout = readLayout(messages);
  // What others said may name labels and roles too; only the prompt's own words assign them.
  const own = layout.own.join('\n');
  const tail = own.slice(-2400);
  const speeches = layout.speeches.map(({ speaker, text }) => ({ side: sideOf(speaker), speaker, text }));
  const labels = schemaLabels.length > 1 ? schemaLabels : readLabels(own);
  const speaker = lastRole(tail) ?? lastRole(own) ?? '';
  const contention = [...own.matchAll(/contentious\w*[^0-9\n]{0,60}([01](?:\.\d+)?)\b/gi)].at(-1)?.[1];
  const side = speaker === '' ? sideOf(tail.slice(-400)) : sideOf(speaker);
  return {
    facts: readFacts(layout.facts),
    labels,
    claims: readClaims(own),
    side,
    speaker,
    assigned: side === 'judge' ? null : assignedLabel(tail, labels),
    turn: turnOf(tail, speeches.length > 0),
    speeches,
    contentiousness: contention === undefined ? null : Math.min(1, Number(contention)),
  };
}
