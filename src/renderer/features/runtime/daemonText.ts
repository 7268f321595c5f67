import type { DaemonStatus } from '../../../shared/api/daemon.ts';
import { foreignHost } from '../settings/addresses.ts';

export interface DaemonWords {
  readonly title: string;
  readonly tone: 'good' | 'warn' | 'bad' | 'plain';
  /** What it means for who wants to run something; null where the title says it all. */
  readonly note: string | null;
}

const secondsOf = (milliseconds: number): number => Math.max(1, Math.round(milliseconds / 1000));

function ends({ last_end: end, deaths }: DaemonStatus): string {
  const signal = end?.signal ?? null;
  const code = end?.code ?? null;
  const how = signal !== null ? ` by ${signal}` : code !== null ? ` with code ${code}` : '';
  return `It ended unexpectedly${how}${deaths > 1 ? `, ${deaths} times since it was started` : ''}.`;
}

export function daemonText(status: DaemonStatus): DaemonWords {
  switch (status.state) {
    case 'ready':
      return status.own
        ? { title: 'Running, started by Assize', tone: 'good', note: 'It ends with this program.' }
        : { title: 'Running', tone: 'good', note: 'It was already running, so this program does not stop it.' };
    case 'starting':
      return { title: 'Starting…', tone: 'plain', note: null };
    case 'restarting': {
      const wait = status.next_start_ms;
      const when = wait === null || wait <= 0 ? 'Starting again…' : `Starts again in ${secondsOf(wait)} s`;
      return { title: when, tone: 'warn', note: ends(status) };
    }
    case 'stopping':
      return { title: 'Stopping…', tone: 'plain', note: null };
    case 'failed':
      return { title: 'It keeps stopping', tone: 'bad', note: null };
    case 'away':
      return foreignHost(status.url) === null
        ? { title: 'Not running', tone: 'warn', note: 'The program is there and can be started from here.' }
        : { title: 'Not running', tone: 'warn', note: null };
    case 'absent':
      return { title: 'Not found', tone: 'warn', note: null };
  }
}

export const programText: Readonly<Record<NonNullable<DaemonStatus['program']>, string>> = {
  configured: 'set by ASSIZE_OLLAMA',
  path: 'found on the path of this system',
  'usual-place': 'found in its usual place',
};

/** What is known of its cloud features: models that run on another machine. */
export function cloudText({
  cloud,
  state,
}: Pick<DaemonStatus, 'cloud' | 'state'>): { tone: 'good' | 'warn'; words: string } | null {
  if (state !== 'ready') return null;
  if (cloud === 'off') return { tone: 'good', words: 'off, as the server itself says' };
  if (cloud === 'on') {
    return {
      tone: 'warn',
      words:
        'on: this server can pass prompts on to ollama.com. Models that run there are refused here all the same. To turn it off, set OLLAMA_NO_CLOUD=1 for that server and restart it.',
    };
  }
  return {
    tone: 'warn',
    words: 'unknown: this version does not say. Models that run elsewhere are refused here in any case.',
  };
}

/** Whether our own is there to be stopped, or something can be started. Ollama on another machine cannot be started from here. */
export function daemonActions({ state, own, url }: Pick<DaemonStatus, 'state' | 'own' | 'url'>): {
  start: boolean;
  stop: boolean;
} {
  return {
    start: foreignHost(url) === null && (state === 'away' || state === 'failed' || state === 'restarting'),
    stop: own && (state === 'ready' || state === 'starting' || state === 'restarting'),
  };
}
