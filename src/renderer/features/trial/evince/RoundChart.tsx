import styles from './Evince.module.css';

/** One line of a chart: of an agent, or of both. */
export interface ChartLine {
  readonly of: 'first' | 'second' | 'both';
  /** At its end; empty: none. */
  readonly letter: string;
  /** By round; null where there is none. */
  readonly values: readonly (number | null)[];
}

const size = { width: 232, height: 92, left: 30, right: 16, top: 8, bottom: 18 };
const inner = { width: size.width - size.left - size.right, height: size.height - size.top - size.bottom };

const mark = { first: styles.firstMark, second: styles.secondMark, both: styles.bothMark };

/** Neighbours that both have a value, and single points. */
function piecesOf(values: readonly (number | null)[]): { index: number; value: number }[][] {
  const pieces: { index: number; value: number }[][] = [[]];
  for (const [index, value] of values.entries()) {
    if (value === null) pieces.push([]);
    else pieces.at(-1)?.push({ index, value });
  }
  return pieces.filter((piece) => piece.length > 0);
}

interface Properties {
  /** All of it in words, for whoever hears it. */
  readonly label: string;
  readonly lines: readonly ChartLine[];
  /** From and to, as the axis names them. */
  readonly range: readonly [low: number, high: number];
  readonly write: (value: number) => string;
}

/** Values over the rounds of a debate. Agents are told apart by mark, stroke, letter and colour. */
export function RoundChart({ label, lines, range: [low, high], write }: Properties) {
  const rounds = Math.max(1, ...lines.map(({ values }) => values.length));
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
      {Array.from({ length: rounds }, (_none, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rounds never change places
        <text key={index} className={styles.tick} x={x(index)} y={size.height - 4} textAnchor="middle">
          {index + 1}
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
              .map(({ index, value }) =>
                of === 'second' ? (
                  <rect key={index} className={mark[of]} x={x(index) - 3.5} y={y(value) - 3.5} width="7" height="7">
                    <title>{`Round ${index + 1}${letter === '' ? '' : `, ${letter}`}: ${write(value)}`}</title>
                  </rect>
                ) : (
                  <circle key={index} className={mark[of]} cx={x(index)} cy={y(value)} r="3.5">
                    <title>{`Round ${index + 1}${letter === '' ? '' : `, ${letter}`}: ${write(value)}`}</title>
                  </circle>
                ),
              )}
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

/** Which mark is whose. */
export function Legend() {
  return (
    <p className={styles.legend}>
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
