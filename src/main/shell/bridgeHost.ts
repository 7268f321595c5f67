import { z } from 'zod';
import { type Bridge, type BridgeAnswer, bridgeChannels } from '../../shared/api/bridge.ts';
import { uploadHandleSchema } from '../../shared/api/dataFiles.ts';
import { AssizeError } from '../../shared/errors.ts';
import type { ElectronModule } from './electronModule.ts';
import { isOwnSender, type OwnContents, type SenderEvent } from './sender.ts';

/** What the page may ask of the shell. A file that was dropped comes as its path, which the preload script looked up. */
export interface BridgeActions extends Omit<Bridge, 'takeFile'> {
  takeFile(path: string): ReturnType<Bridge['takeFile']>;
}

export interface MessageSource {
  handle(channel: string, listener: (event: SenderEvent, ...words: unknown[]) => Promise<BridgeAnswer>): void;
  on(channel: string, listener: (event: SenderEvent, ...words: unknown[]) => void): unknown;
}

const refused: BridgeAnswer = { problem: 'The request was refused.' };
const longestPath = 32_768;

/** A sentence for the page: its own for an expected failure, none of its details for any other. */
function explain(error: unknown, report: (error: unknown) => void): BridgeAnswer {
  if (error instanceof AssizeError) return { problem: error.message };
  report(error);
  return { problem: 'The program failed at this; its log says why.' };
}

/** Answers the page's requests, checking sender, then words. @param own the window's contents, or null @param report surprises */
export function answerBridge(
  source: MessageSource,
  own: () => OwnContents | null,
  actions: BridgeActions,
  report: (error: unknown) => void,
): void {
  const answer = <Words extends readonly unknown[]>(
    channel: string,
    schema: z.ZodType<Words>,
    action: (...words: Words) => Promise<unknown>,
  ) =>
    source.handle(channel, async (event, ...words) => {
      if (!isOwnSender(event, own())) return refused;
      const parsed = schema.safeParse(words);
      if (!parsed.success) return refused;
      try {
        return { value: await action(...parsed.data) };
      } catch (error) {
        return explain(error, report);
      }
    });

  answer(bridgeChannels.chooseFile, z.tuple([]), actions.chooseFile);
  answer(bridgeChannels.takeFile, z.tuple([z.string().max(longestPath)]), actions.takeFile);
  answer(bridgeChannels.saveExport, z.tuple([uploadHandleSchema, z.string().min(1).max(255)]), actions.saveExport);
  answer(bridgeChannels.openLink, z.tuple([z.string().max(2000)]), actions.openLink);
  answer(bridgeChannels.notify, z.tuple([z.string().max(500), z.string().max(2000)]), actions.notify);
  source.on(bridgeChannels.connect, (event, ...words) => {
    if (words.length === 0 && isOwnSender(event, own())) actions.connect();
  });
}

/** Electron's own messages as a source for `answerBridge`; nothing else here reads `ipcMain`. */
export function messagesOfPages({ ipcMain }: Pick<ElectronModule, 'ipcMain'>): MessageSource {
  return {
    handle: (channel, listener) => ipcMain.handle(channel, listener),
    on: (channel, listener) => ipcMain.on(channel, listener),
  };
}
