import { type ReactNode, useEffect, useRef, useState } from 'react';
import {
  Autocomplete,
  Collection,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  SearchField,
  Text,
  useFilter,
} from 'react-aria-components';
import { useLocation } from 'wouter';
import type { SearchHit } from '../../shared/api/search.ts';
import { exportedNames, formulas, meaningOf, type Term, terms } from '../../shared/glossary.ts';
import { useRead } from '../api/ApiContext.tsx';
import { useListedExperiments } from '../features/experiments/listedExperiments.ts';
import { FoundCase, FoundWords, idOf, SaidBy, toHit } from '../features/search/FoundWords.tsx';
import { useSearch, walkHits } from '../features/search/useSearch.ts';
import { HiddenText } from '../ui/HiddenText.tsx';
import { KeyNames } from '../ui/KeyNames.tsx';
import { ModalDialog } from '../ui/ModalDialog.tsx';
import { FailureNotice } from '../ui/Notice.tsx';
import { Meaning } from '../ui/WordNote.tsx';
import { useWritable, useWrittenElsewhere } from './engineStatus.ts';
import styles from './Palette.module.css';
import { routes, toEntry, toSearch, toView } from './routes.ts';
import type { ActiveShortcut } from './shortcutKeys.ts';
import { useSettings } from './theme.tsx';

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly shown?: ReactNode;
  /** What it is, or its keys. */
  readonly aside: ReactNode;
  readonly run: () => void;
}

/** Characters from which on words are also looked for in what was said, and the places that are shown. */
const [leastSought, mostFound] = [2, 5];
const saidPrefix = 'said ';
const wordPrefix = 'word ';
const glossaryId = 'glossary';

/** Of a hit, without ends of lines. */
const piecesInLine = ({ pieces }: SearchHit) => pieces.map((piece) => ({ ...piece, text: piece.text.replaceAll(/\s+/g, ' ') }));

/** Words in everything that was said: the newest places, and the way to all. */
function useSaid(typed: string) {
  const [, navigate] = useLocation();
  const words = typed.trim().length < leastSought ? '' : typed;
  const { rested, found, task } = useSearch(words, null, mostFound);
  const hits = words === '' || rested !== words.trim() ? [] : (found?.hits ?? []);
  const toAll = toSearch({ words: words.trim(), experiment: null });
  const entries: Entry[] = hits.map((hit) => ({
    id: `${saidPrefix}${idOf(hit)}`,
    name: piecesInLine(hit)
      .map(({ text }) => text)
      .join(''),
    shown: (
      <span className="stack min-w-0">
        <span className={`clamp-2 ${styles.excerpt}`}>
          <FoundWords pieces={piecesInLine(hit)} />
        </span>
        <small className="muted wrap-anywhere">
          <FoundCase hit={hit} /> · <SaidBy hit={hit} />
        </small>
      </span>
    ),
    aside: null,
    run: () => {
      if (found !== null) walkHits(found, toAll);
      navigate(toHit(hit));
    },
  }));
  const all: Entry = {
    id: `${saidPrefix}all`,
    name: 'Search for all places where this was said',
    aside: null,
    run: () => navigate(toAll),
  };
  const isFound = found !== null && task.state === 'done' && rested === words.trim();
  const state = task.state === 'failed' ? ': not searched' : !isFound ? ': searching…' : found.count === 0 ? ': none' : '';
  return { entries: words === '' ? [] : [...entries, all], title: `Said in trials${state}` };
}

/** Words of the glossary with what they mean, found by their names in exports too. */
const wordEntries = terms.map((term) => ({
  id: `${wordPrefix}${term}`,
  term,
  name: [term, ...exportedNames(term)].join(' ').replaceAll('_', ' '),
  shown: (
    <span className="stack min-w-0">
      <span>{term}</span>
      <small className="muted clamp-2">{meaningOf(term).replaceAll(/[`*]/g, '')}</small>
    </span>
  ),
  aside: null,
}));

const itemOf = ({ id, name, shown, aside }: Omit<Entry, 'run'>) => (
  <MenuItem id={id} textValue={name} className={'option flex items-center justify-between gap-12 p-6-10'}>
    <Text slot="label" dir="auto" className="min-w-0 wrap-anywhere">
      {shown ?? <HiddenText text={name} />}
    </Text>
    {aside}
  </MenuItem>
);

/** One field for all that there is: the commands of this screen, screens, experiments, data sets, and words that were said. */
export default function Palette({ shortcuts, onClose }: { shortcuts: readonly ActiveShortcut[]; onClose: () => void }) {
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const [word, setWord] = useState<{ readonly at: Term | null } | null>(null);
  const { contains } = useFilter({ sensitivity: 'base' });
  const experiments = useListedExperiments();
  const datasets = useRead(['datasets', 'list'], (api, given) => api.dataFiles.list({}, given));
  const said = useSaid(typed);
  const isWritable = useWritable();
  const writtenElsewhere = useWrittenElsewhere();
  const views = useSettings().data?.views;
  const entries: Entry[] = [
    ...shortcuts.map(({ keys, does, run }) => ({
      ...{ id: `command ${keys.join(' ')} ${does}`, name: does, run },
      aside: <KeyNames keys={keys} />,
    })),
    ...(isWritable && !writtenElsewhere
      ? [
          {
            id: 'import predictions',
            name: 'Import predictions from a file',
            aside: null,
            run: () => navigate(routes.importNewPredictions),
          },
        ]
      : []),
    { id: glossaryId, name: 'Glossary: words, measures and tests', aside: null, run: () => undefined },
    ...experiments.listed.map(({ name, title, to }) => ({
      ...{ id: `experiment ${name}`, name: title, run: () => navigate(to) },
      aside: <span className="quiet">experiment</span>,
    })),
    ...(views ?? []).map(({ experiment, name, state }) => ({
      ...{ id: `view ${experiment} ${name}`, name, run: () => navigate(toView({ experiment, state })) },
      aside: <span className="quiet">saved view</span>,
    })),
    ...(datasets.data ?? []).map(({ id, name }) => ({
      ...{ id: `data set ${id}`, name, run: () => navigate(toEntry(id)) },
      aside: <span className="quiet">data set</span>,
    })),
  ];
  if (word !== null) return <Glossary at={word.at} onClose={onClose} />;
  const isPending = experiments.isPending || datasets.isPending;
  const error = experiments.error ?? datasets.error;
  return (
    <ModalDialog title="Go to or run" onClose={onClose}>
      <FailureNotice error={error} />
      <Autocomplete
        inputValue={typed}
        onInputChange={setTyped}
        // What was said is found by the engine.
        filter={(name, words, { key }) => String(key).startsWith(saidPrefix) || contains(name, words)}
      >
        <SearchField autoFocus aria-label="Screen, experiment, data set, command or words said">
          <Input
            className={'field-box p-6-10'}
            maxLength={200}
            placeholder="Screen, experiment, data set, command or words said"
          />
        </SearchField>
        <Menu
          aria-label="Results"
          className={styles.list ?? ''}
          renderEmptyState={() => <p className="muted p-6-10">{isPending ? 'Reading the lists…' : 'No match.'}</p>}
          onAction={(id) => {
            const found = wordEntries.find((entry) => entry.id === id);
            if (found !== undefined || id === glossaryId) return setWord({ at: found?.term ?? null });
            onClose();
            [...entries, ...said.entries].find((entry) => entry.id === id)?.run();
          }}
        >
          <MenuSection id="commands" aria-label="Commands and places" items={entries}>
            {itemOf}
          </MenuSection>
          {typed.trim().length < leastSought ? null : (
            <MenuSection id="words">
              <Header className={`eyebrow ${styles.section}`}>Words</Header>
              <Collection items={wordEntries}>{itemOf}</Collection>
            </MenuSection>
          )}
          {said.entries.length === 0 ? null : (
            <MenuSection id="said">
              <Header className={`eyebrow ${styles.section}`}>{said.title}</Header>
              <Collection items={said.entries}>{itemOf}</Collection>
            </MenuSection>
          )}
        </Menu>
      </Autocomplete>
    </ModalDialog>
  );
}

function Glossary({ at, onClose }: { at: Term | null; onClose: () => void }) {
  const asked = useRef<HTMLDivElement>(null);
  useEffect(() => {
    asked.current?.scrollIntoView({ block: 'start' });
    asked.current?.focus({ preventScroll: true });
  }, []);
  return (
    <ModalDialog title="Glossary" onClose={onClose} cancel="Close">
      <p className="quiet">{formulas}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too */}
      <section className={styles.list} aria-label="Words" tabIndex={0}>
        <dl className="stack gap-8">
          {terms.map((term) => (
            <div
              key={term}
              ref={term === at ? asked : undefined}
              tabIndex={-1}
              className={`p-6-10 ${term === at ? 'sunken' : ''}`}
            >
              <dt>
                <strong>{term}</strong>
              </dt>
              <dd>
                <Meaning term={term} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </ModalDialog>
  );
}
