import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeSampleStore, noFault, openFolder } from '../main/engine/audit/testing/sampleStore.ts';
import { findChromium } from '../main/engine/pdf/chromium.ts';
import { needChromium, printPdf } from '../main/engine/pdf/print.ts';
import { reading } from '../main/engine/testing/reading.ts';
import { parseWords } from './command.ts';
import { exportCommand } from './commands/export.ts';

const program = findChromium();
const folder = openFolder('pdf');
let store: string;
let trial: string;

beforeAll(async () => {
  vi.stubEnv('TMPDIR', folder.folder);
  store = await makeSampleStore(folder.folder, { cases: 1, fault: noFault });
  const rows = reading(store, ({ trials }) => trials.ofExperiment('nlsy97-demo'));
  trial = rows.find(({ arm }) => arm !== 'standard')?.trial ?? '';
});
afterAll(() => vi.unstubAllEnvs());

const nothing = () => {};
const surroundings = {
  out: nothing,
  tell: nothing,
  say: nothing,
  progress: nothing,
  live: () => nothing,
  readInput: async () => '',
  endAtOnce: nothing,
};
const exported = (out: string, more: readonly string[] = ['--trial', trial]) =>
  exportCommand.run(
    parseWords(['nlsy97-demo', '--store', store, '--format', 'pdf', '--out', out, ...more], exportCommand.usage),
    { ...surroundings, signal: new AbortController().signal },
  );
const left = () => readdirSync(folder.folder).filter((name) => name.startsWith('assize-pdf-'));

test('browsers are found on PATH and where the installers of three systems put them; a relative folder does not count', () => {
  const only = (file: string) => (asked: string) => asked === file;
  const edge = 'C:\\Programs\\Microsoft\\Edge\\Application\\msedge.exe';
  expect(findChromium({ ProgramFiles: 'C:\\Programs' }, 'win32', only(edge))).toBe(edge);
  expect(findChromium({ Path: 'C:\\a;D:\\b' }, 'win32', only('D:\\b\\chrome.exe'))).toBe('D:\\b\\chrome.exe');
  const app = '/Users/a/Applications/Chromium.app/Contents/MacOS/Chromium';
  expect(findChromium({ HOME: '/Users/a' }, 'darwin', only(app))).toBe(app);
  expect(findChromium({ PATH: '' }, 'linux', only('/opt/google/chrome/chrome'))).toBe('/opt/google/chrome/chrome');
  expect(findChromium({ PATH: '.:bin' }, 'linux', (file) => !file.startsWith('/opt/'))).toBeUndefined();
  expect(() => needChromium(() => undefined)).toThrow(/install Google Chrome.*--format html/);
});

test('a PDF goes to a file, never to stdout', async () => {
  await expect(exported('-')).rejects.toMatchObject({ exitCode: 2, place: { field: '--out' } });
});

test('a program that makes no PDF is an error, and nothing stays behind', async () => {
  const { signal } = new AbortController();
  await expect(printPdf(process.execPath, '<p>', signal)).rejects.toMatchObject({ exitCode: 2 });
  await expect(printPdf(process.execPath, '<p>', AbortSignal.abort())).rejects.toMatchObject({ code: 'interrupted' });
  expect(left()).toEqual([]);
});

if (program === undefined) console.warn('No Chromium here: no PDF is printed in this test. Install chromium.');
describe.runIf(program !== undefined)('a printed report', () => {
  test('has text, tags, an outline and page numbers; a file that is there stays', { timeout: 90_000 }, async () => {
    const out = folder.path('report.pdf');
    await exported(out);
    expect(left()).toEqual([]);
    const bytes = readFileSync(out);
    const source = bytes.toString('latin1');
    // Fonts that map back to letters: text that can be selected.
    for (const part of ['/MarkInfo', '/StructTreeRoot', '/Outlines', '/ToUnicode', '/Lang']) expect(source).toContain(part);
    const pages = source.match(/\/Type \/Page\b/g)?.length ?? 0;
    expect(pages).toBeGreaterThan(2);
    const { stdout, error } = spawnSync('pdftotext', [out, '-'], { encoding: 'utf8' });
    if (error === undefined) {
      for (const part of [`Page 1 of ${pages}`, `Page ${pages} of ${pages}`, 'DEMO MODEL', trial]) expect(stdout).toContain(part);
    } else console.warn('No pdftotext here: the words of the PDF are not read. Install poppler-utils.');
    const whole = folder.path('experiment.pdf');
    await exported(whole, []);
    expect(readFileSync(whole).toString('latin1')).toContain('/StructTreeRoot');
    await expect(exported(out)).rejects.toMatchObject({ code: 'output-exists' });
    expect(readFileSync(out).equals(bytes)).toBe(true);
  });
});
