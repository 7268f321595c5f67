import { expect, test } from 'vitest';
import { screenText } from './screenText.ts';

test('keys of an experiment file become the names of the fields', () => {
  expect(screenText('raise runtime.numCtx, or such calls end as overflow')).toBe(
    'raise “Context, tokens”, or such calls end as overflow',
  );
  expect(screenText('name two of them in params.contested')).toBe('name two of them in “The two labels in dispute”');
  expect(screenText('give it a share (dataset.split), or set params.shots to 0', 'courtroom')).toBe(
    'give it a share (“Training, %”), or set “Precedents of each label” to 0',
  );
  expect(screenText('for other answers set options.temperature in its cast')).toBe(
    'for other answers set “Temperature of every call” under “Sampling” at the end of its arm',
  );
  expect(screenText('model m has numCtx 1 here and 2 elsewhere')).toBe('model m has “Context, tokens” 1 here and 2 elsewhere');
});

test('what is in quotes is somebody’s own, and an unknown key stays', () => {
  expect(screenText('arm "runtime.numCtx \\" x": raise runtime.numCtx')).toBe(
    'arm "runtime.numCtx \\" x": raise “Context, tokens”',
  );
  expect(screenText('runtime.novel is odd')).toBe('runtime.novel is odd');
});
