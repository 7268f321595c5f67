export interface Shortcut {
  /** In order; none: a command that is offered by name alone. */
  readonly keys: readonly string[];
  readonly does: string;
}

export interface ActiveShortcut extends Shortcut {
  readonly run: () => void;
}

/** How long the second key of a sequence may take. */
export const sequenceMs = 1_500;

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** Keys with Ctrl, Alt or ⌘ belong to the browser and to forms. */
export const isPlain = ({ ctrlKey, metaKey, altKey }: Pressed): boolean => !ctrlKey && !metaKey && !altKey;

/** What the keys pressed so far come to: a whole shortcut, the beginning of one, or nothing. */
export function matchKeys<Entry extends Shortcut>(
  pressed: readonly string[],
  shortcuts: readonly Entry[],
): Entry | 'started' | null {
  const starts = shortcuts.filter(({ keys }) => pressed.every((key, index) => keys[index] === key));
  const whole = starts.find(({ keys }) => keys.length === pressed.length);
  return whole ?? (starts.length > 0 ? 'started' : null);
}

const textInputs = new Set(['text', 'search', 'url', 'email', 'tel', 'password', 'number', 'date', 'time']);

/** Whether keys are being written there, or mean something else: then no shortcut fires. */
export function takesKeys(element: {
  tagName: string;
  type?: string;
  isContentEditable?: boolean;
  role?: string | null;
}): boolean {
  if (element.isContentEditable === true) return true;
  const tag = element.tagName.toLowerCase();
  if (tag === 'textarea' || tag === 'select') return true;
  if (tag === 'input') return textInputs.has((element.type ?? 'text').toLowerCase());
  return ['textbox', 'combobox', 'listbox', 'option', 'menu', 'menuitem'].includes(element.role ?? '');
}
