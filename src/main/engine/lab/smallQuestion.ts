import { AssizeError } from '../../../shared/errors.ts';
import { BackendOutage, BrokenCall, CallFailure, type CompletionRequest } from '../../../shared/model.ts';
import type { LanguageModel } from '../models/port.ts';
import { type NeededModels, nameFor } from './backends.ts';

/** Always the same, and as little as a model can be asked. */
const question: Pick<CompletionRequest, 'messages' | 'schema'> = {
  messages: [{ role: 'user', content: 'Answer with {"answer": "yes"}.' }],
  schema: {
    type: 'object',
    properties: { answer: { type: 'string', enum: ['yes'] } },
    required: ['answer'],
    additionalProperties: false,
  },
};
const mostTokens = 32;
/** Context for a model without its own in the run. */
const usualContext = 2048;

const mostOthers = 3;

/** Whether an HTTP answer came, one that refuses the question too: only a broken connection, a timeout and an outage are none. */
const answered = async (action: () => Promise<unknown>): Promise<boolean> => {
  try {
    await action();
    return true;
  } catch (error) {
    if (error instanceof BrokenCall || error instanceof BackendOutage) return false;
    if (error instanceof CallFailure) return error.kind !== 'timeout';
    // Listed, and yet not there: the server said so.
    if (error instanceof AssizeError && error.code === 'missing-model') return true;
    throw error;
  }
};

export interface Broken {
  readonly model: string;
  /** Its context, with which the model need not be reloaded; absent where it sets none. */
  readonly numCtx: number | undefined;
  readonly embeds: boolean;
}

/**
 * Whether a server still answers: it is asked a small question for the model of a broken call, and where that fails, for
 * up to three others that it has, those of the same run first. Nothing of this is recorded.
 * @param broke full names of the models whose calls broke in this run: they are asked only where there are no others.
 *   What breaks under the small question is added
 */
export async function answersSmallQuestion(
  server: LanguageModel,
  { model, numCtx, embeds }: Broken,
  needed: NeededModels,
  broke: Set<string>,
  signal: AbortSignal,
): Promise<boolean> {
  const fullName = nameFor(server);
  const ask = async (name: string, context = usualContext) => {
    const options = { temperature: 0, seed: 1, numCtx: context, numPredict: mostTokens };
    const well = await answered(() => server.complete({ ...question, model: name, options }, signal));
    if (!well) broke.add(fullName(name));
    return well;
  };
  const vector = () => answered(() => server.embed({ model, texts: ['yes'], numCtx }, signal));
  if (await (embeds ? vector() : ask(model, numCtx))) return true;
  // Models that only make vectors have no context in a run.
  const ofRun = [...needed].flatMap(([name, context]) => (context > 0 ? [name] : []));
  const installed = await server.models(signal).catch(() => []);
  const others = new Map<string, string>();
  for (const name of [...ofRun, ...installed.flatMap(({ name, remote }) => (remote ? [] : [name]))]) {
    const full = fullName(name);
    if (full !== fullName(model) && !others.has(full)) others.set(full, name);
  }
  const inTurn = [...others].toSorted(([a], [b]) => Number(broke.has(a)) - Number(broke.has(b)));
  for (const [, name] of inTurn.slice(0, mostOthers)) {
    if (await ask(name, needed.get(name) || usualContext)) return true;
  }
  return false;
}
