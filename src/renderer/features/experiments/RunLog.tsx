import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { Fold } from '../../ui/Fold.tsx';
import styles from './Experiment.module.css';
import { detailWords, eventWords } from './runEvents.ts';

/** Starts, pauses and ends of runs. They stand beside the trials' chains, so that a resumed trial equals an uninterrupted one. */
export function RunLog({ log, seed }: { log: ExperimentView['log']; seed: number }) {
  return (
    <Fold title="Log of the runs" aside={`${log.length === 200 ? 'the last 200' : log.length} entries, seed ${seed}`} level={2}>
      {log.length === 0 ? (
        <p className="quiet">No run has begun.</p>
      ) : (
        <ol className="stack gap-4">
          {log.map(({ at, event, detail }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries can be equal in all their parts
            <li key={index}>
              <time dateTime={at} className={styles.mono}>
                {at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}
              </time>{' '}
              {eventWords(event)} <span className="quiet">{detailWords({ event, detail })}</span>
            </li>
          ))}
        </ol>
      )}
    </Fold>
  );
}
