import { z } from 'zod';

export const eraseTargetSchema = z.discriminatedUnion('kind', [
  /** What was said in an experiment; its cases too where no other experiment is about them. */
  z.strictObject({ kind: z.literal('experiment'), experiment: z.string().min(1) }),
  /** The data set of an experiment: its cases, and what all experiments said about them. */
  z.strictObject({ kind: z.literal('data-set'), experiment: z.string().min(1) }),
  /** One case, and what was said about it; also where another data set has the same case. */
  z.strictObject({ kind: z.literal('case'), experiment: z.string().min(1), case: z.string().min(1) }),
  /** A data set of the list, by its name or id: its file, and the data sets of the experiments that were made from it. */
  z.strictObject({ kind: z.literal('listed'), entry: z.string().min(1) }),
]);
export type EraseTarget = z.infer<typeof eraseTargetSchema>;

/** What `assize erase --json` prints: what an erasure did, or would do. */
export const eraseReportSchema = z.strictObject({
  store: z.string(),
  /** Whether it was done, or only shown. */
  erased: z.boolean(),
  /** Experiments with trials that lose texts. They cannot be run further. */
  experiments: z.array(z.string()),
  /** Cases that lose their facts. */
  cases: z.int(),
  /** Of these, those that no trial was about, such as training cases of the same data set. */
  cases_not_tried: z.int().optional(),
  /** Trials that lose their texts. */
  trials: z.int(),
  /** Of these, those on another case, which had an erased one as a precedent or an example. */
  trials_beside: z.int(),
  texts: z.int(),
  /** Names of entries of the list of data sets that go with their files. */
  files: z.array(z.string()),
  /** What an erasure leaves, in sentences. */
  stays: z.array(z.string()),
});
export type EraseReport = z.infer<typeof eraseReportSchema>;

/** How many of the cases that go no trial was about; nothing where each was tried. */
export function untriedWords(cases: number, notTried: number): string {
  if (notTried === 0) return '';
  if (cases === 1) return 'No trial was about this case.';
  return notTried === cases ? 'No trial was about any of them.' : `No trial was about ${notTried} of them.`;
}

export const erasureNoteSchema = z.strictObject({
  /** Wall time, ISO 8601. */
  at: z.string(),
  scope: z.enum(['data-set', 'experiment', 'case']),
  /** Its id, where the scope is a case and the id is still known; absent elsewhere. */
  case: z.string().optional(),
});
export interface ErasureNote extends z.infer<typeof erasureNoteSchema> {
  /** Of an experiment that lost several cases: the ids of all of them, as far as they are known. */
  readonly cases?: readonly string[];
}

/** Whether an erasure took a case; a trial also loses texts to that of another one, which was its precedent or example. */
export const tookCase = (erased: ErasureNote | null, id: string): boolean =>
  erased !== null && (erased.scope === 'data-set' || erased.case === id);

export const recordedErasureSchema = erasureNoteSchema.extend({
  /** Of that scope. */
  experiment: z.string().nullable(),
  /** Those over the data set, or the one of that scope; older versions do not say. */
  experiments: z.array(z.string()).optional(),
  texts: z.int(),
  /** Whether the salt of the data set went too. */
  salt: z.boolean(),
});

const casesText = (ids: readonly string[]): string =>
  ids.length === 0 ? 'a case' : `${ids.length === 1 ? 'case' : 'the cases'} ${ids.join(', ')}`;

export const erasedText = ({
  scope,
  case: id,
  cases = id === undefined ? [] : [id],
  experiments = [],
}: Omit<ErasureNote, 'at'> & { readonly experiments?: readonly string[] | undefined }): string => {
  const names = experiments.map((name) => JSON.stringify(name)).join(', ');
  const of = names === '' ? '' : ` of ${names}`;
  return {
    'data-set': `everything about the data set${of}`,
    experiment: `what was said in ${names === '' ? 'the experiment' : names}`,
    case: `everything about ${casesText(cases)}${of}`,
  }[scope];
};
