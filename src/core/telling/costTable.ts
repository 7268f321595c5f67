// What trials took in calls, tokens and time, and what they were spared.
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import { count, duration, quantity } from '../../shared/sizes.ts';
import type { AnswerCounts } from '../../shared/statistics.ts';
import { columnsOf, type Piece } from './cells.ts';

/** That calls which several trials share are in no arm's numbers, and how many these are; null where there are none. */
export const sharedCallsText = ({ shared_calls: shared }: Pick<StatsReport, 'shared_calls'>): string | null =>
  shared === undefined
    ? null
    : `Not counted in any arm: ${quantity(shared.calls, 'call')} made once for several trials (${quantity(shared.prompt_tokens, 'token')} of prompts, ${count(shared.completion_tokens)} of answers).`;

type PromptCache = NonNullable<AnswerCounts['prompt_cache']>;

type CostOfArm = Pick<ArmStatistics, 'n' | 'planned' | 'calls' | 'prompt_tokens' | 'completion_tokens' | 'model_ms' | 'answers'>;

const sumOf = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

/** How much of the prompts servers had, as far as they report it. */
function cachedText({ reported, prompt_tokens: tokens, cached_tokens: cached }: PromptCache, sent: number): string {
  if (reported === 0) return 'unknown';
  const unknown = sent === reported ? '' : `; ${count(sent - reported)} of ${quantity(sent, 'request')} unknown`;
  return `${count(cached)} of ${count(tokens)}${unknown}`;
}

function cacheCell({ answers }: CostOfArm): string {
  if (answers === undefined) return 'unknown';
  const sent = answers.requests - (answers.reused?.requests ?? 0);
  if (sent === 0) return 'none sent';
  return answers.prompt_cache === undefined ? 'unknown' : cachedText(answers.prompt_cache, sent);
}

function reusedText(arms: readonly CostOfArm[]): string[] {
  const reused = arms.flatMap(({ answers }) => answers?.reused ?? []);
  if (reused.length === 0) return [];
  const requests = sumOf(reused, (each) => each.requests);
  const prompts = sumOf(arms, (arm) => arm.prompt_tokens) - sumOf(reused, (each) => each.prompt_tokens);
  const written = sumOf(arms, (arm) => arm.completion_tokens) - sumOf(reused, (each) => each.completion_tokens);
  const time = sumOf(arms, (arm) => arm.model_ms) - sumOf(reused, (each) => each.model_ms);
  return [
    `An answer that a trial took over from another arm counts in both (${quantity(requests, 'request')}). Counted once, all arms together took ${quantity(prompts, 'token')} of prompts, ${count(written)} of answers and ${duration(time / 1000)} of the models.`,
  ];
}

function samplesText(arms: readonly CostOfArm[]): string[] {
  const samples = arms.flatMap(({ answers }) => answers?.samples ?? []);
  if (samples.length === 0) return [];
  const requests = sumOf(samples, (each) => each.requests);
  const cache: PromptCache = {
    reported: sumOf(samples, ({ reported }) => reported),
    prompt_tokens: sumOf(samples, (each) => each.prompt_tokens),
    cached_tokens: sumOf(samples, (each) => each.cached_tokens),
  };
  return [
    `${quantity(requests, 'request')} for a belief sent the prompt of an answer again. Tokens of them that the servers had kept: ${cachedText(cache, requests)}.`,
  ];
}

function earlyText(report: Pick<StatsReport, 'primary'>, arms: readonly CostOfArm[]): string[] {
  const debates = arms.flatMap(({ answers }) => answers?.ended_early ?? []);
  const of = sumOf(debates, (each) => each.of);
  const left = arms.filter(({ n, planned }) => planned > n);
  const trials = sumOf(left, ({ n, planned }) => planned - n);
  const calls = Math.round(sumOf(left, (arm) => ((arm.planned - arm.n) * arm.calls) / arm.n));
  const isStopped = (report.primary?.stop?.after ?? null) !== null && trials > 0;
  return [
    ...(of === 0
      ? []
      : [
          `Of ${quantity(of, 'debate')} that can end early, ${count(sumOf(debates, (each) => each.trials))} ended before the last round.`,
        ]),
    ...(isStopped
      ? [`The stopping rule spared ${quantity(trials, 'trial')}, about ${quantity(calls, 'call')} by the mean of each arm.`]
      : []),
  ];
}

/** Nothing where no model was asked. */
export function costPieces(report: Pick<StatsReport, 'arms' | 'shared_calls' | 'primary'>): Piece[] {
  const asked = report.arms.filter(({ calls, n }) => calls > 0 && n > 0);
  if (asked.length === 0) return [];
  const isRead = asked.some(({ answers }) => answers !== undefined);
  const isReported = asked.some(({ answers }) => answers?.prompt_cache !== undefined);
  return [
    'Calls and tokens of all ended trials, as their servers counted them.',
    columnsOf(asked, [
      ['arm', ({ arm }) => arm],
      ['calls', ({ calls }) => count(calls)],
      ['tokens of prompts', ({ prompt_tokens: prompt }) => count(prompt)],
      ...(isReported ? [['kept from earlier prompts', cacheCell] as const] : []),
      ['tokens of answers', ({ completion_tokens: completion }) => count(completion)],
      ['tokens a trial', (arm) => count(Math.round((arm.prompt_tokens + arm.completion_tokens) / arm.n))],
      ['time of the models', ({ model_ms: time }) => duration(time / 1000)],
    ]),
    ...(isRead && !isReported
      ? ['How many tokens of prompts the servers kept from earlier prompts is unknown: they do not report it.']
      : []),
    ...[sharedCallsText(report) ?? []].flat(),
    ...reusedText(asked),
    ...samplesText(asked),
    ...earlyText(report, asked),
  ];
}
