import { useMutation } from '@tanstack/react-query';
import { FileDiff } from 'lucide-react';
import { Fragment, useMemo, useState } from 'react';
import { differencesOf, nearDifferences } from '../../../core/text/differences.ts';
import { countWords } from '../../../shared/differenceCounts.ts';
import {
  addedWords,
  answeredWords,
  askedWords,
  type Difference,
  type Differences,
  hasNoVersion,
  moreLinesWords,
  noRootWords,
  originWords,
  restWords,
  rootsOf,
  titlesOf,
  trustWords,
  versionWords,
} from '../../../shared/differences.ts';
import { useApi, useTakeFile } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Paragraph } from '../../ui/HiddenText.tsx';
import { MarkedWords } from '../../ui/MarkedWords.tsx';
import { minuteText } from '../../ui/moments.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { usePrinting } from '../../ui/useMedia.ts';
import { Uses } from '../recordCheck/CheckOutcome.tsx';
import styles from './CompareCopies.module.css';

/** Asks for another copy of a bundle that was checked, and shows where they differ. */
export function CompareCopies({ upload, isChanged }: { upload: string; isChanged: boolean }) {
  const api = useApi();
  const comparing = useMutation({ mutationFn: (other: string) => api.record.compareFiles({ upload, other }) });
  const file = useTakeFile((taken) => comparing.mutate(taken.upload));
  const isBusy = file.taking || comparing.isPending;
  return (
    <section className="stack gap-10 content-start" aria-label="Comparison with another copy">
      <h3>Compare it with another copy</h3>
      <p>
        {isChanged
          ? 'If you or somebody else has this bundle as it was exported, choose that copy: you then see which words differ.'
          : 'Choose another copy of this bundle to see which words differ.'}{' '}
        From your own record you can export it once more.
      </p>
      <p>
        <Button icon={FileDiff} onPress={file.choose} isPending={isBusy}>
          {isBusy ? 'Comparing…' : 'Choose the other copy'}
        </Button>
      </p>
      <FailureNotice error={file.error ?? comparing.error} />
      <div role="status">{comparing.data === undefined ? null : <Found found={comparing.data} />}</div>
    </section>
  );
}

/** Differences whose words are shown from the beginning. */
const mostOpen = 5;

function Found({ found }: { found: Differences }) {
  return (
    <div className="stack gap-16 wrap-anywhere" data-compared>
      <div className="stack gap-4">
        <p>
          Compared with <HiddenText text={found.other} />:{' '}
          <strong>
            <HiddenText text={countWords(found)} />
          </strong>
        </p>
        <p>{trustWords(found)}</p>
        {[...originWords(found), ...addedWords(found, minuteText)].map((line) => (
          <Paragraph key={line} text={line} />
        ))}
        <dl className="terms">
          {rootsOf(found).map(([title, root]) => (
            <Fragment key={title}>
              <dt>{title}</dt>
              <dd>{root === null ? noRootWords : <code>{root}</code>}</dd>
            </Fragment>
          ))}
        </dl>
      </div>
      {found.list.length === 0 ? null : (
        <ol className={'numbered stack gap-16'}>
          {found.list.map((difference, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is made once
            <li key={at}>
              <OneDifference of={difference} found={found} opens={at < mostOpen} />
            </li>
          ))}
        </ol>
      )}
      {restWords(found).map((line) => (
        <Paragraph key={line} text={line} />
      ))}
    </div>
  );
}

/** The first few are open; the words of the others are compared when they are opened, since that takes a while for long ones. */
function OneDifference({ of, found, opens }: { of: Difference; found: Differences; opens: boolean }) {
  const { uses = [], used_in = 0, what } = of;
  const shown = [answeredWords(of), askedWords(found, of)].filter((words) => words !== '');
  const [isAsked, setIsAsked] = useState(opens);
  const isPrinting = usePrinting();
  const isOpen = isAsked || isPrinting;
  return (
    <div className="stack gap-6">
      {what === null ? <Uses uses={uses} usedIn={used_in} given /> : <Paragraph className="font-600" text={what} />}
      {shown.map((words) => (
        <p key={words}>{words}</p>
      ))}
      {hasNoVersion(of) ? null : (
        <Fold
          title={of.file === undefined ? 'Both versions' : 'The lines that differ'}
          level={4}
          isExpanded={isOpen}
          onExpandedChange={setIsAsked}
        >
          {isOpen ? <Versions of={of} titles={titlesOf(found)} /> : null}
        </Fold>
      )}
    </div>
  );
}

function Versions({ of, titles }: { of: Difference; titles: ReturnType<typeof titlesOf> }) {
  const { other, checked } = of;
  const [one, another] = [other?.text ?? '', checked?.text ?? ''];
  const pieces = useMemo(() => differencesOf(one, another), [one, another]);
  const [isAsked, setIsAsked] = useState(false);
  const isPrinting = usePrinting();
  const isWhole = isAsked || isPrinting;
  const whole = (text: string) => (text === '' ? [] : [{ text, isOwn: false }]);
  const [a, b] = [pieces?.a ?? whole(one), pieces?.b ?? whole(another)];
  const isLong = [a, b].some((all) => nearDifferences(all).some((piece, place) => piece !== all[place]));
  return (
    <div className="stack gap-6">
      <div className={styles.versions}>
        <Version title={titles.other} version={other} pieces={isWhole ? a : nearDifferences(a)} />
        <Version title={titles.checked} version={checked} pieces={isWhole ? b : nearDifferences(b)} />
      </div>
      {moreLinesWords(of) === '' ? null : <p className="muted">{moreLinesWords(of)}</p>}
      {isLong ? (
        <div>
          <Button size="small" onPress={() => setIsAsked(!isAsked)}>
            {isWhole ? 'Show only what is near a difference' : 'Show all words'}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function Version({
  title,
  version,
  pieces,
}: {
  title: string;
  version: Difference['other'];
  pieces: Parameters<typeof MarkedWords>[0]['pieces'];
}) {
  const words = versionWords(version);
  return (
    <figure className={'stack gap-4 content-start min-w-0'}>
      <figcaption className="muted">
        <HiddenText text={title} />
        {words === '' ? '' : `: ${words}`}
      </figcaption>
      <MarkedWords pieces={pieces} />
    </figure>
  );
}
