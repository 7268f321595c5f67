import { fakeDigest, type StandinModel } from './models.ts';

/** A file of a model: weights, template, parameters. */
export interface Layer {
  /** Hexadecimal, without `sha256:`. */
  readonly digest: string;
  readonly total: number;
}

const smallLayers = [
  ['template', 1600],
  ['parameters', 500],
] as const;

/** The files of a model, in the order in which they are fetched; together as large as the model. */
export function layersOf({ digest, size }: StandinModel): Layer[] {
  const rest = smallLayers.reduce((sum, [, total]) => sum + total, 0);
  return [['weights', size - rest] as const, ...smallLayers].map(([part, total]) => ({
    digest: fakeDigest(`${digest} ${part}`),
    total,
  }));
}

/** What a stand-in keeps when it ends: handed to the next one, it goes on from there, as a server does with its disk. */
export interface StandinDisk {
  /** By name; null until a stand-in has put its first ones here. */
  models: Map<string, StandinModel> | null;
  /** Digests of whole layers that were fetched. */
  readonly whole: Set<string>;
  /** Bytes of layers that are fetched in part. */
  readonly partial: Map<string, number>;
}

export const emptyDisk = (): StandinDisk => ({ models: null, whole: new Set(), partial: new Map() });
