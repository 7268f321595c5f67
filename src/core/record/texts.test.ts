import { expect, test } from 'vitest';
import { refsOf } from './texts.ts';

const name = (letter: string) => letter.repeat(43);

test('the texts of an event are found in lists and records, in their order, and the hash of a file is none', () => {
  const arm = {
    ...{ name: 'a', protocol: 'p', protocolVersion: 1, terms: name('c'), templates: { x: name('d'), y: name('e') } },
    examples: { chosen: [name('f')], reserves: [name('g')] },
  };
  const dataset = { manifest: name('b'), file: name('z') };
  const payload = { v: 1 as const, at: '', name: '', assize: '', definition: name('a'), dataset, arms: [arm] };
  expect(refsOf({ seq: 0, hash: '', kind: 'experiment-freeze', payload })).toEqual([...'abcdefg'].map(name));
});

test('they are found in tuples and where they may be missing, and the hash of a request is none', () => {
  const failure = { kind: 'timeout' as const, message: name('d'), permanent: false };
  const payload = {
    ...{ v: 1 as const, at: '', key: 'k', request: name('z'), setup: name('a') },
    statements: [[name('b'), name('c')] as [string, string]],
    ...{ vectors: null, dimensions: 0, failure, promptTokens: 0, modelMs: 0, wallMs: 0 },
  };
  expect(refsOf({ seq: 0, hash: '', kind: 'statement-embed', payload })).toEqual([...'abcd'].map(name));
});
