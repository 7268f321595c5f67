import { useMutation } from '@tanstack/react-query';
import { Play, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ProgressBar } from 'react-aria-components';
import { capitalized } from '../../../core/text/visible.ts';
import type { Pull } from '../../../shared/api/models.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { Outside, Paragraph } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { byteSize, quantity } from '../../ui/quantity.ts';
import { Bar } from '../../ui/ShareBar.tsx';
import { useHeirs } from './focus.ts';
import styles from './Models.module.css';
import { isUnderWay, pulledShare, pullFigures, pullNews, stateText } from './pullText.ts';

/** What screen readers announce of fetches: beginnings, quarters and ends. */
function useNews(pulls: readonly Pull[]): string {
  const before = useRef<readonly Pull[] | null>(null);
  const [news, setNews] = useState('');
  useEffect(() => {
    // What was there already when the screen was opened is no news.
    const said = before.current === null ? '' : pullNews(before.current, pulls);
    before.current = pulls;
    if (said !== '') setNews(said);
  }, [pulls]);
  return news;
}

export function PullList({ pulls }: { pulls: readonly Pull[] }) {
  const news = useNews(pulls);
  const names = pulls.map(({ model }) => model);
  const heirs = useHeirs(names);
  return (
    <>
      <Paragraph role="status" className="visually-hidden" text={news} />
      <p ref={heirs.fallback} tabIndex={-1} className="visually-hidden">
        {pulls.length === 0 ? 'No fetch.' : quantity(pulls.length, 'fetch', 'fetches')}
      </p>
      {pulls.length === 0 ? null : (
        <ul className="stack gap-10" aria-label="Fetches">
          {pulls.map((pull) => (
            <li key={pull.model}>
              <PullRow pull={pull} mainRef={heirs.refOf(pull.model)} onGoes={() => heirs.goes(pull.model, names)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface RowProperties {
  readonly pull: Pull;
  /** Of the button that the row has in each of its states. */
  readonly mainRef: (element: HTMLButtonElement | null) => void;
  readonly onGoes: () => void;
}

function PullRow({ pull, mainRef, onGoes }: RowProperties) {
  const api = useApi();
  const { model, state, layers, problem, warning } = pull;
  const cancel = useMutation({ mutationFn: () => api.models.cancel({ model }) });
  const resume = useMutation({ mutationFn: () => api.models.pull({ models: [model] }) });
  const dismiss = useMutation({ mutationFn: () => api.models.dismiss({ model }) });
  const share = pulledShare(pull);
  const figures = pullFigures(pull);
  const underWay = isUnderWay(pull);
  const broken = state === 'failed' || state === 'cancelled';
  const dismissed = () => {
    onGoes();
    dismiss.mutate();
  };
  const act = underWay
    ? { name: 'Cancel', label: 'Cancel', Icon: X, run: () => cancel.mutate() }
    : broken
      ? { name: 'Continue with', label: 'Continue', Icon: Play, run: () => resume.mutate() }
      : { name: 'Dismiss', label: 'Dismiss', Icon: null, run: dismissed };
  const error = cancel.error ?? resume.error ?? dismiss.error;
  return (
    <article className="card stack gap-6 p-14" aria-label={`Fetch of ${model}`}>
      <div className={'row-baseline gap-4-16'}>
        <Outside as="h3" className="mono-13 wrap-anywhere" text={model} />
        <span
          className={
            state === 'failed' ? 'text-bad wrap-anywhere' : state === 'done' ? 'text-good' : 'max-w-80ch muted wrap-anywhere'
          }
        >
          {stateText(pull)}
        </span>
        <span className={`flex flex-wrap gap-6 ${styles.pullActions}`}>
          {/* One button in all states, so that the focus stays on it when the state changes. */}
          <Button ref={mainRef} icon={act.Icon} size="small" onPress={act.run} aria-label={`${act.name} ${model}`}>
            {act.label}
          </Button>
          {broken ? (
            <Button size="small" look="quiet" onPress={dismissed} aria-label={`Dismiss ${model}`}>
              Dismiss
            </Button>
          ) : null}
        </span>
      </div>
      {state === 'done' || state === 'waiting' ? null : (
        <ProgressBar
          aria-label={`Progress of ${model}`}
          value={(share ?? 0) * 100}
          isIndeterminate={share === null && underWay}
          valueLabel={figures === '' ? stateText(pull) : figures}
        >
          <Bar parts={[{ share: share ?? 0, tone: broken ? 'stopped' : 'good' }]} />
        </ProgressBar>
      )}
      {figures === '' ? null : <p className="max-w-80ch muted wrap-anywhere">{figures}</p>}
      <Paragraph className="text-bad wrap-anywhere" text={problem && capitalized(problem)} />
      <Paragraph className="text-warn wrap-anywhere" text={warning && capitalized(warning)} />
      {layers.length === 0 ? null : (
        <Fold level={4} title="Parts" aside={`${quantity(layers.length, 'part')} so far`}>
          <ul className="bullets wrap-anywhere">
            {layers.map(({ digest, total, completed }) => (
              <li key={digest}>
                <code>{shortDigest(digest)}</code> {byteSize(completed)} of {byteSize(total)}
              </li>
            ))}
          </ul>
        </Fold>
      )}
      <FailureNotice error={error} />
    </article>
  );
}

/** The first twelve figures, as Ollama itself shows them. */
export const shortDigest = (digest: string): string => digest.replace(/^sha256:/, '').slice(0, 12);
