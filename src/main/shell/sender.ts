import { appOrigin } from '../../shared/api/bridge.ts';

export interface SenderFrame {
  readonly origin: string;
  readonly url: string;
  readonly parent: object | null;
}

export interface SenderEvent {
  readonly sender: object;
  readonly senderFrame: SenderFrame | null;
}

export interface OwnContents {
  readonly mainFrame: object;
}

/** Whether a message comes from the main frame of the program's window, showing the program's page. */
export function isOwnSender(event: SenderEvent, own: OwnContents | null): boolean {
  const { sender, senderFrame: frame } = event;
  if (own === null || frame === null || sender !== own) return false;
  try {
    return (
      frame === own.mainFrame && frame.parent === null && frame.origin === appOrigin && frame.url.startsWith(`${appOrigin}/`)
    );
  } catch {
    return false;
  }
}
