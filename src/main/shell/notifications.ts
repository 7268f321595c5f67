import type { Notification } from 'electron';
import type { ElectronModule } from './electronModule.ts';

/** Shows the system's notices. @param onPress brings the window up @returns shows one; true once pressed, false once gone */
export function notifier({ Notification }: Pick<ElectronModule, 'Notification'>, onPress: () => void) {
  // They must be referenced: Electron collects unreferenced ones with their listeners.
  const shown = new Set<Notification>();
  return (title: string, body: string): Promise<boolean> =>
    new Promise((resolve) => {
      if (!Notification.isSupported()) {
        resolve(false);
        return;
      }
      const notice = new Notification({ title, body });
      const end = (pressed: boolean) => {
        shown.delete(notice);
        resolve(pressed);
      };
      notice.on('click', () => {
        onPress();
        end(true);
      });
      notice.on('close', () => end(false));
      notice.on('failed', () => end(false));
      shown.add(notice);
      notice.show();
    });
}
