import { briefly } from '../../../../core/figures/exchangeMeasures.ts';
import { percent } from '../../../../core/figures/shares.ts';
import type { ChartBlock } from '../../../../core/telling/blocks.ts';
import styles from './Charts.module.css';
import { TextOf } from './TextOf.tsx';

type ChartLine = ChartBlock['lines'][number];

const size = { width: 232, height: 92, left: 36, right: 16, top: 8, bottom: 18 };
const inner = { width: size.width - size.left - size.right, height: size.height - size.top - size.bottom };

const mark = { first: styles.firstMark, second: styles.secondMark, both: styles.bothMark, other: styles.otherMark };

const roundName = (at = '') => (/^\d/.test(at) ? `Round ${at}` : at);

/** Neighbours that both have a value, and single points. */
function piecesOf(values: readonly (number | null)[]): { index: number; value: number }[][] {
  const pieces: { index: number; value: number }[][] = [[]];
  for (const [index, value] of values.entries()) {
    if (value === null) pieces.push([]);
    else pieces.at(-1)?.push({ index, value });
  }
  return pieces.filter((piece) => piece.length > 0);
}

/** Values over the rounds of a debate. Agents differ by mark, stroke, letter and colour. */
function RoundChart({ chart }: { chart: ChartBlock }) {
  const { label, lines, at, unit } = chart;
  const [low, high] = chart.range;
  const rounds = Math.max(1, at.length);
  const write = unit === 'percent' ? percent : briefly;
  const x = (index: number) => size.left + (rounds === 1 ? inner.width / 2 : (index / (rounds - 1)) * inner.width);
  const y = (value: number) => size.top + (1 - (value - low) / (high - low || 1)) * inner.height;
  const endOf = ({ values }: ChartLine) => values.findLast((value) => value !== null) ?? null;
  /** Two letters at one height would cover each other. */
  const shiftOf = (line: ChartLine, place: number): number => {
    const other = lines.find((each) => each !== line && each.letter !== '');
    const [own, near] = [endOf(line), other === undefined ? null : endOf(other)];
    if (own === null || near === null || Math.abs(y(own) - y(near)) >= 11) return 4;
    return own > near || (own === near && place === 0) ? -3 : 9;
  };
  return (
    <svg viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={label}>
      <title>{label}</title>
      {[low, high].map((tick) => (
        <g key={tick}>
          <line className={styles.axis} x1={size.left} x2={size.width - size.right} y1={y(tick)} y2={y(tick)} />
          <text className={styles.tick} x={size.left - 4} y={y(tick) + 4} textAnchor="end">
            {write(tick)}
          </text>
        </g>
      ))}
      {at.map((name, index) => (
        <text key={name} className={styles.tick} x={x(index)} y={size.height - 4} textAnchor="middle">
          {name}
        </text>
      ))}
      {lines.map((line, place) => {
        const { of, letter, values } = line;
        const last = values.findLastIndex((value) => value !== null);
        return (
          <g key={`${of}${letter}`}>
            {piecesOf(values).map((piece) => (
              <polyline
                key={piece[0]?.index}
                className={styles[of]}
                points={piece.map(({ index, value }) => `${x(index)},${y(value)}`).join(' ')}
              />
            ))}
            {piecesOf(values)
              .flat()
              .map(({ index, value }) => {
                const title = `${roundName(at[index])}${letter === '' ? '' : `, ${letter}`}: ${write(value)}`;
                return of === 'second' ? (
                  <rect key={index} className={mark[of]} x={x(index) - 3.5} y={y(value) - 3.5} width="7" height="7">
                    <title>{title}</title>
                  </rect>
                ) : (
                  <circle key={index} className={mark[of]} cx={x(index)} cy={y(value)} r="3.5">
                    <title>{title}</title>
                  </circle>
                );
              })}
            {last < 0 || letter === '' ? null : (
              <text className={`${styles.name} ${mark[of]}`} x={x(last) + 6} y={y(values[last] ?? 0) + shiftOf(line, place)}>
                {letter}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function Legend() {
  return (
    <p className={`row quiet gap-4-16 ${styles.legend}`}>
      <span>
        <svg viewBox="0 0 34 12" aria-hidden="true">
          <line className={styles.first} x1="2" x2="32" y1="6" y2="6" />
          <circle className={styles.firstMark} cx="17" cy="6" r="3.5" />
        </svg>
        Agent A
      </span>
      <span>
        <svg viewBox="0 0 34 12" aria-hidden="true">
          <line className={styles.second} x1="2" x2="32" y1="6" y2="6" />
          <rect className={styles.secondMark} x="13.5" y="2.5" width="7" height="7" />
        </svg>
        Agent B
      </span>
      <span>across: rounds</span>
    </p>
  );
}

export function RoundCharts({ charts, hasLegend }: { charts: readonly ChartBlock[]; hasLegend: boolean }) {
  return (
    <>
      {hasLegend ? <Legend /> : null}
      <div className={charts.length === 1 ? undefined : styles.charts}>
        {charts.map((chart) => (
          <figure key={chart.label} className={`stack min-w-0 ${styles.chart}`}>
            {chart.title === '' ? null : (
              <figcaption className="font-600 wrap-anywhere">
                <TextOf words={chart.title} />
                {chart.aside === undefined ? null : <small className="block muted text-12-5 font-400">{chart.aside}</small>}
              </figcaption>
            )}
            <RoundChart chart={chart} />
          </figure>
        ))}
      </div>
    </>
  );
}
