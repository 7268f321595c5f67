import { CallFailure } from '../../../../shared/model.ts';
import { assizeCause, reasonOf } from '../dispatcher.ts';
import { HttpFailure } from '../modelServer.ts';
import { CutPull } from './pullProgress.ts';

/** Why a pull stopped. */
export interface PullFailure {
  /** Whether asking again cannot help. */
  readonly permanent: boolean;
  /** All of a file was fetched and is thrown away: each further try costs the whole of it. */
  readonly damaged: boolean;
  /** What went wrong, without an end. */
  readonly reason: string;
  readonly remedy: string;
}

const mostWords = 250;

interface Known {
  readonly words: RegExp;
  readonly passes?: true;
  readonly reason: string;
  readonly remedy: string;
}

/** What the server says in which words, as Ollama 0.33 has them, and what can be done. The first that fits counts. */
const known: readonly Known[] = [
  {
    words: /no space left|not enough space|disk (is )?full|disk quota/i,
    reason: 'the disk on which the server keeps its models is full',
    remedy: 'Free some space and pull again: what was fetched is kept.',
  },
  {
    words: /newer version of ollama|\b412:|requires MLX/i,
    reason: 'this model needs another Ollama than the server is',
    remedy: 'Update Ollama and pull again, or take another variant of the model.',
  },
  {
    words: /file does not exist|manifest unknown|invalid model name|insecure protocol|is invalid/i,
    reason: 'there is no model of this name to fetch',
    remedy: 'Check the name and the tag behind the colon: names look like llama3.1:8b.',
  },
  {
    words: /unauthori[sz]ed|access denied|forbidden|HTTP 40[13]/i,
    reason: 'the server is not allowed to fetch this model',
    remedy: 'Sign in with Ollama where the model is private, or take another.',
  },
  {
    words: /permission denied|read-only file system/i,
    reason: 'the server cannot write where it keeps its models',
    remedy: 'Check the permissions of its folder of models.',
  },
  {
    words: /no such host|lookup |network is unreachable|no route to host|dial tcp|TLS handshake|i\/o timeout|max retries/i,
    passes: true,
    reason: 'the server cannot reach its library of models',
    remedy: 'Check the network of the machine it runs on, and pull again: the download resumes.',
  },
];

const again = 'Pull again: the download resumes.';

/** @param server address that was asked, for the words */
export function judgePullFailure(error: unknown, server: string): PullFailure {
  if (error instanceof CutPull) return { permanent: false, damaged: false, reason: error.message, remedy: again };
  const own = assizeCause(error);
  if (own !== undefined) return { permanent: true, damaged: false, reason: own.message, remedy: '' };
  if (!(error instanceof HttpFailure || error instanceof CallFailure)) {
    const reason = `no connection to ${server} (${reasonOf(error)})`;
    return { permanent: false, damaged: false, reason, remedy: 'Start Ollama there and pull again: the download resumes.' };
  }
  const words = error.message.replace(/^the server gave up in mid-answer: /, '').slice(0, mostWords);
  const text = error instanceof HttpFailure ? `HTTP ${error.status}: ${words}` : words;
  if (/digest mismatch/i.test(text)) {
    const remedy = 'Pull again; where it comes again, the network or the disk damages what it carries.';
    return { permanent: false, damaged: true, reason: `a file came damaged (${text})`, remedy };
  }
  const found = known.find((each) => each.words.test(text));
  if (found !== undefined) {
    return { permanent: found.passes !== true, damaged: false, reason: `${found.reason} (${text})`, remedy: found.remedy };
  }
  const permanent = error instanceof HttpFailure && error.status >= 400 && error.status < 500 && error.status !== 429;
  const remedy = permanent ? 'Check the name and the server.' : again;
  return { permanent, damaged: false, reason: `the server says: ${text}`, remedy };
}
