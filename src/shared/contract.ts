import type { z } from 'zod';
import { trainReportSchema } from './assistants.ts';
import { checkpointReportSchema, cosignReportSchema, keyReportSchema, proofReportSchema } from './checkpoints.ts';
import { doctorReportSchema } from './doctor.ts';
import { eraseReportSchema } from './erasure.ts';
import { errorReportSchema } from './errors.ts';
import { experimentSchema, studySchema } from './experiment.ts';
import { importReportSchema } from './imported.ts';
import {
  deleteReportSchema,
  ensemblesReportSchema,
  fitReportSchema,
  modelsReportSchema,
  pullReportSchema,
} from './modelOutputs.ts';
import { moderationReportSchema, moderationSchema } from './moderation.ts';
import { planReportSchema, replayReportSchema, statsReportSchema, verifyReportSchema } from './outputs.ts';
import { optimiseReportSchema, promptsReportSchema, variantReportSchema, varyReportSchema } from './promptOutputs.ts';
import { reviewReportSchema, reviewRowSchema } from './reviews.ts';
import { runReportSchema } from './runOutput.ts';
import { weightsReportSchema } from './seatWeights.ts';
import { studyReportSchema } from './study.ts';
import { trialLineSchema } from './trialLine.ts';
import { tryReportSchema } from './tryOutput.ts';

/** The formats that others write or read, by the name of their JSON Schema in `docs/schemas`. */
export const contractSchemas: Record<string, z.ZodType> = {
  experiment: experimentSchema,
  study: studySchema,
  'study-report': studyReportSchema,
  'erase-report': eraseReportSchema,
  'weights-report': weightsReportSchema,
  'trial-line': trialLineSchema,
  'run-report': runReportSchema,
  'plan-report': planReportSchema,
  'import-report': importReportSchema,
  'train-report': trainReportSchema,
  'try-report': tryReportSchema,
  moderation: moderationSchema,
  'moderation-report': moderationReportSchema,
  'review-report': reviewReportSchema,
  'review-row': reviewRowSchema,
  'stats-report': statsReportSchema,
  'verify-report': verifyReportSchema,
  'replay-report': replayReportSchema,
  'checkpoint-report': checkpointReportSchema,
  'key-report': keyReportSchema,
  'cosign-report': cosignReportSchema,
  'proof-report': proofReportSchema,
  'models-report': modelsReportSchema,
  'models-pull-report': pullReportSchema,
  'models-fit-report': fitReportSchema,
  'models-ensembles-report': ensemblesReportSchema,
  'models-delete-report': deleteReportSchema,
  'prompts-report': promptsReportSchema,
  'variant-report': variantReportSchema,
  'vary-report': varyReportSchema,
  'optimise-report': optimiseReportSchema,
  'doctor-report': doctorReportSchema,
  'error-report': errorReportSchema,
};
