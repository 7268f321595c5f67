// Prints a page as PDF with the Chromium of this machine.
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { attempt } from '../attempt.ts';
import { openTemporaryFolder } from '../temporaryFolder.ts';
import { findChromium } from './chromium.ts';

const mostMilliseconds = 60_000;

/** Nothing but the page: no network, no profile of the user's, no services of the maker. */
const quiet = [
  ...['--no-first-run', '--no-default-browser-check', '--disable-extensions', '--disable-sync', '--disable-component-update'],
  ...['--disable-background-networking', '--disable-breakpad', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND'],
];

export const noChromium = 'Chromium makes the PDF, and there is none here: install Google Chrome, Microsoft Edge or Chromium';

/** Chromium of this machine. Throws bad input where there is none. */
export function needChromium(find = findChromium): string {
  const found = find();
  if (found === undefined) throw badInput(`${noChromium}, or use --format html, which needs none`, '--format');
  return found;
}

function run(program: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    execFile(program, args, { timeout: mostMilliseconds, killSignal: 'SIGKILL', signal }, (error) => {
      if (error === null) done();
      else if (signal.aborted) failed(new AssizeError('interrupted', 'interrupted; nothing was written'));
      else {
        const why = error.killed ? `it needed more than ${mostMilliseconds / 1000} s` : `it ended with ${error.code}`;
        failed(badInput(`Chromium made no PDF: ${why}. Nothing was written; HTML needs no Chromium`, { file: program }));
      }
    });
  });
}

/** A page as a tagged PDF with an outline. Throws bad input where Chromium makes none, interrupted when the signal fires. */
export async function printPdf(program: string, page: string, signal: AbortSignal): Promise<Uint8Array> {
  const folder = openTemporaryFolder('pdf');
  try {
    const [from, to] = [join(folder, 'report.html'), join(folder, 'report.pdf')];
    writeFileSync(from, page, { mode: 0o600 });
    // Chromium refuses to run as root with its sandbox.
    const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const output = ['--generate-pdf-document-outline', '--no-pdf-header-footer', '--export-tagged-pdf', `--print-to-pdf=${to}`];
    const profile = `--user-data-dir=${join(folder, 'profile')}`;
    await run(program, ['--headless', ...asRoot, ...quiet, profile, ...output, pathToFileURL(from).href], signal);
    return readPdf(to, program);
  } finally {
    // Its processes end a little after it and may still write.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Chromium ends with 0 even where it wrote nothing. */
function readPdf(file: string, program: string): Uint8Array {
  const pdf = attempt(() => readFileSync(file), undefined);
  if (pdf === undefined || !pdf.subarray(0, 5).equals(Buffer.from('%PDF-')) || !pdf.subarray(-32).includes('%%EOF'))
    throw badInput('Chromium ended without a whole PDF. Nothing was written; HTML needs no Chromium', { file: program });
  return pdf;
}
