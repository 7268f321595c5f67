import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { percent } from '../../../core/figures/shares.ts';
import { swapTitles } from '../../../core/figures/swapWords.ts';
import type { FlippedPairs as Flipped } from '../../../shared/api/swaps.ts';
import type { SwapStatistics } from '../../../shared/statistics.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { toTrial } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { labelWords } from '../trial/words.ts';
import styles from './Experiment.module.css';
import { flippedKey } from './experimentQueries.ts';

function Verdict({ what, of }: { what: string; of: Flipped['pairs'][number]['base'] }) {
  return (
    <Link href={toTrial(of.trial)}>
      {what}: <Isolated text={labelWords(of.prediction)} />
      {of.confidence === null ? '' : ` ${percent(of.confidence)}`}
    </Link>
  );
}

/** The pairs of trials whose verdicts differ, side by side. */
export function FlippedPairs({ experiment, of, onClose }: { experiment: string; of: SwapStatistics; onClose: () => void }) {
  const api = useApi();
  const { arm, swap } = of;
  const found = useQuery({
    queryKey: flippedKey(experiment, arm, swap),
    queryFn: ({ signal }) => api.experiments.flipped({ experiment, arm, swap }, { signal }),
    refetchOnMount: 'always',
  });
  const title = `Where ${arm} decides otherwise with ${swapTitles[swap]}`;
  return (
    <ModalDialog title={title} isOpen onClose={onClose} actions={<Button onPress={onClose}>Close</Button>}>
      <FailureNotice error={found.error} />
      {found.data === undefined && !found.isError ? <p className="quiet">Looking at the trials…</p> : null}
      {found.data === undefined ? null : (
        <>
          {found.data.total === 0 ? <p className="quiet">None.</p> : null}
          <ul className={styles.cases}>
            {found.data.pairs.map((pair) => (
              <li key={JSON.stringify([pair.case, pair.replicate])}>
                <span>
                  <Isolated text={pair.case} />
                  {pair.replicate === 0 ? null : <span className="quiet"> replicate {pair.replicate + 1}</span>}
                </span>
                <span className={styles.links}>
                  <Verdict what="usual" of={pair.base} />
                  <Verdict what="exchanged" of={pair.swapped} />
                </span>
              </li>
            ))}
          </ul>
          {found.data.pairs.length < found.data.total ? (
            <p className="quiet">The first {found.data.pairs.length} are listed.</p>
          ) : null}
        </>
      )}
    </ModalDialog>
  );
}
