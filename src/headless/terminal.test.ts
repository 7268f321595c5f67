import { afterEach, expect, test, vi } from 'vitest';
import { errorReportSchema } from '../shared/outputs.ts';
import { main } from './main.ts';
import { harmless, terminalSurroundings } from './terminal.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Streams that keep what is written. */
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
const told =
  'guilty[escape U+001B][2K[carriage return U+000D]not guilty [right-to-left override U+202E]txet[control character U+009B]31m[control character U+0007]';

test('what would move the cursor or turn the text round is told by name; lines, tabs and other scripts stay', () => {
  expect(harmless(hostile)).toBe(told);
  const plain = 'a\tb\r\nc\nÄrger 判決 \u{1f469}\u200d\u2696\ufe0f';
  expect(harmless(plain)).toBe(plain);
});

test('security 28: on a terminal no result, remark or progress can write over what stands there', () => {
  const { written, process } = streams(true);
  const { out, say, progress } = terminalSurroundings(new AbortController().signal, process);
  out(`${hostile}\n`);
  expect(written.stdout).toBe(`${told}\n`);
  say(hostile);
  expect(written.stderr).toBe(`${told}\n`);
  progress(hostile);
  expect(written.stderr).toBe(`${told}\n${told.slice(0, 79)}`);
});

test('into a file results go as they are, and remarks do not', () => {
  const { written, process } = streams(false);
  const { out, say } = terminalSurroundings(new AbortController().signal, process);
  out(hostile);
  say(hostile);
  expect(written).toEqual({ stdout: hostile, stderr: `${told}\n` });
});

test.each([true, false])('an error as JSON goes into a file as it is, and tells a terminal by name: %s', async (isTTY) => {
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
