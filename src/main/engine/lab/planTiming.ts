// The expected time of a plan, in a sentence.
import type { PlanReport } from '../../../shared/outputs.ts';
import { duration } from '../../../shared/sizes.ts';
import type { CallEstimate, Range } from './callEstimate.ts';

const figure = (rate: number) => rate.toLocaleString('en', { maximumFractionDigits: rate < 100 ? 1 : 0 });

const paceOf = ({ prompt, completion }: PlanReport['timing']['speeds'][number]) =>
  `writes ${figure(completion)} tokens/s${prompt === null ? '' : ` and reads ${figure(prompt)}`}`;

const originOf = ({ source, calls }: PlanReport['timing']['speeds'][number]) =>
  source === 'measurement' ? 'measured just now' : `median of ${calls} ${calls === 1 ? 'call' : 'calls'} on the record`;

/**
 * What is known of the time that calls take, and from what.
 * @param seconds of all of them; null where the speed of a model is not known
 */
export function planTiming(estimates: readonly CallEstimate[], seconds: Range | null): PlanReport['timing'] {
  const speeds = [
    ...new Map(estimates.flatMap(({ model, speed }) => (speed === null ? [] : [[model, { ...speed, model }]]))),
  ].map(([, { model, prompt, completion, calls, source }]) => ({ model, prompt, completion, calls, source }));
  const unmeasured = [...new Set(estimates.flatMap(({ model, speed }) => (speed === null ? [model] : [])))];
  const known = speeds.map((speed) => `${speed.model} ${paceOf(speed)} (${originOf(speed)})`).join('; ');
  if (seconds === null || unmeasured.length > 0) {
    const sentence = `not known: there is no measurement of ${unmeasured.join(', ')} on this machine yet`;
    return { sentence: known === '' ? sentence : `${sentence}; ${known}`, speeds, unmeasured };
  }
  const [least, most] = [duration(seconds.min), duration(seconds.max)];
  const time = least === most ? `about ${least}` : `${least} to ${most}`;
  return { sentence: known === '' ? time : `${time}, one call after the other; ${known}`, speeds, unmeasured };
}
