import { expect, test } from 'vitest';
import { screenWords } from './screenWords.ts';

test('keys of an experiment file become the names of the fields', () => {
  expect(screenWords('raise runtime.numCtx, or such calls end as overflow')).toBe(
    'raise “Context, tokens”, or such calls end as overflow',
  );
  expect(screenWords('name two of them in params.contested')).toBe('name two of them in “The two labels in dispute”');
  expect(screenWords('model m has numCtx 1 here and 2 elsewhere')).toBe('model m has “Context, tokens” 1 here and 2 elsewhere');
});

test('what stands in quotes is somebody’s own, and an unknown key stays', () => {
  expect(screenWords('arm "runtime.numCtx \\" x": raise runtime.numCtx')).toBe(
    'arm "runtime.numCtx \\" x": raise “Context, tokens”',
  );
  expect(screenWords('runtime.novel is odd')).toBe('runtime.novel is odd');
});
