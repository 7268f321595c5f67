import { AssizeError } from '../../../../shared/errors.ts';
import { CallFailure } from '../../../../shared/model.ts';
import { ErrorInAnswer } from '../answerLines.ts';
import { assizeCause, reasonOf } from '../dispatcher.ts';
import { HttpFailure } from '../modelServer.ts';
import { CutPull } from './pullLines.ts';

/** Why a pull stopped. */
export interface PullFailure {
  /** Whether asking again cannot help. */
  readonly permanent: boolean;
  /** All of a file was fetched and is thrown away: each further try costs the whole of it. */
  readonly damaged: boolean;
  /** What went wrong, without an end. */
  readonly reason: string;
  /** What to do. */
  readonly mend: string;
}

const mostWords = 250;

/** What the server says in which words, as Ollama 0.33 has them, and what can be done. The first that fits counts. */
const known: readonly (readonly [words: RegExp, permanent: boolean, reason: string, mend: string])[] = [
  [
    /no space left|not enough space|disk (is )?full|disk quota/i,
    true,
    'the disk on which the server keeps its models is full',
    'Free some space and pull again: what was fetched is kept.',
  ],
  [
    /newer version of ollama|\b412:/i,
    true,
    'this model needs a newer Ollama than the server is',
    'Update Ollama and pull again.',
  ],
  [
    /requires MLX/i,
    true,
    'this model needs the MLX runtime, which the server does not have',
    'Take another variant of the model.',
  ],
  [
    /file does not exist|manifest unknown/i,
    true,
    'there is no model of this name to fetch',
    'Check the name and the tag behind the colon.',
  ],
  [
    /invalid model name|insecure protocol|is invalid/i,
    true,
    'the server does not take this name',
    'Names look like llama3.1:8b.',
  ],
  [
    /unauthori[sz]ed|access denied|forbidden|HTTP 40[13]/i,
    true,
    'the server is not allowed to fetch this model',
    'Sign in with Ollama where the model is private, or take another.',
  ],
  [
    /permission denied|read-only file system/i,
    true,
    'the server cannot write where it keeps its models',
    'Check the permissions of its folder of models.',
  ],
  [
    /no such host|lookup |network is unreachable|no route to host|dial tcp|TLS handshake|i\/o timeout|max retries/i,
    false,
    'the server cannot reach its library of models',
    'Check the network of the machine that it runs on, and pull again: it goes on where it was.',
  ],
];

const again = 'Pull again: it goes on where it was.';

/** @param server address that was asked, for the words */
export function judgePullFailure(error: unknown, server: string): PullFailure {
  if (error instanceof CutPull) {
    return { permanent: false, damaged: false, reason: error.message, mend: again };
  }
  const own = assizeCause(error);
  if (own instanceof AssizeError) return { permanent: true, damaged: false, reason: own.message, mend: '' };
  if (error instanceof ErrorInAnswer || error instanceof HttpFailure || error instanceof CallFailure) {
    const words = error.message.replace(/^the server gave up in mid-answer: /, '').slice(0, mostWords);
    const text = error instanceof HttpFailure ? `HTTP ${error.status}: ${words}` : words;
    if (/digest mismatch/i.test(text)) {
      const mend = 'Pull again; where it comes again, the network or the disk damages what it carries.';
      return { permanent: false, damaged: true, reason: `a file came damaged (${text})`, mend };
    }
    const found = known.find(([pattern]) => pattern.test(text));
    if (found !== undefined) return { permanent: found[1], damaged: false, reason: `${found[2]} (${text})`, mend: found[3] };
    const refused = error instanceof HttpFailure && error.status >= 400 && error.status < 500 && error.status !== 429;
    return {
      permanent: refused,
      damaged: false,
      reason: `the server says: ${text}`,
      mend: refused ? 'Check the name and the server.' : again,
    };
  }
  return {
    permanent: false,
    damaged: false,
    reason: `no connection to ${server} (${reasonOf(error)})`,
    mend: 'Start Ollama there and pull again: it goes on where it was.',
  };
}
