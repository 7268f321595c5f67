import { z } from 'zod';
import { embedText } from '../../../models/demo/demoServer.ts';
import { serve } from '../../../models/testing/server.ts';

/** How a server answers a request for vectors: with them, or with a status and a text that say failure. */
export type Answer = number[][] | { readonly status: number; readonly error: string };

export type VectorServer = Awaited<ReturnType<typeof startVectorServer>>;

/** Vectors of a model that differ by its name and their length. */
export const vectorsBy =
  (model: string, length = 64) =>
  (texts: readonly string[]): number[][] =>
    texts.map((text) => embedText(text, model, length));

const bodySchema = z.object({ input: z.array(z.string()) });

/** An OpenAI-compatible server that states no digest and whose model can change under its name. */
export async function startVectorServer() {
  let current: (texts: readonly string[]) => Answer = vectorsBy('one');
  const textsOf = (body: string) => bodySchema.parse(JSON.parse(body)).input;
  const server = await serve((request, response) => {
    const tell = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (request.url === '/v1/models') return tell(200, { data: [{ id: 'vectors' }] });
    if (request.url !== '/v1/embeddings') return tell(404, { error: { message: 'not found' } });
    const answer = current(textsOf(server.requests.at(-1)?.body ?? ''));
    if (!Array.isArray(answer)) return tell(answer.status, { error: { message: answer.error } });
    return tell(200, { data: answer.map((embedding, index) => ({ embedding, index })) });
  });
  return {
    ...server,
    answers(answer: typeof current) {
      current = answer;
    },
    asked: () => server.requests.flatMap(({ path, body }) => (path === '/v1/embeddings' ? [textsOf(body)] : [])),
  };
}
