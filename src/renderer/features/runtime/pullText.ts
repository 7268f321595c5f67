import { modelNameSchema, type Pull } from '../../../shared/api/models.ts';
import { duration } from '../../../shared/sizes.ts';
import { byteSize } from '../../ui/quantity.ts';

/** The name of a model out of what was typed or pasted, such as `ollama pull llama3.1:8b`. */
export function nameTyped(text: string): string {
  return text
    .trim()
    .replace(/^(?:\$\s*)?(?:ollama\s+(?:pull|run)\s+|https?:\/\/(?:www\.)?ollama\.com\/(?:library\/)?)/i, '')
    .trim();
}

/** What is wrong with a name of a model, or null. */
export function nameProblem(name: string): string | null {
  if (name === '') return 'Name a model, such as llama3.1:8b.';
  if (/\s/.test(name)) return 'One model at a time: a name has no spaces.';
  return modelNameSchema.safeParse(name).success ? null : 'A model is named like llama3.1:8b, or hf.co/owner/name for others.';
}

export const isUnderWay = ({ state }: Pull): boolean => state === 'waiting' || state === 'pulling' || state === 'verifying';

/** 0-1; null while nothing is known of its size. */
export const pulledShare = ({ completed, total }: Pull): number | null => (total > 0 ? Math.min(1, completed / total) : null);

export function stateText(pull: Pull): string {
  switch (pull.state) {
    case 'waiting':
      return 'waiting';
    case 'pulling':
      return pull.total === 0 ? 'getting the list of parts' : 'fetching';
    case 'verifying':
      return 'checking what was fetched';
    case 'done':
      return 'fetched';
    case 'failed':
      return 'failed';
    case 'cancelled':
      return pull.completed > 0 ? 'cancelled; what was downloaded is kept' : 'cancelled';
  }
}

/** `1.2 GB of 4.7 GB · 25 MB/s · about 2 min left`: what is known of it, and what is not. */
export function pullFigures(pull: Pull): string {
  const parts: string[] = [];
  if (pull.total > 0) {
    parts.push(pull.state === 'done' ? byteSize(pull.total) : `${byteSize(pull.completed)} of ${byteSize(pull.total)}`);
  }
  if (pull.silent_seconds !== null) parts.push(`no word from the server for ${pull.silent_seconds} s`);
  else if (pull.state === 'pulling' && pull.total > 0) {
    if (pull.bytes_per_second !== null) parts.push(`${byteSize(pull.bytes_per_second)}/s`);
    parts.push(pull.seconds_left === null ? 'time left not known yet' : `about ${duration(pull.seconds_left)} left`);
  }
  if (pull.resumed > 0) parts.push(`interrupted and resumed ${pull.resumed === 1 ? 'once' : `${pull.resumed} times`}`);
  return parts.join(' · ');
}

const quarters = (pull: Pull): number => Math.floor((pulledShare(pull) ?? 0) * 4);

/** What is worth reading out of moved fetches: ends, failures and each quarter; empty without any. */
export function pullNews(before: readonly Pull[], now: readonly Pull[]): string {
  const news = now.flatMap((pull) => {
    const old = before.find(({ model }) => model === pull.model);
    if (old === undefined) return isUnderWay(pull) ? [`${pull.model}: fetch begun.`] : [];
    if (old.state !== pull.state) {
      if (pull.state === 'done') return [`${pull.model} is fetched.`];
      if (pull.state === 'failed') return [`${pull.model} could not be fetched. ${pull.problem ?? ''}`.trim()];
      if (pull.state === 'cancelled') return [`${pull.model}: fetch cancelled.`];
    }
    if (pull.state !== 'pulling' || old.total === 0 || quarters(pull) <= quarters(old) || quarters(pull) >= 4) return [];
    return [`${pull.model}: ${quarters(pull) * 25} percent.`];
  });
  return news.join(' ');
}
