import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { OpenedVariant } from '../../../../shared/api/prompts.ts';
import { parseVariant, variantsFolder } from '../../lab/promptVariants.ts';
import { keptFolder } from '../../testing/kept.ts';
import { type EngineRoom, failureOf, openEngineRoom } from '../testing/engineRoom.ts';

let room: EngineRoom;
beforeAll(() => {
  room = openEngineRoom({ name: 'prompts' });
});
afterAll(() => room.close());
beforeEach(() => {
  vi.stubEnv('XDG_CONFIG_HOME', keptFolder());
  return () => void vi.unstubAllEnvs();
});

const api = () => room.client.prompts;
type Edited = OpenedVariant['edited'];

/** The same variant with other words in one of its parts. */
const reworded = (edited: Edited, prompt: string, text: string | null, change: (words: string) => string): Edited => ({
  ...edited,
  parts: edited.parts.map((part) =>
    part.prompt === prompt && part.text === text ? { ...part, words: change(part.words) } : part,
  ),
});
const shipped = async (name = 'short') => {
  const { edited } = await api().open({ from: 'shipped', name: 'single' });
  return { ...edited, name };
};
const shorter = async (name?: string) =>
  reworded(await shipped(name), 'classification', 'task', (words) => words.replace('40 words', '20 words'));

test('the same words have one version, whether a screen or a person wrote the file', async () => {
  const saved = await api().save({ edited: await shorter(), replaces: null });
  const task = (await shorter()).parts.find(({ text }) => text === 'task')?.words ?? '';
  const byHand = `---\nprotocol: single\nvariant: short\n---\n\n=== prompt: classification ===\n=== text: task ===\n\n\n${task}\n\n`;
  expect(saved).toEqual({ name: 'short', protocol: 'single', hash: parseVariant(byHand, 'short.md').hash });
  const { variants } = await api().variants({});
  expect(variants).toEqual([{ ...saved, about: '' }]);
  // Only what differs is in the file.
  expect(readFileSync(join(variantsFolder(), 'short.md'), 'utf8').match(/^=== /gm)).toHaveLength(2);
});

test('what makes a variant unusable is named with its part and line', async () => {
  const edited = await shipped();
  const problemsOf = async (changed: Edited) => (await api().check(changed)).problems;
  const [dropped] = await problemsOf(reworded(edited, 'classification', null, (words) => words.replace('{{facts}}', '')));
  expect(dropped).toMatchObject({ place: { prompt: 'classification', text: null }, refused: true });
  expect(dropped?.message).toContain('{{facts}} is missing');
  const line = async (change: (words: string) => string) =>
    (await problemsOf(reworded(edited, 'classification', 'task', change))).map(({ place, refused }) => [place?.line, refused]);
  expect(await line((words) => `One.\nTwo {{facts}}.\n${words}`)).toEqual([[2, true]]);
  expect(await line((words) => `${words}\n=== text: other ===`)).toEqual([[6, true]]);
  expect(await line((words) => words.replace('{{outside}}', ''))).toEqual([[1, false]]);
  expect(await problemsOf(reworded(edited, 'classification', null, () => ' \n'))).toMatchObject([{ refused: true }]);
  expect(await problemsOf({ ...edited, name: 'two words' })).toMatchObject([{ place: null, refused: true }]);
  expect(await failureOf(api().save({ edited: { ...edited, name: '../up' }, replaces: null }))).toMatchObject({
    code: 'bad-input',
  });
  expect(await problemsOf(edited)).toEqual([]);
});

test('a preview has the edited words in the prompts of a real case', async () => {
  const { calls } = await api().preview({ edited: await shorter(), entry: 'deposits', params: { shots: 0 } });
  expect(calls.at(0)?.messages.at(-1)?.content).toContain('at most 20 words');
});

test('a variant is renamed, removed and brought back word for word, and another version on the disk is not lost', async () => {
  await api().save({ edited: await shorter(), replaces: null });
  const { edited, kept } = await api().open({ from: 'own', name: 'short' });
  await api().save({ edited: { ...edited, name: 'brief' }, replaces: kept });
  expect(readdirSync(variantsFolder())).toEqual(['brief.md']);
  expect(await failureOf(api().save({ edited: { ...edited, name: 'brief' }, replaces: null }))).toMatchObject({
    code: 'bad-input',
  });

  const path = join(variantsFolder(), 'brief.md');
  const opened = await api().open({ from: 'own', name: 'brief' });
  const commented = `${readFileSync(path, 'utf8').replace('---\n', '---\n# by hand\n')}`;
  writeFileSync(path, commented);
  const late = await failureOf(api().save({ edited: opened.edited, replaces: opened.kept }));
  expect(late.message).toContain('has changed since you opened it');
  await api().save({ edited: { ...opened.edited, name: 'mine' }, replaces: opened.kept });
  expect(readFileSync(path, 'utf8')).toBe(commented);
  expect((await api().remove({ name: 'mine' })).content).not.toBe(commented);

  const { content } = await api().remove({ name: 'brief' });
  expect(content).toBe(commented);
  expect((await api().variants({})).variants).toEqual([]);
  await api().restore({ content });
  expect(readFileSync(path, 'utf8')).toBe(commented);

  // Words that are still open are saved although their file is gone.
  const open = await api().open({ from: 'own', name: 'brief' });
  await api().remove({ name: 'brief' });
  await api().save({ edited: open.edited, replaces: open.kept });
  expect(readdirSync(variantsFolder())).toEqual(['brief.md']);
});

test('a file is added and exported byte for byte', async () => {
  const content = '---\nvariant: added\nprotocol: single\nabout: Mine.\n---\n';
  await api().import({ upload: room.upload('sent.md', content) });
  const { file, fileName } = await api().export({ name: 'added' });
  expect(fileName).toBe('added.md');
  expect(readFileSync(room.service.files.take(file)?.path ?? '', 'utf8')).toBe(content);
  expect(await failureOf(api().export({ name: 'other' }))).toMatchObject({ code: 'bad-input' });
});
