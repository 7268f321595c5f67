import { z } from 'zod';
import { castMember } from '../../../core/protocols/cast.ts';
import type { PreparedExperiment } from './experimentFile.ts';

const temperatureSchema = z.object({ temperature: z.number() });

/** Says in which arms all samples of a belief are alike, since a model is asked at temperature 0. */
export function beliefNotes({ arms }: PreparedExperiment): string[] {
  return arms.flatMap(({ definition, protocol, bound }) => {
    if (typeof definition.belief === 'string') return [];
    const usual = temperatureSchema.safeParse(bound.params).data?.temperature;
    const cold = protocol.roles.filter((role) => (castMember(definition.cast, role)?.options.temperature ?? usual) === 0);
    if (cold.length === 0) return [];
    const whose = cold.length === 1 ? 'the role' : 'the roles';
    return [
      `arm ${definition.name} samples beliefs, and at temperature 0 all samples of ${whose} ${cold.join(', ')} are alike; set options.temperature in its cast`,
    ];
  });
}
