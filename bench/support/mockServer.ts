// A server that speaks as much of Ollama's interface as a run needs and costs as little as possible: node mockServer.ts MS PIECES FILE
// Waits MS before each answer, which it sends in PIECES pieces, and writes the bodies of the chats to FILE when asked at /bodies.
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sampleAnswer } from '../../src/core/answers/sample.ts';
import { randomSource } from '../../src/core/cases/shuffle.ts';
import type { JsonSchema } from '../../src/shared/model.ts';

const [latencyMs = 0, pieces = 1] = process.argv.slice(2).map(Number);
const bodiesFile = process.argv[4] ?? '';
const model = 'mock:1b';
/** Most characters of a text of an answer: those of a short speech. */
const textLength = 300;
/** In place of a text that is not written yet. */
const blank = '\u0001';

const random = randomSource(1, 'mock server');
const syllables = 'ka lo mi ren tas ver dol pin sar ute bel nor gim haf jes'.split(' ');
const word = () => Array.from({ length: 1 + random.below(4) }, () => syllables[random.below(syllables.length)]).join('');
const prose = Array.from({ length: 40_000 }, word).join(' ');

interface Frame {
  /** What is before, between and behind the texts of an answer. */
  readonly pieces: readonly string[];
  /** Characters of each text. */
  readonly lengths: readonly number[];
}

const frames = new Map<string, Frame>();

function frameOf(format: JsonSchema): Frame {
  const name = JSON.stringify(format);
  const known = frames.get(name);
  if (known !== undefined) return known;
  const lengths: number[] = [];
  const answer = JSON.stringify(sampleAnswer(format, random, 'longest'), (_key, value: unknown) => {
    if (typeof value !== 'string' || name.includes(JSON.stringify(value))) return value;
    lengths.push(Math.min(textLength, Math.ceil([...value].length / 2)));
    return blank;
  });
  const frame = { pieces: answer.split(JSON.stringify(blank).slice(1, -1)), lengths };
  frames.set(name, frame);
  return frame;
}

/** Each text is another one. */
function answerTo(format: JsonSchema): string {
  const { pieces: fixed, lengths } = frameOf(format);
  return lengths.reduce((text, length, index) => {
    const start = random.below(prose.length - length);
    return `${text}${prose.slice(start, start + length)}${fixed[index + 1]}`;
  }, fixed[0] ?? '');
}

const json = (response: ServerResponse, value: unknown) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
};

const bodies: string[] = [];

async function chat(response: ServerResponse, body: string): Promise<void> {
  const { format, messages }: { format: JsonSchema; messages: unknown[] } = JSON.parse(body);
  if (messages.length === 0) return json(response, { model, done: true, done_reason: 'load' });
  bodies.push(body);
  if (latencyMs > 0) await sleep(latencyMs);
  const text = answerTo(format);
  const created_at = '2026-01-01T00:00:00Z';
  const line = (content: string) => ({ model, created_at, message: { role: 'assistant', content }, done: false });
  const size = Math.ceil(text.length / pieces);
  const lines: unknown[] = Array.from({ length: pieces }, (_, index) => line(text.slice(index * size, (index + 1) * size)));
  const durations = { total_duration: 2e7, load_duration: 0, prompt_eval_duration: 1e7, eval_duration: 1e7 };
  lines.push({ ...line(''), done: true, done_reason: 'stop', prompt_eval_count: 900, eval_count: 90, ...durations });
  response.setHeader('content-type', 'application/x-ndjson');
  response.end(`${lines.map((each) => JSON.stringify(each)).join('\n')}\n`);
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8');
    if (request.url === '/api/chat') void chat(response, body);
    else if (request.url === '/api/tags') json(response, { models: [{ name: model, digest: '0'.repeat(64) }] });
    else if (request.url === '/api/ps') json(response, { models: [] });
    else if (request.url === '/api/version') json(response, { version: '0.0.0-mock', standin: true });
    else if (request.url === '/bodies') {
      writeFileSync(bodiesFile, JSON.stringify(bodies.splice(0)));
      json(response, {});
    } else {
      response.statusCode = 404;
      json(response, { error: 'not found' });
    }
  });
});
// A busy machine pauses longer than the five seconds after which Node closes an idle connection, just as it is used again.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
process.on('disconnect', () => process.exit());
