/** How an interface writes what the stand-in has to say; the stand-in itself thinks in Ollama's words. */
export interface Framing {
  /** Content type of a stream. */
  readonly streamType: string;
  /** A part of a stream that goes on. */
  part(value: object): string;
  /** The end of a stream, by success or by an error. */
  last(value: object): string;
  /** Something that is no part of an answer, where one should be. */
  garbage(text: string): string;
  /** An answer in one piece, or a refusal. */
  whole(status: number, value: object): object;
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;

/** Ollama's own: a JSON object a line. */
export const ollamaFraming: Framing = {
  streamType: 'application/x-ndjson',
  part: line,
  last: line,
  garbage: (text) => `${text}\n`,
  whole: (_status, value) => value,
};
