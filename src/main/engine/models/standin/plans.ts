import type { FrameName } from './frames.ts';

/** What a field's text is made of. */
export interface TextPlan {
  /** A speech with opening and end, the view of a ruling, a fact's name, or loose sentences of one kind. */
  readonly bank: 'speech' | 'ruling' | 'fact' | FrameName;
  readonly words: readonly [number, number];
}

const plans: readonly (readonly [RegExp, TextPlan])[] = [
  [
    /utter|argument|statement|opening|closing|rebut|refut|speech|remark|response|content|essay/i,
    { bank: 'speech', words: [70, 98] },
  ],
  [/weakness/i, { bank: 'weakness', words: [14, 26] }],
  [/strength/i, { bank: 'strength', words: [14, 26] }],
  [/opponent|counter|their_/i, { bank: 'opponent', words: [14, 26] }],
  [/rival|objection/i, { bank: 'rival', words: [12, 22] }],
  [/plan|strategy|approach|tactic/i, { bank: 'plan', words: [20, 34] }],
  [/critique|criticism|weigh_|feedback|review/i, { bank: 'critique', words: [18, 30] }],
  [/opinion|ruling|judgment|judgement/i, { bank: 'ruling', words: [52, 80] }],
  [/summar|overview|synopsis/i, { bank: 'summary', words: [40, 64] }],
  [/reasoning|justif|rationale|explan|analysis|thought|reflection/i, { bank: 'speech', words: [32, 52] }],
  [/reason|why|because|comment|note/i, { bank: 'reason', words: [12, 24] }],
  [/factor|feature|attribute|evidence|fact$|facts$|symptom|sign/i, { bank: 'fact', words: [1, 6] }],
  // What is said on the n-th topic, not what the topic is called.
  [/^topic_\d+$/, { bank: 'speech', words: [26, 48] }],
  [/title|topic|name|heading|subject|theme/i, { bank: 'title', words: [1, 6] }],
  [/scope|description|about/i, { bank: 'scope', words: [9, 18] }],
  [/claim|thesis|position|conclusion|finding/i, { bank: 'claim', words: [9, 18] }],
  [/question|inquir|unknown/i, { bank: 'question', words: [5, 12] }],
  [/recommend|step|action|test|next|advice|remedy/i, { bank: 'step', words: [7, 14] }],
  [/proposal|agreement|joint|consensus/i, { bank: 'speech', words: [45, 70] }],
  [/thinking/i, { bank: 'aside', words: [20, 36] }],
];

/** What to write into a field of this name; items of a list are short. */
export function planFor(key: string, listed: boolean, limit: number): TextPlan {
  const found = plans.find(([words]) => words.test(key))?.[1] ?? { bank: 'reason', words: [10, 22] };
  if (limit < 40 && found.bank !== 'title') return { bank: 'fact', words: [1, 5] };
  if (!listed || found.words[1] <= 26) return found;
  return { bank: found.bank === 'speech' || found.bank === 'ruling' ? 'reason' : found.bank, words: [5, 9] };
}

/** Cuts a text to a length, at a sentence's end where there is one, else between words. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.slice(0, limit);
  const stop = Math.max(start.lastIndexOf('. '), start.lastIndexOf('? '), /[.?]$/.test(start) ? limit - 1 : -1);
  if (stop > 0 && stop + 1 >= limit * 0.35) return start.slice(0, stop + 1);
  const gap = start.lastIndexOf(' ');
  const cut = gap > 0 ? start.slice(0, gap) : start;
  return cut.replace(/[\uD800-\uDBFF]$/, '').trimEnd();
}
