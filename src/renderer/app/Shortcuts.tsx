import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { createStore } from 'zustand/vanilla';
import { Outside } from '../ui/HiddenText.tsx';
import { commandKey, KeyNames } from '../ui/KeyNames.tsx';
import { ModalDialog } from '../ui/ModalDialog.tsx';
import { focusToast } from '../ui/Toasts.tsx';
import { printScreen } from '../ui/useMedia.ts';
import { routes } from './routes.ts';
import styles from './Shortcuts.module.css';
import { type ActiveShortcut, isPlain, matchKeys, type Shortcut, sequenceMs, takesKeys } from './shortcutKeys.ts';

const Palette = lazy(() => import('./Palette.tsx'));

/** Those of all screens and parts that are there. */
const registry = createStore<ReadonlyMap<symbol, readonly ActiveShortcut[]>>(() => new Map());

/** How often the field for all that there is was asked for by a press. */
const openings = createStore<number>(() => 0);
export const openPalette = (): void => openings.setState((before) => before + 1, true);

/** Shortcuts of a screen or of a part of it, as long as it is there. They are in the list that `?` opens. */
export function useShortcuts(shortcuts: readonly ActiveShortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const names = JSON.stringify(shortcuts.map(({ keys, does }) => [keys, does]));
  useEffect(() => {
    const id = Symbol(names);
    const active = latest.current.map(({ keys, does }, index) => ({ keys, does, run: () => latest.current[index]?.run() }));
    registry.setState((before) => new Map(before).set(id, active), true);
    return () => registry.setState((before) => new Map([...before].filter(([other]) => other !== id)), true);
  }, [names]);
}

function ownKeys(element: Element | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  return takesKeys({
    tagName: element.tagName,
    isContentEditable: element.isContentEditable,
    role: element.getAttribute('role'),
    ...(element instanceof HTMLInputElement ? { type: element.type } : {}),
  });
}

/** Listens for the keys, goes to places, and shows the list of what there is. */
export function Shortcuts() {
  const [, navigate] = useLocation();
  const [listed, setListed] = useState<readonly Shortcut[] | null>(null);
  const [offered, setOffered] = useState<readonly ActiveShortcut[] | null>(null);

  useEffect(() => {
    let pressed: string[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const everywhere: readonly ActiveShortcut[] = [
      { keys: ['g', 'h'], does: 'Go to the start', run: () => navigate(routes.start) },
      { keys: ['g', 'd'], does: 'Go to the data sets', run: () => navigate(routes.datasets) },
      { keys: ['g', 't'], does: 'Go to Try a case', run: () => navigate(routes.tryCase) },
      { keys: ['g', 'e'], does: 'Go to the experiments', run: () => navigate(routes.experiments) },
      { keys: ['g', 'l'], does: 'Go to the live courtroom', run: () => navigate(routes.live) },
      { keys: ['g', 'f'], does: 'Search everything that was said', run: () => navigate(routes.search) },
      { keys: ['g', 'p'], does: 'Go to the prompts', run: () => navigate(routes.prompts) },
      { keys: ['g', 'm'], does: 'Go to the models', run: () => navigate(routes.models) },
      { keys: ['g', 's'], does: 'Go to the settings', run: () => navigate(routes.settings) },
      { keys: [], does: 'Print this screen', run: () => void printScreen() },
      { keys: ['F6'], does: 'Go to the message that says what was done', run: focusToast },
    ];
    const help: ActiveShortcut = { keys: ['?'], does: 'List the keys', run: () => setListed(all()) };
    const all = () => [...[...registry.getState().values()].flat(), ...everywhere, help];
    const onKeyDown = (event: KeyboardEvent) => {
      const inDialog = document.querySelector('[role="dialog"]') !== null;
      const command = (event.ctrlKey || event.metaKey) && !event.altKey && !inDialog ? event.key.toLowerCase() : null;
      if (command === 'k' || command === 'p') {
        event.preventDefault();
        if (command === 'k') setOffered(all());
        else void printScreen();
        return;
      }
      if (event.defaultPrevented || !isPlain(event) || inDialog) return;
      // No text field takes this key.
      if (event.key !== 'F6' && ownKeys(document.activeElement)) return;
      if (event.key === 'Shift') return;
      clearTimeout(timer);
      const found = matchKeys([...pressed, event.key], all());
      // A key that ends no sequence may begin one.
      const outcome = found ?? matchKeys([event.key], all());
      pressed = outcome === 'started' ? (found === null ? [event.key] : [...pressed, event.key]) : [];
      if (outcome === null) return;
      if (outcome === 'started') {
        timer = setTimeout(() => {
          pressed = [];
        }, sequenceMs);
        return;
      }
      event.preventDefault();
      outcome.run();
    };
    document.addEventListener('keydown', onKeyDown);
    const unsubscribe = openings.subscribe(() => setOffered(all()));
    return () => {
      unsubscribe();
      clearTimeout(timer);
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [navigate]);

  return (
    <>
      {offered === null ? null : (
        <Suspense fallback={null}>
          <Palette shortcuts={offered} onClose={() => setOffered(null)} />
        </Suspense>
      )}
      <ModalDialog title="Keyboard shortcuts" isOpen={listed !== null} onClose={() => setListed(null)}>
        <dl className={`stack gap-2 ${styles.list}`}>
          <div>
            <dt className="muted">
              <KeyNames keys={[`${commandKey} K`]} />
            </dt>
            <dd>Go to anything by name</dd>
          </div>
          <div>
            <dt className="muted">
              <KeyNames keys={[`${commandKey} P`]} />
            </dt>
            <dd>Print this screen, with the figures that are not in view</dd>
          </div>
          {(listed ?? [])
            .filter(({ keys }) => keys.length > 0)
            .map(({ keys, does }) => (
              <div key={keys.join(' ')}>
                <dt>
                  <KeyNames keys={keys} />
                </dt>
                <Outside as="dd" text={does} />
              </div>
            ))}
        </dl>
        <p className="muted">In a text field, keys other than F6 type text. Escape closes this list.</p>
      </ModalDialog>
    </>
  );
}
