import type { Court } from '../protocols/court.ts';
import type { Collector, Emit } from './evaluationStep.ts';

/** `Court.measureExchange` and `Court.recommend`. */
export function exchangeSteps(emit: Emit, collector: Collector): Pick<Court, 'measureExchange' | 'recommend'> {
  return {
    measureExchange(key, exchange) {
      emit('exchange-measure', key, { v: 1, key, ...exchange }, new Map());
    },

    recommend(key, { recommendations, ...about }) {
      const { texts, keep } = collector();
      const kept = recommendations.map(({ kind, text, reason }) => ({ kind, text: keep(text), reason: keep(reason) }));
      emit('recommendation-make', key, { v: 1, key, ...about, recommendations: kept }, texts);
    },
  };
}
