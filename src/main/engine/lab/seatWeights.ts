// What the votes of an arm's judges or voters should count, learnt on the validation split.
import { isCorrect } from '../../../core/statistics/accuracy.ts';
import { seatWeights } from '../../../core/statistics/seatWeights.ts';
import type { WeightsReport } from '../../../shared/commandOutputs.ts';
import { badInput } from '../../../shared/errors.ts';
import { trialLines } from '../report/trialLines.ts';
import type { Store } from '../store/store.ts';
import { loadFrozen } from './frozen.ts';

/**
 * Weights of the votes of an arm that was tried on the validation split, so that no case that results are reported on has a say
 * in them. Throws not-found for an unknown experiment, bad input for an arm without a vote, another split, and where no seat is
 * better than chance.
 */
export function learntWeights(store: Store, experiment: string, name: string): WeightsReport {
  const frozen = loadFrozen(store, experiment);
  const { sample, labels = [] } = frozen.definition.dataset;
  const arm = frozen.arms.find((each) => each.name === name);
  if (arm === undefined) throw badInput(`experiment ${JSON.stringify(experiment)} has no arm ${JSON.stringify(name)}`, '--arm');
  if (sample.from !== 'validation') {
    throw badInput(
      `experiment ${JSON.stringify(experiment)} tries cases of "${sample.from}"; weights have to come from cases that no result is reported on, so try the arm on "sample": {"from": "validation"} first`,
      'experiment',
    );
  }
  const [seated] = Object.entries(frozen.protocol(arm)?.seats ?? {});
  if (seated === undefined || seated[1] < 2) {
    throw badInput(`arm ${JSON.stringify(name)} has no judges or voters that vote`, '--arm');
  }
  const [role, count] = seated;
  const lines = [...trialLines(store, frozen)].filter((line) => line.arm === name);
  const finished = lines.filter(({ status }) => status === 'done');
  const answers = finished.flatMap(({ trial, truth }) =>
    truth === null
      ? []
      : store.trajectories
          .of(trial)
          .steps.flatMap(({ role: seat, moment, prediction }) =>
            moment === 'live' && prediction !== null ? [{ role: seat, right: isCorrect(truth, prediction) }] : [],
          ),
  );
  const seats = seatWeights(
    Array.from({ length: count }, (_, index) => `${role}${index + 1}`),
    answers,
    labels.length,
  );
  if (seats.every(({ weight }) => weight === 0)) {
    throw badInput(
      `no ${role} of arm ${JSON.stringify(name)} is better than chance on ${finished.length} finished trials: every weight would be 0, so leave the votes equal`,
      '--arm',
    );
  }
  return { experiment, arm: name, trials: finished.length, unfinished: lines.length - finished.length, seats };
}
