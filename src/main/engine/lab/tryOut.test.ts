import { expect, test } from 'vitest';
import { exitCode } from '../../../shared/errors.ts';
import { prepareTry } from './tryOut.ts';

const request = {
  protocol: 'standard',
  model: 'm',
  question: 'Which?',
  facts: 'Some facts.',
  labels: ['NO', 'YES'],
  url: 'http://127.0.0.1:11434',
};

test.each([
  [{ labels: ['A', 'B', 'A'] }, '--labels', '"A" is named twice; name each label once'],
  [{ labels: ['A', '__proto__'] }, '--labels', '"__proto__" cannot be a label; rename it'],
  [{ question: '' }, '--question', 'the question is empty; ask what the court should decide'],
  [{ question: ' \n' }, '--question', 'the question is empty; ask what the court should decide'],
  [{ prompts: '../x.md' }, '--prompts', 'name one of your own variants; only an experiment file can give a path'],
])('%j is bad input that names the option', (parts, field, message) => {
  const trying = () => prepareTry({ ...request, ...parts }, new Date(0));
  expect(trying).toThrow(expect.objectContaining({ message, place: { field }, exitCode: exitCode.badInput }));
});

test('a case tried alone looks for no precedents, unless asked to, and other protocols keep their own shots', () => {
  const paramsOf = (protocol: string, params?: Record<string, unknown>) =>
    prepareTry({ ...request, protocol, ...(params === undefined ? {} : { params }) }, new Date(0)).arms[0]?.bound;
  expect(paramsOf('courtroom')).toMatchObject({ precedents: null, params: { shots: 0, judges: 3 } });
  expect(paramsOf('courtroom', { shots: 2 })).toMatchObject({ precedents: { perLabel: 2, retriever: 'similar' } });
  expect(paramsOf('standard')).toMatchObject({ params: { style: 'cot', shots: 30 } });
});

test('single roles have their own models, and a role that the protocol lacks is bad input', () => {
  const castOf = (roles: Record<string, string>) =>
    prepareTry({ ...request, protocol: 'agentic-sim', roles }, new Date(0)).experiment.arms[0]?.cast;
  expect(castOf({ judge: 'n' })).toMatchObject({ '*': { model: 'm' }, judge: { model: 'n' } });
  expect(() => castOf({ clerk: 'n' })).toThrow(/clerk/);
});
