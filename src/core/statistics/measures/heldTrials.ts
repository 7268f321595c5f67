// The trials of a report while it is made: all of them are in memory at once, so that each has only what is its own.
import type { TrialLine } from '../../../shared/trialLine.ts';
import type { VerdictPath } from '../../trajectory/verdictPath.ts';

const spentFields = ['calls', 'prompt_tokens', 'completion_tokens', 'model_ms', 'wall_ms'] as const;
const endFields = [
  ...(['experiment', 'arm', 'protocol', 'swap', 'base_arm', 'status', 'outcome', 'incomplete', 'inconsistent'] as const),
  ...(['prediction', 'correct', 'models', 'ambiguous', 'standin', 'replicate', 'truth', 'groups'] as const),
  ...(['weight', 'change'] as const),
] as const;
type Spent = Pick<TrialLine, (typeof spentFields)[number]>;
type End = Pick<TrialLine, (typeof endFields)[number]>;
export type ReportedTrial = Pick<TrialLine, 'trial' | 'case' | 'confidence' | 'belief'> & Spent & End;

class Held {
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

  static {
    const define = (field: string, get: (this: Held) => unknown) => Object.defineProperty(Held.prototype, field, { get });
    for (const field of endFields) {
      define(field, function () {
        return this.#end[field];
      });
    }
    for (const field of spentFields) {
      define(field, function () {
        return this.#spent[field];
      });
    }
  }

  along(path: VerdictPath): HeldTrial {
    const line = this as unknown as HeldTrial;
    return new Held(line, this.#end, this.#spent, path) as HeldTrial;
  }
}
type HeldTrial = Held & End & Spent;

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

/** Trials in a third of the room of their lines; their accessors are not copied by a spread. @param paths by trial */
export function heldTrials(lines: Iterable<ReportedTrial>, paths = none): HeldTrial[] {
  const [endOf, spentOf] = [partOf(endFields), partOf(spentFields)];
  return Array.from(lines, (line) => {
    const path = paths.get(line.trial) ?? null;
    if (line instanceof Held) return path === null ? (line as HeldTrial) : line.along(path);
    return new Held(line, endOf(line), spentOf(line), path) as HeldTrial;
  });
}
