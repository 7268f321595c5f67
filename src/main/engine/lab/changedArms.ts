// Arms that are others with one thing changed: what a file may declare.

import { caseOnTrial } from '../../../core/cases/caseOnTrial.ts';
import { changedCase, changesCase } from '../../../core/cases/changedCase.ts';
import { trialSeed } from '../../../core/record/identity.ts';
import type { Change, ChangeKind } from '../../../shared/changes.ts';
import { changedFacts, changeText } from '../../../shared/changes.ts';
import { badInput } from '../../../shared/errors.ts';
import type { ArmDefinition } from '../../../shared/experiment.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { definitionOf, differences } from './freeze.ts';
import type { Fail, PreparedExperiment } from './preparedArm.ts';

export const refusedChange = (why: string) => badInput(why, '--change');

/** What an arm with a change may have different from the arm that it varies, apart from its name. */
const own: Partial<Record<ChangeKind, keyof ArmDefinition>> = { model: 'cast', prompts: 'prompts', params: 'params' };

const without = ({ name: _name, change: _change, counterbalance: _swaps, ...rest }: ArmDefinition) => rest;

/** Protocols whose judge reads every speech, in full, before the verdict. */
const cutProtocols = ['agentic-sim', 'courtroom'];

/** Why speeches of a protocol cannot be kept from the others, or null. */
export function speechProblem(kind: ChangeKind, protocol: string): string | null {
  const silences = kind === 'withhold' || kind === 'replace' || kind === 'truncate';
  if (silences && protocol === 'evince')
    return 'its prompts repeat the probabilities that each agent stated, so no one would be without the whole speech';
  if (kind !== 'truncate' || cutProtocols.includes(protocol)) return null;
  return `a cut shows the effect of a turn only where the one who decides reads all speeches: in ${cutProtocols.join(' and ')}, not in ${protocol}`;
}

export const noSpeech = (arm: string, wanted: string, made: readonly string[]): string =>
  `arm ${JSON.stringify(arm)} has no speech ${JSON.stringify(wanted)}; there are ${made.join(', ')}`;

/** The speeches that a debate can be cut before. No one rules after the last to speak, so no one hears what they say while they rule. */
export const speechesToCut = (made: readonly string[]): string[] =>
  made.slice(0, made.findLastIndex((speech) => !/\bjudge-?\d*$/.test(speech)) + 1);

function unfit(arm: ArmDefinition, change: Change, arms: readonly ArmDefinition[], labels: readonly string[]): string | null {
  const base = arms.find(({ name }) => name === change.of);
  if (base === undefined || base === arm)
    return `there is no other arm ${JSON.stringify(change.of)} that it could be a change of`;
  if (base.change !== undefined) return `arm ${JSON.stringify(change.of)} is itself a changed arm; name the arm that it varies`;
  if (arm.counterbalance !== undefined) return 'an arm with a change cannot be counterbalanced too: change one thing at a time';
  const found = differences(without(base), without(arm)).map(({ path }) => path.split('.')[0]);
  const allowed = own[change.kind];
  if (allowed !== undefined && !found.includes(allowed))
    return `its ${allowed} is the same as in arm ${JSON.stringify(change.of)}`;
  const more = found.find((key) => key !== allowed);
  if (more !== undefined) return `it differs from arm ${JSON.stringify(change.of)} in ${more} too: change one thing at a time`;
  const silence = speechProblem(change.kind, arm.protocol);
  if (silence !== null) return silence;
  if (change.kind === 'truncate' && change.draw > change.speeches.length)
    return `draw ${change.draw} is more than its ${change.speeches.length} speeches; each draw cuts elsewhere`;
  const { expect } = change;
  if (expect === undefined || expect === 'INV' || labels.length === 0 || labels.includes(expect.label)) return null;
  return `${JSON.stringify(expect.label)} is not a label; there are ${labels.join(', ')}`;
}

export function refuseUnfitChanges({ experiment: { arms, dataset } }: Pick<PreparedExperiment, 'experiment'>, fail: Fail): void {
  for (const [index, arm] of arms.entries()) {
    if (arm.change === undefined) continue;
    const reason = unfit(arm, arm.change, arms, dataset.labels ?? []);
    if (reason !== null) throw fail(`arm ${JSON.stringify(arm.name)} cannot be tried: ${reason}`, ['arms', index, 'change']);
  }
}

function idleReason(prepared: PreparedExperiment, data: Dataset, change: Change): string | null {
  const { seed, dataset } = { ...prepared.experiment, dataset: definitionOf(prepared, data).dataset };
  const sample = new Set(data.sample);
  const cases = data.cases.filter(({ id }) => sample.has(id));
  const touched = cases.some((kase) => {
    const onTrial = caseOnTrial(dataset, kase);
    return changedCase(onTrial, change, trialSeed(seed, kase.id, 0)) !== onTrial;
  });
  if (touched) return null;
  const known = [...new Set(cases.flatMap(({ facts }) => facts.map(({ name }) => name)))];
  const missing = changedFacts(change).find((name) => !known.includes(name));
  if (missing !== undefined) {
    return `no case on trial has the fact ${JSON.stringify(missing)}; there are ${known.slice(0, 20).join(', ')}`;
  }
  return 'it changes no case on trial';
}

export function refuseIdleChanges(prepared: PreparedExperiment, data: Dataset): void {
  for (const [index, { change }] of prepared.experiment.arms.entries()) {
    if (change === undefined || !changesCase(change)) continue;
    const reason = idleReason(prepared, data, change);
    if (reason === null) continue;
    throw prepared.file.error(`the change ${JSON.stringify(changeText(change))} cannot be made: ${reason}`, [
      'arms',
      index,
      'change',
    ]);
  }
}
