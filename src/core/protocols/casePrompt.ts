// The parts of a prompt that present a case: labels, earlier cases, the shape of an answer.
import type { Case, Example } from '../../shared/domain.ts';
import { remembered } from '../../shared/remembered.ts';
import { narrate } from '../cases/narrative.ts';
import type { Prompt, Wording } from '../prompts/wording.ts';
import { isRanked, rankingPlaces } from './labelBelief.ts';
import type { VerdictCase } from './verdict.ts';

type Text = Wording['text'];

/** A label in a prompt: quoted as an answer has to write it. */
export const quoted = (label: string): string => JSON.stringify(label);

export const labelList = (labels: readonly string[]): string => labels.map((label) => `- ${quoted(label)}`).join('\n');

/** The words that ask for a certainty. @param topK labels that are ranked, where there are many */
export function certaintyText(text: Text, labels: readonly string[], topK = 0): string {
  if (!isRanked(labels, topK)) return text(labels.length === 2 ? 'certaintyOfOne' : 'certaintyOfMany');
  const places = rankingPlaces(topK).map((place) => text('placeOfTopLabel', { place }));
  return text('certaintyOfTop', { places: places.join(', ') });
}

/** The fields of a verdict as the shape of an answer shows them. @param topK labels that are ranked, where there are many */
export function verdictAsText(text: Text, { labels, multiLabel }: VerdictCase, topK = 0): string {
  const certainty = () => certaintyText(text, labels, topK);
  if (!multiLabel) return text('verdictOfOne', { certainty: certainty() });
  return isRanked(labels, topK) ? text('verdictOfTopSet', { certainty: certainty() }) : text('verdictOfSet');
}

export const earlierCases = (
  text: Text,
  cases: readonly Pick<Example, 'facts' | 'label'>[],
  { kind, multiLabel }: Pick<Case, 'kind' | 'multiLabel'>,
): string[] =>
  cases.length === 0
    ? []
    : [
        text('earlierCases'),
        ...cases.map(({ facts, label }, index) =>
          text('earlierCase', {
            number: String(index + 1),
            facts: narrate(facts, kind),
            // Of several labels it is a list of quoted ones already.
            label: multiLabel ? label : quoted(label),
          }),
        ),
      ];

export interface CasePromptParts {
  readonly rules?: readonly string[];
  /** Labelled cases: before the facts, so that prompts of several cases begin alike. */
  readonly earlier?: readonly string[];
  readonly record?: readonly string[];
  /** The role's instruction and the shape of its answer. */
  readonly task: readonly string[];
}

type AskedCase = Pick<Case, 'question' | 'labels' | 'multiLabel' | 'facts' | 'kind'>;

/** Once for all prompts of a trial. */
const factsAsText = remembered(({ facts, kind }: AskedCase) => narrate(facts, kind));

/** A prompt about a case; an open one has no list of answers and perhaps no facts. @param id of the protocol's prompt */
export function casePrompt(
  { text, prompt }: Wording,
  id: string,
  kase: AskedCase,
  { rules = [], earlier = [], record = [], task }: CasePromptParts,
): Prompt {
  const { question, labels, multiLabel, facts } = kase;
  const answers = labels.length === 0 ? [] : [text(multiLabel ? 'answersOfSet' : 'answers', { labels: labelList(labels) })];
  const narrated = facts.length === 0 ? [] : [text('facts', { facts: factsAsText(kase) })];
  return prompt(id, { rules, question: text('question', { question }), answers, earlier, facts: narrated, record, task });
}
