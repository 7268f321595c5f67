import type { DiskUse } from '../../../shared/api/record.ts';
import { byteSize } from '../../../shared/sizes.ts';
import { fresh, useHost, useRead } from '../../api/ApiContext.tsx';
import { useEngineStatus } from '../../app/engineStatus.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Section.tsx';
import { useRecordPlace } from '../recordCheck/knownRecord.ts';

const facts = [
  'Cases, answers and settings are on this machine, in one store and the data folder next to it. Your own prompts, your signing key and the hosts that you allowed are in the configuration folder. Nothing is encrypted: anyone who can read the disk can read them.',
  'Calls go to the Ollama address and the other servers above. All traffic passes one place, which refuses everything but this machine and the hosts you named, uses no proxy, and follows no redirect.',
  'There is no telemetry, no update check, no account, and nothing on these screens is loaded from elsewhere.',
  'The record is a chain of hashes, so “Check the record” finds any later change. A checkpoint that somebody else has signed proves that nothing before it was rewritten.',
];

function StorePlace({ name }: { name: string }) {
  const place = useRecordPlace();
  if (place === undefined) return <bdi>{name}</bdi>;
  const { store, folder, configuration, cache, log, copy_of: file } = place;
  if (file !== null)
    return (
      <p>
        <Isolated text={file} />, which was given to you. Assize reads a copy of it, and removes that copy afterwards.
      </p>
    );
  return (
    <div className="stack gap-6">
      <div className="row gap-8">
        <bdi>{store}</bdi>
        <CopyButton text={store} name="Copy the path of the store">
          Copy
        </CopyButton>
      </div>
      <p className="muted">
        To back it up, stop the program and copy the folder <bdi>{folder}</bdi>. It holds the record, your data sets and your
        settings
        {folder === configuration ? (
          ', as well as your signing key, your own prompts and the hosts that you allowed'
        ) : (
          <>
            . Copy the folder <bdi>{configuration}</bdi> too. It holds your signing key, your own prompts and the hosts that you
            allowed
          </>
        )}
        . While the program runs, <code>(umask 077; sqlite3 -readonly STORE "VACUUM INTO 'COPY'")</code> makes a whole copy of the
        record; docs/usage.md has a script for every night. To restore, stop the program and copy them back to the same places.
        Then start it and press “Check the record”.
      </p>
      <DiskUseTable />
      <p className="muted">
        {cache === null ? null : (
          <>
            Indexes, computed results and the compiled program, with words of your cases, are in <bdi>{cache}</bdi>.{' '}
          </>
        )}
        The log of internal errors is <bdi>{log}</bdi>.
      </p>
    </div>
  );
}

const kinds: Readonly<Record<DiskUse[number]['of'], string>> = {
  record: 'Record, with the write-ahead file that it has while the program runs',
  data: 'Copies of data files',
  index: 'Search and queue indexes (rebuilt if deleted)',
  cache: 'Computed results and compiled program (rebuilt if deleted)',
  log: 'Log of internal errors',
};

function DiskUseTable() {
  const { data, error, refetch } = useRead(['record', 'diskUse'], (api, given) => api.record.diskUse({}, given), fresh);
  if (data === undefined) return <FailureNotice error={error} onRetry={refetch} />;
  return (
    <DataTable
      caption="Disk space"
      close
      rows={data}
      keyOf={({ of }) => of}
      columns={[
        { title: 'what', cell: ({ of }) => kinds[of] },
        { title: 'size', number: ({ bytes }) => byteSize(bytes) },
      ]}
    />
  );
}

export function AboutSection() {
  const status = useEngineStatus();
  const host = useHost();
  return (
    <>
      <Section title="What is private, and how">
        <ul className={'bullets stack gap-8 max-w-80ch'}>
          {facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      </Section>
      <Section title="This program">
        <dl className="terms">
          <dt>Version</dt>
          <dd>{status?.version ?? 'unknown'}</dd>
          <dt>Store</dt>
          <dd>
            <StorePlace name={status?.store ?? 'unknown'} />
          </dd>
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
