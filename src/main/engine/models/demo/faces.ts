// The two interfaces of the demo model: Ollama's and OpenAI's.
import { isRecord } from '../../../../core/answers/fields.ts';

const line = (value: object): string => `${JSON.stringify(value)}\n`;

/** Ollama's format, a JSON object a line; the demo model itself thinks in its words. */
export const ollamaFace = {
  streamType: 'application/x-ndjson',
  part: line,
  /** The end of a stream, by success or by an error. */
  last: line,
  /** Something that is no part of an answer, where one should be. */
  garbage: (text: string): string => `${text}\n`,
  /** An answer in one piece, or a refusal. */
  whole: (_status: number, value: object): object => value,
};
export type Face = typeof ollamaFace;

/** A part of a chat in Ollama's words; the figures come with its last part. */
interface Said {
  readonly model: string;
  readonly message: { readonly content: string; readonly thinking?: string };
  readonly done_reason?: string;
  readonly logprobs?: readonly object[];
  readonly prompt_eval_count: number;
  readonly prompt_eval_duration: number;
  readonly eval_count: number;
  readonly eval_duration: number;
}
const isSaid = (value: object): value is Said => 'message' in value;

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** A chat, whole (`message`) or in part (`delta`). */
function completion(said: Said, field: 'delta' | 'message', finish: string | null): object {
  const { content, thinking } = said.message;
  const message = { role: 'assistant', content, ...(thinking === undefined ? {} : { reasoning_content: thinking }) };
  const logprobs = said.logprobs === undefined ? null : { content: said.logprobs };
  const object = field === 'delta' ? 'chat.completion.chunk' : 'chat.completion';
  const choices = [{ index: 0, [field]: message, logprobs, finish_reason: finish }];
  return { id: 'chatcmpl-standin', object, created: 0, model: said.model, standin: true, choices };
}

const figures = ({ prompt_eval_count: prompt, eval_count: answer, ...said }: Said) => ({
  usage: { prompt_tokens: prompt, completion_tokens: answer, total_tokens: prompt + answer },
  timings: { prompt_ms: said.prompt_eval_duration / 1e6, predicted_ms: said.eval_duration / 1e6 },
});

/** An error as llama.cpp's server writes it, one that Ollama passes on from there unwrapped; other answers as they are. */
function plain(status: number, value: object): object {
  const message = isRecord(value) ? value.error : undefined;
  if (typeof message !== 'string') return value;
  if (message.startsWith('{"error":')) return { ...JSON.parse(message), standin: true };
  return { error: { code: status, message, type: status < 500 ? 'invalid_request_error' : 'server_error' }, standin: true };
}

/** OpenAI's: server-sent events, and errors as objects. */
export const openaiFace: Face = {
  streamType: 'text/event-stream',
  part: (value) => event(isSaid(value) ? completion(value, 'delta', null) : value),
  last(value) {
    if (!isSaid(value)) return event(plain(500, value));
    const end = completion(value, 'delta', value.done_reason ?? 'stop');
    return `${event(end)}${event({ ...end, choices: [], ...figures(value) })}data: [DONE]\n\n`;
  },
  garbage: (text) => `data: ${text}\n\n`,
  whole: (status, value) =>
    isSaid(value) ? { ...completion(value, 'message', value.done_reason ?? 'stop'), ...figures(value) } : plain(status, value),
};
