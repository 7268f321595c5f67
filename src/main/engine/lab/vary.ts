// Makes experiment files of others: with further arms in which one thing is changed, or with a probe of memory.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { labelFollowed, noLabel } from '../../../core/statistics/measures/speechWorth.ts';
import type { Expectation } from '../../../shared/changes.ts';
import { badInput } from '../../../shared/errors.ts';
import { experimentSchema, longestName } from '../../../shared/experiment.ts';
import type { Swap } from '../../../shared/swaps.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { refuseForeignPath } from '../store/location.ts';
import { refusedChange, speechProblem } from './changedArms.ts';
import { type ChangeRequest, changedArms, type FurtherArm, readChange, speechArms } from './changeRequest.ts';
import { prepareExperiment, readExperiment, readExperimentData } from './experimentFile.ts';
import { readArmsFile } from './matrixFile.ts';
import { dryRunArm } from './plan.ts';
import type { PreparedExperiment } from './preparedArm.ts';
import { canBeMasked, maskedName, rowsExperiment } from './probe.ts';
import { namedVariant } from './promptVariants.ts';
import { firstCasesOf, type RetrialFile, retrialOf } from './retrial.ts';

interface VaryRequest {
  readonly changes: readonly string[];
  /** Arms to vary; empty: every arm that fits, but for those that are changed already. */
  readonly arms: readonly string[];
  /** The trial that is tried again with the changes; absent: every case of the experiment. */
  readonly trial?: string | undefined;
  /** How many of its cases are tried again, in a separate experiment; absent: all of them. */
  readonly cases?: number | undefined;
  /** What is expected of the changes; absent: nothing. */
  readonly expect?: Expectation | undefined;
}

const fileSchema = z.looseObject({
  arms: z.array(
    z.looseObject({
      name: z.string(),
      protocol: z.string(),
      change: z.unknown().optional(),
      counterbalance: z.array(z.string()).optional(),
    }),
  ),
});
type Raw = z.infer<typeof fileSchema>['arms'][number];

/** Further arms by variants of prompts. Throws bad input for a variant that fits none of the arms. */
function byPrompts(
  given: readonly string[],
  { folder, experiment }: PreparedExperiment,
  arms: readonly Raw[],
  expect: Expectation | undefined,
) {
  const variants = given.map((prompts) => {
    refuseForeignPath(prompts, '--change');
    return { prompts, variant: namedVariant(prompts, folder ?? null, experiment.runtime.numCtx) };
  });
  const unused = variants.find(({ variant }) => arms.every(({ protocol }) => protocol !== variant.protocol))?.variant;
  if (unused !== undefined) {
    throw refusedChange(`variant ${unused.name} is for protocol ${unused.protocol}, and no arm that is to be varied has it`);
  }
  return ({ name, protocol }: Raw): FurtherArm[] =>
    variants.flatMap(({ prompts, variant }) => {
      // Over an experiment of which nothing is expected it is an arm to compare with others; else a change like any other.
      const isCompared = experiment.retrial === undefined && expect === undefined;
      const about = { of: name, ...(expect === undefined ? {} : { expect }), kind: 'prompts' };
      const change = isCompared ? {} : { change: about };
      return variant.protocol === protocol ? [{ name: `${name} (${variant.name})`, change: { prompts, ...change } }] : [];
    });
}

/** Further arms that are others with their names masked. Throws bad input where that can be done with none of the arms. */
function byMask(prepared: PreparedExperiment, arms: readonly Raw[]) {
  const fit = new Set(prepared.arms.filter(canBeMasked).map(({ definition }) => definition.name));
  if (!arms.some(({ name }) => fit.has(name))) {
    throw refusedChange('no arm that is to be varied can mask names: those with examples or precedents cannot');
  }
  return ({ name }: Raw): FurtherArm[] => (fit.has(name) ? [{ name: maskedName(name), change: { mask: 'names' } }] : []);
}

/** Refuses to keep speeches from the others where that could show nothing. Throws bad input. */
function refuseSilence({ kind }: ChangeRequest, { expect }: VaryRequest, data: Dataset): void {
  const refuse = (why: string, field = '--change') => badInput(why, field);
  if (expect !== undefined) {
    throw refuse('no verdict is expected of speeches that no one hears; make these arms without an expectation', '--expect');
  }
  if (kind !== 'truncate') return;
  if (data.sample.length === 1) {
    throw refuse('debates that are cut at random need several cases, each cut elsewhere; with one case, withhold each speech');
  }
  if (labelFollowed(data) === null) {
    throw refuse(`the effect of a turn would have no value: ${noLabel}; name the positive label in the experiment`);
  }
}

/**
 * Further arms in which a speech is withheld, with all seeds that the arm is then tried with, or has other words, or the debate is
 * cut at random. Arms in which no one speaks, and those of protocols that cannot have it, are left out.
 * @throws bad input where that leaves none
 */
async function bySpeeches(
  request: Extract<ChangeRequest, { kind: 'withhold' | 'replace' | 'truncate' }>,
  prepared: PreparedExperiment,
  varied: readonly Raw[],
  requests: readonly ChangeRequest[],
  { data, expect }: { readonly data: Dataset; readonly expect: Expectation | undefined },
): Promise<(arm: Raw) => FurtherArm[]> {
  const { arms } = prepared.experiment;
  const most = Math.max(0, ...requests.map((each) => (each.kind === 'seed' ? each.count : Number(each.kind === 'robustness'))));
  const asked = Array.from({ length: most }, (_, place) => place + 1);
  const further = new Map<string, FurtherArm[]>();
  const problems: string[] = [];
  for (const arm of prepared.arms) {
    const { name } = arm.definition;
    if (arm.swap !== null || !varied.some((each) => each.name === name)) continue;
    const known = arms.flatMap(({ change }) => (change?.kind === 'seed' && change.of === name ? [change.number] : []));
    const { speeches } = await dryRunArm(prepared, data, arm);
    if (speeches.length === 0) continue;
    const problem = speechProblem(request.kind, arm.protocol.id);
    if (problem !== null) {
      problems.push(`arm ${JSON.stringify(name)}: ${problem}`);
      continue;
    }
    further.set(name, speechArms({ of: name, expect }, request, speeches, [...new Set([...known, ...asked])]));
  }
  if (further.size === 0) {
    const none = `no one speaks in the trials of ${varied.map(({ name }) => JSON.stringify(name)).join(', ')}`;
    throw refusedChange(problems[0] ?? none);
  }
  return ({ name }) => further.get(name) ?? [];
}

async function variation(
  request: ChangeRequest,
  prepared: PreparedExperiment,
  varied: readonly Raw[],
  asked: VaryRequest,
  requests: readonly ChangeRequest[],
  data: () => Promise<Dataset>,
): Promise<(arm: Raw) => FurtherArm[]> {
  switch (request.kind) {
    case 'prompts':
      return byPrompts(request.prompts, prepared, varied, asked.expect);
    case 'probe':
      return byMask(prepared, varied);
    case 'swap':
      return () => [];
    case 'withhold':
    case 'replace':
    case 'truncate': {
      const known = await data();
      // Other words are no silence: something can be expected of them.
      if (request.kind !== 'replace') refuseSilence(request, asked, known);
      return bySpeeches(request, prepared, varied, requests, { data: known, expect: asked.expect });
    }
    default: {
      const known = await data();
      return ({ name }) => {
        const arm = prepared.arms.find(({ definition }) => definition.name === name);
        return arm === undefined
          ? []
          : changedArms(arm, request, known, { expect: asked.expect, dataset: prepared.experiment.dataset });
      };
    }
  }
}

/** The arms of a file that will be varied. Throws bad input for an arm that is not there. */
function variedArms(file: z.infer<typeof fileSchema>, named: readonly string[]): Raw[] {
  for (const name of named) {
    if (file.arms.some((arm) => arm.name === name)) continue;
    throw badInput(
      `there is no arm ${JSON.stringify(name)}; the file has ${file.arms.map((arm) => arm.name).join(', ')}`,
      '--arm',
    );
  }
  return file.arms.filter(({ name, change }) => (named.length === 0 ? change === undefined : named.includes(name)));
}

const expectingSchema = z.looseObject({ expect: z.unknown().optional() }).optional();
const expectedOf = (arm: Readonly<Record<string, unknown>>) => expectingSchema.parse(arm.change)?.expect;

/** Whether an arm of the file differs from the varied one as a further arm would, disregarding what is expected of it. */
function isTheSame(arm: Raw, { change }: FurtherArm): boolean {
  const [theirs, mine] = [arm, change].map((each): Record<string, unknown> => {
    const unexpecting = { ...expectingSchema.parse(each.change), expect: undefined };
    return JSON.parse(JSON.stringify({ ...each, change: unexpecting }));
  });
  return Object.keys(change).every((key) => isDeepStrictEqual(theirs?.[key], mine?.[key]));
}

/**
 * The name that a further arm gets, numbered where another arm has it; null where the file has that very arm.
 * @throws bad input where the file has it without what is expected of it now
 */
function freeName(further: FurtherArm, taken: ReadonlyMap<string, Raw>): string | null {
  for (let number = 1; ; number++) {
    const name = number === 1 ? further.name : `${further.name.replace(/\)$/, '')}, ${number})`;
    const other = taken.get(name);
    if (other === undefined) return name;
    if (!isTheSame(other, further)) continue;
    const wanted = expectedOf(further.change);
    if (wanted === undefined || isDeepStrictEqual(wanted, expectedOf(other))) return null;
    throw refusedChange(
      `arm ${JSON.stringify(name)} makes this change already, and what is expected of an arm cannot change; leave the change out, or the arm if it was never run`,
    );
  }
}

/**
 * An experiment with further arms right behind those that they vary, and all else as it was; arms that it has already are not
 * added again. For `probe=rows` a separate experiment.
 * @throws bad input, also where the result could not run, and where it has every one of these arms already
 */
export async function varied({ raw, prepared, data: known }: RetrialFile, request: VaryRequest) {
  const requests = request.changes.map(readChange);
  const made = (value: Readonly<Record<string, unknown>>, added: readonly string[]) => ({
    value,
    // What comes of it has to run, like any other file: two arms of one name, for one, do not.
    made: prepareExperiment({ ...prepared, experiment: experimentSchema.parse(value) }),
    added,
  });
  const file = fileSchema.parse(raw);
  const arms = variedArms(file, request.arms);
  if (requests.some((each) => each.kind === 'probe' && each.probe === 'rows')) {
    if (requests.length > 1 || request.trial !== undefined) {
      throw refusedChange('probe=rows makes its own experiment; leave other changes and --trial out');
    }
    const named = new Set(arms.map(({ name }) => name));
    const value = await rowsExperiment({ ...prepared, arms: prepared.arms.filter((arm) => named.has(arm.definition.name)) });
    return made(
      value,
      value.arms.map(({ name }) => name),
    );
  }
  let data = known;
  const dataOnce = async () => {
    data ??= await readExperimentData(prepared);
    return data;
  };
  const variations: ((arm: Raw) => FurtherArm[])[] = [];
  for (const each of requests) variations.push(await variation(each, prepared, arms, request, requests, dataOnce));
  const exchanges = requests.flatMap((each) => (each.kind === 'swap' ? each.swap : []));
  const fits = (swap: Swap, name: unknown) =>
    prepared.arms.find(({ definition }) => definition.name === name)?.bound.swaps[swap] !== undefined;
  const taken = new Map(file.arms.map((arm) => [arm.name, arm]));
  const added: string[] = [];
  const all = file.arms.flatMap((arm) => {
    if (!arms.includes(arm)) return [arm];
    const own = variations
      .flatMap((further) => further(arm))
      .flatMap((one) => {
        const name = freeName(one, taken);
        if (name === null) return [];
        if (name.length > longestName) {
          throw refusedChange(
            `an arm's name has at most ${longestName} characters, and ${JSON.stringify(name)} has more; shorten it`,
          );
        }
        const { counterbalance: _ofTheFirst, ...rest } = arm;
        const made: Raw = { ...rest, name, ...one.change };
        added.push(name);
        taken.set(name, made);
        return [made];
      });
    // Where it fits no arm, the check of the whole experiment says why.
    const exchanged = exchanges.filter((swap) => fits(swap, arm.name) || !arms.some(({ name }) => fits(swap, name)));
    const swaps = [...new Set([...(arm.counterbalance ?? []), ...exchanged])];
    added.push(...exchanged.filter((swap) => arm.counterbalance?.includes(swap) !== true).map((swap) => `${arm.name}~${swap}`));
    return [swaps.length === 0 ? arm : { ...arm, counterbalance: swaps }, ...own];
  });
  if (added.length === 0) throw refusedChange('the experiment has all of these changes already; name others');
  return made({ ...raw, arms: all }, added);
}

/** Throws bad input where both one trial and a number of cases are named. */
export function refuseCasesOfTrial(trial: string | null | undefined, cases: number | undefined): void {
  if (trial != null && cases !== undefined) throw badInput('a trial has one case; leave --cases out', '--cases');
}

const expectationOf = ({ arms }: PreparedExperiment['experiment'], name: string) =>
  arms.find((arm) => arm.name === name)?.change?.expect;

/** The file at a path, varied; for a trial a file of only that case and arm. Throws bad input. */
export async function varyExperiment(path: string, request: VaryRequest) {
  const prepared = readExperiment(path);
  const whole: RetrialFile = { raw: z.looseObject({}).parse(readArmsFile(path).value), prepared, data: undefined };
  const { trial, cases, expect } = request;
  refuseCasesOfTrial(trial, cases);
  const chosen = cases === undefined ? whole : await firstCasesOf(whole, cases);
  const file = trial === undefined ? chosen : await retrialOf(whole, trial);
  const { value, made, added } = await varied(file, request);
  if (request.changes.some((change) => !/^(?:probe|prompts)=/.test(change))) await readExperimentData(made);
  return {
    text: `${JSON.stringify(value, null, 2)}\n`,
    experiment: made.experiment.name,
    added,
    /** Those of which nothing is expected although something was stated: arms to compare with others, such as exchanges. */
    unexpected: expect === undefined ? [] : added.filter((name) => expectationOf(made.experiment, name) === undefined),
  };
}
