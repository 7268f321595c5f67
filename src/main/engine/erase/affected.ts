// Which texts of a data set go when some of its trials lose theirs, and which stay since other trials name them.
import { z } from 'zod';
import { partName } from '../../../core/record/hash.ts';
import { assistantChain, preparationChain, reviewChain } from '../../../core/record/identity.ts';
import { sharedCallPlace } from '../../../core/record/sharedKey.ts';
import { refsOf } from '../../../core/record/texts.ts';
import type { DatasetCase } from '../../../shared/domain.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import { hadCase } from '../lab/erasedData.ts';
import type { DatasetRow } from '../store/datasets.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';

export type ErasureScope =
  | { readonly kind: 'data-set' }
  | { readonly kind: 'experiment'; readonly experiment: string }
  | { readonly kind: 'case'; readonly ref: string };

/** In place of an erased question, which an experiment has to have. */
const erasedQuestion = '[erased]';

/** Of a definition all but its question is left as it was written. */
const definitionSchema = z.looseObject({ dataset: z.looseObject({ question: z.string().optional() }) });

const outlineText = ({ id, truth }: DatasetCase) => JSON.stringify({ id, facts: [], question: null, truth, groups: {} });

/** Names of all texts of an event, those of messages by their beginnings. */
function namesIn(event: RecordEvent): string[] {
  const parts = event.kind === 'call-answer' ? event.payload.messages.flatMap(([, names]) => names) : [];
  return [...refsOf(event).map(partName), ...parts];
}

/** Setups name models and settings and say nothing of a case: they stay, so that results can still be derived. */
function setupsIn({ kind, payload }: RecordEvent): string[] {
  if (kind === 'opinion-rate') return payload.trained === undefined ? [] : [payload.trained.setup];
  return 'setup' in payload && payload.setup !== null ? [payload.setup] : [];
}

function* definitionsWithoutQuestion(store: Store, experiment: string): Generator<[string, string]> {
  for (const { payload } of store.experiments.history(experiment)) {
    const definition = definitionSchema.parse(JSON.parse(store.blobs.need(payload.definition)));
    const { dataset } = definition;
    if (dataset.question === undefined || dataset.question === erasedQuestion) continue;
    yield [payload.definition, JSON.stringify({ ...definition, dataset: { ...dataset, question: erasedQuestion } })];
  }
}

export type Affected = Readonly<ReturnType<typeof affectedBy>>;

/** Walks over the chains of a data set. Memory grows with the number of texts that stay. */
export function affectedBy(store: Store, dataset: DatasetRow, scope: ErasureScope) {
  const experiments = store.experiments.all().filter((row) => row.dataset === dataset.id);
  const cases = store.datasets.cases(dataset.id);
  const there = cases.filter(({ ref }) => !store.erasures.has(ref));
  const before = store.erasures.list().flatMap((each) => (each.dataset === dataset.manifest ? [each.experiment] : []));
  const whole =
    scope.kind === 'data-set' ||
    (scope.kind === 'experiment' && experiments.every(({ name }) => name === scope.experiment || before.includes(name))) ||
    (scope.kind === 'case' && there.every(({ ref }) => ref === scope.ref));
  const isWhole = (experiment: string) => whole || (scope.kind === 'experiment' && scope.experiment === experiment);

  const [inside, outside] = [new Set<string>(), new Set<string>()];
  const askedOutside = new Set<string>();
  const setups = new Set<string>();
  const trials: string[] = [];
  const touched = new Set<string>();
  const tried = new Set<string>();
  let beside = 0;
  let compared = false;
  const learnSetups = (event: RecordEvent) => {
    for (const ref of setupsIn(event)) setups.add(ref);
  };

  for (const { name } of experiments) {
    const had = scope.kind === 'case' ? hadCase(store, name, scope.ref) : () => false;
    for (const { trial } of store.trials.ofExperiment(name)) {
      const chain = parseChain(store.events.chain(trial));
      const goes = isWhole(name) || had(chain);
      if (goes) {
        trials.push(trial);
        touched.add(name);
        if (scope.kind === 'case' && chain.every(({ kind, payload }) => kind !== 'trial-open' || payload.case !== scope.ref))
          beside += 1;
      }
      for (const event of chain) {
        if (goes) learnSetups(event);
        compared ||= goes && event.kind === 'precedent-retrieve';
        for (const part of namesIn(event)) (goes ? inside : outside).add(part);
        if (event.kind === 'trial-open') tried.add(event.payload.case);
        if (!goes && event.kind === 'answer-share') askedOutside.add(partName(event.payload.request));
      }
    }
  }

  const lost = (part: string) => inside.has(part) && !outside.has(part);
  const kept = new Set(outside);
  /** What a trial that stays did not ask: every attempt at it, and what no trial used. */
  const isUnasked = (key: string) => {
    const place = sharedCallPlace(key);
    return place !== null && !askedOutside.has(place.question);
  };
  /** What trials share goes with the trials that it is about. */
  const keepShared = (chain: string, all: boolean) => {
    for (const event of parseChain(store.events.chain(chain))) {
      const names = namesIn(event);
      const goes =
        all ||
        (scope.kind === 'case' &&
          (names.includes(partName(scope.ref)) || (event.kind === 'call-answer' && isUnasked(event.payload.key)))) ||
        (event.kind === 'statement-embed' && names.some(lost));
      if (goes) learnSetups(event);
      else for (const part of names) if (event.kind !== 'statement-embed' || !lost(part)) kept.add(part);
    }
  };
  for (const { name } of experiments) keepShared(preparationChain(name), isWhole(name));
  const losing = new Set(trials);
  for (const { name } of experiments)
    for (const event of parseChain(store.events.chain(reviewChain(name))))
      if (!isWhole(name) && !('trial' in event.payload && losing.has(String(event.payload.trial))))
        for (const part of namesIn(event)) kept.add(part);
  if (dataset.manifest !== null) keepShared(assistantChain(dataset.manifest), whole);

  const gone = there.filter(({ ref }) => whole || (scope.kind === 'case' && ref === scope.ref));
  if (!whole) {
    if (dataset.manifest !== null) kept.add(partName(dataset.manifest));
    for (const { ref } of there) kept.add(partName(ref));
    for (const { ref } of gone) kept.delete(partName(ref));
  }
  const known = [...setups, ...(whole && dataset.manifest !== null ? [dataset.manifest] : [])];
  const stays = new Map<string, string>([
    ...known.flatMap((ref): [string, string][] => {
      const text = store.blobs.get(ref);
      return text === undefined || (!whole && kept.has(partName(ref))) ? [] : [[ref, text]];
    }),
    ...gone.map(({ ref }): [string, string] => [ref, outlineText(store.datasets.read(ref))]),
    ...experiments.flatMap(({ name }) => (isWhole(name) ? [...definitionsWithoutQuestion(store, name)] : [])),
  ]);
  const shown = new Set([...setups, ...cases.map(({ ref }) => ref), dataset.manifest ?? ''].filter(Boolean).map(partName));
  const isShared = (part: string) => outside.has(part) && !shown.has(part) && !store.erasures.hasPart(part);
  return {
    /** Nothing of the data set stays: its salt goes too. */
    whole,
    /** Experiments of which trials lose texts. */
    experiments: whole ? experiments.map(({ name }) => name) : [...touched],
    cases: gone.map(({ id }) => id),
    /** How many of them no trial was about. */
    notTried: gone.filter(({ ref }) => !tried.has(ref)).length,
    /** Trials that lose texts. */
    trials,
    /** Of these, those on another case, which had the erased one as a precedent or an example. */
    beside,
    /** Whether trials that lose texts had precedents. */
    compared,
    /** Texts of these trials that stay since others have them word for word; cases, setups and the list of cases not counted. */
    shared: [...inside].filter(isShared).length,
    kept: whole ? new Set<string>() : kept,
    stays,
  };
}
