import type { Figure } from './kit/figure.ts';

type Group = 'performance' | 'calibration' | 'cost' | 'deliberation' | 'ablations' | 'protocols' | 'fairness';

/** Figures that share a card of the dashboard, with a choice between them; their code comes when it is scrolled near. */
export interface FigureCard {
  readonly group: Group;
  readonly ids: readonly [string, ...string[]];
  readonly module: () => Promise<object>;
}

const card = (group: Group, ids: FigureCard['ids'], module: FigureCard['module']): FigureCard => ({ group, ids, module });

/** Every figure, in the order of the dashboard. An id never changes: it is in addresses and names of files. */
export const cards: readonly FigureCard[] = [
  card('performance', ['accuracy-by-arm', 'accuracy-f1-bars'], () => import('./figures/accuracy.ts')),
  card('performance', ['comparisons-forest'], () => import('./figures/comparisonsForest.ts')),
  card('performance', ['paired-ensemble'], () => import('./figures/pairedEnsemble.ts')),
  card('performance', ['accuracy-by-model-size'], () => import('./figures/costs.ts')),
  card('performance', ['confusion'], () => import('./figures/confusion.ts')),
  card('performance', ['ranking-measures'], () => import('./figures/rankingMeasures.ts')),
  card('performance', ['failures'], () => import('./figures/failures.ts')),
  card('performance', ['answer-reading'], () => import('./figures/failures.ts')),
  card('calibration', ['reliability', 'label-reliability'], () => import('./figures/calibration.ts')),
  card('calibration', ['risk-coverage'], () => import('./figures/calibration.ts')),
  card('calibration', ['calibration-slope'], () => import('./figures/calibration.ts')),
  card('calibration', ['confidence-histogram'], () => import('./figures/confidenceHistogram.ts')),
  card('calibration', ['confidence-correctness'], () => import('./figures/calibration.ts')),
  card(
    'cost',
    ['f1-against-time', 'accuracy-against-time', 'f1-against-tokens', 'accuracy-against-tokens'],
    () => import('./figures/costs.ts'),
  ),
  card('deliberation', ['belief-timelines'], () => import('./figures/beliefTimelines.ts')),
  card('deliberation', ['persuasion-by-turn'], () => import('./figures/persuasionByTurn.ts')),
  card('deliberation', ['flips'], () => import('./figures/flips.ts')),
  card(
    'deliberation',
    ['hearing-to-verdict', 'hearing-against-verdict', 'corrections-degradations'],
    () => import('./figures/firstAnswers.ts'),
  ),
  card('deliberation', ['dissent'], () => import('./figures/flips.ts')),
  card('deliberation', ['ambiguous-cases'], () => import('./figures/ambiguousCases.ts')),
  card('deliberation', ['confidence-over-rounds'], () => import('./figures/confidenceOverRounds.ts')),
  card('deliberation', ['language-by-round', 'language-over-contentiousness'], () => import('./figures/language.ts')),
  card('ablations', ['ablation', 'ablation-macro-f1'], () => import('./figures/ablations.ts')),
  card('ablations', ['structure-by-shots'], () => import('./figures/ablations.ts')),
  card('protocols', ['exchange-measures'], () => import('./figures/steps.ts')),
  card('protocols', ['mixture-divergence'], () => import('./figures/steps.ts')),
  card('protocols', ['panel-by-topic'], () => import('./figures/panelByTopic.ts')),
  card('protocols', ['crit-by-round'], () => import('./figures/steps.ts')),
  card('protocols', ['debate-ends'], () => import('./figures/debateEnds.ts')),
  card('protocols', ['feedback-rounds'], () => import('./figures/steps.ts')),
  card('protocols', ['round-settlements'], () => import('./figures/debateEnds.ts')),
  card('fairness', ['group-rates'], () => import('./figures/groupRates.ts')),
  card('fairness', ['language-by-group'], () => import('./figures/language.ts')),
  card('fairness', ['swaps'], () => import('./figures/swaps.ts')),
  card('fairness', ['changes'], () => import('./figures/swaps.ts')),
];

const isFigure = (value: unknown): value is Figure => typeof value === 'object' && value !== null && 'plot' in value;

export async function figuresOf({ ids, module }: FigureCard): Promise<Figure[]> {
  const all = Object.values(await module()).filter(isFigure);
  return ids.flatMap((id) => all.filter((figure) => figure.id === id));
}
