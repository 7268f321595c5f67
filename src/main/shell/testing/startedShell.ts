// The shell over a fake Electron, in its own folder, for the tests of a file.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { toEngineSchema } from '../../../shared/api/control.ts';
import { type Places, startShell } from '../shell.ts';
import { type FakeElectron, fakeElectron } from './fakeElectron.ts';

export let folder: string;
export let places: Places;

/** To be called once in each file of tests: they share this module. */
export function inOwnPlaces(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assize-shell-'));
    mkdirSync(join(folder, 'screens'));
    writeFileSync(join(folder, 'screens/index.html'), '<!doctype html>');
    places = {
      preload: join(folder, 'preload.cjs'),
      engine: join(folder, 'engine.js'),
      screens: join(folder, 'screens'),
      resources: join(folder, 'resources'),
      icon: join(folder, 'icon.png'),
      store: join(folder, 'assize.db'),
      profile: join(folder, 'window'),
      development: null,
    };
  });
  afterEach(() => rmSync(folder, { recursive: true }));
}

/** The shell up to its window and its first engine process. */
export async function started(
  fake: FakeElectron = fakeElectron(),
  tellStarted: () => void = () => undefined,
): Promise<FakeElectron> {
  startShell(fake.electron, places, tellStarted);
  await expect.poll(() => fake.engines).toHaveLength(1);
  return fake;
}

export const page = ({ contents }: FakeElectron) => ({ sender: contents, senderFrame: contents.mainFrame });
export const engineOf = ({ engines }: FakeElectron, index = 0) => {
  const engine = engines[index];
  if (engine === undefined) throw new Error(`there is no engine ${index}`);
  return engine;
};
export const sentTo = (fake: FakeElectron, index = 0) =>
  engineOf(fake, index).sent.map(({ message, ports }) => ({ ...toEngineSchema.parse(message), ports }));
