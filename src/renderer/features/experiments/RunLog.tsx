import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { Fold } from '../../ui/Fold.tsx';
import styles from './Experiment.module.css';

const events: Readonly<Record<string, string>> = {
  'run-start': 'The run began',
  'run-pause': 'The server went away: the run waits',
  'run-resume': 'The server answers again',
  'run-recover': 'The engine had ended; the run went on by itself',
  'run-hold': 'Paused by the user',
  'run-continue': 'Gone on by the user',
  'run-end': 'The run ended',
  'run-interrupt': 'The run was interrupted',
};

const detailWords = (detail: Readonly<Record<string, unknown>>): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');

/** Starts, pauses and ends of runs. They stand beside the trials' chains, so that a resumed trial equals an uninterrupted one. */
export function RunLog({ log, seed }: { log: ExperimentView['log']; seed: number }) {
  return (
    <Fold title="Log of the runs" aside={`${log.length === 200 ? 'the last 200' : log.length} entries, seed ${seed}`} level={2}>
      {log.length === 0 ? (
        <p className={styles.note}>No run has begun.</p>
      ) : (
        <ol className={styles.log}>
          {log.map(({ at, event, detail }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries can be equal in all their parts
            <li key={index}>
              <time dateTime={at} className={styles.mono}>
                {at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}
              </time>{' '}
              {events[event] ?? event} <span className={styles.note}>{detailWords(detail)}</span>
            </li>
          ))}
        </ol>
      )}
    </Fold>
  );
}
