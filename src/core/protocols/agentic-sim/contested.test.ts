import { expect, test } from 'vitest';
import { agenticSim } from './protocol.ts';

test('the two labels in dispute are different', () => {
  const params = (contested: readonly string[]) => agenticSim.params.safeParse({ contested });
  expect(params(['A', 'B']).success).toBe(true);
  expect(params(['A', 'A']).error?.issues[0]).toMatchObject({
    path: ['contested'],
    message: 'the two labels in dispute must be different',
  });
});
