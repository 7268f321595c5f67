/**
 * The progress of a pull over all its layers.
 *
 * The server tells of each layer many times, of one after the other, and of each by its digest: a layer counts once, by
 * the most that was told of it. The sum of the totals grows with each layer that is told of for the first time, so that it
 * is what is known so far and not the size of the model. The server can fall back (a part that broke off is fetched again,
 * and what was not yet noted on the disk is lost when it is killed): what is shown holds still until it is passed.
 * A layer's last line can lack its last bytes; once the server verifies, all are there.
 */
import type { Pull } from '../../../../shared/api/models.ts';
import type { PullLine } from './pullLines.ts';

export type PullLayer = Pull['layers'][number];

export interface PullProgress {
  readonly state: 'pulling' | 'verifying';
  readonly status: string;
  readonly layers: readonly PullLayer[];
}

export const nothingPulled: PullProgress = { state: 'pulling', status: 'waiting for the server', layers: [] };

/** Layers beyond these are no longer told apart: no model has as many. */
const mostLayers = 2000;

/** Whether the server has all of the model, and checks it or puts it in its place. */
export const isWhole = (status: string): boolean =>
  /^(verifying|writing manifest|removing|couldn't remove|success)/i.test(status);

/** The progress after one more line. */
export function withLine(progress: PullProgress, { status, digest, total, completed }: PullLine): PullProgress {
  if (digest === undefined) {
    if (!isWhole(status)) return { ...progress, state: 'pulling', status };
    return { state: 'verifying', status, layers: progress.layers.map((layer) => ({ ...layer, completed: layer.total })) };
  }
  const layers = [...progress.layers];
  const place = layers.findIndex((layer) => layer.digest === digest);
  const known = layers[place] ?? { digest, total: 0, completed: 0 };
  const most = Math.max(known.total, total);
  const layer = { digest, total: most, completed: Math.max(known.completed, Math.min(completed, most)) };
  if (place !== -1) layers[place] = layer;
  else if (layers.length < mostLayers) layers.push(layer);
  return { state: 'pulling', status, layers };
}

export const sumOf = (layers: readonly PullLayer[]): { completed: number; total: number } => ({
  completed: layers.reduce((sum, layer) => sum + layer.completed, 0),
  total: layers.reduce((sum, layer) => sum + layer.total, 0),
});
