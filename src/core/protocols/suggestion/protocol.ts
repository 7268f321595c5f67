// A trial in which a model proposes instructions for a prompt.
import { z } from 'zod';
import { mostSuggestions } from '../../../shared/experiment.ts';
import { unlabelled } from '../../answers/answer.ts';
import { narrate } from '../../cases/narrative.ts';
import { speech } from '../../telling/blocks.ts';
import { ownStep } from '../../telling/sections.ts';
import type { Protocol } from '../protocol.ts';
import { repeatFlags } from '../repeats.ts';
import { textOf } from '../texts.ts';
import { prompts } from './prompts.ts';

/** The instructions of an answer, as the model wrote them. */
export const suggested = ownStep({
  name: 'suggestion/instructions',
  title: 'Suggested instructions',
  form: z.strictObject({ instructions: z.array(z.string()) }),
  tell: ({ instructions }) => instructions.map((instruction) => speech(instruction)),
});

const paramsSchema = z.strictObject({
  atMost: z.int().min(1).max(mostSuggestions).default(mostSuggestions),
  temperature: z.number().min(0).max(2).default(0.7),
});
type SuggestionParams = z.infer<typeof paramsSchema>;

const specOf = (atMost: number) =>
  unlabelled('suggestions', z.object({ instructions: z.array(textOf(30)).min(1).max(atMost) }), ({ instructions }) =>
    repeatFlags(instructions, (instruction) => instruction),
  );

/**
 * A model proposes instructions for a prompt, from its words and from cases that it got wrong: what `assize optimise` asks. Its
 * case is an open one that the search makes; no arm of a file can have it.
 *
 * Source: R. Pryzant et al., Automatic Prompt Optimization with "Gradient Descent" and Beam Search, EMNLP 2023, section 2.2:
 * errors on a batch of cases are shown to a model that rewrites the prompt. Here it proposes in one call and writes no
 * criticism first.
 */
export const suggestion: Protocol<SuggestionParams> = {
  id: 'suggestion',
  version: 1,
  title: 'Suggestions for a prompt',
  paper: 'none',
  roles: ['adviser'],
  params: paramsSchema,
  preset: { atMost: mostSuggestions, temperature: 0.7 },
  contract: [],
  accepts: { kinds: ['open'], labels: [2, 2], multiLabel: false, open: true },
  prompts,
  sees: { adviser: { utterances: false, ownNotes: false, examples: false } },
  steps: [suggested],
  telling: { title: 'Suggestions', tell: ({ entries }) => suggested.sections(entries) },
  plannedCalls: () => ({ min: 1, max: 1 }),
  plannedBeliefs: () => ({ min: 0, max: 0 }),

  async run(court, kase, { atMost, temperature }) {
    const task = court.text('task', { atMost: String(atMost) });
    const prompt = court.prompt('suggestion', { facts: narrate(kase.facts, kase.kind), task });
    const { value } = await court.ask('suggestions', 'adviser', prompt, specOf(atMost), { temperature });
    court.record('step-take', 'suggestions/instructions', suggested.taken('adviser', value));
  },
};
