import type { DoctorCheck } from '../../../shared/outputs.ts';
import { ok, problem, warning } from './check.ts';

/** The first with answers bound to a JSON Schema. */
const withSchemas = [0, 5, 0] as const;
/** The first with the probabilities of tokens, and with refusals of prompts that are too long. */
const withEverything = [0, 12, 11] as const;

type Version = readonly [number, number, number];

/** Numbers of a version; null where it is none, or that of a build from source. */
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

/** Whether the server's version can do what runs ask of it. */
export function checkVersion(version: string | null): DoctorCheck {
  const name = 'ollama version';
  if (version === null) return warning(name, 'it does not tell its version', 'take a release of Ollama of 0.12.11 or newer');
  const numbers = parse(version);
  if (numbers === null) return ok(name, `${version} (built from source: what it can do is not told)`);
  if (isBelow(numbers, withSchemas)) {
    return problem(
      name,
      `${version} is older than 0.5.0 and knows no schemas, so that most answers cannot be read`,
      'update Ollama to 0.12.11 or newer',
    );
  }
  if (isBelow(numbers, withEverything)) {
    return warning(
      name,
      `${version} is older than 0.12.11: it tells no probabilities of tokens, and may cut prompts that are too long without a word`,
      'update Ollama; until then take no "belief": "logprobs", and keep numCtx well above the longest prompt',
    );
  }
  return ok(name, version);
}
