import { expect, it } from 'vitest';
import { protocols } from '../../../core/protocols/index.ts';
import { layoutOf } from './layouts.ts';

it('gives a view of their own to the protocols that have one, and the transcript alone to all others', () => {
  const withLayout = protocols.filter(({ id }) => layoutOf(id) !== null).map(({ id }) => id);
  expect(withLayout).toEqual(['courtroom', 'single', 'vote', 'debate-feedback', 'evince', 'socrasynth']);
  expect(layoutOf('toString')).toBeNull();
});
