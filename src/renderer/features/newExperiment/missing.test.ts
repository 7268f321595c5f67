import { expect, test } from 'vitest';
import { type ArmDefinition, armSchema } from '../../../shared/experiment.ts';
import type { Found } from '../protocols/backends.ts';
import { missingAt } from './draft.ts';

const server = { state: 'ready', version: null, standin: false, slots: null, problem: null } as const;
const found: Found = {
  reports: [{ ...server, choice: 'ollama', url: 'http://127.0.0.1:11434', models: ['mine:1b'] }],
  servers: [
    { ...server, name: 'gpu', kind: 'openai', url: 'http://127.0.0.1:8000/v1', models: [{ name: 'Org/Large', context: null }] },
    { ...server, name: 'second', kind: 'ollama', url: 'http://127.0.0.1:2', models: [{ name: 'shared:latest', context: null }] },
  ],
};
const arm = (cast: Record<string, { model: string; backend?: string }>): ArmDefinition =>
  armSchema.parse({ name: 'a', protocol: 'agentic-sim', cast });

test('what Ollama lacks is fetched by a command, what another server lacks is shown with what it has', () => {
  const arms = [
    arm({ '*': { model: 'absent:8b' }, judge: { model: 'Org/Small', backend: 'gpu' } }),
    arm({ '*': { model: 'absent:8b', backend: 'second' } }),
  ];
  expect(missingAt({ arms, backend: 'ollama' }, ['absent:8b', 'Org/Small'], found)).toEqual({
    pull: 'ollama pull absent:8b',
    elsewhere: ['The server gpu does not list Org/Small. It has Org/Large.'],
  });
});

test('a model is missing where it is asked for and not there, and nowhere else', () => {
  const arms = [arm({ '*': { model: 'shared' }, judge: { model: 'shared', backend: 'second' } })];
  expect(missingAt({ arms, backend: 'ollama' }, ['shared'], found)).toEqual({ pull: 'ollama pull shared', elsewhere: [] });
  const alone = [arm({ '*': { model: 'shared', backend: 'second' } })];
  expect(missingAt({ arms: alone, backend: 'ollama' }, ['shared'], found)).toEqual({ pull: null, elsewhere: [] });
});
