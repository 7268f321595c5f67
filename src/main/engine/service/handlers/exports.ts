import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { isDeviceName } from '../../../../core/text/deviceNames.ts';
import { exportExtensions, type ReportFrame } from '../../../../shared/api/exports.ts';
import { AssizeError, badInput } from '../../../../shared/errors.ts';
import { countLook, noteLook } from '../../lab/looks.ts';
import { findChromium } from '../../pdf/chromium.ts';
import { noChromium, printPdf } from '../../pdf/print.ts';
import type { NamedTrial } from '../../queries/findTrial.ts';
import type { ExportOptions } from '../../report/export.ts';
import { statisticsFolder } from '../../report/statisticsCache.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';
import { latestFrames } from '../streams.ts';
import { looking } from './experiments.ts';

/** What file systems refuse, path separators, and what cannot be seen or turns the direction of reading. */
const forbidden = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu;

/** Bytes of UTF-8. Most file systems take 255 for a whole name; a browser may add to it. */
const mostExperimentBytes = 110;
const mostCaseBytes = 60;

/** As many whole characters, as a reader counts them, as fit. */
function cut(text: string, mostBytes: number): string {
  let bytes = 0;
  let kept = '';
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > mostBytes) break;
    kept += segment;
  }
  return kept;
}

function safePart(text: string, mostBytes: number): string {
  const visible = text.toWellFormed().normalize('NFC').replace(forbidden, '-').replace(/\s+/gu, ' ');
  // A dot at the start hides a file, a dash is an option to programs, and Windows drops dots and spaces at the end.
  return cut(visible.replace(/^[\s.-]+/u, ''), mostBytes).replace(/[\s.-]+$/u, '');
}

/** A file name that every file system takes: of an experiment, or of one of its cases. @param extension without a dot */
export const exportName = (experiment: string, caseId: string | null, extension: string): string =>
  fileNameOf([safePart(experiment, mostExperimentBytes), safePart(caseId ?? '', mostCaseBytes)], extension);

/** File name of a report. It begins with the kind of report, so that a list of files shows which is which. @param of null for the experiment */
export function reportName(experiment: string, of: Omit<NamedTrial, 'experiment'> | null, extension: string): string {
  // Neither the id nor the arm of a case from Try a case says more.
  const isTold = of?.arm === 'try' && experiment.startsWith('try-');
  const parts =
    of === null || isTold ? [experiment] : [of.case, of.arm, ...(of.numbered === null ? [] : [of.numbered]), experiment];
  const what = of === null ? 'experiment-report' : 'trial-report';
  return fileNameOf([what, ...parts.map((part) => safePart(part, mostCaseBytes))], extension);
}

function fileNameOf(parts: readonly string[], extension: string): string {
  const stem = parts.filter((part) => part !== '').join('-') || 'experiment';
  return `${isDeviceName(stem) ? `_${stem}` : stem}.${extension}`;
}

/** A trial of the experiment. Throws not-found. */
async function namedTrial({ queries }: Service, experiment: string, trial: string): Promise<NamedTrial> {
  const found = await queries.run('namedTrial', { trial });
  if (found.experiment === experiment) return found;
  throw new AssizeError('not-found', `experiment ${JSON.stringify(experiment)} has no such trial`, 'trial');
}

/** More than any figure; a screen that never stops sending must not fill the disk. */
const mostFigureBytes = 128 * 1024 * 1024;

/** The page is printed by the Chromium of this machine; without one it stays the page, and that is said. */
async function makeReport(
  service: Service,
  input: { experiment: string; trial: string | null; format: 'html' | 'pdf' } & Pick<ExportOptions, 'prevalence' | 'without'>,
  signal: AbortSignal,
  show: (frame: ReportFrame) => void,
): Promise<ReportFrame> {
  const { experiment, trial, format, prevalence, without } = input;
  const named = trial === null ? null : await namedTrial(service, experiment, trial);
  const program = format === 'pdf' ? findChromium() : undefined;
  const tell = ({ share, what }: { share: number; what: string }) => show({ kind: 'progress', share, what });
  if (trial === null) await countLook(experiment, ...looking(service, experiment));
  const page = await service.queries.run('report', { experiment, trial: trial ?? undefined, prevalence, without }, signal, tell);
  if (program !== undefined) tell({ share: 1, what: 'printing the PDF' });
  const made = program === undefined ? page : await printPdf(program, page, signal);
  const fileName = reportName(experiment, named, program === undefined ? 'html' : 'pdf');
  const { file, path } = service.files.reserve(fileName);
  writeFileSync(path, made, { mode: 0o600 });
  const note = format === 'pdf' && program === undefined ? noChromium : null;
  return { kind: 'done', file, fileName, note };
}

/** The failure of an export; one that was refused for damage is remembered. */
function noted({ knownFaults }: Service, experiment: string, error: unknown): unknown {
  if (!(error instanceof AssizeError) || error.place.damage === undefined) return error;
  knownFaults.refused(experiment, error.place.damage);
  return error.at({ field: 'damaged' });
}

export const exports = {
  report: os.exports.report.handler(({ context: service, input, signal: outer }) =>
    latestFrames<ReportFrame>(outer, async (signal, show) => {
      try {
        return await makeReport(service, input, signal, show);
      } catch (error) {
        throw noted(service, input.experiment, error);
      }
    }),
  ),
  figure: os.exports.figure.handler(async ({ context: service, input: { experiment, figure, format, file, chunk }, signal }) => {
    // Throws not-found.
    if (file === null) await service.queries.run('runOrder', { experiment }, signal);
    const { file: handle } = file === null ? service.files.reserve(exportName(experiment, figure, format)) : { file };
    const waiting = service.files.waiting(handle);
    if (waiting === null) throw new AssizeError('not-found', 'this figure is no longer available; save it again');
    const piece = Buffer.from(chunk, format === 'png' ? 'base64' : 'utf8');
    const before = statSync(waiting.path, { throwIfNoEntry: false })?.size ?? 0;
    if (before + piece.length > mostFigureBytes) {
      service.files.take(handle);
      throw badInput('the figure is larger than 128 MB: save its numbers, or fewer trials', 'chunk');
    }
    appendFileSync(waiting.path, piece);
    return { file: handle, fileName: waiting.fileName };
  }),
  make: os.exports.make.handler(async ({ context: service, input: { experiment, trial, format }, signal }) => {
    const named = trial === null ? null : await namedTrial(service, experiment, trial);
    const fileName = exportName(experiment, named?.case ?? null, exportExtensions[format]);
    const { file, path } = service.files.reserve(fileName);
    let root: string | null = null;
    try {
      if (format === 'experiment-file') writeFileSync(path, await service.queries.run('experimentFile', { experiment }, signal));
      else if (format === 'statistics-json') {
        const report = await service.queries.run('statistics', { experiment, cache: statisticsFolder() }, signal);
        writeFileSync(path, `${JSON.stringify(await noteLook(report, ...looking(service, experiment)), null, 2)}\n`);
      } else if (format === 'bundle' || format === 'redacted-bundle') {
        const options = { redacted: format === 'redacted-bundle', resources: service.launch.resources };
        await countLook(experiment, ...looking(service, experiment));
        root = await service.queries.run('bundle', { experiment, path, ...options }, signal);
      } else await service.queries.run('export', { experiment, trial, format, path }, signal);
    } catch (error) {
      service.files.take(file);
      throw noted(service, experiment, error);
    }
    return { file, fileName, bytes: statSync(path).size, root };
  }),
};
