import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { z } from 'zod';
import { speakerName } from '../../../core/figures/speakers.ts';
import type { SearchHit, SearchResult } from '../../../shared/api/search.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { useTask } from '../../api/useTask.ts';
import { toTrialAt } from '../../app/routes.ts';
import { Empty } from '../../ui/Empty.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { Select } from '../../ui/Select.tsx';
import { useSessionState } from '../../ui/sessionState.ts';
import { TextField } from '../../ui/TextField.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { useExperiments } from '../experiments/experimentQueries.ts';
import styles from './Search.module.css';

const everywhere = '';

/** What an event is called where it was found. */
const stepText: Readonly<Record<string, string>> = {
  'utterance-make': 'speech or plan',
  'belief-update': 'notes on a belief',
  'ruling-give': 'ruling',
  'opinion-rate': 'rating',
  'argument-evaluate': 'CRIT of an argument',
  'recommendation-make': 'recommendations',
  'subtopics-settle': 'subtopics',
  'proposal-make': 'proposal',
  'moderation-give': 'moderator',
};

function Hit({ hit: { trial, experiment, arm, case: kase, seq, kind, role, pieces } }: { hit: SearchHit }) {
  const found = pieces.find(({ isFound }) => isFound)?.text ?? '';
  return (
    <li className={`card stack gap-6 ${styles.hit}`}>
      <p className="quiet wrap-anywhere">
        <Link href={toTrialAt(trial, seq, found)}>
          Case <Isolated text={kase} />
        </Link>
        {' · '}
        {speakerName(role)}, {stepText[kind] ?? 'note'} · <Isolated text={`${experiment} › ${arm}`} />
      </p>
      <p dir="auto" className={styles.words}>
        {pieces.map(({ text, isFound }, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text stand in their order and never move
          isFound ? <mark key={index}>{text}</mark> : <HiddenText key={index} text={text} />,
        )}
      </p>
    </li>
  );
}

function Results({ result: { hits, count, mostCounted } }: { result: SearchResult }) {
  if (count === 0) {
    return (
      <Empty title="Nothing found">
        No ended trial has all of these words. Capitals do not matter. Put words in double quotes to find them together.
      </Empty>
    );
  }
  return (
    <>
      <p className="quiet">
        {count === mostCounted ? `${mostCounted} places or more` : quantity(count, 'place')}, the newest first
        {hits.length < count ? `; ${hits.length} are shown` : ''}.
      </p>
      <ol className="stack gap-8">
        {hits.map((hit) => (
          <Hit key={`${hit.trial} ${hit.seq}`} hit={hit} />
        ))}
      </ol>
    </>
  );
}

/** Looks for words in everything that was said, planned, noted and ruled in ended trials. */
export default function SearchScreen() {
  const api = useApi();
  const [sought, setSought] = useSessionState('search/sought', z.string(), () => '');
  const [chosen, setChosen] = useSessionState('search/experiment', z.string(), () => everywhere);
  const names = (useExperiments().data ?? []).map(({ name }) => name);
  const experiment = names.includes(chosen) ? chosen : null;
  const rested = useDebounced(sought.trim(), 250);
  const [shown, setShown] = useState<SearchResult | null>(null);
  const { task, start, cancel } = useTask((signal) => api.search.find({ sought: rested, experiment }, { signal }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a search begins when what is sought changes
  useEffect(() => {
    setShown(null);
    if (rested === '') cancel();
    else start();
  }, [rested, experiment]);
  const result = task.state === 'done' ? task.result.result : null;
  useEffect(() => {
    if (result !== null) setShown(result);
  }, [result]);
  const form = useRef<HTMLElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const progress = task.state === 'running' ? task.progress : null;

  return (
    <Screen title="Search" subtitle="Speeches, plans, notes and rulings of ended trials">
      <div className="stack gap-16">
        <search ref={form} className={styles.form}>
          <TextField
            label="Words, or a phrase in double quotes"
            value={sought}
            onChange={setSought}
            maxLength={200}
            look="serif"
          />
          <Select
            label="Experiment"
            choices={[{ id: everywhere, label: 'All experiments' }, ...names.map((name) => ({ id: name, label: name }))]}
            value={experiment ?? everywhere}
            onChange={setChosen}
          />
        </search>
        <div role="status" className="stack gap-12">
          {task.state === 'running' ? (
            <p className="quiet">
              {progress === null
                ? 'Searching…'
                : `Reading what was said: ${progress.done} of ${quantity(progress.of, 'new trial')}…`}
            </p>
          ) : null}
          {task.state === 'failed' ? <FailureNotice error={task.error} onRetry={start} /> : null}
        </div>
        {shown === null || rested === '' ? null : <Results result={shown} />}
        {rested === '' ? (
          <Empty title="Search everything that was said">
            Type a word. All trials of this store are searched, and each place leads to its trial. The first search after new
            trials takes longer.
          </Empty>
        ) : null}
      </div>
    </Screen>
  );
}
