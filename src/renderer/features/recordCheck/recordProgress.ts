import type { RecordFrame } from '../../../shared/api/record.ts';
import { quantity } from '../../ui/quantity.ts';

const stages = { texts: 'Texts', events: 'Events and results' } as const;
const order = ['texts', 'events'] as const;

/** `Step 1 of 2: texts, 4,000 of 10,000, 2,000 a second`. @param elapsedMs since the check began */
export function progressAsText(progress: Extract<RecordFrame, { kind: 'progress' }> | null, elapsedMs: number): string {
  if (progress === null) return 'Reading the record…';
  const { stage, done, of } = progress;
  const step = `Step ${order.indexOf(stage) + 1} of ${order.length}: ${stages[stage].toLowerCase()}`;
  const counted = `${done.toLocaleString('en-GB')} of ${of.toLocaleString('en-GB')}`;
  // Only the first step begins with the clock.
  if (stage !== 'texts' || done === 0 || elapsedMs < 1000) return `${step}, ${counted}`;
  const perSecond = done / (elapsedMs / 1000);
  const left = Math.ceil((of - done) / perSecond);
  return `${step}, ${counted}, ${Math.round(perSecond).toLocaleString('en-GB')} a second, about ${quantity(left, 'second')} left of this step`;
}
