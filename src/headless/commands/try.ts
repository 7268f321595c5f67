import { readFileSync } from 'node:fs';
import { refuseForeignPath, resolveStorePath, tryCase } from '../../main/engine/engine.ts';
import { badInput, exitCode } from '../../shared/errors.ts';
import type { TryReport } from '../../shared/outputs.ts';
import type { Command, Surroundings } from '../command.ts';
import { standinBanner } from '../format.ts';
import { jsonOption, parseWords, serverOptions, storeOption } from '../options.ts';
import { serverUrl, warnOfHosts } from './run.ts';

const usage =
  'assize try --protocol P --model M --question Q --facts FILE|- --labels A,B [--store FILE] [--ollama URL] [--allow-host HOST] [--json]';
const usualServer = 'http://127.0.0.1:11434';

async function readFacts(path: string, { readInput }: Surroundings): Promise<string> {
  if (path === '-') return readInput();
  refuseForeignPath(path, '--facts');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof TypeError)
      throw badInput('the file is not valid UTF-8; save it as UTF-8', { file: path, field: '--facts' });
    throw badInput('this file cannot be read; check its name and permissions', { file: path, field: '--facts' });
  }
}

const percent = (confidence: number | null) => (confidence === null ? '' : ` ${Math.round(confidence * 100)}%`);

function transcriptText(report: TryReport): string {
  const lines = report.transcript.map(({ kind, role, turn, text, prediction, confidence }) => {
    if (kind === 'utterance') return `\n${role.toUpperCase()}, ${turn ?? ''}\n${text ?? ''}`;
    if (kind === 'belief') return `    [${role} now: ${prediction ?? '-'}${percent(confidence)}]`;
    if (kind === 'forfeit') return `\n${role.toUpperCase()} forfeits ${turn ?? ''} (${text ?? ''})`;
    return `\nRULING of the ${role}: ${prediction ?? '-'}${percent(confidence)}\n${text ?? ''}`;
  });
  const verdict =
    report.outcome === 'decided'
      ? `Verdict: ${[report.prediction].flat().join(', ')}${percent(report.confidence)}${report.incomplete ? ' (some turns were forfeited)' : ''}`
      : `No verdict: ${report.outcome}`;
  return [
    ...(report.standin ? [standinBanner] : []),
    ...lines,
    '',
    verdict,
    `Record: ${report.store}, experiment ${report.experiment}, trial ${report.trial}`,
    '',
  ].join('\n');
}

export const tryCommand: Command = {
  name: 'try',
  usage,
  summary: 'puts one case, told in words, on trial',
  async run(args, surroundings) {
    const { signal, out, say, progress } = surroundings;
    const words = parseWords(
      args,
      {
        protocol: { type: 'string' },
        model: { type: 'string' },
        question: { type: 'string' },
        facts: { type: 'string' },
        labels: { type: 'string' },
        ...storeOption,
        ...serverOptions,
        ...jsonOption,
      },
      [],
      usage,
    );
    const allowedHosts = words.texts('allow-host');
    warnOfHosts(allowedHosts, say);
    const request = {
      protocol: words.need('protocol'),
      model: words.need('model'),
      question: words.need('question'),
      labels: words
        .need('labels')
        .split(',')
        .map((label) => label.trim()),
      facts: await readFacts(words.need('facts'), surroundings),
      url: serverUrl(words.text('ollama')) ?? usualServer,
    };
    progress('the court is in session');
    const report = await tryCase(request, {
      store: resolveStorePath(words.text('store')),
      allowedHosts,
      signal,
      onProgress: () => undefined,
    });
    out(words.flag('json') ? `${JSON.stringify(report, null, 2)}\n` : transcriptText(report));
    return report.outcome === 'decided' ? exitCode.ok : exitCode.failedTrials;
  },
};
