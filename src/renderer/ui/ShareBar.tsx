import { Meter } from 'react-aria-components';
import styles from './ShareBar.module.css';

type Tone = 'plain' | 'good' | 'warn' | 'bad';

interface Part {
  /** 0-1. */
  readonly share: number;
  readonly tone: Tone | 'stopped' | 'judge';
}

interface Properties {
  /** What is measured: `Memory`. */
  readonly label: string;
  /** 0-1; null where it is not known. */
  readonly share: number | null;
  /** The same in words and figures: `12.1 GiB of 24 GiB`. */
  readonly words: string;
  readonly tone?: Tone;
}

/** A bar with shares filled, one after the other; words next to it say the same. */
export const Bar = ({ parts }: { parts: readonly Part[] }) => (
  <span className={styles.bar} aria-hidden="true">
    {parts.map(({ share, tone }) => (
      <span key={tone} className={styles[tone]} style={{ width: `${Math.min(1, Math.max(0, share)) * 100}%` }} />
    ))}
  </span>
);

/** How much of something is taken: name, figures and a bar that says the same. */
export function ShareBar({ label, share, words, tone = 'plain' }: Properties) {
  const head = (
    <span className="row-baseline justify-between text-13 gap-2-12">
      <span className="muted">{label}</span>
      <span className="wrap-anywhere">{words}</span>
    </span>
  );
  if (share === null) return <div className="stack min-w-0 gap-2">{head}</div>;
  return (
    <Meter className="stack min-w-0 gap-2" value={share} minValue={0} maxValue={1} valueLabel={words} aria-label={label}>
      {head}
      <Bar parts={[{ share, tone }]} />
    </Meter>
  );
}
