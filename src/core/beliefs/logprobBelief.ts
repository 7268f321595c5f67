import type { Belief } from '../../shared/domain.ts';
import { type LabelTokens, writtenLabel } from './labelTokens.ts';

/**
 * The belief behind a written label, from the model's own token probabilities.
 *
 * What is computed: the probability that each label is written at this place by a sampler that may write
 * labels only, at temperature 1. That is how a sampler bound to a JSON Schema goes about it: at every
 * token it strikes out what fits no label and divides the rest by its sum.
 *
 *   P(label) = sum over tokens i of  reach(i) * p(i, tokens that fit this label alone) / n(i)
 *   reach(1) = 1,  reach(i+1) = reach(i) * p(i, the token written and others like it) / n(i)
 *   n(i)     = p(i, all tokens that fit a label still possible)
 *
 * A token fits a label if it continues it: a part of it, all of it, or all of it, its closing quote and
 * what follows. Labels may begin alike (`NO`, `NOT GUILTY`; `A1`, `A10`): then the first token fits several
 * labels, and a later one of those that were written decides between them. From where only one label is
 * left, nothing can change: the rest has probability 1.
 *
 * What is not seen. A server reports only the likeliest tokens (20), and what would follow only after the
 * token that was written:
 * - no token outside the list is likelier than the last one in it, so that the mass of labels outside the
 *   list is at most `unseen(i)` = min(1 - sum of the list, that last one * number of unlisted texts that fit).
 *   The token written does not count as the last one: vLLM adds it to the list however unlikely it is;
 *   a label that no listed token fits is `missing`: all missing labels share `unseen(i)` evenly, which is
 *   the most that they can have together;
 * - mass of a token that was not written and fits several labels (`shared`) is spread evenly over these, or,
 *   where it only cuts the written text in another place, as that of the written token.
 * Both are guesses about a mass that is known, so that the error is bounded:
 *
 *   doubt = sum over i of  reach(i) * (shared(i) + unseen(i)) / (n(i) + unseen(i))   (reach without unseen)
 *
 * No label's probability is off by more than `doubt`: the total variation of two ways to write is at most
 * that of their steps, each weighed with the chance to come there.
 *
 * `coverage` is the mass that distinguished one label from the others, of the model's whole mass, foreign tokens
 * included: what it would have written if it might write anything after the opening quote. Without at least
 * half of it the labels are not what the model was about to say, and there is no belief; nor is there one
 * above a doubt of a tenth.
 *
 * Source: the chain rule; constrained sampling as in llama.cpp's grammar sampler. Tokens' probabilities are
 * taken as the server reports them, which for Ollama and llama.cpp is before temperature, penalties and
 * schema. Assumed: a vocabulary has at most two tokens a label that continue past its closing quote and are not
 * listed (`",`, `"}`), and none of over 64 bytes. Limits: it is a belief given the answer's reasons so far,
 * which the model has just written. Only this answer's tokens are looked at: a second pass that forces every
 * label would need completion of a begun answer, which Ollama's chat interface does not offer, and one more
 * call for each label.
 *
 * Example: labels NO, NOT GUILTY, YES; first token `NO` 0.5, `YES` 0.3, `NOT` 0.1, foreign 0.1; written
 * `NO`, then `"` 0.8 and `T` 0.2. n(1) = 0.9; YES = 0.3/0.9, NOT GUILTY = 0.1/0.9 + 0.5/0.9 * 0.2,
 * NO = 0.5/0.9 * 0.8; coverage = 0.3 + 0.1 + 0.5 = 0.9; doubt = 0.
 */
export interface LogprobBelief {
  /** Null where coverage is too low or doubt too high. */
  readonly belief: Belief | null;
  /** Mass seen on tokens that distinguish one label from the others, 0-1. */
  readonly coverage: number;
  /** What a probability can be off by at most, 0-1. */
  readonly doubt: number;
  /** Labels that no reported token fits. */
  readonly missing: readonly string[];
}

const leastCoverage = 0.5;
const mostDoubt = 0.1;

const isSpace = (character: string): boolean => ' \t\n\r'.includes(character);

/** What a token says after the lead, white space aside; '' where it ends before that, null where it begins otherwise. */
function afterLead(token: string, lead: string): string | null {
  const marks = [...lead].filter((character) => !isSpace(character));
  let index = 0;
  for (const mark of marks) {
    while (index < token.length && isSpace(token.charAt(index))) index += 1;
    if (index === token.length) return '';
    if (token.charAt(index) !== mark) return null;
    index += 1;
  }
  return token.slice(index);
}

interface Candidate {
  readonly label: string;
  /** What of the label, closing quote included, is still to be written. */
  readonly rest: string;
}

const fits = (said: string, { rest }: Candidate): boolean => rest.startsWith(said) || said.startsWith(rest);

const total = (masses: Iterable<number>): number => [...masses].reduce((sum, mass) => sum + mass, 0);

/** Tokens of a vocabulary, not listed, that continue a label past its closing quote. */
const tokensPastQuote = 2;
const longestToken = 64;

/** The most that tokens outside the list can have of the mass of labels; `least` is that of the list's last token, the written one aside. */
function unseenMass(listed: readonly number[], least: number, said: ReadonlySet<string>, open: readonly Candidate[]): number {
  const texts = new Set(
    open.flatMap(({ rest }) => Array.from(rest.slice(0, longestToken), (_, index) => rest.slice(0, index + 1))),
  );
  const unlisted = [...texts].filter((text) => !said.has(text)).length + tokensPastQuote * open.length;
  return Math.max(0, Math.min(1 - total(listed), least * unlisted));
}

interface Step {
  /** Mass of tokens that fit one label. */
  readonly resolved: ReadonlyMap<string, number>;
  /** Mass of the token written and of others that cut the same text elsewhere, where several labels fit. */
  readonly onward: number;
  /** Of `onward`, that of the others. */
  readonly recut: number;
  readonly shared: readonly { readonly labels: readonly string[]; readonly mass: number }[];
  readonly unseen: number;
  readonly missing: readonly string[];
}

function weigh(step: LabelTokens['steps'][number], lead: string, open: readonly Candidate[], written: string): Step {
  const [token, logprob, top] = step;
  const listed: readonly (readonly [string, number])[] = top.some(([name]) => name === token) ? top : [...top, [token, logprob]];
  const fitting = (said: string | null) => (said === null ? [] : open.filter((candidate) => fits(said, candidate)));
  const own = fitting(afterLead(token, lead));
  const resolved = new Map<string, number>();
  const shared: { labels: string[]; mass: number }[] = [];
  const seenLabels = new Set<string>();
  let onward = 0;
  let recut = 0;
  const heard = new Set<string>();
  for (const [name, logarithm] of listed) {
    const mass = Math.exp(logarithm);
    const said = afterLead(name, lead);
    if (said !== null) heard.add(said);
    // A token without a text is an end of the answer.
    const labels = name === '' ? [] : fitting(said).map(({ label }) => label);
    for (const label of labels) seenLabels.add(label);
    const [only] = labels;
    if (labels.length === 1 && only !== undefined) resolved.set(only, (resolved.get(only) ?? 0) + mass);
    else if (labels.length > 1) {
      const alike = name === token || (written.startsWith(said ?? '') && labels.length === own.length);
      if (alike) onward += mass;
      else shared.push({ labels, mass });
      if (alike && name !== token) recut += mass;
    }
  }
  const missing = open.flatMap(({ label }) => (seenLabels.has(label) ? [] : [label]));
  const masses = listed.map(([, logarithm]) => Math.exp(logarithm));
  const least = Math.exp(Math.min(0, ...top.flatMap(([name, logarithm]) => (name === token ? [] : [logarithm]))));
  return { resolved, onward, recut, shared, unseen: unseenMass(masses, least, heard, open), missing };
}

/** Nine digits, so that the last bits of a logarithm do not decide whether a replay is the same. */
const rounded = (value: number): number => Number(value.toFixed(9));

const nothing: LogprobBelief = { belief: null, coverage: 0, doubt: 1, missing: [] };

/** The belief over `labels` from the tokens of the one that was written. Never throws: tokens that spell no label give none. */
export function logprobBelief(labels: readonly string[], { lead, steps }: LabelTokens): LogprobBelief {
  const belief = new Map(labels.map((label) => [label, 0]));
  const add = (label: string, mass: number) => belief.set(label, (belief.get(label) ?? 0) + mass);
  const spelled = steps.map(([token], index) => (index === 0 ? (afterLead(token, lead) ?? '') : token));
  const missing = new Set<string>();
  if (!steps[0]?.[0].startsWith(lead)) return nothing;
  let open: readonly Candidate[] = labels.map((label) => ({ label, rest: writtenLabel(label) }));
  let [reach, longestReach, rawReach, coverage, doubt] = [1, 1, 1, 0, 0];
  for (const [index, step] of steps.entries()) {
    const written = spelled.slice(index).join('');
    const { resolved, onward, recut, shared, unseen, missing: absent } = weigh(step, index === 0 ? lead : '', open, written);
    const known = total(resolved.values()) + onward + total(shared.map(({ mass }) => mass));
    const normaliser = known + (absent.length === 0 ? 0 : unseen);
    if (!(known > 0 && Number.isFinite(known))) return nothing;
    for (const [label, mass] of resolved) add(label, (reach * mass) / normaliser);
    for (const { labels: several, mass } of shared) {
      for (const label of several) add(label, (reach * mass) / normaliser / several.length);
    }
    for (const label of absent) {
      missing.add(label);
      add(label, (reach * unseen) / normaliser / absent.length);
    }
    // Before the opening quote a model may mean a number or white space, which says nothing about labels.
    const whole = index === 0 && spelled[0] === '' ? known : 1;
    coverage += (rawReach * total(resolved.values())) / whole;
    doubt += (longestReach * (recut + total(shared.map(({ mass }) => mass)) + unseen)) / (known + unseen);
    const said = spelled[index] ?? '';
    open = open.flatMap(({ label, rest }) => (fits(said, { label, rest }) ? [{ label, rest: rest.slice(said.length) }] : []));
    if (open.length <= 1) {
      if (open.length === 0) return nothing;
      const share = total(belief.values());
      const usable = coverage >= leastCoverage && doubt <= mostDoubt;
      return {
        belief: usable ? Object.fromEntries([...belief].map(([label, mass]) => [label, rounded(mass / share)])) : null,
        coverage: rounded(Math.min(1, coverage)),
        doubt: rounded(Math.min(1, doubt)),
        missing: [...missing],
      };
    }
    reach *= onward / normaliser;
    longestReach *= onward / known;
    rawReach *= onward / whole;
  }
  return nothing;
}
