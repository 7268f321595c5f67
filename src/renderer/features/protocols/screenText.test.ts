import { expect, test } from 'vitest';
import { screenText } from './screenText.ts';

test('keys of an experiment file become the names of the fields', () => {
  expect(screenText('raise runtime.numCtx, or such calls end as overflow')).toBe(
    'raise “Context, tokens”, or such calls end as overflow',
  );
  expect(screenText('name two of them in params.contested')).toBe('name two of them in “The two labels in dispute”');
  expect(screenText('model m has numCtx 1 here and 2 elsewhere')).toBe('model m has “Context, tokens” 1 here and 2 elsewhere');
});

test('what stands in quotes is somebody’s own, and an unknown key stays', () => {
  expect(screenText('arm "runtime.numCtx \\" x": raise runtime.numCtx')).toBe(
    'arm "runtime.numCtx \\" x": raise “Context, tokens”',
  );
  expect(screenText('runtime.novel is odd')).toBe('runtime.novel is odd');
});

test('where a file says something is left out', () => {
  expect(screenText('leave it out of the facts ("exclude" in a file) unless the court needs it')).toBe(
    'leave it out of the facts unless the court needs it',
  );
});

test('an arm is advised without the words of a file', () => {
  expect(screenText('to compare at equal compute, add an arm with "protocol": "vote" and "params": {"voters": 62}')).toBe(
    'to compare at equal compute, add an arm of Majority vote with 62 voters',
  );
});

test('a server that does not answer has the name that the screen gives it', () => {
  expect(screenText('backend "default" does not answer (refused); start Ollama, or try the demo model: assize standin')).toBe(
    'Ollama does not answer (refused); start Ollama, or choose the demo model',
  );
});

test('what an option of the command line does is said in the words of the screens', () => {
  expect(screenText('"assize vary" with --change probe=names or probe=rows tests for such memory')).toBe(
    'the command assize vary tests for such memory',
  );
  expect(screenText('If they mean it, import the file under another arm name with --map "yes=YES" --map "no=NO".')).toBe(
    'If they mean it, import the file under another arm name, and choose there what each value means.',
  );
});
