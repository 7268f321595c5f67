import { castMember } from '../../../core/protocols/cast.ts';
import type { Dataset } from '../datasets/dataset.ts';
import type { PreparedArm, PreparedExperiment } from './experimentFile.ts';
import { charactersPerToken, type Rehearsal } from './rehearsal.ts';

const charactersOf = (facts: Dataset['cases'][number]['facts']) =>
  facts.reduce((sum, { name, value }) => sum + name.length + value.length, 0);

/** Characters by which the longest case on trial exceeds the one that was rehearsed. */
function longerBy({ cases, sample }: Dataset): number {
  const onTrial = new Set(sample);
  const lengths = cases.filter(({ id }) => onTrial.has(id)).map(({ facts }) => charactersOf(facts));
  const rehearsed = cases.find(({ id }) => id === sample[0]);
  return (
    lengths.reduce((most, length) => Math.max(most, length), 0) - (rehearsed === undefined ? 0 : charactersOf(rehearsed.facts))
  );
}

/**
 * Warns of prompts that may not fit the context, before anybody is asked. It is an estimate, from the rehearsal and
 * the longest case: what does not fit is proved by the server alone, which refuses it, and recorded as `overflow`.
 */
export function contextNotes(
  { experiment, arms }: PreparedExperiment,
  data: Dataset,
  rehearsalOf: (arm: PreparedArm) => Rehearsal | undefined,
): string[] {
  const extra = longerBy(data) / charactersPerToken;
  return arms.flatMap((arm) => {
    const needs = (rehearsalOf(arm)?.calls ?? []).map(({ call: { role, request } }) => {
      const options = castMember(arm.definition.cast, role)?.options;
      const { numCtx, numPredict } = experiment.runtime;
      const prompt = request.messages.reduce((sum, { content }) => sum + content.length, 0) / charactersPerToken + extra;
      return {
        prompt: Math.ceil(prompt),
        numCtx: options?.numCtx ?? numCtx,
        numPredict: options?.numPredict ?? numPredict,
      };
    });
    const [worst] = needs.toSorted((a, b) => b.prompt + b.numPredict - b.numCtx - (a.prompt + a.numPredict - a.numCtx));
    if (worst === undefined || worst.prompt + worst.numPredict <= worst.numCtx) return [];
    const { prompt, numPredict, numCtx } = worst;
    return [
      `arm ${JSON.stringify(arm.definition.name)}: a prompt of about ${prompt} tokens (estimated) and an answer of up to ${numPredict} may not fit the context of ${numCtx}; raise runtime.numCtx, or such calls end as overflow`,
    ];
  });
}
