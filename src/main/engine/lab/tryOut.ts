// Makes an experiment of one case that a user describes in words.
import { createHash, randomBytes } from 'node:crypto';
import { findProtocol } from '../../../core/protocols/index.ts';
import { asTitle } from '../../../core/text/shorten.ts';
import type { ServerSetting } from '../../../shared/api/engine.ts';
import type { TryDraft } from '../../../shared/api/trials.ts';
import type { DatasetCase } from '../../../shared/domain.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { type Experiment, experimentSchema } from '../../../shared/experiment.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { prepareExperiment } from './experimentFile.ts';
import { wholePools } from './lanes.ts';
import { boundOrNull, type PreparedExperiment } from './preparedArm.ts';

export interface TryRequest
  extends Pick<TryDraft, 'protocol' | 'model' | 'roles' | 'question' | 'facts' | 'numCtx' | 'prompts'>,
    Partial<Pick<TryDraft, 'params'>> {
  /** In order; with two, the second is the positive one. None: an open question, whose facts may be empty. */
  readonly labels: readonly string[];
  readonly url: string;
  readonly server?: ServerSetting | undefined;
}

const options = ['protocol', 'model', 'question', 'labels', 'numCtx', 'prompts'] as const;
const longestFacts = 200_000;

/** In place of the path of a data file, which words that were entered do not have. */
const factsPath = 'facts.txt';

/** Name of the experiment that a single tried case becomes. It is in the chain, so it holds nothing of the facts, no hash either. */
function tryName(at: Date): string {
  return `try-${at.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}-${randomBytes(3).toString('hex')}`;
}

/** A case tried alone has no training cases, so protocols that look up precedents by default do not. */
function withoutPrecedents(protocol: string, params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const registered = findProtocol(protocol);
  if (registered === undefined || 'shots' in params) return params;
  // The code that makes the experiment says what is wrong with parameters that do not fit.
  return (boundOrNull(registered, params)?.precedents ?? null) === null ? params : { ...params, shots: 0 };
}

/** Whether the case of an experiment came from Try a case; it may have been tried again with changes since. */
export const isTold = ({ dataset, arms }: Pick<Experiment, 'dataset' | 'arms'>): boolean =>
  dataset.path === factsPath && arms[0]?.name === 'try';

/** The question as the name of a case from Try a case, whose id says nothing; null for other cases. */
export const toldTitle = (experiment: Parameters<typeof isTold>[0], question: string): string | null =>
  isTold(experiment) && question.trim() !== '' ? asTitle(question.trim()) : null;

export function triedData(kase: DatasetCase, { dataset: { labels = [], positive } }: Experiment): Dataset {
  return {
    cases: [kase],
    splits: new Map([[kase.id, 'test']]),
    sample: [kase.id],
    labels: [...labels],
    positive: positive ?? null,
    multiLabel: false,
    fileHash: createHash('sha256')
      .update(kase.facts[0]?.value ?? '')
      .digest('hex'),
    checks: [],
  };
}

/** Makes an experiment of one arm and one case. Throws bad input that names the option at fault. */
export function prepareTry(
  { protocol, params = {}, model, roles = {}, question, facts, labels, url, server, numCtx, prompts }: TryRequest,
  at: Date,
): PreparedExperiment {
  const text = facts.trim();
  const open = labels.length === 0;
  if (text === '' && !open) throw badInput('the facts are empty; write down what is known of the case', '--facts');
  if (text.length > longestFacts)
    throw badInput(`the facts have ${text.length} characters; at most ${longestFacts} can be tried`, '--facts');
  if (question.trim() === '') throw badInput('the question is empty; ask what the court should decide', '--question');
  if (!open && new Set(labels).size < 2) {
    throw badInput('at least two different labels are needed, such as NO and YES', '--labels');
  }
  const member = (asked: string) => ({ model: asked, ...(server === undefined ? {} : { backend: server.name }) });
  const parsed = experimentSchema.safeParse({
    version: 1,
    name: tryName(at),
    dataset: {
      path: factsPath,
      ...(open ? { kind: 'open' } : { kind: 'text', question, labels }),
      ...(labels.length === 2 ? { positive: labels[1] } : {}),
      sample: { n: 1 },
    },
    backends: {
      default: { kind: 'ollama', url },
      ...(server === undefined ? {} : wholePools({ [server.name]: server.backend })),
    },
    ...(numCtx === undefined ? {} : { runtime: { numCtx } }),
    arms: [
      {
        name: 'try',
        protocol,
        params: withoutPrecedents(protocol, params),
        ...(prompts === undefined ? {} : { prompts }),
        cast: Object.fromEntries(Object.entries({ '*': model, ...roles }).map(([role, asked]) => [role, member(asked)])),
      },
    ],
  });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const option = options.find((name) => issue?.path.includes(name)) ?? 'protocol';
    throw badInput(
      issue?.message.replace('Invalid input: ', '') ?? 'the option does not fit',
      option === 'numCtx' ? '--num-ctx' : `--${option}`,
    );
  }
  const file: PreparedExperiment['file'] = {
    error: (message, path) => badInput(message, `--${String(path.at(-1) ?? 'protocol')}`),
  };
  const known = text === '' ? [] : [{ name: 'text', value: text }];
  const data = triedData({ id: '1', facts: known, question: open ? question : null, truth: null, groups: {} }, parsed.data);
  try {
    return prepareExperiment({ experiment: parsed.data, file, dataPath: factsPath, data });
  } catch (error) {
    // What is wrong in a variant's file is wrong with the choice of it.
    if (!(error instanceof AssizeError) || error.place.file === undefined) throw error;
    throw error.at({ field: '--prompts' });
  }
}
