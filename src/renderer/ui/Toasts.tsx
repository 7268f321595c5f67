import { X } from 'lucide-react';
import { useEffect } from 'react';
import {
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components';
import { useLocation } from 'wouter';
import { failureOf } from '../api/failure.ts';
import { Button } from './Button.tsx';
import { HiddenText } from './HiddenText.tsx';
import styles from './Toasts.module.css';

interface Action {
  readonly label: string;
  readonly act: () => unknown;
}

interface Message {
  readonly text: string;
  readonly action: Action | null;
  readonly stays: boolean;
}

/** Long enough to read it and to find the button; hovering or focusing it stops the clock. */
const shownForMs = 12_000;

const mostShown = 3;
const queue = new ToastQueue<Message>({ maxVisibleToasts: mostShown });

/** Closes the message that stays, before something that it would cover. */
export function closeStaying(): void {
  for (const { key, content } of queue.visibleToasts) if (content.stays) queue.close(key);
}

/**
 * Says in passing that something was done, and how to undo it or what else can be done with it.
 * @param stays until it is closed, another such message comes, the user goes elsewhere or a dialog opens: it says what has to be
 *   handed on
 */
export function notify(text: string, then: (() => unknown) | Action | null = null, stays = false): void {
  const action = typeof then === 'function' ? { label: 'Undo', act: then } : then;
  // What does not fit would wait and come up long after it was done: the oldest goes instead.
  if (stays) closeStaying();
  const shown = queue.visibleToasts;
  const oldest = shown.findLast(({ content }) => !content.stays) ?? shown.at(-1);
  if (shown.length >= mostShown && oldest !== undefined) queue.close(oldest.key);
  queue.add({ text, action, stays }, stays ? {} : { timeout: shownForMs });
}

/** To the first button of the newest message; nothing where none is seen. */
export const focusToast = (): void => document.querySelector<HTMLElement>(`.${styles.region} button`)?.focus();

export function Toasts() {
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a screen is left when the address changes
  useEffect(closeStaying, [location]);
  return (
    <ToastRegion queue={queue} className={`off-paper stack gap-8 ${styles.region}`} aria-label="What was done">
      {({ toast }) => (
        <Toast toast={toast} className={`flex gap-10 ${styles.toast} ${toast.content.stays ? styles.stays : ''}`}>
          <ToastContent className={`min-w-0 wrap-anywhere ${styles.message}`}>
            <Text slot="title" dir="auto">
              <HiddenText text={toast.content.text} />
            </Text>
          </ToastContent>
          {toast.content.action === null ? null : (
            <Button
              size="small"
              onPress={() => {
                const { action } = toast.content;
                if (!toast.content.stays) queue.close(toast.key);
                // What undoes something can fail as well.
                void Promise.try(() => action?.act()).catch((error: unknown) => notify(failureOf(error).message));
              }}
            >
              {toast.content.action.label}
            </Button>
          )}
          <Button icon={X} slot="close" look="quiet" size="small" aria-label="Close" />
        </Toast>
      )}
    </ToastRegion>
  );
}
