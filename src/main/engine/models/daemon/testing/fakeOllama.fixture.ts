// Takes the place of `ollama serve`: started with the words of its behaviour as JSON, and `serve`.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { FakeBehaviour } from './fakeOllama.ts';

const [words = '{}', command] = process.argv.slice(2);
const behaviour = JSON.parse(words) as FakeBehaviour & { journal: string };
const say = (line: string) => process.stderr.write(`${line}\n`);

if (command !== 'serve') throw new Error(`the fake was not asked to serve but ${String(command)}`);
const life = existsSync(behaviour.journal) ? readFileSync(behaviour.journal, 'utf8').trimEnd().split('\n').length : 0;
appendFileSync(behaviour.journal, `${JSON.stringify({ pid: process.pid, env: process.env })}\n`);

function endWith(line: string): never {
  say(line);
  process.exit(1);
}

if (life < (behaviour.takenPorts ?? 0)) {
  endWith(`Error: listen tcp ${process.env.OLLAMA_HOST}: bind: address already in use`);
}
if (life < (behaviour.earlyDeaths ?? 0)) endWith('Error: mkdir /home/user/.ollama/models: permission denied');
if (behaviour.child === true) {
  // Like llama-server, in the same group; unlike it, it does not hear an interrupt.
  spawn('/bin/sh', ['-c', 'trap "" INT; while :; do sleep 1; done'], { stdio: ['ignore', 'inherit', 'inherit'] });
}
if (behaviour.deaf === true) process.on('SIGINT', () => say('no'));
else process.on('SIGINT', () => setTimeout(() => process.exit(0), behaviour.endMs ?? 0));
if (behaviour.chatter === true) setInterval(() => process.stdout.write(`\u001b[1m${'x'.repeat(2_000)}\n${'y'.repeat(100)}`), 1);

const [host = '', port = ''] = (process.env.OLLAMA_HOST ?? '').split(':');
const answers: Record<string, unknown> = {
  '/': 'Ollama is running',
  '/api/version': JSON.stringify({ version: behaviour.version ?? '0.33.0' }),
  '/api/tags': JSON.stringify({ models: [] }),
  ...(behaviour.cloud === 'untold'
    ? {}
    : { '/api/status': JSON.stringify({ cloud: { disabled: behaviour.cloud !== 'on', source: 'env' } }) }),
};
const server = createServer((request, response) => {
  const body = answers[request.url ?? ''];
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/plain' }).end(body ?? '404 page not found');
});
setTimeout(() => {
  if (behaviour.standin === true) {
    const machine = { timed: true, decodeRate: 20_000, promptRate: 1e6, loadRate: 1e15, slots: 8 };
    // Imported only here: it would double the time of every other start.
    void import('../../demo/demoServer.ts').then(({ startDemoServer }) =>
      startDemoServer({ port: Number(port), profile: { base: 'instant', machine } }),
    );
    return;
  }
  server.listen(Number(port), host, () => {
    say(`time=2026-11-21T12:00:00.000Z level=INFO msg="Listening on ${host}:${port} (version 0.33.0)"`);
    if (life < (behaviour.lateDeaths ?? 0))
      setTimeout(() => endWith(behaviour.lastWords ?? 'panic: runtime error: index out of range'), 50);
  });
}, behaviour.startMs ?? 0);
