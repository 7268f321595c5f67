import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { WebSocket } from 'ws';
import type { contract } from '../../../src/shared/api/contract.ts';
import { type Upload, uploadSchema } from '../../../src/shared/api/dataFiles.ts';
import type { RunningHost } from './host.ts';

export type Api = ContractRouterClient<typeof contract>;

/** A second connection to the engine, to make what a test is not about. */
export interface EngineConnection extends Disposable {
  readonly api: Api;
  /** Hands over a file, as the page does. */
  upload(fileName: string, content: string | Uint8Array<ArrayBuffer>): Promise<Upload>;
  close(): void;
}

const tokenOf = ({ url }: RunningHost) => new URL(url).hash.replace('#token=', '');

export async function connectToEngine(host: RunningHost): Promise<EngineConnection> {
  const socket = new WebSocket(`${host.origin.replace('http', 'ws')}/engine`, { origin: host.origin });
  await new Promise((open, fail) => socket.once('open', open).once('error', fail));
  socket.send(JSON.stringify({ token: tokenOf(host) }));
  const events = new EventTarget();
  socket.on('message', (bytes: Buffer, isBinary: boolean) =>
    events.dispatchEvent(new MessageEvent('message', { data: isBinary ? new Uint8Array(bytes) : bytes.toString('utf8') })),
  );
  socket.on('close', () => events.dispatchEvent(new Event('close')));
  const port = Object.assign(events, { postMessage: (data: string | Uint8Array) => socket.send(data) });
  return {
    api: createORPCClient(new RPCLink({ port })),
    async upload(fileName, content) {
      const response = await fetch(`${host.origin}/uploads`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tokenOf(host)}`,
          origin: host.origin,
          'x-file-name': encodeURIComponent(fileName),
        },
        body: content,
      });
      return uploadSchema.parse(await response.json());
    },
    close: () => socket.close(),
    [Symbol.dispose]: () => socket.close(),
  };
}
