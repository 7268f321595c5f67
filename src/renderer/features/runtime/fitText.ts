import type { Fit } from '../../../shared/api/models.ts';
import { memorySize } from '../../ui/quantity.ts';

export interface VerdictWords {
  readonly words: string;
  readonly tone: 'good' | 'warn' | 'bad' | 'plain';
}

export const verdictAsText: Readonly<Record<Fit['verdict'], VerdictWords>> = {
  gpu: { words: 'fits on the GPU', tone: 'good' },
  partly: { words: 'partly on the GPU, slower', tone: 'warn' },
  memory: { words: 'main memory alone, slow', tone: 'warn' },
  no: { words: 'does not fit', tone: 'bad' },
  unknown: { words: 'unknown', tone: 'plain' },
};

const verdictOrder: readonly Fit['verdict'][] = ['gpu', 'partly', 'memory', 'no', 'unknown'];

/** `fits on the GPU: 3 · does not fit: 1`: how often each verdict holds, the best first. */
export function fitsInWords(fits: readonly Fit[]): string {
  const counts = verdictOrder.flatMap((verdict) => {
    const count = fits.filter((fit) => fit.verdict === verdict).length;
    return count === 0 ? [] : [`${verdictAsText[verdict].words}: ${count}`];
  });
  return counts.join(' · ');
}

export const fitParts = ['weights', 'key_values', 'overhead'] as const;
export type FitPart = (typeof fitParts)[number];

export const partNames: Readonly<Record<FitPart, string>> = {
  weights: 'weights',
  key_values: 'context',
  overhead: 'overhead',
};

export interface FitScale {
  /** Shares of the whole bar, 0-1, in the order of `fitParts`. */
  readonly parts: readonly { readonly part: FitPart; readonly share: number }[];
  /** Where the free memory ends, 0-1; null where it is not known. */
  readonly free: number | null;
  /** Whether `free` is the GPU's, or, where there is none, that of main memory. */
  readonly freeOf: 'gpu' | 'memory' | null;
}

/** The parts of what a model needs next to what is free, on one scale; null where its parts are not known. */
export function fitScale(fit: Fit): FitScale | null {
  const bytes = fitParts.map((part) => ({ part, bytes: fit[part] }));
  if (bytes.some((each) => each.bytes === null)) return null;
  const freeOf = fit.gpu_free !== null && fit.gpu_free > 0 ? 'gpu' : fit.memory_free === null ? null : 'memory';
  const free = freeOf === 'gpu' ? fit.gpu_free : freeOf === 'memory' ? fit.memory_free : null;
  const needed = bytes.reduce((sum, each) => sum + (each.bytes ?? 0), 0);
  const whole = Math.max(needed, free ?? 0);
  if (whole === 0) return null;
  return {
    parts: bytes.map((each) => ({ part: each.part, share: (each.bytes ?? 0) / whole })),
    free: free === null ? null : free / whole,
    freeOf,
  };
}

/** `4.6 GiB weights + 1 GiB context + 0.7 GiB overhead = 6.3 GiB; 20 GiB free on the GPU`. */
export function fitFigures(fit: Fit): string | null {
  const scale = fitScale(fit);
  if (scale === null) return null;
  const parts = fitParts.map((part) => `${memorySize(fit[part] ?? 0)} ${partNames[part]}`).join(' + ');
  const needed = fit.needed === null ? '' : ` = ${memorySize(fit.needed)}`;
  if (scale.freeOf === null) return `${parts}${needed}`;
  const free =
    scale.freeOf === 'gpu'
      ? `${memorySize(fit.gpu_free ?? 0)} free on the GPU`
      : `${memorySize(fit.memory_free ?? 0)} of main memory free`;
  return `${parts}${needed}; ${free}`;
}
