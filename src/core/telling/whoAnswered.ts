// What the calls of an experiment say of the models that answered them.
import type { Player } from '../../shared/api/experiments.ts';
import { listed } from '../../shared/differences.ts';
import { quantity } from '../../shared/sizes.ts';

export const setupCaption = 'What the server said of itself at the time. Nothing here proves that this model gave the answers.';

/** Whether each model had the same digest in all its calls, and to how many addresses they went. */
export function whoAnswered(players: readonly Player[]): { readonly text: string; readonly differs: boolean } {
  const setups = players.flatMap(({ setup }) => setup ?? []);
  const digests = [...Map.groupBy(setups, ({ model }) => model)].map(
    ([model, some]) => [model, new Set(some.flatMap(({ digest }) => digest ?? []))] as const,
  );
  const differing = digests.flatMap(([model, of]) => (of.size > 1 ? [`${model} had ${of.size}`] : []));
  const isKnown = players.every(({ setup }) => setup?.digest != null);
  const same = isKnown
    ? 'Each model had the same digest in all its calls'
    : 'No two known digests of a model differ; some are not known';
  const addresses = new Set(setups.flatMap(({ url }) => url ?? [])).size;
  return {
    text: `${differing.length === 0 ? same : `DIFFERENT DIGESTS: ${listed(differing)}, so not all answers are of the same weights`}. The calls went to ${quantity(addresses, 'address', 'addresses')}.`,
    differs: differing.length > 0,
  };
}
