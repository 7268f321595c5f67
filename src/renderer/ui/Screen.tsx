import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { HiddenText } from './HiddenText.tsx';
import styles from './Screen.module.css';

/** The way here: label and hash route of each step, without the screen itself. */
type Steps = readonly { label: string; to: string }[];

interface Properties {
  readonly crumbs?: Steps;
  readonly title: string;
  /** What stands beside the title in lighter letters. */
  readonly subtitle?: ReactNode;
  /** States and counts, at the right. */
  readonly pills?: ReactNode;
  readonly actions?: ReactNode;
  /** Without padding, for screens that divide the room themselves. */
  readonly bare?: boolean;
  /** A heading of one line, which stays; the content is bare. */
  readonly slim?: boolean;
  readonly children: ReactNode;
}

export function Crumbs({ steps }: { steps: Steps }) {
  return (
    <nav aria-label="Path" className={`quiet ${styles.crumbs}`}>
      {steps.map(({ label, to }) => (
        <span key={to}>
          <Link href={to} dir="auto">
            <HiddenText text={label} />
          </Link>
          <span aria-hidden="true"> › </span>
        </span>
      ))}
    </nav>
  );
}

/** The frame of every screen: where one is, what it shows, what can be done, then the content. */
export function Screen({ crumbs = [], title, subtitle, pills, actions, bare = false, slim = false, children }: Properties) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Assize`;
  }, [title]);
  // Whoever listens to the page or goes by keyboard starts at the new screen's heading.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className={`stack min-w-0 ${styles.screen} ${slim ? styles.slim : ''}`}>
      <header className={`row justify-between ${styles.header}`}>
        <div className={styles.names}>
          {crumbs.length === 0 ? null : <Crumbs steps={crumbs} />}
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
        <div className={`row gap-8 ${styles.beside}`}>
          {pills}
          {actions}
        </div>
      </header>
      <main className={bare || slim ? styles.bare : styles.content}>{children}</main>
    </div>
  );
}
