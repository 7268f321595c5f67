import { describe, expect, it } from 'vitest';
import { type DaemonStatus, daemonStates } from '../../../shared/api/daemon.ts';
import { cloudText, daemonActions, daemonText } from './daemonText.ts';

const status = (changes: Partial<DaemonStatus>): DaemonStatus => ({
  state: 'ready',
  own: false,
  url: 'http://127.0.0.1:11434',
  version: '0.33.1',
  cloud: 'off',
  standin: false,
  program: 'path',
  pid: null,
  deaths: 0,
  last_end: null,
  next_start_ms: null,
  problem: null,
  ...changes,
});

describe('the state of Ollama in words', () => {
  it('has different words for every state', () => {
    const titles = daemonStates.map((state) => daemonText(status({ state })).title);
    expect(new Set(titles).size).toBe(daemonStates.length);
  });

  it('says whose it is, because only our own may be stopped', () => {
    expect(daemonText(status({})).note).toContain('does not stop it');
    expect(daemonText(status({ own: true })).title).toContain('started by Assize');
    expect(daemonActions(status({}))).toEqual({ start: false, stop: false });
    expect(daemonActions(status({ own: true }))).toEqual({ start: false, stop: true });
    expect(daemonActions(status({ state: 'away' }))).toEqual({ start: true, stop: false });
    expect(daemonActions(status({ state: 'away', url: 'http://gpu.example.org:11434' }))).toEqual({ start: false, stop: false });
    expect(daemonActions(status({ state: 'restarting', own: true }))).toEqual({ start: true, stop: true });
  });

  it('says when it starts again and how it ended', () => {
    const restarting = status({
      state: 'restarting',
      own: true,
      deaths: 2,
      next_start_ms: 3_600,
      last_end: { at: '2026-01-01T00:00:00Z', code: null, signal: 'SIGKILL' },
    });
    expect(daemonText(restarting)).toMatchObject({ title: 'Starts again in 4 s', tone: 'warn' });
    expect(daemonText(restarting).note).toBe('It ended unexpectedly by SIGKILL, 2 times since it was started.');
    expect(daemonText({ ...restarting, deaths: 12, next_start_ms: 0 })).toMatchObject({
      title: 'Starting again…',
      note: 'It ended unexpectedly by SIGKILL, 12 times since it was started.',
    });
    expect(daemonText({ ...restarting, deaths: 1, last_end: null }).note).toBe('It ended unexpectedly.');
  });

  it('warns if the cloud is on or unknown, and is silent where nothing answers', () => {
    expect(cloudText({ cloud: 'off', state: 'ready' })?.tone).toBe('good');
    expect(cloudText({ cloud: 'on', state: 'ready' })).toMatchObject({
      tone: 'warn',
      words: expect.stringContaining('OLLAMA_NO_CLOUD=1'),
    });
    expect(cloudText({ cloud: null, state: 'ready' })?.tone).toBe('warn');
    expect(cloudText({ cloud: null, state: 'away' })).toBeNull();
  });
});
