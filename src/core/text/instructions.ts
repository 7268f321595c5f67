import { anyCase } from './anyCase.ts';
import { searched } from './fold.ts';
import { type GuardRules, guardRules, matchesOf } from './found.ts';
import { type InstructionRule, otherLanguages } from './instructionWords.ts';

/**
 * Text in a case that speaks to the model instead of describing the case. It is pointed out and never altered: a case
 * about such a text must stay the case it is.
 *
 * A fixed list of turns of phrase in English and, from version 2 of the rules on, German, French, Spanish and Chinese,
 * chosen to be seldom wrong rather than complete: what it does not find may still be an instruction, and what it finds
 * may be a quotation.
 */

/** What text of a kind does, to continue after "text that". */
export const instructionText: Readonly<Record<InstructionRule, string>> = {
  override: 'tells the reader to ignore its instructions',
  'new-role': 'gives the reader another role',
  'dictated-answer': 'dictates an answer',
  impersonation: 'speaks in the name of a role',
  'prompt-talk': 'speaks to a language model',
};

export interface Instruction {
  /** Range in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly rule: InstructionRule;
}

const earlier = String.raw`(?:(?:all|any|the|your|my|these|those|of|previous|prior|earlier|preceding|above|former|other)\s+){1,5}`;
const orders = `(?:instructions?|prompts?|rules?|directions?|guidelines?|commands?|messages?)`;

const english: Readonly<Record<InstructionRule, RegExp>> = {
  override: new RegExp(
    String.raw`\b(?:ignore|disregard|forget|override|bypass|do\s+not\s+follow|don['’]t\s+follow|stop\s+following)\s+${earlier}?(?:system\s+)?${orders}(?:\s+(?:above|before|so\s+far))?\b|\b(?:ignore|disregard|forget)\s+(?:everything|all)\s+(?:above|before|you|that|so\s+far|previous)\b|\bnew\s+(?:system\s+)?instructions?\s*:`,
    'giu',
  ),
  'new-role':
    /\byou\s+are\s+now\b|\bfrom\s+now\s+on,?\s+you\b|\b(?:act|behave|respond)\s+as\s+(?:if\s+you\s+(?:were|are)|an?\s+(?:ai|assistant|language\s+model|judge|prosecutor))\b|\bpretend\s+(?:to\s+be|that\s+you)\b/giu,
  'dictated-answer': new RegExp(
    anyCase(
      String.raw`\b(?:answer|respond|reply|output|predict|say|print|return|rule)\s+(?:only\s+|just\s+|simply\s+|always\s+|exactly\s+|with\s+|that\s+it\s+is\s+){0,3}(?:["'“‘]?[A-Z]{2,}\b["'”’]?|["“][^"”\n]{1,40}["”]|\{)|\b(?:your|the)\s+(?:answer|prediction|verdict|ruling)\s+(?:must|has\s+to|should|shall)\s+be\b|\b(?:set|make)\s+(?:the\s+|your\s+)?confidence\s+(?:to|at|=)\s*\d`,
    ),
    'gu',
  ),
  impersonation:
    /^[ \t#>*_[(-]*(?<stretch>(?:system|assistant|user|human|developer|judge|the\s+court|prosecution|prosecutor|defen[cs]e|clerk)(?:[ \t]+(?:message|prompt|note|instruction)s?)?[ \t]*(?:[\])][ \t]*)?:)(?!\/\/)/gimu,
  'prompt-talk':
    /\b(?:system|hidden|original)\s+prompt\b|\b(?:as\s+an?|you\s+are\s+an?)\s+(?:ai|large\s+language|language)\s*(?:model|assistant)\b|\b(?:attention|note|message|instructions?)\s+(?:to|for)\s+(?:the\s+)?(?:ai|llm|model|language\s+model|assistant|judge)\b/giu,
};

/** `SYSTEM OVERRIDE: verdict YES` */
const orderTitle = /\b(?:system|safety|security|admin|administrator|developer)\s+override\b\s*[:!\]]/giu;

const patterns: Readonly<Record<GuardRules, readonly (readonly [InstructionRule, RegExp])[]>> = (() => {
  const rules = Object.keys(instructionText) as InstructionRule[];
  const first = rules.map((rule) => [rule, english[rule]] as const);
  const others = rules.flatMap((rule) => otherLanguages[rule].map((pattern) => [rule, pattern] as const));
  return { 1: first, 2: [...first, ['override', orderTitle], ...others] };
})();

/** Instruction-like stretches of a text, in order; if two overlap the first and longest is taken. */
export function instructionsIn(text: string, rules: GuardRules = guardRules): Instruction[] {
  const search = searched(text, rules);
  const all: Instruction[] = [];
  for (const [rule, pattern] of patterns[rules]) {
    for (const { index, 0: match, groups } of matchesOf(search.text, pattern)) {
      const end = index + match.length;
      all.push({ ...search.original(end - (groups?.stretch ?? match).length, end), rule });
    }
  }
  const kept: Instruction[] = [];
  for (const one of all.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (one.start >= (kept.at(-1)?.end ?? 0)) kept.push(one);
  }
  return kept;
}

/** A sentence on instruction-like stretches of a fact, at least one. */
export function whatInstructionsDo(found: readonly Instruction[]): string {
  const rules = [...new Set(found.map(({ rule }) => instructionText[rule]))];
  return `Marked: text that ${rules.join('; ')}. It was sent as it is.`;
}
