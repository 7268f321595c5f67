import {
  briefly,
  type DebateMeasure,
  debateCsv,
  debateLines,
  debateMeasures,
  measureWords,
} from '../../../../core/figures/exchangeMeasures.ts';
import type { ExchangeEntry } from '../../../../core/figures/exchanges.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Fold } from '../../../ui/Fold.tsx';
import { Part } from '../parts/Part.tsx';
import styles from './Evince.module.css';
import { type ChartLine, RoundChart } from './RoundChart.tsx';

/** Measures that are drawn; the table has all. */
const drawn: ReadonlySet<string> = new Set([
  'contentiousness',
  'crit',
  'wd',
  'jsd',
  'nmi',
  'entropy',
  'mixtureEntropy',
  'informationGain',
]);

const kinds: Readonly<Record<string, ChartLine['of']>> = { A: 'first', B: 'second' };

function Trace({ measure, exchanges, labels }: { measure: DebateMeasure; exchanges: readonly ExchangeEntry[]; labels: number }) {
  const lines = measure.lines.map(
    ({ of, value }): ChartLine => ({ of: kinds[of] ?? 'both', letter: of, values: exchanges.map(value) }),
  );
  const values = lines.flatMap((line) => line.values.filter((value) => value !== null));
  if (values.length === 0) return null;
  const least = Math.min(0, ...values);
  const told = lines.map((line) => `${line.letter === '' ? '' : `${line.letter}: `}${line.values.map(measureWords).join(', ')}`);
  return (
    <figure className={styles.chart} title={measure.meaning}>
      <figcaption>
        {measure.name}
        <small>{measure.range}</small>
      </figcaption>
      <RoundChart
        label={`${measure.name} by round. ${told.join('; ')}. ${measure.meaning}`}
        lines={lines}
        range={[least, measure.most ?? Math.max(Math.log(Math.max(2, labels)), ...values)]}
        write={briefly}
      />
    </figure>
  );
}

function MeasureTable({ exchanges }: { exchanges: readonly ExchangeEntry[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls has to be reached by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label="All measures by round">
      <table className={styles.table}>
        <caption>Natural logarithms throughout. A dash: there is no such value in that round.</caption>
        <thead>
          <tr>
            <th scope="col">Measure</th>
            {exchanges.map(({ round }) => (
              <th key={round} scope="col" className={styles.number}>
                Round {round}
              </th>
            ))}
            <th scope="col">Range</th>
            <th scope="col">What it tells</th>
          </tr>
        </thead>
        <tbody>
          {debateLines.map(({ measure, title, value }) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {exchanges.map((exchange) => (
                <td key={exchange.round} className={styles.number}>
                  {measureWords(value(exchange))}
                </td>
              ))}
              <td className={styles.meaning}>{measure.range}</td>
              <td className={styles.meaning}>{measure.meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The measures over the rounds, on one axis of rounds, and all of them as a table. */
export function MeasuresPart({
  exchanges,
  labels,
  end,
}: {
  exchanges: readonly ExchangeEntry[];
  labels: number;
  end: string | null;
}) {
  if (exchanges.length === 0) return null;
  return (
    <Part title="How far apart" aside={end ?? 'the debate goes on'}>
      <div className={styles.charts}>
        {debateMeasures
          .filter(({ id }) => drawn.has(id))
          .map((measure) => (
            <Trace key={measure.id} measure={measure} exchanges={exchanges} labels={labels} />
          ))}
      </div>
      <Fold title="All measures" aside="with range and meaning">
        <div className={styles.tools}>
          <CopyButton text={debateCsv(exchanges)}>Copy as CSV</CopyButton>
        </div>
        <MeasureTable exchanges={exchanges} />
      </Fold>
    </Part>
  );
}
