import { describe, expect, it } from 'vitest';
import { checkServer, emptyServer, formOf, type ServerForm, sharers } from './serverForm.ts';

const gpu: ServerForm = {
  ...emptyServer,
  name: ' gpu ',
  url: ' http://127.0.0.1:8000/v1 ',
  keyVariable: 'ASSIZE_GPU_KEY',
  concurrency: 32,
};

describe('the form of a server', () => {
  it('makes a setting and is made of it again', () => {
    const { server } = checkServer(gpu, []);
    expect(server).toEqual({
      name: 'gpu',
      backend: { kind: 'openai', url: 'http://127.0.0.1:8000/v1', apiKeyVariable: 'ASSIZE_GPU_KEY', concurrency: 32 },
    });
    if (server === null) throw new Error('the form was refused');
    expect(checkServer(formOf(server), [])).toEqual({ server, wrong: null });
  });

  it('sends no key to an Ollama server, and leaves out what is empty', () => {
    expect(checkServer({ ...gpu, kind: 'ollama', url: 'http://127.0.0.1:11435', concurrency: null }, []).server).toEqual({
      name: 'gpu',
      backend: { kind: 'ollama', url: 'http://127.0.0.1:11435' },
    });
    expect(checkServer({ ...gpu, keyVariable: ' ' }, []).server?.backend).not.toHaveProperty('apiKeyVariable');
  });

  it('shares the calls of a server of its kind alone, and of none that shares calls itself', () => {
    const others = [
      { name: 'first', backend: { kind: 'openai', url: 'http://127.0.0.1:8001/v1' } },
      { name: 'third', backend: { kind: 'openai', url: 'http://127.0.0.1:8002/v1', joins: 'first' } },
    ] as const;
    expect([sharers('openai', others), sharers('ollama', others)]).toEqual([['first'], ['default']]);
    const { server } = checkServer({ ...gpu, joins: 'first' }, others);
    expect(server?.backend.joins).toBe('first');
    expect(server === null ? null : formOf(server).joins).toBe('first');
    const moved = { ...gpu, kind: 'ollama', url: 'http://127.0.0.1:11435', joins: 'first' } as const;
    expect(checkServer(moved, others).server?.backend).not.toHaveProperty('joins');
  });

  it.each<[string, Partial<ServerForm>, keyof ReturnType<typeof wrongOf>, RegExp]>([
    ['no name', { name: ' ' }, 'name', /Give the server a name/],
    ['the name of the Ollama above', { name: 'default' }, 'name', /is the Ollama above/],
    ['a name that is taken', { name: 'second' }, 'name', /Another server/],
    ['a name with a slash', { name: 'a/b' }, 'name', /letters, digits/],
    ['no address', { url: 'gpu.example.org' }, 'url', /looks like http:\/\/127\.0\.0\.1:8000\/v1/],
    ['an address with a password', { url: 'http://me:secret@127.0.0.1/v1' }, 'url', /Leave out passwords/],
    ['an address with a password, of an Ollama', { kind: 'ollama', url: 'http://me:secret@127.0.0.1' }, 'url', /Leave out/],
    ['the key itself', { keyVariable: 'sk-12345' }, 'keyVariable', /never the key itself/],
    ['too many calls', { concurrency: 1000 }, 'concurrency', /1 to 256/],
  ])('reports %s at its field', (_what, part, field, message) => {
    const wrong = wrongOf({ ...gpu, ...part });
    expect(Object.keys(wrong)).toEqual([field]);
    expect(wrong[field]).toMatch(message);
    expect(JSON.stringify(wrong)).not.toMatch(/secret|12345/);
  });
});

const wrongOf = (form: ServerForm) =>
  checkServer(form, [{ name: 'second', backend: { kind: 'openai', url: 'http://127.0.0.1:9/v1' } }]).wrong ?? {};
