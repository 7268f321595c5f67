import { ShieldCheck, TriangleAlert } from 'lucide-react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import type { EngineStatus } from '../../shared/api/engine.ts';
import { DataTable } from '../ui/DataTable.tsx';
import { useEngineStatus } from './engineStatus.ts';
import styles from './NetworkCounter.module.css';

const total = (connections: EngineStatus['connections']) => connections.reduce((sum, { count }) => sum + count, 0);

export function Connections({ status: { connections, refused } }: { status: EngineStatus }) {
  return (
    <>
      {connections.length === 0 ? (
        <p className="muted">Nothing, since it started.</p>
      ) : (
        <DataTable
          close
          rows={connections}
          keyOf={({ host }) => host}
          columns={[
            { title: 'host', look: 'mono-12-5 wrap-anywhere', cell: ({ host }) => host },
            {
              title: 'where',
              cell: ({ loopback }) => (loopback ? 'this machine' : <strong className="text-warn">another machine</strong>),
            },
            { title: 'connections', number: ({ count }) => count.toLocaleString('en-GB') },
          ]}
        />
      )}
      <p className="muted">Refused: {refused.toLocaleString('en-GB')}</p>
    </>
  );
}

/** How many connections left the machine, in view of every screen; by host at a press. */
export function NetworkCounter() {
  const status = useEngineStatus();
  if (status === null) return null;
  const outside = status.connections.filter(({ loopback }) => !loopback);
  const left = total(outside);
  return (
    <DialogTrigger>
      <Button
        className={`${styles.counter} ${left === 0 ? 'muted' : 'text-warn'}`}
        aria-label={`${left} outside: connections that left this machine`}
      >
        {left === 0 ? <ShieldCheck size={18} aria-hidden="true" /> : <TriangleAlert size={18} aria-hidden="true" />}
        <span>{left} outside</span>
      </Button>
      <Popover className="card popover" placement="right bottom">
        <Dialog className="stack gap-10 p-14" aria-label="Connections of the engine">
          <h2 className="title-16">What the engine connected to</h2>
          <Connections status={status} />
          <p className="muted">
            Every connection goes through one place, which allows only this machine and the hosts that the settings name. To check
            this without the program, see “Seeing it from outside” in docs/security.md.
          </p>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
