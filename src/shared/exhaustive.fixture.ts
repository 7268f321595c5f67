import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    readonly exhaustive: boolean;
    readonly kills: number;
  }
}

/**
 * Whether everything is tried with everything, and often, as `npm run test:exhaustive` does. Other runs try pairs of
 * choices, and a few moments.
 */
export const exhaustive = inject('exhaustive');

/** How often a run is killed at random moments: `npm run kills` does it for longer than any suite. */
export const kills = inject('kills');
