import { statSync, writeFileSync } from 'node:fs';
import { AssizeError } from '../../../../shared/errors.ts';
import { exportName } from '../exportName.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';

const extensions = {
  'trials-csv': 'csv',
  'trials-jsonl': 'jsonl',
  'events-jsonl': 'events.jsonl',
  html: 'html',
  'experiment-file': 'json',
} as const;

/** Id of the case that a trial of the experiment tries. Throws not-found. */
async function caseOf({ queries }: Service, experiment: string, trial: string): Promise<string> {
  const line = await queries.run('trialLine', { trial });
  if (line.experiment === experiment) return line.case;
  throw new AssizeError('not-found', `experiment ${JSON.stringify(experiment)} has no such trial`, { field: 'trial' });
}

export const exports = {
  make: os.exports.make.handler(async ({ context: { service }, input: { experiment, trial, format }, signal }) => {
    const kase = trial === null ? null : await caseOf(service, experiment, trial);
    const fileName = exportName(experiment, kase, extensions[format]);
    const { file, path } = service.files.reserve(fileName);
    try {
      if (format === 'experiment-file') writeFileSync(path, await service.queries.run('experimentFile', { experiment }, signal));
      else await service.queries.run('export', { experiment, trial, format, path }, signal);
    } catch (error) {
      service.files.take(file);
      throw error;
    }
    return { file, fileName, bytes: statSync(path).size };
  }),
};
