import type { Belief, BeliefGrounds, FailureOutcome } from '../../shared/domain.ts';
import type { BeliefChoice } from '../../shared/experiment.ts';
import { isRecord } from '../answers/fields.ts';
import { believedSet, isSameSet, sampledLabelSets } from '../beliefs/independentBelief.ts';
import type { LabelTokens } from '../beliefs/labelTokens.ts';
import { logprobBelief } from '../beliefs/logprobBelief.ts';
import { sampledBelief } from '../beliefs/sampledBelief.ts';
import { isInconsistent } from '../beliefs/verbalBelief.ts';
import type { Answered, Court, StatedBelief } from '../protocols/court.ts';
import { predictionIn, statedBelief } from '../protocols/labelBelief.ts';
import { hasLabelSet, labelSetIn, statedLabelSet } from '../protocols/labelSetBelief.ts';
import type { AttemptReading } from './reading.ts';

/** What an answer came from, as far as beliefs need it. */
export interface AnswerOrigin {
  /** Its labels' tokens; null if the server reported none. */
  readonly tokens: readonly LabelTokens[] | null;
  /** Asks the same prompt once more. */
  sample(number: number): Promise<AttemptReading<unknown>>;
}

type Path = readonly (string | number)[];

function partAt(value: unknown, inside: Path): unknown {
  return inside.reduce<unknown>((part, key) => {
    if (Array.isArray(part) && typeof key === 'number') return part[key];
    return isRecord(part) && Object.hasOwn(part, key) ? part[String(key)] : undefined;
  }, value);
}

interface Taken {
  readonly belief: Belief | null;
  readonly grounds: Omit<BeliefGrounds, 'verbal'>;
}

const unknown = (status: 'not-reported' | 'not-located'): Taken => ({
  belief: null,
  grounds: { logprobs: { status, coverage: 0, doubt: 1, missing: [] } },
});

function fromTokens(tokens: AnswerOrigin['tokens'], labels: readonly string[], path: string): Taken {
  if (tokens === null) return unknown('not-reported');
  const place = tokens.find((found) => found.path === path);
  if (place === undefined) return unknown('not-located');
  const { belief, coverage, doubt, missing } = logprobBelief(labels, place);
  const status = belief === null ? 'too-little' : 'used';
  return { belief, grounds: { logprobs: { status, coverage, doubt, missing: [...missing] } } };
}

function fromSamples(
  samples: readonly AttemptReading<unknown>[],
  labels: readonly string[],
  inside: Path,
  ofSets: boolean,
): Taken {
  const failures = new Map<FailureOutcome, number>();
  const answers = samples.flatMap((sample) => {
    if (sample.rejected === null) return [partAt(sample.value, inside)];
    failures.set(sample.rejected, (failures.get(sample.rejected) ?? 0) + 1);
    return [];
  });
  const { belief, counts } = ofSets
    ? sampledLabelSets(
        labels,
        answers.map((answer) => labelSetIn(labels, answer)),
      )
    : sampledBelief(labels, answers.map(predictionIn));
  return {
    belief,
    grounds: { sampled: { asked: samples.length, counts: { ...counts }, failures: Object.fromEntries(failures) } },
  };
}

/** Whether a belief from elsewhere says something else than the prediction of the answer. */
const isOtherwise = (belief: Belief, labels: readonly string[], part: unknown): boolean =>
  hasLabelSet(part)
    ? !isSameSet(labelSetIn(labels, part), believedSet(labels, belief))
    : isInconsistent(belief, predictionIn(part));

/** `Court.belief` for a source. Prediction and confidence are the model's own; where the distribution fails it is null. */
export function beliefTaker(
  choice: BeliefChoice,
  originOf: (answer: Answered<unknown>) => AnswerOrigin,
): Pick<Court, 'belief'>['belief'] {
  const samplesOf = new Map<Answered<unknown>, readonly AttemptReading<unknown>[]>();

  /** One after the other: a trial that is stopped and continued then has its events in the same order. */
  const draw = async (answer: Answered<unknown>, count: number) => {
    const known = samplesOf.get(answer);
    if (known !== undefined) return known;
    const origin = originOf(answer);
    const samples: AttemptReading<unknown>[] = [];
    for (let number = 1; number <= count; number++) samples.push(await origin.sample(number));
    samplesOf.set(answer, samples);
    return samples;
  };

  return async (answer, labels, inside = []): Promise<StatedBelief> => {
    const part = partAt(answer.value, inside);
    const ofSets = hasLabelSet(part);
    const stated = ofSets ? statedLabelSet(labels, part) : statedBelief(labels, part);
    if (choice === 'verbal') return stated;
    const { belief, grounds } =
      choice === 'logprobs'
        ? fromTokens(originOf(answer).tokens, labels, [...inside, 'prediction'].join('.'))
        : fromSamples(await draw(answer, choice.sampled), labels, inside, ofSets);
    return {
      ...stated,
      belief,
      source: choice === 'logprobs' ? 'logprobs' : 'sampled',
      inconsistent: belief !== null && isOtherwise(belief, labels, part),
      grounds: { verbal: stated.belief, ...grounds },
    };
  };
}
