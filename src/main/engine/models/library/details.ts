import { z } from 'zod';
import { modelShape, type ShapeReading } from '../../../../core/fit/modelShape.ts';

const mostCapabilities = 20;

export const showSchema = z.object({
  model_info: z.record(z.string(), z.unknown()).nullable().catch(null),
  capabilities: z.array(z.string()).nullable().catch(null).optional(),
});

/** What `/api/show` tells of a model beyond the list. */
export interface ModelDetails {
  /** Longest context in tokens. */
  readonly context: number | null;
  readonly capabilities: readonly string[];
  readonly shape: ShapeReading;
}

export const noDetails: ModelDetails = {
  context: null,
  capabilities: [],
  shape: { missing: 'the server does not tell what it is made of' },
};

export function detailsIn({ model_info, capabilities }: z.infer<typeof showSchema>): ModelDetails {
  const info = model_info ?? {};
  const context = z.int().min(1).safeParse(info[`${info['general.architecture']}.context_length`]);
  return {
    context: context.data ?? null,
    capabilities: (capabilities ?? []).slice(0, mostCapabilities).map((name) => name.slice(0, 30)),
    shape: modelShape(info),
  };
}
