import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { HiddenText, Isolated, Listed, Paragraph } from './HiddenText.tsx';
import styles from './Screen.module.css';

/** The way here: label and hash route of each step, without the screen itself. One link can lead to several at once. */
type Steps = readonly { label: string | readonly string[]; to: string }[];

interface Properties {
  readonly crumbs?: Steps;
  readonly title: string;
  /** Content next to the title in lighter letters. */
  readonly subtitle?: ReactNode;
  /** States and counts, at the right. */
  readonly pills?: ReactNode;
  readonly actions?: ReactNode;
  /** Without padding, for screens that divide the room themselves. */
  readonly bare?: boolean;
  /** A heading of one line, which stays; the content is bare, unless a longer heading scrolls away with it. */
  readonly slim?: boolean;
  /** What a slim heading has no room for, above the content. */
  readonly heading?: ReactNode;
  readonly children: ReactNode;
}

function Crumbs({ steps, here }: { steps: Steps; here?: string | undefined }) {
  return (
    <nav aria-label="Path" className={`quiet ${styles.crumbs}`}>
      {steps.map(({ label, to }) => (
        <span key={to}>
          <Link href={to}>
            <Listed of={[label].flat()} between=" › ">
              {(part) => <Isolated text={part} />}
            </Listed>
          </Link>
          <span aria-hidden="true"> › </span>
        </span>
      ))}
      {here === undefined ? null : (
        <span className="wrap-anywhere" aria-current="page" dir="auto">
          <HiddenText text={here} />
        </span>
      )}
    </nav>
  );
}

/** What a slim heading has no room for: the breadcrumbs, the question, and the actions. It scrolls away with the content. */
export function LongHeading({
  crumbs,
  here,
  question,
  beside,
  children,
}: {
  crumbs: Steps;
  /** The whole name of the screen, where the slim heading may cut it. */
  here?: string;
  question: string | null;
  /** Comes at the end of the breadcrumbs. */
  beside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={`stack gap-8 ${styles.long}`}>
      <div className="row justify-between gap-8">
        <Crumbs steps={crumbs} here={here} />
        {beside}
      </div>
      <Paragraph className={`wrap-anywhere ${styles.question}`} dir="auto" text={question} />
      {children}
    </div>
  );
}

/** The frame of every screen: where one is, what it shows, what can be done, then the content. */
export function Screen({
  crumbs = [],
  title,
  subtitle,
  pills,
  actions,
  bare = false,
  slim = false,
  heading: longer,
  children,
}: Properties) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Assize`;
  }, [title]);
  // Screen readers and the keyboard start at the new screen's heading.
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className={`stack min-w-0 ${styles.screen} ${slim ? styles.slim : ''}`}>
      <header className={`row justify-between ${styles.header}`}>
        <div className={styles.names}>
          {crumbs.length === 0 ? null : <Crumbs steps={crumbs} />}
          <div className={`row-baseline gap-2-12 ${styles.title}`}>
            <h1 ref={heading} className="wrap-anywhere title-20" tabIndex={-1} dir="auto">
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
      <main className={bare || (slim && longer === undefined) ? styles.bare : styles.content}>
        {longer}
        {children}
      </main>
    </div>
  );
}

/** Whether what calls it has been painted, so that more can follow in pieces that hold up no frame. */
export function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => startTransition(() => setPainted(true)), []);
  return isPainted;
}

/** What is below the window at first. */
export const AfterFirst = ({ children }: { children: ReactNode }) => (useIsPainted() ? children : null);
