import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { HiddenText } from './HiddenText.tsx';
import styles from './Screen.module.css';

interface Properties {
  /** The way here: label and hash route of each step, without the screen itself. */
  readonly crumbs?: readonly { label: string; to: string }[];
  readonly title: string;
  /** What stands beside the title in lighter letters. */
  readonly subtitle?: ReactNode;
  /** States and counts, at the right. */
  readonly pills?: ReactNode;
  readonly actions?: ReactNode;
  /** Without padding, for screens that divide the room themselves. */
  readonly bare?: boolean;
  readonly children: ReactNode;
}

/** The frame of every screen: where one is, what it shows, what can be done, then the content. */
export function Screen({ crumbs = [], title, subtitle, pills, actions, bare = false, children }: Properties) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Assize`;
  }, [title]);
  // Whoever listens to the page or goes by keyboard starts at the new screen's heading.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className={`stack min-w-0 ${styles.screen}`}>
      <header className={`row justify-between ${styles.header}`}>
        <div className={styles.names}>
          {crumbs.length === 0 ? null : (
            <nav aria-label="Path" className={`quiet ${styles.crumbs}`}>
              {crumbs.map(({ label, to }) => (
                <span key={to}>
                  <Link href={to} dir="auto">
                    <HiddenText text={label} />
                  </Link>
                  <span aria-hidden="true"> › </span>
                </span>
              ))}
            </nav>
          )}
          <div className={`row-baseline ${styles.title}`}>
            <h1 ref={heading} tabIndex={-1} dir="auto">
              <HiddenText text={title} />
            </h1>
            {subtitle === undefined ? null : (
              <span className={`muted wrap-anywhere ${styles.subtitle}`} dir="auto">
                {typeof subtitle === 'string' ? <HiddenText text={subtitle} /> : subtitle}
              </span>
            )}
          </div>
        </div>
        <div className="row gap-8">
          {pills}
          {actions}
        </div>
      </header>
      <main className={bare ? styles.bare : styles.content}>{children}</main>
    </div>
  );
}
