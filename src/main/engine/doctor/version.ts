import type { DoctorCheck } from '../../../shared/outputs.ts';
import { ok, problem, warning } from './check.ts';

type Version = readonly [number, number, number];

/** Something that runs use of Ollama, and what an older server means for them. */
interface Feature {
  /** The first release that has it, by the notes of the release. */
  readonly since: Version;
  /** What an older one does not know. */
  readonly lacks: string;
  /** Whether runs cannot do without. */
  readonly needed: boolean;
  /** What to mind until it is updated; null where nothing helps. */
  readonly until: string | null;
}

/** By release. What has none that is known is not judged by the version: it is asked for (`/api/status`, the list of models). */
const features: readonly Feature[] = [
  {
    since: [0, 5, 0],
    lacks: 'it knows no schemas, so that it refuses most calls of a trial',
    needed: true,
    until: null,
  },
  {
    since: [0, 6, 4],
    lacks: 'it does not tell what a model can do (capabilities), so that embedding and thinking models are not marked',
    needed: false,
    until: null,
  },
  {
    since: [0, 9, 0],
    lacks: 'thinking cannot be turned off (think), so that models that think write their thoughts into the answer',
    needed: false,
    until: 'take no models that think',
  },
  {
    since: [0, 12, 11],
    lacks: 'it tells no probabilities of tokens (logprobs), and may cut prompts that are too long without a word',
    needed: false,
    until: 'take no "belief": "logprobs", and keep numCtx well above the longest prompt',
  },
];

/** The first whose cloud features can be turned off by `OLLAMA_NO_CLOUD`. */
const withCloudSwitch: Version = [0, 16, 2];

/** Numbers of a version; null where it is written in another way, or that of a build from source. */
function parse(text: string): Version | null {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) return null;
  const numbers = [Number(major), Number(minor), Number(patch)] as const;
  return numbers.every((number) => number === 0) ? null : numbers;
}

const isBelow = (one: Version, other: Version): boolean => {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
};

const named = (version: Version): string => version.join('.');
const everything = named(features.at(-1)?.since ?? [0, 0, 0]);

export const cloudSwitchSince = named(withCloudSwitch);

/** Whether the server is a release from before its cloud features could be turned off. */
export function predatesCloudSwitch(version: string | null): boolean {
  const numbers = version === null ? null : parse(version);
  return numbers !== null && isBelow(numbers, withCloudSwitch);
}

/**
 * Whether the server's version can do what runs ask of it: what it lacks, each with the release that brought it. A version
 * that is not known, or newer than any, is never wrong.
 */
export function checkVersion(version: string | null): DoctorCheck {
  const name = 'ollama version';
  if (version === null)
    return warning(name, 'it does not tell its version', `take a release of Ollama of ${everything} or newer`);
  const numbers = parse(version);
  if (numbers === null) return ok(name, `${version} (no release that is known: what it can do is not told)`);
  const missing = features.filter(({ since }) => isBelow(numbers, since));
  if (missing.length === 0) return ok(name, version);
  const found = `${version}: ${missing.map(({ since, lacks }) => `older than ${named(since)}: ${lacks}`).join('; ')}`;
  const until = missing.flatMap((feature) => feature.until ?? []);
  if (missing.some(({ needed }) => needed)) return problem(name, found, `update Ollama to ${everything} or newer`);
  const meanwhile = until.length === 0 ? '' : `; until then ${until.join('; ')}`;
  return warning(name, found, `update Ollama to ${everything} or newer${meanwhile}`);
}
