// What the calls of an experiment say of the models that answered them.
import type { Player } from '../../shared/api/experiments.ts';
import { listed } from '../../shared/differences.ts';
import { quantity } from '../../shared/sizes.ts';

export const setupCaption = 'What the server said of itself at the time. Nothing here proves that this model gave the answers.';

/**
 * Where a model was asked that had several addresses or digests: `elm was asked first at http://example.org (50 calls, from … to …), then at …`, or
 * `at … and at …` where the times overlap; null where it had one of each.
 */
function orderText(model: string, players: readonly Player[], timeText: (at: string) => string): string | null {
  const uses = [...Map.groupBy(players, ({ setup }) => JSON.stringify([setup?.url, setup?.digest])).values()].map((some) => ({
    setup: some[0]?.setup,
    calls: some.reduce((sum, { calls }) => sum + calls, 0),
    first: some.reduce((least, { first }) => (first < least ? first : least), some[0]?.first ?? ''),
    last: some.reduce((most, { last }) => (last > most ? last : most), ''),
  }));
  if (uses.length < 2) return null;
  const isOneDigest = new Set(uses.map(({ setup }) => setup?.digest)).size === 1;
  const inOrder = uses.toSorted((one, other) => (one.first < other.first ? -1 : 1));
  const named = inOrder.map(({ setup, calls, first, last }) => {
    const digest = isOneDigest
      ? ''
      : ` with ${setup?.digest == null ? 'an unknown digest' : `the digest ${setup.digest.slice(0, 12)}…`}`;
    return `at ${setup?.url ?? 'an unknown address'}${digest} (${quantity(calls, 'call')}, from ${timeText(first)} to ${timeText(last)})`;
  });
  const isInTurn = inOrder.every(({ last }, index) => last <= (inOrder[index + 1]?.first ?? last));
  return `${model} was asked ${isInTurn ? `first ${named.join(', then ')}` : named.join(' and ')}${isOneDigest && uses[0]?.setup?.digest != null ? '; the digest was the same' : ''}.`;
}

/** Whether each model had the same digest in all its calls, and to which addresses they went, in which order. */
export function whoAnswered(
  players: readonly Player[],
  timeText: (at: string) => string,
): { readonly text: string; readonly differs: boolean } {
  const setups = players.flatMap(({ setup }) => setup ?? []);
  const digests = [...Map.groupBy(setups, ({ model }) => model)].map(
    ([model, some]) => [model, new Set(some.flatMap(({ digest }) => digest ?? []))] as const,
  );
  const differing = digests.flatMap(([model, of]) => (of.size > 1 ? [`${model} had ${of.size}`] : []));
  const known = players.filter(({ setup }) => setup?.digest != null).length;
  const same =
    known === 0
      ? 'No digest of a model is known'
      : known === players.length
        ? 'Each model had the same digest in all its calls'
        : 'No two known digests of a model differ; some are not known';
  const addresses = new Set(setups.flatMap(({ url }) => url ?? [])).size;
  const orders = [...Map.groupBy(players, ({ setup }) => setup?.model)].flatMap(([model, some]) =>
    model === undefined ? [] : (orderText(model, some, timeText) ?? []),
  );
  return {
    text: `${differing.length === 0 ? same : `DIFFERENT DIGESTS: ${listed(differing)}, so not all answers are of the same weights`}.${addresses === 0 ? '' : ` The calls went to ${quantity(addresses, 'address', 'addresses')}.`}${orders.map((text) => ` ${text}`).join('')}`,
    differs: differing.length > 0,
  };
}
