import type { ReactNode } from 'react';
import { Menu, MenuItem, MenuTrigger, Popover, Text } from 'react-aria-components';
import styles from './FormatMenu.module.css';

export interface SavedFormat<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** What it is good for. */
  readonly note: ReactNode;
  /** Off; the note says why. */
  readonly isDisabled?: boolean;
}

export function FormatMenu<Id extends string>({
  button,
  label,
  formats,
  onSave,
}: {
  button: ReactNode;
  label: string;
  formats: readonly SavedFormat<Id>[];
  onSave: (format: Id) => void;
}) {
  return (
    <MenuTrigger>
      {button}
      <Popover className={`card ${styles.popover}`}>
        <Menu className={styles.menu ?? ''} onAction={(key) => onSave(key as Id)} aria-label={label}>
          {formats.map(({ id, label: words, note, isDisabled = false }) => (
            <MenuItem key={id} id={id} isDisabled={isDisabled} textValue={words} className={`option stack p-6-10 ${styles.item}`}>
              <Text slot="label" className="stack">
                {words} <small className="muted">{note}</small>
              </Text>
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
