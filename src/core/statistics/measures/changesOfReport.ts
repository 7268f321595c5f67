// What the arms of a report that differ from others in one declared thing say of it.
import type { FactStatistics } from '../../../shared/changeStatistics.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Resampling } from '../../../shared/statistics.ts';
import type { CaseTerms } from './armMeasures.ts';
import { changeStatistics } from './declaredChanges.ts';
import type { RunPart } from './estimates.ts';
import { factStatistics } from './factStatistics.ts';
import type { ReportedTrial } from './heldTrials.ts';
import { speechWorth } from './speechWorth.ts';
import { type PairedTrial, replicatePairs } from './swapMeasures.ts';
import { turnEffects } from './turnEffects.ts';

interface ChangedMaterial {
  readonly arms: readonly string[];
  readonly lines: readonly ReportedTrial[];
  readonly terms: CaseTerms;
  readonly resampling: Resampling;
  /** The finished trials among some, as they are measured. */
  finished(lines: readonly ReportedTrial[]): readonly (PairedTrial & ReportedTrial)[];
}

/** The arms of the report that are another of it with a declared change, and the finished trials of each arm. */
function declaredIn({ arms, lines, finished, terms, resampling }: ChangedMaterial) {
  const byArm = Map.groupBy(lines, ({ arm }) => arm);
  const trialsOf = (arm: string) => finished(byArm.get(arm) ?? []);
  const declared = arms.flatMap((name) => {
    const [line] = byArm.get(name) ?? [];
    const { change, base_arm: base = null } = line ?? {};
    return change === undefined || base === null || !byArm.has(base) ? [] : [{ name, base, change }];
  });
  return { declared, trialsOf, terms, resampling };
}
type Declared = ReturnType<typeof declaredIn>;

/** Withheld speeches, each with the trials of the same seeds in which it is heard. */
function speechesIn({ declared, trialsOf, terms, resampling }: Declared) {
  const heardWith = (base: string, seeds: number | undefined) =>
    seeds === undefined
      ? base
      : declared.find(({ base: of, change }) => of === base && change.kind === 'seed' && change.seeds === seeds)?.name;
  const withheld = declared.flatMap(({ name, base, change: { speech, seeds } }) => {
    const heard = heardWith(base, seeds);
    return speech === undefined || heard === undefined ? [] : [{ arm: base, speech, run: { heard, withheld: name } }];
  });
  const bySpeech = [...Map.groupBy(withheld, ({ arm, speech }) => JSON.stringify([arm, speech])).values()];
  const speeches = bySpeech.flatMap((mine) => {
    const [first] = mine;
    return first === undefined ? [] : [{ arm: first.arm, speech: first.speech, runs: mine.map(({ run }) => run) }];
  });
  return speechWorth(speeches, trialsOf, terms, resampling);
}

function turnsIn({ declared, trialsOf, terms, resampling }: Declared) {
  const cut = Map.groupBy(
    declared.filter(({ change }) => change.truncated !== undefined),
    ({ base }) => base,
  );
  const truncated = [...cut].map(([arm, mine]) => ({ arm, cuts: mine.map(({ name }) => name) }));
  return turnEffects(truncated, trialsOf, terms, resampling);
}

/** What the facts did in arms of a single trial that was tried without sets of them. */
function factsIn({ declared, trialsOf, terms }: Declared): FactStatistics[] {
  const leftOut = declared.flatMap(({ name, base, change: { left_out: left } }) =>
    left === undefined ? [] : [{ base, arm: name, ...left }],
  );
  return [...Map.groupBy(leftOut, ({ base }) => base)].flatMap(
    ([base, mine]) => factStatistics(base, mine, trialsOf, terms) ?? [],
  );
}

/**
 * Each arm of the report compared with itself under a declared change; of withheld speeches those with the arm's own seeds, and no
 * sets of several facts where those have a separate part.
 */
function changesIn({ declared: all, trialsOf, terms, resampling }: Declared, facts: readonly FactStatistics[]) {
  const apart = new Set(facts.map(({ arm }) => arm));
  const declared = all.filter(
    ({ base, change: { kind, seeds, left_out: left } }) =>
      (kind !== 'withhold' || seeds === undefined) && !(apart.has(base) && left !== undefined && left.facts.length > 1),
  );
  const seedsOf = (base: string) =>
    declared.flatMap((each) => (each.base === base && each.change.kind === 'seed' ? [each.name] : []));
  const bases = new Set(declared.map(({ base }) => base));
  const controls = new Map([...bases].map((base) => [base, replicatePairs([base, ...seedsOf(base)].flatMap(trialsOf))]));
  const changes = declared.map(({ name, base, change: { kind, text, speech, expect } }) => ({
    ...{ arm: base, changed_arm: name, kind, change: text },
    ...(speech === undefined ? {} : { speech }),
    ...(expect === undefined ? {} : { expect }),
    control: controls.get(base) ?? [],
  }));
  return changeStatistics(changes, trialsOf, terms, resampling);
}

/** Shares of the time of a report that its parts take, roughly. */
const shares = { changes: 0.01, speeches: 0.005, turns: 0.005 };

export function changesOfReport(
  material: ChangedMaterial,
  runPart: RunPart,
): Pick<StatsReport, 'changes' | 'facts' | 'speech_worth' | 'turn_effects'> {
  const found = declaredIn(material);
  const facts = factsIn(found);
  const changes = runPart(shares.changes, 'declared changes', () => changesIn(found, facts));
  const speeches = runPart(shares.speeches, 'withheld speeches', () => speechesIn(found));
  const turns = runPart(shares.turns, 'debates cut at random', () => turnsIn(found));
  return {
    ...(changes.length === 0 ? {} : { changes }),
    ...(facts.length === 0 ? {} : { facts }),
    ...(speeches.length === 0 ? {} : { speech_worth: speeches }),
    ...(turns.length === 0 ? {} : { turn_effects: turns }),
  };
}
