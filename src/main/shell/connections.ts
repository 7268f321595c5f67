import { portChannel } from '../../shared/api/bridge.ts';
import type { ToEngine } from '../../shared/api/control.ts';

export interface Channel<Port> {
  readonly port1: Port;
  readonly port2: Port;
}

/** Gives the page one port at a time, when the engine is there. Ports close with either process, so the page learns of it. */
export function connectionManager<Port>(
  send: (message: ToEngine, transfer?: readonly unknown[]) => boolean,
  newChannel: () => Channel<Port>,
  postToPage: (channel: string, message: null, ports: Port[]) => void,
) {
  let last = 0;
  let open: number | null = null;
  let wanted = false;

  const hand = () => {
    const { port1, port2 } = newChannel();
    const connection = last + 1;
    if (!send({ kind: 'connect', connection }, [port1])) return;
    last = connection;
    open = connection;
    wanted = false;
    postToPage(portChannel, null, [port2]);
  };

  return {
    /** The page asks for a port. */
    connect() {
      wanted = true;
      // A page asks again when it was reloaded or lost its port: the engine need not keep the old one.
      if (open !== null) send({ kind: 'disconnect', connection: open });
      open = null;
      hand();
    },
    /** The engine is ready: a page that waits gets its port. */
    engineReady() {
      if (wanted) hand();
    },
    engineGone() {
      open = null;
    },
  };
}
