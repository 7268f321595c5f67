import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    readonly exhaustive: boolean;
  }
}

/**
 * Whether everything is tried with everything, and often, as `npm run test:exhaustive` does. Other runs try pairs of
 * choices, and a few moments.
 */
export const exhaustive = inject('exhaustive');
