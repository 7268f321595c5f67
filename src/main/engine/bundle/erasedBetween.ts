// What was erased in one copy of a bundle and not in the other, and what follows from that: it is no change of the record.
import { z } from 'zod';
import { erasureChain } from '../../../core/record/identity.ts';
import { type Differences, erasureSchema } from '../../../shared/differences.ts';
import { attempt } from '../attempt.ts';
import type { BundledEvent, Copy } from './copies.ts';

const erasureForm = z.object(erasureSchema.shape);
const openForm = z.object({ case: z.string() });

const payloadOf = <T>({ payload }: BundledEvent, form: z.ZodType<T>): T | undefined =>
  form.safeParse(attempt((): unknown => JSON.parse(payload), null)).data;

/** Events of erasures that follow those of the other copy. A copy that has others in their place was not erased: it differs. */
export function eventsOfErasure(copy: Copy, from: Copy): readonly BundledEvent[] {
  const [here, there] = [copy, from].map(({ chains }) => chains.get(erasureChain) ?? []);
  const isContinued = there?.every(({ hash }, at) => here?.[at]?.hash === hash) === true;
  const added = isContinued ? (here?.slice(there.length) ?? []) : [];
  return added.every((event) => payloadOf(event, erasureForm) !== undefined) ? added : [];
}

/** The erasures of a copy that the other one has not, with the id of a case where the other one still has its text. */
export function erasuresOf(copy: Copy, from: Copy): Differences['gone_other']['erasures'] {
  const idOf = (ref: string | null): string | null => {
    const text = from.texts.by.get(ref ?? '')?.value;
    const kase = attempt((): unknown => JSON.parse(text?.fits === true ? text.raw : ''), null);
    return z.object({ id: z.string() }).safeParse(kase).data?.id ?? null;
  };
  return eventsOfErasure(copy, from).flatMap((event) => {
    const found = payloadOf(event, erasureForm);
    if (found === undefined) return [];
    return [{ ...found, case: idOf(found.case) }];
  });
}

export function isErasedCase(copy: Copy, from: Copy, trial: string): boolean {
  if (eventsOfErasure(copy, from).length === 0) return false;
  const [open] = copy.chains.get(trial) ?? [];
  const kase = open === undefined ? undefined : payloadOf(open, openForm)?.case;
  return kase !== undefined && copy.erased.has(kase) && !copy.texts.by.has(kase);
}

export const isMadeWithout = (name: string): boolean =>
  ['erased.jsonl', 'experiment.json', 'salts.json', 'statistics.json', 'report.html'].includes(name) ||
  /^reports\/\w+\.html$/.test(name);
