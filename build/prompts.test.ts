import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { slotsIn } from '../src/core/prompts/promptFile.ts';
import { protocols } from '../src/core/protocols/index.ts';
import { promptFiles } from './prompts.ts';
import { root } from './repository.ts';

test.each([...promptFiles()].map(([path, text]) => [relative(root, path), path, text] as const))(
  '%s is what npm run prompts makes',
  (_name, path, text) => {
    expect(readFileSync(path, 'utf8'), 'run: npm run prompts').toBe(text);
  },
);

test.each(protocols.map((protocol) => [protocol.id, Object.values(protocol.prompts)] as const))(
  'prompts of %s: each slot has a meaning, each meaning a slot, and no two texts have one name',
  (id, prompts) => {
    for (const { messages, texts, slots, protocol } of prompts) {
      const bodies = [...messages.map(({ body }) => body), ...Object.values(texts)];
      expect(Object.keys(slots).toSorted()).toEqual([...new Set(bodies.flatMap(slotsIn))].toSorted());
      expect([id, 'single', 'all']).toContain(protocol);
    }
    const names = prompts.flatMap(({ texts }) => Object.keys(texts));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  },
);
