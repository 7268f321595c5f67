import { type ReactNode, useEffect } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './Button.tsx';
import styles from './Modal.module.css';
import { closeStaying } from './Toasts.tsx';

/** A dialog before everything else; Escape and a press outside close it. */
export function ModalDialog({
  title,
  isOpen = true,
  isWide = false,
  onClose,
  children,
  cancel,
  actions,
}: {
  title: string;
  isOpen?: boolean;
  /** For a table of several columns. */
  isWide?: boolean;
  onClose: () => void;
  children: ReactNode;
  /** What the button that only closes it says. */
  cancel?: string;
  /** Its other buttons. */
  actions?: ReactNode;
}) {
  useEffect(() => {
    if (isOpen) closeStaying();
  }, [isOpen]);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => (open ? undefined : onClose())}
      isDismissable
      className={styles.overlay ?? ''}
    >
      <Modal className={`${styles.modal} ${isWide ? styles.wide : ''}`}>
        <Dialog className={`stack gap-14 ${styles.dialog}`}>
          <Heading slot="title" level={2} className="title-18">
            {title}
          </Heading>
          {children}
          {cancel === undefined && actions === undefined ? null : (
            <div className={`flex flex-wrap gap-8 ${styles.actions}`}>
              {cancel === undefined ? null : <Button onPress={onClose}>{cancel}</Button>}
              {actions}
            </div>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
