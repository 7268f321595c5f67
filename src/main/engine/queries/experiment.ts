// Queries: one experiment with its arms, casts and log, and the list of all.
import { basename } from 'node:path';
import { z } from 'zod';
import { castMember, seatNames } from '../../../core/protocols/cast.ts';
import { findProtocol } from '../../../core/protocols/index.ts';
import { foldTrial } from '../../../core/record/fold.ts';
import type { ExperimentList, ExperimentView } from '../../../shared/api/experiments.ts';
import type { LoggedEvent, RunLogReport } from '../../../shared/commandOutputs.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { CastMember, Experiment } from '../../../shared/experiment.ts';
import { isImported } from '../../../shared/imported.ts';
import { answerable } from '../lab/contamination.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { isDemoHere, lastAnswerer } from '../lab/lastAnswerer.ts';
import { lastPartOf } from '../lab/part.ts';
import { restOf } from '../lab/recordedProgress.ts';
import { explained, isAboutPart, isDatabaseError } from '../store/databaseError.ts';
import { adoptionOfExperiment } from '../store/origin.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import type { Query } from './query.ts';
import { type RecordedSummary, summaryOf, tallyArms } from './tally.ts';

const mostLogLines = 200;
const detailSchema = z.record(z.string(), z.unknown());

/** The definition with only the name of its data file: folders are private. */
export const withoutFolder = (definition: Experiment): Experiment => ({
  ...definition,
  dataset: { ...definition.dataset, path: basename(definition.dataset.path.replaceAll('\\', '/')) },
});

/** Sampling options that replace the protocol's own; nothing where none are set. */
const optionsOf = ({ options }: CastMember) => (Object.keys(options).length === 0 ? {} : { options: JSON.stringify(options) });

/** Who plays in an arm, in the protocol's order of roles; a role with several seats by its seats where they differ. */
export function castOf(frozen: FrozenExperiment, arm: FrozenExperiment['arms'][number]) {
  const { cast } = frozen.terms(arm);
  const roles = findProtocol(arm.protocol)?.roles ?? Object.keys(cast);
  const seats = frozen.protocol(arm)?.seats;
  return roles.flatMap((role) => {
    const seated = seatNames(role, seats).map((name) => ({ name, member: castMember(cast, name) }));
    const alike = seated.every(({ member }) => member === seated[0]?.member);
    const shown = alike ? [{ name: role, member: seated[0]?.member }] : seated;
    return shown.flatMap(({ name, member }) =>
      member === undefined ? [] : [{ role: name, model: member.model, backend: member.backend, ...optionsOf(member) }],
    );
  });
}

const importedTermsSchema = z.object({ system: z.string() });

/** Role -> model; of an imported arm, the system that predicted. */
function modelsOf(frozen: FrozenExperiment, arm: FrozenExperiment['arms'][number]): Record<string, string> {
  if (isImported(arm)) return importedTermsSchema.parse(frozen.terms(arm).params);
  return Object.fromEntries(castOf(frozen, arm).map(({ role, model }) => [role, model]));
}

/** Cases of an experiment's data set, and those of the shares that its sample is drawn from. */
function casesIn(store: Store, { dataset, definition }: FrozenExperiment) {
  const { from } = definition.dataset.sample;
  const sum = (sizes: ReturnType<typeof store.datasets.sizes>) => sizes.reduce((total, { cases }) => total + cases, 0);
  const sizes = store.datasets.sizes(dataset.id);
  return { dataset_cases: sum(sizes), share_cases: sum(sizes.filter(({ split }) => from === 'all' || split === from)) };
}

/** What happened in the runs of an experiment, the oldest entry first. */
export const runLogOf = (store: Store, name: string): LoggedEvent[] =>
  store.runLog.of(name).map(({ at, event, detail }) => ({ at, event, detail: detailSchema.parse(JSON.parse(detail)) }));

export function importsOf(store: Store, name: string): NonNullable<RunLogReport['imported']> {
  const rows = Map.groupBy([...store.trials.ofExperiment(name)].filter(isImported), ({ arm }) => arm);
  return [...rows].map(([arm, trials]) => {
    const events = trials.slice(0, 1).flatMap(({ trial }) => parseChain(store.events.chain(trial)));
    const open = events.find((event) => event.kind === 'trial-open')?.payload;
    return { arm, system: foldTrial(events).system ?? arm, predictions: trials.length, at: open?.at ?? '' };
  });
}

/** An experiment as recorded; its run and the place in the stream of changes are the engine's to add. */
export const experiment: Query<
  { experiment: string },
  Omit<ExperimentView, 'summary' | 'cursor' | 'asks'> & { summary: RecordedSummary }
> = {
  run(store, { experiment: name }) {
    const frozen = loadFrozen(store, name);
    const tallied = tallyArms(store, frozen);
    const { arms } = tallied;
    const { labels = [], positive = null } = frozen.definition.dataset;
    const rest = restOf(store, lastPartOf(store, frozen));
    const adopted = adoptionOfExperiment(store, name);
    const isDemoChosen = store.runs.of(name)?.backend === 'standin';
    return {
      ...(rest === undefined ? {} : { rest }),
      ...(adopted === null ? {} : { adopted }),
      demo_chosen: isDemoChosen,
      demo_offered: isDemoChosen || (tallied.standin && isDemoHere(lastAnswerer(store, name))),
      summary: summaryOf(store, frozen, tallied),
      definition: withoutFolder(frozen.definition),
      labels,
      positive,
      ...casesIn(store, frozen),
      arms: arms.map(({ arm, ...tally }) => {
        const first = frozen.protocol(arm)?.firstAnswer ?? null;
        const canBeRight = answerable(store, frozen, arm);
        return {
          ...(first === null ? {} : { first_answer: first }),
          ...(canBeRight === undefined ? {} : { can_be_right: canBeRight }),
          protocol: arm.protocol,
          protocol_version: arm.protocolVersion,
          models: modelsOf(frozen, arm),
          swap: frozen.swapOf(arm.name),
          base_arm: frozen.baseOf(arm.name),
          change: frozen.changeOf(arm.name) ?? null,
          prompts: arm.prompts ?? null,
          ...tally,
        };
      }),
      log: runLogOf(store, name).slice(-mostLogLines).toReversed(),
    };
  },
};

type RecordedList = Omit<ExperimentList, 'experiments'> & { readonly experiments: readonly RecordedSummary[] };

/** Every experiment on the record, the newest first. One that is damaged hides no other. */
export const experimentList: Query<null, RecordedList> = {
  run(store) {
    const experiments: RecordedSummary[] = [];
    const unreadable: RecordedList['unreadable'][number][] = [];
    for (const name of store.experiments.names()) {
      try {
        experiments.push(summaryOf(store, loadFrozen(store, name)));
      } catch (error) {
        if (isDatabaseError(error) && !isAboutPart(error)) throw error;
        const cause = explained(error, store.path);
        unreadable.push({ name, problem: cause instanceof AssizeError ? cause.message : 'its description is damaged' });
      }
    }
    experiments.sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
    return { experiments, unreadable };
  },
  withoutStore: () => ({ experiments: [], unreadable: [] }),
};
