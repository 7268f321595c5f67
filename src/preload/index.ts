import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { appOrigin, type Bridge, type BridgeAnswer, bridgeChannels, portChannel, portMessage } from '../shared/api/bridge.ts';

async function ask(channel: string, ...words: readonly string[]): Promise<never> {
  const answer: BridgeAnswer = await ipcRenderer.invoke(channel, ...words);
  if ('problem' in answer) throw new Error(answer.problem);
  // The contract between shell and page has both ends in this repository; the shell has parsed what came from the page.
  return answer.value as never;
}

const bridge: Bridge = {
  chooseFile: () => ask(bridgeChannels.chooseFile),
  // Only a file that the user really handed to the page has a path; for one made by a script it is empty.
  takeFile: (file) => ask(bridgeChannels.takeFile, webUtils.getPathForFile(file as File)),
  saveExport: (file, fileName) => ask(bridgeChannels.saveExport, String(file), String(fileName)),
  openLink: (url) => ask(bridgeChannels.openLink, String(url)),
  notify: (title, body) => ask(bridgeChannels.notify, String(title), String(body)),
  connect: () => ipcRenderer.send(bridgeChannels.connect),
};

// A page of another origin gets nothing at all, should one ever be shown.
if (location.origin === appOrigin) {
  ipcRenderer.on(portChannel, (event) => window.postMessage(portMessage, appOrigin, event.ports));
  contextBridge.exposeInMainWorld('assize', bridge);
}
