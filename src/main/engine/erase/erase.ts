// Erases what was said about a case, in an experiment or over a data set, and says so in the record.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { columnsLeftOut, unrecordedColumns } from '../../../core/cases/columnsRead.ts';
import { repeatedCases } from '../../../core/cases/peculiarities.ts';
import { reviewChain } from '../../../core/record/identity.ts';
import type { DatasetCase } from '../../../shared/domain.ts';
import type { EraseReport, EraseTarget } from '../../../shared/erasure.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { quantity } from '../../../shared/sizes.ts';
import { attempt } from '../attempt.ts';
import { commandText } from '../commandText.ts';
import { casesOfFile } from '../dataFiles/caseReading.ts';
import { dataFolder } from '../dataFiles/dataFolder.ts';
import { onFile } from '../lab/callEstimate.ts';
import { loadFrozen, notFound } from '../lab/frozen.ts';
import { narrativeOf } from '../lab/preparation/search.ts';
import { suggestionExperiments } from '../lab/suggestions.ts';
import { isTold } from '../lab/tryOut.ts';
import { openSettings } from '../service/settings.ts';
import type { DatasetRow } from '../store/datasets.ts';
import { isSameCase } from '../store/sameCase.ts';
import { termsOf } from '../store/searchIndex.ts';
import { openStoreReadOnly, type Store } from '../store/store.ts';
import { type WritingWatch, withStore, withWritable } from '../store/withStore.ts';
import { type Affected, affectedBy, type ErasureScope } from './affected.ts';
import { register } from './register.ts';

interface Step {
  readonly dataset: DatasetRow;
  readonly scope: ErasureScope;
}

const datasetOf = (store: Store, experiment: string): DatasetRow => {
  const row = store.experiments.get(experiment);
  if (row === undefined) throw notFound(store, experiment);
  return store.datasets.get(row.dataset);
};

/** The case in its data set, and the same one wherever else it is. */
function stepsOfCase(store: Store, experiment: string, id: string): Step[] {
  const own = datasetOf(store, experiment);
  const stored = store.datasets.caseOfId(own.id, id);
  if (stored === undefined) {
    throw new AssizeError(
      'not-found',
      `the data set of experiment ${JSON.stringify(experiment)} has no case ${JSON.stringify(id)}`,
      'case',
    );
  }
  if (store.erasures.has(stored.ref)) return [];
  const kase = store.datasets.read(stored.ref);
  return store.datasets.all().flatMap((dataset): Step[] => {
    const ref = store.datasets.caseOfId(dataset.id, id)?.ref;
    if (ref === undefined || store.erasures.has(ref) || !isSameCase(kase, store.datasets.read(ref))) return [];
    return [{ dataset, scope: { kind: 'case', ref } }];
  });
}

interface PlannedStep extends Step {
  readonly what: Affected;
}

const plan = (store: Store, { dataset, scope }: Step): PlannedStep => ({
  dataset,
  scope,
  what: affectedBy(store, dataset, scope),
});

/** Whole data sets in which a model read a case that goes, as one that an arm got wrong. */
function stepsOfSuggestions(store: Store, planned: readonly PlannedStep[]): Step[] {
  const known = new Set(planned.map(({ dataset }) => dataset.id));
  const texts = planned.flatMap(({ dataset, what }) => {
    const over = store.experiments.all().find((row) => row.dataset === dataset.id);
    if (over === undefined) return [];
    const frozen = loadFrozen(store, over.name);
    return what.cases.flatMap((id) => {
      const ref = store.datasets.caseOfId(dataset.id, id)?.ref;
      return ref === undefined ? [] : [narrativeOf(frozen, store.datasets.read(ref))];
    });
  });
  const tells = (ref: string) =>
    !store.erasures.has(ref) &&
    store.datasets.read(ref).facts.some(({ value }) => texts.some((text) => text !== '' && value.includes(text)));
  return suggestionExperiments(store)
    .filter(({ dataset }) => !known.has(dataset) && store.datasets.cases(dataset).some(({ ref }) => tells(ref)))
    .map(({ dataset }) => ({ dataset: store.datasets.get(dataset), scope: { kind: 'data-set' } }));
}

/** An entry of the list by its name or id. Throws not-found, and bad input where several have the name. */
function listedEntry(store: Store, named: string) {
  const list = store.dataFiles.list();
  const found = list.filter(({ id, name }) => id === named || name === named);
  const [entry] = found;
  if (entry === undefined) {
    throw new AssizeError('not-found', `the list of data sets has no ${JSON.stringify(named)}`, '--listed');
  }
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    throw badInput(`several data sets are called ${JSON.stringify(named)}; give the id of one: ${ids}`, '--listed');
  }
  return entry;
}

function stepsOf(store: Store, target: EraseTarget): Step[] {
  if (target.kind === 'case') return stepsOfCase(store, target.experiment, target.case);
  if (target.kind === 'experiment') {
    return [{ dataset: datasetOf(store, target.experiment), scope: { kind: 'experiment', experiment: target.experiment } }];
  }
  const experiments = target.kind === 'data-set' ? [target.experiment] : store.runs.ofEntry(listedEntry(store, target.entry).id);
  const datasets = new Map(experiments.map((name) => datasetOf(store, name)).map((dataset) => [dataset.id, dataset]));
  return [...datasets.values()].map((dataset) => ({ dataset, scope: { kind: 'data-set' } }));
}

async function entriesHolding(
  store: Store,
  target: EraseTarget,
  cases: ReadonlyMap<string, readonly DatasetCase[]>,
): Promise<{ id: string; name: string }[]> {
  const listed = target.kind === 'listed' ? listedEntry(store, target.entry).id : null;
  const found: { id: string; name: string }[] = [];
  for (const { id, name, file, definition } of store.dataFiles.list()) {
    const path = join(dataFolder(store.path), file);
    const isAsked = target.kind !== 'experiment' && existsSync(path);
    const holds =
      id === listed ||
      (isAsked &&
        (await casesOfFile(path, definition)).some(
          (kase) => cases.get(kase.id)?.some((gone) => isSameCase(kase, gone)) ?? false,
        ));
    if (holds) found.push({ id, name });
  }
  return found;
}

const nothingLeft = () => badInput('this was erased before; nothing of it is left to erase');

/** Ends a transaction of which only the outcome was wanted. */
class Undone extends Error {}

/** Which other experiments have a case with the id of one that goes, and how it is erased there. */
function sameIdSentences(store: Store, planned: readonly PlannedStep[], target: EraseTarget): string[] {
  const datasets = new Set(planned.map(({ dataset }) => dataset.id));
  const ids = new Set(
    target.kind === 'case'
      ? [target.case]
      : [...datasets].flatMap((dataset) => store.datasets.cases(dataset).map(({ id }) => id)),
  );
  const gone = new Set([
    ...planned.flatMap(({ what }) => what.experiments),
    ...store.erasures.list().map((each) => each.experiment),
  ]);
  const options = target.kind === 'case' ? ['--case', target.case] : target.kind === 'experiment' ? [] : ['--data-set'];
  return store.experiments.all().flatMap(({ name, dataset }) => {
    if (gone.has(name) || (target.kind === 'case' && datasets.has(dataset))) return [];
    const shared = store.datasets.cases(dataset).filter(({ id, ref }) => ids.has(id) && !store.erasures.has(ref)).length;
    if (shared === 0) return [];
    const has = target.kind === 'case' ? 'has a case of this id too' : `has ${shared} of these case ids too`;
    const place = target.kind === 'case' ? 'on a trial of the case' : 'on its screen';
    return [
      `Experiment ${JSON.stringify(name)} ${has}, and keeps what it says of it. If it is about the same people, erase it there: Erase… ${place}, or ${commandText('erase', name, ...options, '--store', store.path)}`,
    ];
  });
}

/** Other cases that are named. */
const mostNamed = 5;

/** Which other cases of a data set have the facts of the one that goes: the same person can have two ids. */
function sameFactsSentences(store: Store, planned: readonly PlannedStep[], target: EraseTarget): string[] {
  if (target.kind !== 'case') return [];
  const found = planned.flatMap(({ dataset, scope }) => {
    const over = store.experiments.all().find((row) => row.dataset === dataset.id);
    if (over === undefined || scope.kind !== 'case') return [];
    const { kind } = loadFrozen(store, over.name).definition.dataset;
    const gone = store.datasets.read(scope.ref);
    if (gone.facts.length === 0) return [];
    return store.datasets
      .cases(dataset.id)
      .filter(({ id, ref }) => id !== gone.id && !store.erasures.has(ref))
      .flatMap(({ id, ref }) => (repeatedCases([gone, store.datasets.read(ref)], kind).length === 0 ? [] : [id]));
  });
  const ids = [...new Set(found)];
  if (ids.length === 0) return [];
  const more = ids.length - mostNamed;
  const which =
    ids.length === 1
      ? `Case ${ids[0]} has`
      : `The cases ${ids.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''} have`;
  return [
    `${which} the same facts, dates apart, and ${ids.length === 1 ? 'keeps' : 'keep'} them. If the same person is meant, erase that too.`,
  ];
}

/** The name that Assize gives its own copy of an imported file. */
const ownCopy = /^[0-9a-f]{64}\./;

/** The file with the data, with what experiments call it. @param isListed whether an imported file is known */
function dataFileWords(store: Store, planned: readonly PlannedStep[], isListed: boolean): string {
  const datasets = new Set(planned.map(({ dataset }) => dataset.id));
  const paths = store.experiments
    .all()
    .filter(({ dataset }) => datasets.has(dataset))
    .flatMap(({ name }) => attempt(() => loadFrozen(store, name).definition, []))
    .flatMap((definition) => (isTold(definition) ? [] : definition.dataset.path));
  if (paths.length === 0 && !isListed) return '';
  const named = [...new Set(paths)].filter((path) => !ownCopy.test(path)).map((path) => JSON.stringify(path));
  return `your own data file${named.length === 0 ? '' : ` (${named.join(', ')} in the experiment file)`}, `;
}

/** That a whole experiment leaves the data sets of the list that it was made from, or that have the same file. */
function listedSentences(store: Store, affected: readonly Affected[], target: EraseTarget): string[] {
  if (target.kind !== 'experiment') return [];
  const gone = affected.flatMap(({ experiments }) => experiments);
  return store.dataFiles
    .list()
    .filter(({ id, fileHash }) => gone.some((name) => store.runs.ofEntry(id).includes(name) || onFile(store, name, { fileHash })))
    .map(({ name }) => `The data set ${JSON.stringify(name)} of the list stays; erase it too if its cases have to go.`);
}

/** Texts that stay since trials that are not erased have them too. */
function sharedSentences(affected: readonly Affected[]): string[] {
  const shared = affected.reduce((sum, each) => sum + each.shared, 0);
  if (shared === 0) return [];
  return [
    `${quantity(shared, 'text')} that other trials have word for word ${shared === 1 ? 'stays, and is' : 'stay, and are'} still shown there.`,
  ];
}

const stayingSentences = (store: Store, affected: readonly Affected[], target: EraseTarget, dataFile: string): string[] => [
  'Case ids, labels, verdicts, beliefs and the figures made from them stay, as do names of experiments and arms. Figures by group and rates of changes in the case leave erased cases out.',
  `Not reached; delete there yourself: ${dataFile}earlier reports, exports, bundles and copies, such as a backup folder, and search indexes of other users.`,
  ...(affected.some(({ experiments }) => experiments.some((name) => store.events.head(reviewChain(name)) !== undefined))
    ? [
        'Of reviews the answers stay; reasons and comments go. A reviewer’s name stays where that person also said something that stays.',
      ]
    : []),
  ...(affected.some(({ whole, compared }) => !whole && compared)
    ? ['Trials keep their precedents: facts of other cases, and how alike each was, unless they were drawn at random.']
    : []),
  ...(affected.every(({ whole }) => whole)
    ? []
    : [
        ...sharedSentences(affected),
        'Somebody who has this store and guesses an erased text to the letter can still confirm the guess, because the other trials need the random number (salt) behind its name. That is practical only for texts that are short or nearly known.',
      ]),
  ...(target.kind === 'experiment' && affected.every(({ whole }) => !whole)
    ? ['The cases stay, since other experiments are about them.']
    : []),
  ...leftOutSentences(store, affected),
];

/** That no erasure of the record reaches the columns that it never had. */
function leftOutSentences(store: Store, affected: readonly Affected[]): string[] {
  const columns = affected
    .flatMap(({ experiments }) => experiments)
    .flatMap((name) => attempt(() => unrecordedColumns(loadFrozen(store, name).definition.dataset), []));
  if (columns.length === 0) return [];
  return [
    `${columnsLeftOut}: ${[...new Set(columns)].join(', ')}. The record never had what is in them. The file that was imported has it, and so has a data set of the list that stays.`,
  ];
}

/** That saved searches stay, and which of them have words of the facts that go: they are settings, which no erasure changes. */
function savedSearchSentences(store: Store, gone: readonly DatasetCase[]): string[] {
  const searches = openSettings(store.path)
    .read()
    .views.filter(({ experiment }) => experiment === null);
  if (searches.length === 0) return [];
  const facts = gone.map(({ facts }) => facts.map(({ value }) => value.normalize('NFC').toLowerCase()).join('\n'));
  const named = searches.flatMap(({ name, state }) => {
    const terms = termsOf(new URLSearchParams(state).get('words') ?? '').map((term) => term.toLowerCase());
    return terms.some((term) => facts.some((text) => text.includes(term))) ? [JSON.stringify(name)] : [];
  });
  const found = named.length === 0 ? '' : ` Words of the erased facts are in ${named.join(', ')}.`;
  return [`Saved searches keep their words.${found} You can remove them on the screen Search.`];
}

/** Takes the texts of a step from the record, in the transaction under way. Returns how many. */
function take(store: Store, { dataset, scope, what: { whole, kept, stays } }: PlannedStep): number {
  return store.erasures.erase({
    dataset: { id: dataset.id, manifest: dataset.manifest ?? '' },
    about: {
      scope: scope.kind,
      experiment: scope.kind === 'experiment' ? scope.experiment : null,
      case: scope.kind === 'case' ? scope.ref : null,
      salt: whole,
    },
    kept,
    stays,
  }).texts;
}

/** Erases again where another store brought more of what was erased. @param known erasures before it reached everything */
export function eraseAgain(store: Store, known: number): void {
  for (const { dataset: manifest, scope, experiment, case: ref } of store.erasures.list().slice(known)) {
    const dataset = store.datasets.all().find((row) => row.manifest === manifest);
    if (dataset === undefined) continue;
    const kinds: Record<typeof scope, ErasureScope> = {
      'data-set': { kind: 'data-set' },
      experiment: { kind: 'experiment', experiment: experiment ?? '' },
      case: { kind: 'case', ref: ref ?? '' },
    };
    const step = plan(store, { dataset, scope: kinds[scope] });
    try {
      store.write(() => {
        if (take(store, step) === 0) throw new Undone();
      });
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
    }
  }
  if (store.erasures.uncleaned()) store.clean();
}

/**
 * Erases, or shows what would be. The record loses the texts in one transaction, then `finishErasure` cleans the files
 * next to it.
 * @param confirmed false: nothing is changed, and the store can be one that is only read
 * @throws not-found, bad-input
 */
export async function erase(store: Store, target: EraseTarget, confirmed: boolean): Promise<EraseReport> {
  const asked = stepsOf(store, target)
    .filter(({ dataset }) => dataset.salt.length > 0)
    .map((step) => plan(store, step));
  const planned = [...asked, ...stepsOfSuggestions(store, asked).map((step) => plan(store, step))];
  const affected = planned.map(({ what }) => what);
  const cases = Map.groupBy(
    planned.flatMap(({ dataset, what }) => {
      const gone = new Set(what.cases);
      return store.datasets.cases(dataset.id).flatMap(({ id, ref }) => (gone.has(id) ? [store.datasets.read(ref)] : []));
    }),
    ({ id }) => id,
  );
  const entries = await entriesHolding(store, target, cases);
  if (planned.length === 0 && entries.length === 0) throw nothingLeft();
  const sameFacts = sameFactsSentences(store, asked, target);
  // The hash of a file is compared with the salt, which can go.
  const listed = listedSentences(store, affected, target);
  let count = 0;
  if (confirmed) {
    store.write(
      () => {
        for (const step of planned) count += take(store, step);
        if (count === 0 && entries.length === 0) throw nothingLeft();
        for (const name of new Set(affected.flatMap(({ experiments }) => experiments))) store.runLog.dropDetails(name);
        for (const { id } of entries) store.dataFiles.forget(id);
        store.dataFiles.forgetRemoved(new Date().toISOString());
      },
      { durable: true },
    );
    finishErasure(store);
  } else {
    count = store.erasures.wouldErase(
      planned.map(({ dataset, what }) => ({ dataset: { id: dataset.id, manifest: dataset.manifest ?? '' }, ...what })),
    );
    if (count === 0 && entries.length === 0) throw nothingLeft();
  }
  const sum = (of: (each: Affected) => number) => affected.reduce((total, each) => total + of(each), 0);
  return {
    store: store.path,
    erased: confirmed,
    experiments: [...new Set(affected.flatMap(({ experiments }) => experiments))],
    cases: sum(({ cases }) => cases.length),
    cases_not_tried: sum(({ notTried }) => notTried),
    trials: sum(({ trials }) => trials.length),
    trials_beside: sum(({ beside }) => beside),
    texts: count,
    files: entries.map(({ name }) => name),
    stays: [
      ...sameFacts,
      ...sameIdSentences(store, planned, target),
      ...stayingSentences(store, affected, target, dataFileWords(store, planned, entries.length > 0)),
      ...listed,
      ...savedSearchSentences(store, [...cases.values()].flat()),
    ],
  };
}

/** Cleans every place that an erasure has to reach outside the record; again after one that was cut short. */
export function finishErasure(store: Store): void {
  for (const { clean } of register) clean?.(store);
}

/** What `assize erase` would erase, also while a run writes to the store. Throws not-found and bad-input. */
export const erasePreview = (path: string, target: EraseTarget): Promise<EraseReport> =>
  withStore(openStoreReadOnly(path), (store) => erase(store, target, false));

/** `assize erase --yes`; without a target, finishes one cut short (null: none). @throws not-found, bad-input, store-in-use */
export const eraseInStore = (path: string, target: EraseTarget | null, watch: WritingWatch) =>
  withWritable(path, { create: false, durability: 'full' }, watch, async (store): Promise<EraseReport | 'finished' | null> => {
    if (target !== null) return erase(store, target, true);
    if (!store.erasures.uncleaned()) return null;
    finishErasure(store);
    return 'finished';
  });
