import { type ComponentProps, useMemo } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { z } from 'zod';
import { tellingOf } from '../../../core/protocols/tellings.ts';
import { useShortcuts } from '../../app/Shortcuts.tsx';
import { useKept } from '../../ui/kept.ts';
import { turnsOf } from './courtItems.ts';
import { Transcript } from './Transcript.tsx';
import styles from './TrialBody.module.css';
import { TellingView } from './telling/TellingView.tsx';
import type { TrialState } from './trialState.ts';
import { headingOf } from './words.ts';

const shownSchema = z.enum(['layout', 'transcript']);

/** Tells whoever listens what has come to the record last. */
function Announcement({ state: { line, entries } }: { state: TrialState }) {
  const latest = useMemo(() => turnsOf({ entries, isExchanged: false }).at(-1), [entries]);
  const { who, what } = latest === undefined ? { who: '', what: '' } : headingOf(latest);
  return (
    <p className="visually-hidden" aria-live="polite">
      {line.status === 'running' && latest !== undefined ? `${who}, ${what} is on record.` : ''}
    </p>
  );
}

/** The trial in the view that is made for its protocol, with the transcript one step away. */
export function TrialBody(properties: ComponentProps<typeof Transcript>) {
  const { view, state, allOpen, onInspect, onCurrent } = properties;
  const own = tellingOf(state.line.protocol);
  const [shown, setShown] = useKept('trial/shown', shownSchema, () => 'layout');
  const show = (next: z.infer<typeof shownSchema>) => {
    setShown(next);
    // The row in view is one of the transcript.
    if (next === 'layout') onCurrent(null);
  };
  useShortcuts(
    own === null
      ? []
      : [
          {
            keys: ['t'],
            does: 'Change between the view of the protocol and the transcript',
            run: () => show(shown === 'layout' ? 'transcript' : 'layout'),
          },
        ],
  );
  if (own === null) return <Transcript {...properties} />;
  return (
    <Tabs
      className={styles.body ?? ''}
      selectedKey={shown}
      onSelectionChange={(key) => show(shownSchema.parse(key))}
      keyboardActivation="manual"
    >
      <TabList className={styles.tabs ?? ''} aria-label="How the trial is shown">
        <Tab id="layout" className={styles.tab ?? ''}>
          {own.title}
        </Tab>
        <Tab id="transcript" className={styles.tab ?? ''}>
          Transcript
        </Tab>
      </TabList>
      <TabPanel id="layout" className={styles.panel ?? ''}>
        <div className={styles.page}>
          <TellingView telling={own} view={view} state={state} allOpen={allOpen} onInspect={onInspect} />
        </div>
        <Announcement state={state} />
      </TabPanel>
      <TabPanel id="transcript" className={styles.transcript ?? ''}>
        <Transcript {...properties} />
      </TabPanel>
    </Tabs>
  );
}
