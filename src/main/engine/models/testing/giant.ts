import { serve, type TestServer } from './server.ts';

/** An Ollama with one model whose weights, 4 PiB, no machine holds. */
export function serveGiant(name: string): Promise<TestServer> {
  const answers: Readonly<Record<string, unknown>> = {
    '/api/version': { version: '0.33.0' },
    '/api/tags': { models: [{ name, digest: 'giant', size: 2 ** 52 }] },
    '/api/ps': { models: [] },
    '/api/show': {
      model_info: {
        'general.architecture': 'llama',
        'llama.block_count': 32,
        'llama.embedding_length': 4096,
        'llama.attention.head_count': 32,
      },
    },
  };
  return serve((request, response) => {
    const body = answers[request.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body ?? { error: 'no such path' }));
  });
}
