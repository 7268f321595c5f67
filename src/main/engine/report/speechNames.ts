// Reads what transcripts call speeches.
import { speechNames } from '../../../core/figures/speakers.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { FrozenExperiment } from '../lab/frozen.ts';
import type { Store } from '../store/store.ts';
import { eventsOf } from './readLanguage.ts';

/** Trials of an arm that are looked at: where a turn was forfeited, others have it. */
const mostRead = 20;

/** Of the arms whose speeches some other arm keeps from the court, by their keys. */
export function speechNamesIn(store: Store, frozen: FrozenExperiment): Pick<StatsReport, 'speech_names'> {
  const changed = frozen.arms.flatMap(({ name }) => frozen.changeOf(name) ?? []);
  const arms = new Set(changed.flatMap((change) => ('speech' in change || 'speeches' in change ? [change.of] : [])));
  if (arms.size === 0) return {};
  const finished = store.trials.heads(frozen.name).filter(({ status }) => status === 'done');
  const named = [...arms].map((arm) => {
    const trials = finished.filter((each) => each.arm === arm).slice(0, mostRead);
    const spoken = trials.map(({ trial }) =>
      eventsOf(store, trial).flatMap(({ kind, payload }) => (kind === 'utterance-make' ? [payload] : [])),
    );
    const [most = []] = spoken.toSorted((one, other) => other.length - one.length);
    return [arm, Object.fromEntries(speechNames(most))] as const;
  });
  return { speech_names: Object.fromEntries(named) };
}
