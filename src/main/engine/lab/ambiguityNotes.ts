import { z } from 'zod';
import { castMember } from '../../../core/protocols/cast.ts';
import type { PreparedExperiment } from './experimentFile.ts';

const hearingsSchema = z.object({ ambiguity: z.int().min(1), temperature: z.number() });

/** Says in which arms the fresh hearings that tell whether a case is ambiguous are alike, since the clerk is asked at temperature 0. */
export function ambiguityNotes({ arms }: Pick<PreparedExperiment, 'arms'>): string[] {
  return arms.flatMap(({ definition, bound }) => {
    const { data: hearings } = hearingsSchema.safeParse(bound.params);
    if (hearings === undefined) return [];
    const temperature = castMember(definition.cast, 'clerk')?.options.temperature ?? hearings.temperature;
    if (temperature !== 0) return [];
    return [
      `arm ${definition.name} holds fresh hearings to find ambiguous cases, and at temperature 0 they are all alike and find none; set options.temperature of the clerk in its cast`,
    ];
  });
}
