import { useHost } from '../../api/ApiContext.tsx';
import { useEngineStatus } from '../../app/engineStatus.ts';
import { Section } from '../../ui/Section.tsx';
import styles from './Settings.module.css';

const facts = [
  'Cases, prompts, answers and settings are kept on this machine, in one store and the data folder beside it. They are not encrypted: who can read the disk can read them.',
  'Calls go to the Ollama address and the other servers above. All traffic passes one place, which refuses everything but this machine and the hosts you named, takes no detour through a proxy, and follows no redirect.',
  'There is no telemetry, no update check, no account, and nothing on these screens is loaded from elsewhere.',
  'The record is chained by hashes: who changes a word afterwards is found out by Verify. The chain does not prove who wrote it.',
];

export function AboutSection() {
  const status = useEngineStatus();
  const host = useHost();
  return (
    <>
      <Section title="What is private, and how">
        <ul className={styles.facts}>
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      </Section>
      <Section title="This program">
        <dl className={styles.about}>
          <dt>Version</dt>
          <dd>{status?.version ?? 'unknown'}</dd>
          <dt>Store</dt>
          <dd dir="auto">{status?.store ?? 'unknown'}</dd>
          <dt>Runs as</dt>
          <dd>{host.kind === 'electron' ? 'desktop program' : 'page served on this machine'}</dd>
          <dt>Engine</dt>
          <dd>
            {status === null
              ? 'not connected'
              : status.incarnation === 1
                ? 'running since the start'
                : `started again ${status.incarnation - 1 === 1 ? 'once' : `${status.incarnation - 1} times`}`}
          </dd>
        </dl>
      </Section>
    </>
  );
}
