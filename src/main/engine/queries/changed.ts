// Query: in what two arms differ, and what that did.
import { shippedPrompts } from '../../../core/figures/armSettings.ts';
import { changeMeasures } from '../../../core/statistics/measures/changeMeasures.ts';
import { measured } from '../../../core/statistics/measures/statisticsReport.ts';
import { pairStatistics } from '../../../core/statistics/measures/swapMeasures.ts';
import type { Changed, ChangedQuery } from '../../../shared/api/changed.ts';
import { isMultiLabel } from '../datasets/cases.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { defaultResamples } from '../report/statistics.ts';
import { settingsOf } from './armSettings.ts';
import { contendersOf } from './contenders.ts';
import type { Query } from './query.ts';

function differingSettings(frozen: FrozenExperiment, a: string, b: string): Changed['settings'] {
  const settings = new Map(settingsOf(frozen).map(({ arm, ...rest }) => [arm, rest]));
  const [one, other] = [settings.get(a), settings.get(b)];
  if (one === undefined || other === undefined) return [];
  // Two variants can have had one name: the version tells them apart.
  const versions = new Map(frozen.arms.map(({ name, prompts }) => [name, prompts]));
  const wordsOf = (arm: string) => {
    const variant = versions.get(arm);
    return variant === undefined ? shippedPrompts : `${variant.name}, version ${variant.hash.slice(0, 8)}`;
  };
  const all = (arm: string, { protocol, version, swap, settings: own }: typeof one) => ({
    protocol: `${protocol}, version ${version}`,
    exchanged: swap,
    ...own,
    prompts: wordsOf(arm),
  });
  const [ofOne, ofOther]: Record<string, Changed['settings'][number]['a']>[] = [all(a, one), all(b, other)];
  return [...new Set([...Object.keys(ofOne ?? {}), ...Object.keys(ofOther ?? {})])].flatMap((name) => {
    const values = { a: ofOne?.[name] ?? null, b: ofOther?.[name] ?? null };
    return values.a === values.b ? [] : [{ name, ...values }];
  });
}

/** Over pairs of trials: verdicts, calibration, failures and tokens. */
export const changed: Query<ChangedQuery, Changed> = {
  run(store, { experiment, ...pair }) {
    const frozen = loadFrozen(store, experiment);
    const { dataset, seed } = frozen.definition;
    const { a, b } = contendersOf(store, frozen, { ...pair, baseline: false });
    const terms = { labels: dataset.labels ?? [], positive: dataset.positive ?? null, multiLabel: isMultiLabel(dataset) };
    const resampling = { resamples: defaultResamples, seed, level: 0.95 };
    const [of, against] = [measured(a.lines, new Map()), measured(b.lines, new Map())];
    const flips = pairStatistics(against, of, terms, resampling).run(() => undefined);
    const measures = changeMeasures(of, against, terms, resampling).run(() => undefined);
    return { settings: differingSettings(frozen, pair.a, pair.b), flips, measures };
  },
};
