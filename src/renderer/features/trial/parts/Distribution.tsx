import { percent } from '../../../../core/figures/shares.ts';
import type { Belief } from '../../../../shared/domain.ts';
import { Label } from './Label.tsx';
import styles from './Parts.module.css';

/** Labels beyond this many are counted, not listed. */
const mostListed = 6;

/** A distribution over the labels, the likeliest first, as bars with their numbers. */
export function Distribution({ belief, title }: { belief: Belief; title: string }) {
  const sorted = Object.entries(belief).toSorted(([, one], [, other]) => other - one);
  // Of many labels those without any share are counted too.
  const listed = sorted.slice(0, mostListed).filter(([, share]) => share > 0 || sorted.length <= mostListed);
  const rest = sorted.length - listed.length;
  return (
    <figure className={styles.distribution}>
      <figcaption className={styles.small}>{title}</figcaption>
      <dl>
        {listed.map(([label, share]) => (
          <div key={label}>
            <dt>
              <Label text={label} />
            </dt>
            <dd>
              <span className={styles.track} aria-hidden="true">
                <span className={styles.fill} style={{ inlineSize: `${share * 100}%` }} />
              </span>
              <span className={styles.share}>{percent(share)}</span>
            </dd>
          </div>
        ))}
      </dl>
      {rest > 0 ? (
        <p className={styles.quiet}>
          and {rest} more labels, {(sorted[listed.length]?.[1] ?? 0) > 0 ? 'each less likely' : 'with no share'}
        </p>
      ) : null}
    </figure>
  );
}
