// The trials of a report while it is made: all of them are in memory at once, so that each has only what is its own.
import type { TrialLine } from '../../../shared/trialLine.ts';
import type { VerdictPath } from '../../trajectory/verdictPath.ts';

export type ReportedTrial = Omit<
  TrialLine,
  | 'protocol_version'
  | 'attempt'
  | 'seed'
  | 'attempts'
  | 'reused'
  | 'backends'
  | 'belief_source'
  | 'head_hash'
  | 'prompts'
  | 'first_answer'
  | 'deliberation'
>;

const spentFields = ['calls', 'prompt_tokens', 'completion_tokens', 'model_ms', 'wall_ms'] as const;
const endFields = [
  ...(['experiment', 'arm', 'protocol', 'swap', 'base_arm', 'status', 'outcome', 'incomplete', 'inconsistent'] as const),
  ...(['prediction', 'correct', 'models', 'ambiguous', 'standin', 'replicate', 'truth', 'groups'] as const),
  ...(['weight', 'change'] as const),
] as const;
type Spent = Pick<ReportedTrial, (typeof spentFields)[number]>;
type End = Pick<ReportedTrial, (typeof endFields)[number]>;

class HeldTrial implements ReportedTrial {
  /** Objects that trials which ended alike, or took as much, have in common. */
  readonly #end: End;
  readonly #spent: Spent;
  readonly trial: string;
  readonly case: string;
  readonly confidence: number | null;
  readonly belief: ReportedTrial['belief'];
  readonly path: VerdictPath | null;

  constructor(line: ReportedTrial, end: End, spent: Spent, path: VerdictPath | null) {
    this.#end = end;
    this.#spent = spent;
    this.trial = line.trial;
    this.case = line.case;
    this.confidence = line.confidence;
    this.belief = line.belief;
    this.path = path;
  }

  along(path: VerdictPath): HeldTrial {
    return new HeldTrial(this, this.#end, this.#spent, path);
  }
  get experiment() {
    return this.#end.experiment;
  }
  get arm() {
    return this.#end.arm;
  }
  get protocol() {
    return this.#end.protocol;
  }
  get swap() {
    return this.#end.swap;
  }
  get base_arm() {
    return this.#end.base_arm;
  }
  get status() {
    return this.#end.status;
  }
  get outcome() {
    return this.#end.outcome;
  }
  get incomplete() {
    return this.#end.incomplete;
  }
  get inconsistent() {
    return this.#end.inconsistent;
  }
  get prediction() {
    return this.#end.prediction;
  }
  get correct() {
    return this.#end.correct;
  }
  get models() {
    return this.#end.models;
  }
  get ambiguous() {
    return this.#end.ambiguous;
  }
  get standin() {
    return this.#end.standin;
  }
  get replicate() {
    return this.#end.replicate;
  }
  get truth() {
    return this.#end.truth;
  }
  get groups() {
    return this.#end.groups;
  }
  get weight() {
    return this.#end.weight;
  }
  get change() {
    return this.#end.change;
  }
  get calls() {
    return this.#spent.calls;
  }
  get prompt_tokens() {
    return this.#spent.prompt_tokens;
  }
  get completion_tokens() {
    return this.#spent.completion_tokens;
  }
  get model_ms() {
    return this.#spent.model_ms;
  }
  get wall_ms() {
    return this.#spent.wall_ms;
  }
}

/** Some fields of lines, the same object for lines that have the same values. */
function partOf<Field extends keyof ReportedTrial>(fields: readonly Field[]) {
  const known = new Map<string, Pick<ReportedTrial, Field>>();
  return (line: ReportedTrial): Pick<ReportedTrial, Field> => {
    const key = JSON.stringify(fields.map((field) => line[field]));
    const found =
      known.get(key) ?? (Object.fromEntries(fields.map((field) => [field, line[field]])) as Pick<ReportedTrial, Field>);
    known.set(key, found);
    return found;
  };
}

const none: ReadonlyMap<string, VerdictPath> = new Map();

/**
 * Trials that take a third of the room of their lines. They have accessors, so that a spread does not copy them.
 * @param paths by trial
 */
export function heldTrials(lines: Iterable<ReportedTrial>, paths = none): HeldTrial[] {
  const [endOf, spentOf] = [partOf(endFields), partOf(spentFields)];
  return Array.from(lines, (line) => {
    const path = paths.get(line.trial) ?? null;
    if (line instanceof HeldTrial) return path === null ? line : line.along(path);
    return new HeldTrial(line, endOf(line), spentOf(line), path);
  });
}
