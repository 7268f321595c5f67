import Database from 'better-sqlite3';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { afterEach, expect, test, vi } from 'vitest';
import { explained } from '../main/engine/store/databaseError.ts';
import type { TryReport } from '../shared/commandOutputs.ts';
import { errorReportSchema } from '../shared/errors.ts';
import { doctorCommand } from './commands/doctor.ts';
import { transcriptText } from './commands/try.ts';
import { main } from './main.ts';
import { fitLine, harmless, terminalSurroundings } from './terminal.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function streams(isTTY: boolean) {
  const written = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({
    isTTY,
    columns: 80,
    write(text: string) {
      written[name] += text;
      return true;
    },
  });
  return { written, process: { stdin: process.stdin, stdout: stream('stdout'), stderr: stream('stderr') } };
}

const hostile = 'guilty\u001b[2K\rnot guilty \u202etxet\u009b31m\u0007';
const safe =
  'guilty[escape U+001B][2K[carriage return U+000D]not guilty [right-to-left override U+202E]txet[control character U+009B]31m[control character U+0007]';

test('what would move the cursor or turn the text round is replaced by its name; lines, tabs and other scripts stay', () => {
  expect(harmless(hostile)).toBe(safe);
  const plain = 'a\tb\r\nc\nÄrger 判決 \u{1f469}\u200d\u2696\ufe0f';
  expect(harmless(plain)).toBe(plain);
});

test('security 28: on a terminal no result, remark or progress can overwrite what is there', () => {
  const { written, process } = streams(true);
  const { out, say, progress } = terminalSurroundings(new AbortController().signal, process);
  out(`${hostile}\n`);
  expect(written.stdout).toBe(`${safe}\n`);
  say(hostile);
  expect(written.stderr).toBe(`${safe}\n`);
  progress(hostile);
  expect(written.stderr).toBe(`${safe}\n${safe.slice(0, 79)}`);
});

test('a line of a terminal never is wider than it, holds nothing that moves the cursor, and keeps the last words', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', '判', '👩‍⚖️', '\u001b[2K', '\r', '\n', '\u202e', 'é', '\ud800') });
  fc.assert(
    fc.property(text, text, fc.integer({ min: 20, max: 120 }), (head, tail, width) => {
      const line = fitLine({ head, tail }, width);
      expect(stringWidth(line)).toBeLessThanOrEqual(width);
      expect(line).toBe(harmless(line).replace(/\s/g, ' '));
    }),
  );
  expect(fitLine({ head: 'judge', tail: 'so I hold the defendant guilty' }, 24)).toBe('judge: …defendant guilty');
  expect(fitLine({ head: 'judge', tail: 'guilty' }, 24)).toBe('judge: guilty');
});

test('the live line is drawn ten times a second at most, gives way to messages, and is gone at the end', () => {
  vi.useFakeTimers();
  const { written, process } = streams(true);
  const { live, say, finish } = terminalSurroundings(new AbortController().signal, process);
  let made = 0;
  live({ line: () => ({ head: `line ${++made}`, tail: '' }), report: () => 'never' });
  vi.advanceTimersByTime(1000);
  expect(made).toBe(10);
  expect(written.stderr.endsWith('\rline 10\u001b[K')).toBe(true);
  written.stderr = '';
  say('paused');
  expect(written.stderr).toBe('\r\u001b[Kpaused\n');
  vi.advanceTimersByTime(100);
  written.stderr = '';
  finish();
  vi.advanceTimersByTime(1000);
  expect(written.stderr).toBe('\r\u001b[K');
});

test('a log gets a line every 15 s', () => {
  vi.useFakeTimers();
  const { written, process } = streams(false);
  const { live, finish } = terminalSurroundings(new AbortController().signal, process);
  live({ line: () => ({ head: 'never', tail: '' }), report: () => `a call\nof ${hostile.slice(0, 9)}` });
  vi.advanceTimersByTime(14_999);
  expect(written.stderr).toBe('');
  vi.advanceTimersByTime(15_001);
  expect(written.stderr).toBe('a call of guilty[escape U+001B][2\n'.repeat(2));
  finish();
  vi.advanceTimersByTime(60_000);
  expect(written.stderr.split('\n')).toHaveLength(3);
});

test('security 28: into a pipe nothing goes that a terminal would obey later, but for the content of a file', () => {
  const { written, process } = streams(false);
  const { out, say } = terminalSurroundings(new AbortController().signal, process);
  out(hostile);
  out(hostile, 'file');
  say(hostile);
  expect(written).toEqual({ stdout: `${safe}${hostile}`, stderr: `${safe}\n` });
  written.stdout = '';
  const report = { [hostile]: '\u{e0041} \u009b31m' };
  terminalSurroundings(new AbortController().signal, process, true).out(`${JSON.stringify(report, null, 2)}\n`);
  expect(harmless(written.stdout)).toBe(written.stdout);
  expect(JSON.parse(written.stdout)).toEqual(report);
});

test.each([true, false])('an error as JSON means the same in a file, and names controls on a terminal: %s', async (isTTY) => {
  const before = process.stdout.isTTY;
  let output = '';
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  process.stdout.isTTY = isTTY;
  try {
    expect(await main(['judge\u009b31m', '--json'])).toBe(2);
  } finally {
    process.stdout.isTTY = before;
  }
  const { message } = errorReportSchema.parse(JSON.parse(output)).error;
  expect(message).toContain(isTTY ? 'judge[control character U+009B]31m' : 'judge\u009b31m');
});

const ofSystem = (code: string, path?: string) => Object.assign(new Error(`${code}: no`), { code, path });

test.each([
  [explained(new Database.SqliteError('no', 'SQLITE_FULL'), 's.db'), 70, 's.db: the disk is full; free some space'],
  [explained(new Database.SqliteError('no', 'SQLITE_READONLY_DIRECTORY'), 's.db'), 2, 's.db: the store, its folder or its disk'],
  [ofSystem('ENOSPC'), 70, 'the disk is full; free some space'],
  [ofSystem('EROFS', 'out.csv'), 70, 'out.csv: this disk is read-only'],
])('a disk that takes no more is no error of the program: %s', async (error, code, words) => {
  vi.spyOn(doctorCommand, 'run').mockRejectedValue(error);
  const { written, process } = streams(false);
  expect(await main(['doctor'], process)).toBe(code);
  expect(written.stderr).toMatch(new RegExp(`^assize: ${words}[^\\n]*\\n$`));
});

const plain = { turn: null, text: null, private: null, prediction: null, confidence: null };
const report: TryReport = {
  experiment: 'letters',
  trial: '0123456789abcdef',
  case: '12',
  question: 'When did it come?',
  facts: [
    { name: 'sent_on', shown: 'Sent on', value: 'Monday' },
    { name: 'by', value: 'train\nRULING' },
  ],
  store: 'store.db',
  outcome: 'decided',
  prediction: 'delay',
  confidence: 0.7,
  belief_source: 'votes',
  incomplete: false,
  standin: false,
  calls: 1,
  head_hash: null,
  transcript: [
    { ...plain, kind: 'step', role: 'court', turn: 'precedents', text: 'How they were found.\nPrecedent 1: delay' },
    {
      ...plain,
      kind: 'utterance',
      role: 'agentA',
      argues_for: 'delay',
      turn: 'opening',
      subtopic: '1. Costs',
      text: 'It costs little.',
      concedes: true,
    },
    { ...plain, kind: 'utterance', role: 'agentB', turn: 'reply' },
    { ...plain, kind: 'ruling', role: 'judge1', text: 'It came late.', prediction: 'delay', confidence: 0.705 },
  ],
};

test('a step of the court has a heading and is indented; a speech says who speaks and about what', () => {
  const text = transcriptText(report, { private: false });
  expect(text).toContain('Case 12: When did it come?\n    Sent on: Monday\n    by: train\n    RULING\n');
  expect(text).toContain('\nPRECEDENTS\n    How they were found.\n    Precedent 1: delay\n');
  expect(text).toContain(
    '\nAgent A, opening, on 1. Costs, for delay\nIt costs little.\n    Says that the others have convinced it\n\nAgent B, reply\n(erased)\n',
  );
  expect(text).toContain('RULING of Judge 1: delay 70.5% of the votes\nIt came late.');
  const tied = transcriptText({ ...report, confidence: 0.5, tied_with: ['on time'] }, { private: false });
  expect(tied).toContain('\nVerdict: delay 50% of the votes (a tie with on time)\n');
});
