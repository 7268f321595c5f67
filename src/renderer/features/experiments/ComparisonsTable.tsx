import { useState } from 'react';
import { Link } from 'wouter';
import { percent } from '../../../core/figures/shares.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { Button } from '../../ui/Button.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { toLook } from '../dashboard/look.ts';
import { DifferingCases } from './DifferingCases.tsx';
import { EstimateCell } from './EstimateCell.tsx';
import styles from './Experiment.module.css';
import { chanceWords } from './estimateWords.ts';

function Name({ name, baseline = false }: { name: string; baseline?: boolean }) {
  return (
    <bdi>
      <HiddenText text={name} />
      {baseline ? <span className={styles.note}> (baseline)</span> : null}
    </bdi>
  );
}

function Row({ experiment, comparison, onShow }: { experiment: string; comparison: Comparison; onShow: () => void }) {
  const { a, b, baseline, paired_cases, difference, mcnemar, cliffs_delta, smallest_detectable_difference: least } = comparison;
  const { a_only, b_only, p, p_adjusted } = mcnemar;
  return (
    <tr>
      <th scope="row">
        <Link href={toLook(experiment, { part: 'compare', subset: {}, behind: null, pair: comparison })}>
          <Name name={a} /> <span className={styles.note}>against</span> <Name name={b} baseline={baseline} />
        </Link>
      </th>
      <td className={styles.number}>{paired_cases}</td>
      <td className={styles.number}>
        <EstimateCell estimate={difference} scale="points" />
      </td>
      <td className={styles.number}>
        {a_only + b_only === 0 ? (
          <span className={styles.note}>none</span>
        ) : (
          <Button size="small" onPress={onShow} aria-label={`${a_only} : ${b_only}, show on which cases ${a} and ${b} differ`}>
            {a_only} : {b_only}
          </Button>
        )}
      </td>
      <td className={styles.number}>{chanceWords(p)}</td>
      <td className={styles.number}>{chanceWords(p_adjusted)}</td>
      <td className={styles.number}>{cliffs_delta === null ? '–' : signedWords(cliffs_delta)}</td>
      <td className={styles.number}>{least === null ? '–' : percent(least)}</td>
    </tr>
  );
}

const columns = ['cases', 'difference, points', 'right alone', 'p (McNemar, exact)', 'p adjusted', "Cliff's delta", 'least seen'];

/** `+0.12`, `−0.12`, `0.00`: two digits, with a true minus sign and none before a zero. */
function signedWords(value: number): string {
  const text = Math.abs(value).toFixed(2);
  return `${Number(text) === 0 ? '' : value > 0 ? '+' : '−'}${text}`;
}

/** Pairs of arms, and of arms with baselines, over the cases that both have. */
export function ComparisonsTable({ experiment, report }: { experiment: string; report: StatsReport }) {
  const { comparisons, comparisons_left_out: leftOut, resampling } = report;
  const [shown, setShown] = useState<Comparison | null>(null);
  return (
    <Section
      title="Comparisons"
      lead={`Difference of accuracy over all cases that both have, a failure counted as not correct, with its ${percent(resampling.level)} interval (BCa bootstrap over cases, ${resampling.resamples.toLocaleString('en-GB')} resamples, seed ${resampling.seed}). p is adjusted over all rows after Benjamini and Hochberg. Cliff's delta: of Brier losses, over the cases that both decided with a belief; without beliefs, of how often each case was right. Least seen: the difference that such a comparison finds four times in five.`}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: in a narrow window the table scrolls sideways, by keyboard too */}
      <section className={styles.tableFrame} aria-label="Comparisons of arms and baselines" tabIndex={0}>
        <table className={styles.table}>
          <caption className="visually-hidden">Comparisons of arms and baselines</caption>
          <thead>
            <tr>
              <th scope="col">pair</th>
              {columns.map((column) => (
                <th key={column} scope="col" className={styles.number}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {comparisons.map((comparison) => (
              <Row
                key={JSON.stringify([comparison.a, comparison.b])}
                experiment={experiment}
                comparison={comparison}
                onShow={() => setShown(comparison)}
              />
            ))}
          </tbody>
        </table>
        {leftOut === 0 ? null : (
          <p className={styles.note}>
            {quantity(leftOut, 'further pair')} {leftOut === 1 ? 'is' : 'are'} not compared here.
          </p>
        )}
      </section>
      {shown === null ? null : <DifferingCases experiment={experiment} comparison={shown} onClose={() => setShown(null)} />}
    </Section>
  );
}
