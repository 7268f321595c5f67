import { useState } from 'react';
import { percent } from '../../../core/figures/shares.ts';
import { swapTitles } from '../../../core/figures/swapWords.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { SwapStatistics } from '../../../shared/statistics.ts';
import { Button } from '../../ui/Button.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { EstimateCell } from './EstimateCell.tsx';
import styles from './Experiment.module.css';
import { FlippedPairs } from './FlippedPairs.tsx';

const failedWords = ({ failed: { base, swapped, both } }: SwapStatistics) =>
  base + swapped + both === 0 ? 'none' : `${base} usual alone, ${swapped} exchanged alone, ${both} both`;

function Row({ of, positive, onShow }: { of: SwapStatistics; positive: string | null; onShow: () => void }) {
  const measure = (name: string) => of.measures.find((each) => each.name === name);
  const [flips, chance] = [measure('flip_rate'), measure('replicate_flip_rate')];
  const wins = measure('won_by_prosecution') ?? measure('won_by_last_speaker');
  const flipped = of.moves.reduce((sum, { n }) => sum + n, 0);
  return (
    <tr>
      <th scope="row">
        <Isolated text={of.arm} />, {swapTitles[of.swap]}
      </th>
      <td className={styles.number}>
        {flips?.n ?? 0}
        <span className={styles.note}>/{of.pairs}</span>
      </td>
      <td className={styles.number}>
        <EstimateCell estimate={flips} scale="share" />
      </td>
      <td className={styles.number}>
        {flipped === 0 ? (
          <span className={styles.note}>none</span>
        ) : (
          <Button
            size="small"
            onPress={onShow}
            aria-label={`${quantity(flipped, 'pair')}, show where ${of.arm} decides otherwise with ${swapTitles[of.swap]}`}
          >
            {flipped}
          </Button>
        )}
      </td>
      <td>
        {of.moves.slice(0, mostMoves).map(({ from, to, n }) => (
          <div key={JSON.stringify([from, to])} className={styles.move}>
            <HiddenText text={`${from} → ${to}`} /> <span className={styles.note}>{n}</span>
          </div>
        ))}
        {of.moves.length > mostMoves ? <div className={styles.note}>and {of.moves.length - mostMoves} more</div> : null}
      </td>
      <td className={styles.number}>
        <EstimateCell estimate={chance} scale="share" of={chance?.value == null ? undefined : chance.n} />
      </td>
      {positive === null ? null : (
        <>
          <td className={styles.number}>
            <EstimateCell estimate={measure('positive_change')} scale="points" />
          </td>
          <td className={styles.number}>
            <EstimateCell estimate={measure('probability_change')} scale="points" />
          </td>
        </>
      )}
      <td className={styles.number}>
        {wins === undefined ? (
          <span className={styles.note}>–</span>
        ) : (
          <>
            <span className={styles.note}>{wins.name === 'won_by_prosecution' ? 'the prosecution' : 'the last to speak'}</span>{' '}
            <EstimateCell estimate={wins} scale="share" />
          </>
        )}
      </td>
      <td className={styles.note}>{failedWords(of)}</td>
    </tr>
  );
}

/** Kinds of flips that a row lists. */
const mostMoves = 4;

/** How often verdicts flip when something is exchanged, and which way. */
export function SwapsSection({ experiment, report }: { experiment: string; report: StatsReport }) {
  const { swaps, positive, resampling } = report;
  const [shown, setShown] = useState<SwapStatistics | null>(null);
  return (
    <Section
      title="Counterbalancing"
      lead={`Each arm beside itself with something exchanged, over pairs of the same case, replicate and seed that both decided. Flips between replicates tell how often verdicts differ where only the seed does. Verdicts for a label and its probability: exchanged less usual, in points. Half of the trials won is what a side would win by chance, as it held each place once. Intervals at ${percent(resampling.level)}. These arms stand in no comparison and not in the finding.`}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: in a narrow window the table scrolls sideways, by keyboard too */}
      <section className={styles.tableFrame} aria-label="Flip rates" tabIndex={0}>
        <table className={styles.table}>
          <caption className="visually-hidden">Flip rates</caption>
          <thead>
            <tr>
              <th scope="col">arm and what is exchanged</th>
              <th scope="col" className={styles.number}>
                both decided
              </th>
              <th scope="col" className={styles.number}>
                flip rate
              </th>
              <th scope="col" className={styles.number}>
                flipped
              </th>
              <th scope="col">from and to</th>
              <th scope="col" className={styles.number}>
                flips between replicates
              </th>
              {positive === null ? null : (
                <>
                  <th scope="col" className={styles.number}>
                    verdicts for <HiddenText text={positive} />
                  </th>
                  <th scope="col" className={styles.number}>
                    P(
                    <HiddenText text={positive} />)
                  </th>
                </>
              )}
              <th scope="col" className={styles.number}>
                won by
              </th>
              <th scope="col">without a verdict</th>
            </tr>
          </thead>
          <tbody>
            {swaps.map((each) => (
              <Row key={each.swapped_arm} of={each} positive={positive} onShow={() => setShown(each)} />
            ))}
          </tbody>
        </table>
      </section>
      {shown === null ? null : <FlippedPairs experiment={experiment} of={shown} onClose={() => setShown(null)} />}
    </Section>
  );
}
