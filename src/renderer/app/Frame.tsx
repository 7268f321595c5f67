import { Boxes, FlaskConical, Gavel, Library, Settings as SettingsIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import styles from './Frame.module.css';
import { NetworkCounter } from './NetworkCounter.tsx';
import { routes } from './routes.ts';

const places = [
  { to: routes.docket, also: ['/docket', '/import', '/new'], label: 'Docket', Icon: Library },
  { to: routes.tryCase, also: ['/try'], label: 'Try a case', Icon: Gavel },
  { to: routes.experiments, also: ['/experiments', '/trials'], label: 'Experiments', Icon: FlaskConical },
  { to: routes.models, also: ['/models'], label: 'Models', Icon: Boxes },
  { to: routes.settings, also: ['/settings'], label: 'Settings', Icon: SettingsIcon },
] as const;

/** What stands around every screen: the places to go, the state of the connection, what left the machine. */
export function Frame({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  return (
    <div className={styles.frame}>
      <nav className={styles.rail} aria-label="Places">
        <span className={styles.mark} aria-hidden="true">
          A
        </span>
        {places.map(({ to, also, label, Icon }) => (
          <Link
            key={to}
            href={to}
            className={styles.place ?? ''}
            aria-current={also.some((start) => location.startsWith(start)) ? 'page' : undefined}
          >
            <Icon size={20} aria-hidden="true" strokeWidth={1.75} />
            <span>{label}</span>
          </Link>
        ))}
        <div className={styles.foot}>
          <NetworkCounter />
        </div>
      </nav>
      <div className={styles.stage}>
        <ConnectionNotice />
        <div className={styles.screen}>{children}</div>
      </div>
    </div>
  );
}
