import type { SavedView } from '../../shared/api/engine.ts';
/** Addresses of the screens, behind the `#` of the page. */
export const routes = {
  start: '/',
  datasets: '/datasets',
  entry: '/datasets/:entry',
  importFile: '/import',
  tryCase: '/try',
  newExperiment: '/new/:entry/:grown?',
  experiments: '/experiments',
  experiment: '/experiments/:experiment',
  experimentPart: '/experiments/:experiment/:part/:state?',
  importPredictions: '/experiments/:experiment/import-predictions',
  importNewPredictions: '/import-predictions',
  review: '/experiments/:experiment/review',
  undrawn: '/experiments/:experiment/not-drawn/:state?',
  live: '/live',
  liveExperiment: '/live/:experiment',
  trial: '/trials/:trial',
  besideTrial: '/trials/:trial/beside/:other',
  trialPlay: '/trials/:trial/play/:place',
  trialAt: '/trials/:trial/at/:seq/:sought?',
  search: '/search',
  searchFor: '/search/:state?',
  prompts: '/prompts',
  variant: '/prompts/:from/:name',
  models: '/models',
  settings: '/settings',
} as const;

/** State of a link to the settings that is about their part on the record. */
export const forRecord = 'record';
/** The same about how many calls are made at a time, of which the models have a part too. */
export const forCalls = 'calls';

/** State of a link to the data sets from which the cases of a new experiment are chosen. */
export const forExperiment = 'experiment';

/** State of a link to a variant that is written for the case that is being tried. */
export const forTry = 'try';

export const experimentsCrumb = { label: 'Experiments', to: routes.experiments };

export const toEntry = (entry: string) => `/datasets/${entry}`;
export const toNewExperiment = (entry: string) => `/new/${entry}`;
export const toExtension = (entry: string) => `${toNewExperiment(entry)}/extend`;
export const toExperiment = (name: string) => `/experiments/${encodeURIComponent(name)}`;

function unescaped(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** The experiment of an address, as written after the `#`; null if that is not a name. */
export const experimentIn = (address: string): string | null => unescaped(address.split('/')[2] ?? '');

export const toLive = (experiment: string) => `/live/${encodeURIComponent(experiment)}`;

export const toView = ({ experiment, state }: Pick<SavedView, 'experiment' | 'state'>) =>
  experiment === null ? `${routes.search}/${state}` : `${toExperiment(experiment)}/trials/${state}`;

export const toImportPredictions = (experiment: string) => `${toExperiment(experiment)}/import-predictions`;
/** The cases that were not drawn. @param sought words that they have; empty: all */
export const toUndrawn = (experiment: string, sought = '') =>
  `${toExperiment(experiment)}/not-drawn${sought === '' ? '' : `/${encodeURIComponent(sought)}`}`;
/** The words in such an address, as written after the `#`. */
export const wordsIn = (address: string): string => (unescaped(address.split('/')[4] ?? '') ?? '').slice(0, mostSought);
export const toReview = (experiment: string) => `${toExperiment(experiment)}/review`;
/** Where a variant is written: from the shipped words of a protocol, from one of the user's own, or from a copy of one. */
export const toPrompts = (from: 'shipped' | 'own' | 'copy', name: string) => `/prompts/${from}/${name}`;
export const toTrial = (trial: string) => `/trials/${trial}`;
/** The trial as it was after its first rows. */
export const toTrialPlay = (trial: string, place: number) => `${toTrial(trial)}/play/${place}`;
export const toBeside = (trial: string, other: string) => `${toTrial(trial)}/beside/${other}`;
/** The trial where something is said. @param seq of the event that says it */
export const toTrialAt = (trial: string, seq: number, sought: string) =>
  `${toTrial(trial)}/at/${seq}/${encodeURIComponent(sought)}`;

/** The place of an utterance in an address, as written after the `#`; null if there is none. */
export function saidAt(address: string): { seq: number; words: string } | null {
  const [, , , at, seq, words = ''] = address.split('/');
  return at === 'at' ? { seq: Number(seq), words: unescaped(words) ?? '' } : null;
}

/** What is sought, as the last part of its address; empty for nothing. */
export const searchState = ({ words, experiment }: Sought): string =>
  String(new URLSearchParams({ ...(words === '' ? {} : { words }), ...(experiment === null ? {} : { in: experiment }) }));

export function toSearch(sought: Sought): string {
  const state = searchState(sought);
  return state === '' ? routes.search : toView({ experiment: null, state });
}

/** Characters that can be looked for at once. */
const mostSought = 200;

/** Words to look for in everything that was said. `experiment`: of this one alone; null: of all. */
export type Sought = Readonly<ReturnType<typeof soughtIn>>;

/** The search text of an address, as written after the `#`. */
export function soughtIn(address: string) {
  const values = new URLSearchParams(address.split('/')[2] ?? '');
  return { words: (values.get('words') ?? '').slice(0, mostSought), experiment: values.get('in') };
}
