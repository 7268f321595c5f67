import type { BeliefGrounds } from '../../shared/domain.ts';
import { percent } from './shares.ts';

/** Rounded up: a bound must not look smaller than it is. */
const howFar = (doubt: number) => Math.ceil(Number((doubt * 1000).toFixed(6))) / 10;

const unused = {
  'not-reported': 'No belief: the server gave no token probabilities.',
  'not-located': 'No belief: the place of the label among the tokens of the answer was not found.',
} as const;

function tokenAsText({ status, coverage, doubt, missing }: NonNullable<BeliefGrounds['logprobs']>): string {
  if (status === 'not-reported' || status === 'not-located') return unused[status];
  const seen = `${percent(coverage)} of the probability at the label was reported`;
  if (status === 'too-little')
    return `No belief: only ${seen}, and no share could be known to better than ${howFar(doubt)} points.`;
  const bound = missing.length === 0 ? '' : ` No reported token fits ${missing.join(', ')}: at most the share given.`;
  return `From token probabilities: ${seen}; a share can be off by up to ${howFar(doubt)} points.${bound}`;
}

function sampleText({ asked, counts, failures }: NonNullable<BeliefGrounds['sampled']>): string {
  const given = Object.entries(counts).flatMap(([label, count]) => (count > 0 ? [`${label} ${count}`] : []));
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const valid = given.length === 0 ? 'No belief: no valid one' : `From further answers: ${given.join(', ')}`;
  return `${valid} among ${asked}${failed === 0 ? '' : `; ${failed} failed`}.`;
}

/** What a belief that was not stated rests on, or why there is none; null for a stated one. Labels in it come from outside. */
export function groundsText(grounds: BeliefGrounds | undefined): string | null {
  if (grounds?.logprobs !== undefined) return tokenAsText(grounds.logprobs);
  return grounds?.sampled === undefined ? null : sampleText(grounds.sampled);
}
