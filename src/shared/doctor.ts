import { z } from 'zod';
import { daemonStatusSchema } from './api/daemon.ts';
import { hardwareSchema } from './api/hardware.ts';
import { installedModelSchema, loadedModelSchema } from './api/models.ts';

/** What `assize doctor --json` prints. Fields are added, never renamed. */

const doctorCheckSchema = z.strictObject({
  name: z.string(),
  state: z.enum(['ok', 'warning', 'problem']),
  found: z.string(),
  /** How to fix it; null where nothing is wrong. */
  mend: z.string().nullable(),
});
export type DoctorCheck = z.infer<typeof doctorCheckSchema>;

export const doctorReportSchema = z.strictObject({
  ok: z.boolean(),
  checks: z.array(doctorCheckSchema),
  /** What to fix, the most important first. */
  advice: z.array(z.strictObject({ name: z.string(), state: z.enum(['warning', 'problem']), mend: z.string() })),
  hardware: hardwareSchema,
  /** The Ollama that was examined; null where the servers of an experiment were. */
  ollama: z
    .strictObject({
      url: z.string(),
      /** `other`: something answers that is not Ollama. `refused`: the address is not of this machine and not allowed. */
      state: z.enum(['ready', 'away', 'other', 'refused']),
      program: daemonStatusSchema.shape.program,
      version: z.string().nullable(),
      cloud: daemonStatusSchema.shape.cloud,
      standin: z.boolean(),
      installed: z.array(
        installedModelSchema.pick({ name: true, size: true, parameters: true, quantization: true, refused: true }),
      ),
      loaded: z.array(loadedModelSchema),
    })
    .nullable(),
});
export type DoctorReport = z.infer<typeof doctorReportSchema>;
