// Checks of Ollama's version.
import type { DoctorCheck } from '../../../shared/outputs.ts';
import { ok, problem, warning } from './check.ts';

type Version = readonly [number, number, number];

/** The first release with schemas, without which most calls fail. */
const withSchemas: Version = [0, 5, 0];
/** The first release with all that runs use: capabilities (0.6.4), `think` (0.9.0), token probabilities and `truncate: false`. */
const withAll: Version = [0, 12, 11];
/** The first whose cloud features can be turned off by `OLLAMA_NO_CLOUD`. */
const withCloudSwitch: Version = [0, 16, 2];

/** Numbers of a version; null where it is written in another way, or that of a build from source. */
function parse(text: string): Version | null {
  const [major = 0, minor = 0, patch = 0] = (/^v?(\d+)\.(\d+)\.(\d+)/.exec(text) ?? []).slice(1).map(Number);
  return major + minor + patch === 0 ? null : [major, minor, patch];
}

const isBelow = (one: Version, other: Version): boolean => {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0);
};

export const cloudSwitchSince = withCloudSwitch.join('.');

/** Whether the server is a release from before its cloud features could be turned off. */
export function predatesCloudSwitch(version: string | null): boolean {
  const numbers = version === null ? null : parse(version);
  return numbers !== null && isBelow(numbers, withCloudSwitch);
}

/** Whether the server's version can do what runs ask of it. One that is not known, or newer than any, is never wrong. */
export function checkVersion(version: string | null): DoctorCheck {
  const name = 'ollama version';
  const update = `update Ollama to ${withAll.join('.')} or newer`;
  if (version === null) return warning(name, 'it does not tell its version', update);
  const numbers = parse(version);
  if (numbers === null) return ok(name, `${version} (no release that is known: what it can do is not told)`);
  if (isBelow(numbers, withSchemas)) return problem(name, `${version}: it knows no schemas and refuses most calls`, update);
  if (!isBelow(numbers, withAll)) return ok(name, version);
  const found = `${version}: older releases tell no token probabilities and may cut long prompts without a word`;
  return warning(name, found, `${update}; until then avoid "belief": "logprobs" and keep numCtx well above the longest prompt`);
}
