import { useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { notHeard } from '../../../core/telling/unheard.ts';
import type { SearchHit } from '../../../shared/api/search.ts';
import { searchState, soughtIn, toSearch, toUndrawn } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useExperiments } from '../experiments/experimentQueries.ts';
import { useTitles } from '../experiments/listedExperiments.ts';
import { SavedViews } from '../experiments/SavedViews.tsx';
import { armTitle } from '../protocols/acceptance.ts';
import { DrawnCases } from '../undrawn/DrawnCases.tsx';
import { useUndrawnCases } from '../undrawn/undrawnCases.ts';
import { FoundCase, FoundWords, idOf, SaidBy, toHit } from './FoundWords.tsx';
import styles from './Search.module.css';
import { type Found, useSearch, walkHits } from './useSearch.ts';

const everywhere = '';
/** Cases that were not drawn that are named by their ids. */
const mostIds = 10;

function Hit({ hit, experiment, onOpen }: { hit: SearchHit; experiment: string; onOpen: () => void }) {
  return (
    <li className={`card stack gap-6 ${styles.hit}`}>
      <p className="quiet wrap-anywhere">
        <Link href={toHit(hit)} onClick={onOpen}>
          <FoundCase hit={hit} />
        </Link>
        {' · '}
        <SaidBy hit={hit} />
        {hit.of === null ? null : (
          <>
            {' · '}
            <Isolated text={`${experiment} › ${armTitle(hit.of.arm, hit.of)}`} />
          </>
        )}
        {hit.isUnheard ? (
          <>
            {' '}
            <Pill>{notHeard}</Pill>
          </>
        ) : null}
        {hit.of?.standin === true && !hit.isPerson ? (
          <>
            {' '}
            <Pill tone="warn">DEMO MODEL</Pill>
          </>
        ) : null}
      </p>
      <FoundWords pieces={hit.pieces} />
    </li>
  );
}

/** Cases with these words among their facts: speeches may use other words, and of a case that was not drawn there is no trial. */
function CaseHits({ sought, experiment }: { sought: string; experiment: string | null }) {
  const { data } = useUndrawnCases(experiment, sought);
  const titleOf = useTitles();
  const id = useId();
  if (data === undefined) return <p className="quiet">Looking through the facts of the cases…</p>;
  if (data.total + data.drawn.length === 0) return null;
  return (
    <section className={`card stack gap-6 ${styles.hit}`} aria-labelledby={id}>
      <h2 id={id} className="title-16">
        Cases with these words in their id, facts or groups
      </h2>
      <div className="stack gap-4 wrap-anywhere">
        <DrawnCases drawn={data.drawn} />
        {[...Map.groupBy(data.cases, (kase) => kase.experiment)].map(([name, cases]) => (
          <p key={name}>
            {quantity(cases.length, 'case')} of the data of <Isolated text={titleOf(name)} /> without a trial:{' '}
            <Link href={toUndrawn(name, sought)}>
              <Isolated
                text={cases
                  .slice(0, mostIds)
                  .map(({ id }) => id)
                  .join(', ')}
              />
            </Link>
            {cases.length > mostIds ? ' and others' : ''}
          </p>
        ))}
      </div>
    </section>
  );
}

function Results({ found, more }: { found: Found; more: (() => void) | null }) {
  const { hits, count, mostCounted, next } = found;
  const titleOf = useTitles();
  const hasErasures = useExperiments().data?.some(({ erased }) => erased !== null) ?? false;
  const list = useRef<HTMLOListElement>(null);
  const before = useRef(hits.length);
  // After “more”, the focus goes to the first new hit.
  useEffect(() => {
    if (hits.length > before.current) list.current?.children[before.current]?.querySelector('a')?.focus();
    before.current = hits.length;
  }, [hits.length]);
  if (count === 0) {
    return (
      <Empty title="Nothing found">
        No speech, plan, note or ruling of an ended trial, no comment and no reason of a reviewer has all of these words. Capitals
        do not matter. Put words in double quotes to find them together.
        {hasErasures ? ' Texts were erased from this record: they cannot be found.' : ''}
      </Empty>
    );
  }
  return (
    <>
      <p className="quiet">
        {count === mostCounted ? `${mostCounted} places or more` : quantity(count, 'place')}, the newest first
        {hits.length < count ? `; ${hits.length} are shown` : ''}.
      </p>
      <ol className="stack gap-8" ref={list}>
        {hits.map((hit) => (
          <Hit key={idOf(hit)} hit={hit} experiment={titleOf(hit.experiment)} onOpen={() => walkHits(found)} />
        ))}
      </ol>
      {next === null ? null : (
        <div>
          <Button onPress={() => more?.()} isPending={more === null}>
            {more === null ? 'Searching…' : 'Show more'}
          </Button>
        </div>
      )}
      {next === null && count === mostCounted ? <p className="quiet">Add a word to find the rest.</p> : null}
    </>
  );
}

const page = 50;

/** Looks for words in everything that was said, planned, noted and ruled in ended trials. The address has what is sought. */
export default function SearchScreen() {
  const [address] = useHashLocation();
  const [, navigate] = useLocation();
  const addressed = soughtIn(address);
  const [words, setWords] = useState(addressed.words);
  const names = (useExperiments().data ?? []).map(({ name }) => name);
  const titleOf = useTitles();
  const experiment = names.length === 0 || names.includes(addressed.experiment ?? '') ? addressed.experiment : null;
  const { rested, found, task, more } = useSearch(words, experiment, page);
  const written = useRef(addressed.words);
  useEffect(() => {
    // Another address was opened, such as by the palette.
    if (addressed.words !== written.current) setWords(addressed.words);
    written.current = addressed.words;
  }, [addressed.words]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows what was typed, not the other way round
  useEffect(() => {
    if (rested === written.current) return;
    written.current = rested;
    navigate(toSearch({ ...addressed, words: rested }), { replace: true });
  }, [rested]);
  const form = useRef<HTMLElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const progress = task.state === 'running' ? task.progress : null;

  return (
    <Screen title="Search" subtitle="Speeches, plans, notes and rulings of ended trials, and what people wrote of them">
      <div className="stack gap-16">
        <search ref={form} className={styles.form}>
          <TextField label="Words, or a phrase in double quotes" value={words} onChange={setWords} maxLength={200} look="serif" />
          <Select
            label="Experiment"
            choices={[{ id: everywhere, label: 'All experiments' }, ...names.map((name) => ({ id: name, label: titleOf(name) }))]}
            value={experiment ?? everywhere}
            onChange={(name) =>
              navigate(toSearch({ words: rested, experiment: name === everywhere ? null : name }), { replace: true })
            }
          />
        </search>
        <SavedViews experiment={null} state={rested === '' ? '' : searchState({ words: rested, experiment })} />
        <div role="status" className="stack gap-12">
          {task.state === 'running' && found === null ? (
            <p className="quiet">
              {progress === null
                ? 'Searching…'
                : `Reading what was said: ${progress.done} of ${quantity(progress.of, 'new trial')}…`}
            </p>
          ) : null}
          {task.state === 'failed' ? <FailureNotice error={task.error} onRetry={more} /> : null}
        </div>
        {found === null ? null : (
          <>
            <CaseHits sought={rested} experiment={experiment} />
            <Results found={found} more={task.state === 'running' ? null : more} />
          </>
        )}
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
