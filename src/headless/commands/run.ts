import { plan, type RunProgress, resolveStorePath, run } from '../../main/engine/engine.ts';
import { failureOutcomes, type Outcome } from '../../shared/domain.ts';
import { badInput, exitCode } from '../../shared/errors.ts';
import type { PlanReport, RunReportJson } from '../../shared/outputs.ts';
import type { Command } from '../command.ts';
import { bytes, count, duration, standinBanner, table } from '../format.ts';
import { jsonOption, parseWords, serverOptions, storeOption } from '../options.ts';

const usage =
  'assize run <experiment.json> [--store FILE] [--ollama URL] [--concurrency N] [--json] [--max-trials N] [--plan] [--retry KIND[,KIND]] [--allow-host HOST]';

function retryKinds(text: string | undefined): Outcome[] {
  if (text === undefined) return [];
  return text.split(',').map((kind) => {
    const known = failureOutcomes.find((outcome) => outcome === kind.trim());
    if (known === undefined)
      throw badInput(`there is no outcome ${JSON.stringify(kind)}; there are ${failureOutcomes.join(', ')}`, {
        field: '--retry',
      });
    return known;
  });
}

function progressLine({ planned, done, decided, perMinute, secondsLeft, paused }: RunProgress): string {
  if (paused !== null) return `${done}/${planned} trials · paused: backend ${paused.backend} is away (${paused.reason}); waiting`;
  const rate =
    perMinute === null || secondsLeft === null ? '' : ` · ${perMinute.toFixed(1)} a minute · ${duration(secondsLeft)} left`;
  return `${done}/${planned} trials · ${decided} decided · ${done - decided} failed${rate}`;
}

function resultText({ experiment, planned, done, decided, outcomes, standin, store, complete }: RunReportJson): string {
  const failures = Object.entries(outcomes).filter(([outcome]) => outcome !== 'decided');
  return [
    ...(standin ? [standinBanner] : []),
    `Experiment ${experiment}: ${done} of ${planned} trials done, ${decided} decided${failures.length === 0 ? '' : `, ${done - decided} failed`}.`,
    ...failures.map(([outcome, number]) => `  ${outcome}: ${number}`),
    ...(complete ? [] : ['Not complete: run again to go on.']),
    `Record: ${store}`,
    '',
  ].join('\n');
}

function planText(report: PlanReport): string {
  const range = ({ min, max }: { min: number; max: number }) => (min === max ? count(min) : `${count(min)}-${count(max)}`);
  const rows = report.arms.map((arm) => [
    arm.arm,
    arm.protocol,
    count(arm.trials),
    range(arm.calls),
    count(arm.prompt_tokens),
    range(arm.completion_tokens),
  ]);
  const missing =
    report.missing_models === null
      ? 'unknown: the server does not answer'
      : report.missing_models.length === 0
        ? 'none'
        : report.missing_models.map((model) => `${model} (ollama pull ${model})`).join(', ');
  return [
    `Plan of ${report.experiment}: ${report.cases} cases x ${report.arms.length} arms x ${report.replicates} replicates = ${count(report.trials)} trials, ${count(report.done)} done already`,
    '',
    table(['arm', 'protocol', 'trials', 'calls', 'prompt tokens', 'completion tokens'], rows),
    `Time: ${duration(report.hours.min * 3600)} on a large GPU to ${duration(report.hours.max * 3600)} on a laptop without one (estimate).`,
    `Disk: about ${bytes(report.disk_bytes)}.`,
    `Missing models: ${missing}.`,
    ...report.notes.map((note) => `Note: ${note}`),
    '',
  ].join('\n');
}

export const runCommand: Command = {
  name: 'run',
  usage,
  summary: 'runs an experiment, or goes on with it',
  async run(args, { signal, out, say, progress }) {
    const words = parseWords(
      args,
      {
        ...storeOption,
        ...serverOptions,
        concurrency: { type: 'string' },
        ...jsonOption,
        'max-trials': { type: 'string' },
        plan: { type: 'boolean' },
        retry: { type: 'string' },
      },
      ['<experiment.json>'],
      usage,
    );
    const [file = ''] = words.positionals;
    const json = words.flag('json');
    const request = {
      store: resolveStorePath(words.text('store')),
      url: serverUrl(words.text('ollama')),
      allowedHosts: words.texts('allow-host'),
      concurrency: words.whole('concurrency', 1) ?? 1,
      maxTrials: words.whole('max-trials', 0) ?? null,
      retry: retryKinds(words.text('retry')),
      signal,
      onProgress: (state: RunProgress) => progress(progressLine(state)),
    };
    warnOfHosts(request.allowedHosts, say);
    if (words.flag('plan')) {
      const report = await plan(file, request);
      out(json ? `${JSON.stringify(report, null, 2)}\n` : planText(report));
      return exitCode.ok;
    }
    const report = await run(file, request);
    for (const note of report.notes) say(`Note: ${note}`);
    out(json ? `${JSON.stringify(report, null, 2)}\n` : resultText(report));
    return report.done === report.decided ? exitCode.ok : exitCode.failedTrials;
  },
};

/** Checks `--ollama`. Throws bad input. */
export function serverUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw badInput(`${JSON.stringify(text)} is not an address; write it like http://127.0.0.1:11434`, { field: '--ollama' });
  }
  return url.href.replace(/\/$/, '');
}

export function warnOfHosts(hosts: readonly string[], say: (line: string) => void): void {
  if (hosts.length > 0) say(`WARNING: cases may be sent to ${hosts.join(', ')}, which is not this machine.`);
}
