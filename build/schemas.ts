// Writes the JSON Schemas of the contract to docs/schemas.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { trainReportSchema } from '../src/shared/assistants.ts';
import { checkpointReportSchema, cosignReportSchema, keyReportSchema, proofReportSchema } from '../src/shared/checkpoints.ts';
import {
  deleteReportSchema,
  doctorReportSchema,
  ensemblesReportSchema,
  fitReportSchema,
  modelsReportSchema,
  pullReportSchema,
  reportComparisonSchema,
  runLogReportSchema,
  runReportSchema,
  studyReportSchema,
  tryReportSchema,
  weightsReportSchema,
} from '../src/shared/commandOutputs.ts';
import { eraseReportSchema } from '../src/shared/erasure.ts';
import { errorReportSchema } from '../src/shared/errors.ts';
import { eventSchemas } from '../src/shared/events.ts';
import { importReportSchema } from '../src/shared/imported.ts';
import { experimentFileSchema, studyFileSchema } from '../src/shared/matrix.ts';
import { moderationReportSchema, moderationSchema } from '../src/shared/moderation.ts';
import { planReportSchema, replayReportSchema, statsReportSchema, verifyReportSchema } from '../src/shared/outputs.ts';
import { optimiseReportSchema, promptsReportSchema, variantReportSchema, varyReportSchema } from '../src/shared/promptOutputs.ts';
import { reviewReportSchema, reviewRowSchema } from '../src/shared/reviews.ts';
import { trialLineSchema } from '../src/shared/trialLine.ts';
import { root } from './repository.ts';

/** The formats that others write or read, by the name of their JSON Schema in `docs/schemas`. */
const contractSchemas: Record<string, z.ZodType> = {
  experiment: experimentFileSchema,
  study: studyFileSchema,
  'study-report': studyReportSchema,
  'erase-report': eraseReportSchema,
  'weights-report': weightsReportSchema,
  'trial-line': trialLineSchema,
  'run-report': runReportSchema,
  'plan-report': planReportSchema,
  'import-report': importReportSchema,
  'train-report': trainReportSchema,
  'try-report': tryReportSchema,
  'run-log-report': runLogReportSchema,
  moderation: moderationSchema,
  'moderation-report': moderationReportSchema,
  'review-report': reviewReportSchema,
  'review-row': reviewRowSchema,
  'stats-report': statsReportSchema,
  'verify-report': verifyReportSchema,
  'report-comparison': reportComparisonSchema,
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

export const schemaFolder = join(root, 'docs/schemas');

/** File name -> text, for what a writer of such a file may leave out or put in (zod's "input" side). */
export function schemaFiles(): Map<string, string> {
  return new Map(
    Object.entries(contractSchemas).map(([name, schema]) => {
      const { $schema, ...body } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12', unrepresentable: 'throw' });
      return [`${name}.schema.json`, `${JSON.stringify({ $schema, title: `Assize: ${name}`, ...body }, null, 2)}\n`];
    }),
  );
}

export const fieldsFile = join(root, 'resources/bundle/fields.mjs');

/** Of the formatter, which this file passes too. */
const lineWidth = 130;

/** The fields of every kind of event, for the verifier in a bundle, which knows no zod. */
export function fieldsText(): string {
  const lines = Object.entries(eventSchemas).map(([kind, { shape }]) => {
    const names = Object.entries(shape).map(([name, field]) => (field.isOptional() ? `${name}?` : name));
    const value = `'${names.join(' ')}',\n`;
    return kind.length + value.length > lineWidth - 5 ? `  '${kind}':\n    ${value}` : `  '${kind}': ${value}`;
  });
  return `// Fields of each kind of event; ? may be absent. Made by build/schemas.ts from src/shared/events.ts.\nexport const fields = {\n${lines.join('')}};\n`;
}

if (import.meta.main) {
  const files = schemaFiles();
  mkdirSync(schemaFolder, { recursive: true });
  for (const name of readdirSync(schemaFolder)) {
    if (name.endsWith('.schema.json') && !files.has(name)) rmSync(join(schemaFolder, name));
  }
  for (const [name, text] of files) writeFileSync(join(schemaFolder, name), text);
  writeFileSync(fieldsFile, fieldsText());
  console.log(`${files.size} written to docs/schemas`);
}
