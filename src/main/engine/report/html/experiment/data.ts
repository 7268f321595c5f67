// Reads from the record what the report over an experiment shows in addition to its statistics.
import { calledAsShown } from '../../../../../core/figures/armNames.ts';
import { findProtocol } from '../../../../../core/protocols/index.ts';
import { preparationChain, reviewChain } from '../../../../../core/record/identity.ts';
import { drawnTable } from '../../../../../core/telling/drawnTable.ts';
import { armNamesOf, forReaders } from '../../../../../core/telling/forReaders.ts';
import { movementOf, type VerdictPath, verdictPath } from '../../../../../core/trajectory/verdictPath.ts';
import type { FrozenArm } from '../../../../../shared/events.ts';
import { isImported } from '../../../../../shared/imported.ts';
import type { StatsReport } from '../../../../../shared/outputs.ts';
import type { TrialLine } from '../../../../../shared/trialLine.ts';
import { checkpointView } from '../../../checkpoint/checkpoints.ts';
import { settingsOf } from '../../../lab/armSettings.ts';
import { erasureOf } from '../../../lab/erasedData.ts';
import { type FrozenExperiment, loadFrozen } from '../../../lab/frozen.ts';
import { withoutFolder } from '../../../queries/experiment.ts';
import { reviewReport } from '../../../reviews/reviewReport.ts';
import type { StoredCase } from '../../../store/datasets.ts';
import { adoptionOfExperiment } from '../../../store/origin.ts';
import type { Store } from '../../../store/store.ts';
import { playersIn } from '../../players.ts';
import { addedArms } from '../../statistics.ts';
import { trialLines } from '../../trialLines.ts';
import type { ReportData } from '../data.ts';

export type ExperimentData = Readonly<ReturnType<typeof experimentData>>;
export type ArmRecord = ExperimentData['arms'][number];

function protocolOf(frozen: FrozenExperiment, arm: FrozenArm): ReportData['protocol'] {
  const found = findProtocol(arm.protocol, arm.protocolVersion);
  return found === undefined ? null : { title: found.title, paper: found.paper, unused: frozen.protocol(arm)?.unused ?? [] };
}

/** The program keeps an imported file under its hash, which is no name for people. */
export const isStored = (path: string) => /(?:^|[\\/])[0-9a-f]{64}\.[a-z]+$/.test(path);

/** The name of the entry from which an experiment was made, or of one that has its file. */
function dataNameOf(store: Store, experiment: string, path: string): string | null {
  const entry = store.runs.of(experiment)?.entry ?? null;
  const found = entry === null ? store.dataFiles.list().find(({ file }) => path.endsWith(file)) : store.dataFiles.get(entry);
  return found?.name ?? null;
}

const imports: ReportData['protocol'] = { title: 'predictions from a file', paper: 'none: nothing was tried here', unused: [] };

/** To unpack every case of a larger data set takes seconds. */
const mostCompared = 20_000;

/** Of a trial that is tried again, its own experiment says which cases were not drawn. */
function undrawnIn(store: Store, frozen: FrozenExperiment) {
  const sample = new Set(frozen.sample());
  const all = frozen.definition.retrial === undefined ? store.datasets.cases(frozen.dataset.id) : [];
  const [drawn, cases] = [true, false].map((isDrawn) => all.filter(({ id }) => sample.has(id) === isDrawn));
  const read = (some: readonly StoredCase[] = []) =>
    some.flatMap(({ ref }) => (store.erasures.has(ref) ? [] : [store.datasets.read(ref)]));
  const { from } = frozen.definition.dataset.sample;
  const isCompared = cases?.length !== 0 && all.length <= mostCompared;
  return {
    count: cases?.length ?? 0,
    /** Whether those drawn are all cases of the shares that the draw was from. */
    isWhole: cases?.some(({ split }) => from === 'all' || split === from) === false,
    cases: (cases ?? []) as readonly Pick<StoredCase, 'id' | 'split'>[],
    table: isCompared ? drawnTable(read(drawn), read(cases), frozen.definition.dataset) : null,
  };
}

const mostMoved = 5;

function isChanged({ prediction }: TrialLine, path: VerdictPath | null): boolean | null {
  const first = path?.initial ?? null;
  return typeof first === 'string' && typeof prediction === 'string' ? first !== prediction : null;
}

/** All but the statistics. Throws not-found. @param faultOf what of a trial fails its check; null: a sound record */
export function experimentData(store: Store, statistics: StatsReport, faultOf: ((trial: string) => string | null) | null) {
  const { experiment } = statistics;
  const frozen = loadFrozen(store, experiment);
  const history = store.experiments.history(experiment).map(({ payload }) => payload);
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined) throw new Error(`experiment ${experiment} was never frozen`);
  const names = armNamesOf(statistics);
  const called = (arm: string) => names.get(arm) ?? arm;
  const lines = [...trialLines(store, frozen)].flatMap((line) =>
    line.status === 'queued' ? [] : [{ ...line, arm: called(line.arm) }],
  );
  // A damaged chain cannot be read to its end.
  const isSound = statistics.damage === undefined;
  let [spoken, outside] = [0, 0];
  const moved: { line: TrialLine; movement: number }[] = [];
  function* chains() {
    for (const line of lines) {
      spoken += Number(store.events.ofKinds(line.trial, ['utterance-make']).length > 0);
      outside += Number(store.events.namesOutside(line.trial));
      const movement = isSound && line.status === 'done' ? movementOf(store.trajectories.of(line.trial)) : null;
      if (movement !== null && movement > 0) moved.push({ line, movement });
      yield [line.arm, store.events.chain(line.trial)] as const;
    }
    yield [null, store.events.chain(preparationChain(experiment))] as const;
  }
  const templates = new Map(
    frozen.arms.flatMap(({ templates }) => Object.entries(templates)).map(([name, hash]) => [hash, name]),
  );
  const players = playersIn(store, chains());
  const settings = new Map(settingsOf(frozen).map((each) => [each.arm, { ...each, arm: called(each.arm) }]));
  const checkpoint = checkpointView(store);
  return {
    statistics: calledAsShown(forReaders(statistics), names),
    definition: withoutFolder(frozen.definition),
    /** What the list of data sets, which is no part of the record, calls its data now; null where it has no name for them. */
    dataName: dataNameOf(store, experiment, frozen.definition.dataset.path),
    /** The erasure that took most of it; null where none did. */
    erased: erasureOf(store, statistics.experiment),
    cases: frozen.sampleSize(),
    /** How many of the data set were not drawn, these cases, and how those drawn compare with them; only their number in a redacted bundle. */
    undrawn: undrawnIn(store, frozen),
    arms: frozen.arms.map((arm) => ({
      arm: { ...arm, name: called(arm.name) },
      /** Its name in the record and in exports. */
      recorded: arm.name,
      terms: frozen.terms(arm),
      /** Null for imported predictions. */
      settings: settings.get(arm.name) ?? null,
      protocol: isImported(arm) ? imports : protocolOf(frozen, arm),
    })),
    /** Who answered, as their servers described them; `arm` is null for calls that were made once for several arms. */
    players,
    prompts: [...templates]
      .map(([hash, name]) => ({ name, hash, text: store.blobs.get(hash) ?? null }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    lines,
    /** Trials with speeches, and those of them in which a speaker names something from outside the facts. */
    spoken,
    outside,
    /** Trials whose deciding belief moved most, 0-1, the greatest first; whether the verdict left the first answer, or null. */
    moved: moved
      .toSorted((one, other) => other.movement - one.movement)
      .slice(0, mostMoved)
      .map((each) => ({ ...each, changed: isChanged(each.line, verdictPath(store.trajectories.of(each.line.trial))) })),
    /** When it was first frozen, and extended last; ISO 8601, by the clock of the machine. */
    frozenAt: first.at,
    extendedAt: history.length > 1 ? last.at : null,
    /** Arms that were not in the first freeze. */
    added: addedArms(store, frozen).map(called),
    program: last.assize,
    freeze: frozen.freeze,
    root: store.events.root(),
    adopted: adoptionOfExperiment(store, experiment),
    checkpoint,
    /** Trials of the experiment that the newest checkpoint covers: a joined record has other experiments too. */
    signed: store.log.trialsWithin(experiment, checkpoint.checkpoint?.size ?? 0),
    /** What people judged and signed; null where no one did. */
    reviews:
      store.events.head(reviewChain(experiment)) === undefined ? null : calledAsShown(reviewReport(store, experiment), names),
    faultOf,
  };
}
