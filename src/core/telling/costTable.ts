// What trials took in calls, tokens and time.
import type { StatsReport } from '../../shared/outputs.ts';
import { count, duration, quantity } from '../../shared/sizes.ts';
import { columnsOf, type Piece } from './cells.ts';

/** That calls which several trials share are in no arm's numbers, and how many these are; null where there are none. */
export const sharedCallsText = ({ shared_calls: shared }: Pick<StatsReport, 'shared_calls'>): string | null =>
  shared === undefined
    ? null
    : `Not counted in any arm: ${quantity(shared.calls, 'call')} made once for several trials (${quantity(shared.prompt_tokens, 'token')} of prompts, ${count(shared.completion_tokens)} of answers).`;

/** Nothing where no model was asked. */
export function costPieces(report: Pick<StatsReport, 'arms' | 'shared_calls'>): Piece[] {
  const asked = report.arms.filter(({ calls, n }) => calls > 0 && n > 0);
  if (asked.length === 0) return [];
  const isReused = asked.some(({ answers }) => answers?.reused !== undefined);
  return [
    `Calls and tokens of all ended trials, as their servers counted them.${isReused ? ' An answer that a trial took over from another arm counts in both.' : ''}`,
    columnsOf(asked, [
      ['arm', ({ arm }) => arm],
      ['calls', ({ calls }) => count(calls)],
      ['tokens of prompts', ({ prompt_tokens: prompt }) => count(prompt)],
      ['tokens of answers', ({ completion_tokens: completion }) => count(completion)],
      ['tokens a trial', (arm) => count(Math.round((arm.prompt_tokens + arm.completion_tokens) / arm.n))],
      ['time of the models', ({ model_ms: time }) => duration(time / 1000)],
    ]),
    ...[sharedCallsText(report) ?? []].flat(),
  ];
}
