import { isEmbeddingRole } from '../../../core/protocols/cast.ts';
import { type Check, warning } from '../../../shared/checks.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import { BackendOutage, CallFailure, type CompletionRequest, type CompletionResult } from '../../../shared/model.ts';
import type { LanguageModel } from '../models/port.ts';
import { type NeededModels, neededModels } from './backends.ts';
import { type ModelSpeed, modelAt } from './pastCalls.ts';

/** What a measurement found, and why a model has none. */
export interface Measurement {
  readonly speeds: ModelSpeed[];
  readonly checks: Check[];
}

/** Seconds that the writing of the measured answer is to take, and its bounds in tokens. */
const writingSeconds = 6;
const [fewestTokens, mostTokens] = [16, 256];
/** The first call loads the model and shows roughly how fast it is. */
const firstTokens = 16;

const sentence = 'The witness saw a blue car leave the yard at about nine, and heard the gate fall shut behind it. ';

/** Models that write, with the context that the run would give them: another one would reload them. */
function speakingModels({ arms, runtime }: Pick<Experiment, 'arms' | 'runtime'>): Map<string, NeededModels> {
  const speaking = arms.map((arm) => ({
    ...arm,
    cast: Object.fromEntries(Object.entries(arm.cast).filter(([role]) => !isEmbeddingRole(role))),
  }));
  return neededModels({ arms: speaking, runtime, backends: {} });
}

function request(model: string, numCtx: number, numPredict: number, content: string): CompletionRequest {
  // Long enough for a measure; llama.cpp refuses grammars that repeat a thing over 2000 times.
  const text = { type: 'string', minLength: 500, maxLength: 1500 };
  return {
    model,
    messages: [{ role: 'user', content }],
    schema: { type: 'object', properties: { text }, required: ['text'], additionalProperties: false },
    options: { temperature: 1, seed: 1, numCtx, numPredict },
  };
}

/** Asks once, and times what the server does not report: it reads until the first text, and writes from then on. */
async function timed(model: LanguageModel, asked: CompletionRequest, signal: AbortSignal, now: () => number) {
  const startedAt = now();
  let firstTextAt: number | null = null;
  const result: CompletionResult = await model.complete(asked, signal, () => {
    firstTextAt ??= now();
  });
  const { promptTokens, completionTokens, promptMs, completionMs } = result;
  const readMs = promptMs ?? (firstTextAt ?? now()) - startedAt;
  const wroteMs = completionMs ?? now() - (firstTextAt ?? startedAt);
  return {
    standin: result.standin,
    prompt: readMs > 0 && promptTokens > 0 ? (promptTokens / readMs) * 1000 : null,
    completion: wroteMs > 0 && completionTokens > 0 ? (completionTokens / wroteMs) * 1000 : null,
  };
}

async function measureModel(server: LanguageModel, model: string, numCtx: number, signal: AbortSignal, now: () => number) {
  const first = await timed(server, request(model, numCtx, firstTokens, 'Write down what you see.'), signal, now);
  const tokens = Math.min(mostTokens, Math.max(fewestTokens, Math.round((first.completion ?? 0) * writingSeconds)));
  // A prompt that the server has read before would cost it nothing.
  const content = `Go on with report ${Math.floor(Math.random() * 1e9)}.\n${sentence.repeat(12)}`;
  return timed(server, request(model, numCtx, tokens, content), signal, now);
}

/**
 * Measures each model of an experiment, one after the other, with one prompt and one short answer: about ten seconds
 * once it is loaded. The checks name a model that cannot be measured. Throws interrupted when the signal fires.
 * @param now monotonic clock, in ms
 */
export async function measureModels(
  servers: ReadonlyMap<string, LanguageModel>,
  experiment: Pick<Experiment, 'arms' | 'runtime'>,
  signal: AbortSignal,
  now: () => number = () => performance.now(),
): Promise<Measurement> {
  const speeds: ModelSpeed[] = [];
  const checks: Check[] = [];
  for (const [name, models] of speakingModels(experiment)) {
    const server = servers.get(name);
    if (server === undefined) throw new Error(`backend ${name} is not configured`);
    for (const [model, numCtx] of models) {
      try {
        const { standin, prompt, completion } = await measureModel(server, model, numCtx, signal, now);
        if (completion === null) checks.push(warning(`model ${model} could not be measured: it wrote nothing`));
        else speeds.push({ of: modelAt(server.url, model, standin), prompt, completion, calls: 1, source: 'measurement' });
      } catch (error) {
        const missing = error instanceof AssizeError && error.code === 'missing-model';
        if (!(missing || error instanceof BackendOutage || error instanceof CallFailure)) throw error;
        checks.push(warning(`model ${model} could not be measured: ${error.message}`));
      }
    }
  }
  return { speeds, checks };
}
