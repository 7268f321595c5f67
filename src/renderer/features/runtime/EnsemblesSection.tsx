import { useMutation } from '@tanstack/react-query';
import { Check, Download } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { capitalized } from '../../../core/text/visible.ts';
import type { Ensemble, Pull } from '../../../shared/api/models.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Outside } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { byteSize, quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { focusIfLost } from './focus.ts';
import { type Missing, missingOf, sameModel } from './installed.ts';
import styles from './Models.module.css';
import { isUnderWay } from './pullText.ts';
import { useEnsembles } from './runtimeQueries.ts';

export function EnsemblesSection({ pulls, diskFree }: { pulls: readonly Pull[]; diskFree: number | null }) {
  const ensembles = useEnsembles(true);
  const underWay = pulls.filter(isUnderWay).map(({ model }) => model);
  return (
    <Section
      title="Ensembles"
      lead="Models that belong together, such as those of a paper: fetched with one press. Lists of your own are JSON files in the folder next to the record that ends in “.ensembles”."
    >
      <FailureNotice error={ensembles.error} onRetry={ensembles.refetch} />
      {ensembles.isPending ? <p className="max-w-80ch muted wrap-anywhere">Reading…</p> : null}
      {ensembles.data?.length === 0 ? <p className="max-w-80ch muted wrap-anywhere">There is no list.</p> : null}
      <div className="stack gap-12">
        {(ensembles.data ?? []).map((ensemble) =>
          ensemble.problem === null ? (
            <Card key={ensemble.id} ensemble={ensemble} underWay={underWay} diskFree={diskFree} />
          ) : (
            <BrokenCard key={ensemble.id} title={ensemble.title} problem={ensemble.problem} />
          ),
        )}
      </div>
    </Section>
  );
}

function CardHead({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={`row justify-between gap-6-14 ${styles.cardHead}`}>
      <Outside as="h3" text={title} />
      {children}
    </div>
  );
}

function BrokenCard({ title, problem }: { title: string; problem: string }) {
  return (
    <article className="card stack gap-8 min-w-0 p-14" aria-label={title}>
      <CardHead title={title}>
        <Pill tone="bad">cannot be used</Pill>
      </CardHead>
      <Outside as="p" className="text-bad wrap-anywhere" text={capitalized(problem)} />
    </article>
  );
}

/** `About 38 GB to fetch, and 2 models of unknown size; 120 GB are free.` */
function missingText({ models, bytes, unknown, fits }: Missing, underWay: number, diskFree: number | null): string {
  if (models.length === 0) {
    return underWay === 0 ? 'All of them are installed.' : `${quantity(underWay, 'model')} on the way, nothing else is missing.`;
  }
  const known = bytes > 0 ? `About ${byteSize(bytes)} to fetch` : 'How much there is to fetch is not known';
  const others = bytes > 0 && unknown > 0 ? `, and ${quantity(unknown, 'model')} of unknown size` : '';
  const room =
    diskFree === null
      ? '.'
      : fits === false
        ? `: too much, ${byteSize(diskFree)} are free. Make room, or fetch some of them by name.`
        : `; ${byteSize(diskFree)} are free.`;
  return `${known}${others}${room}`;
}

function Card({ ensemble, underWay, diskFree }: { ensemble: Ensemble; underWay: readonly string[]; diskFree: number | null }) {
  const api = useApi();
  const { title, source, models, own } = ensemble;
  const missing = missingOf(ensemble, underWay, diskFree);
  const installed = models.filter((model) => model.installed).length;
  const words = useRef<HTMLParagraphElement>(null);
  const fetch = useMutation({
    mutationFn: () => api.models.pull({ models: [...missing.models] }),
  });
  const pressed = useRef(false);
  const left = missing.models.length;
  // The button goes with what was missing.
  useEffect(() => {
    if (left > 0 || !pressed.current) return;
    pressed.current = false;
    focusIfLost(() => words.current);
  }, [left]);
  const noted = models.filter(({ note, name, called }) => note !== null || called !== name);
  return (
    <article className="card stack gap-8 min-w-0 p-14" aria-label={title}>
      <CardHead title={title}>
        <span className={`flex flex-wrap gap-6 ${styles.pullActions}`}>
          {own ? <Pill>yours</Pill> : null}
          <Pill tone={installed === models.length ? 'good' : 'plain'}>
            {installed} of {models.length} installed
          </Pill>
        </span>
      </CardHead>
      <Outside as="p" className="max-w-80ch muted wrap-anywhere" text={source} />
      <ul className={`flex flex-wrap gap-6-8 ${styles.members}`} aria-label={`Models of ${title}`}>
        {models.map(({ name, bytes, installed: there }) => (
          <li key={name} className={there ? styles.there : undefined}>
            {there ? <Check size={13} aria-label="installed" /> : null}
            <Outside text={name} />
            {there ? null : (
              <span className="max-w-80ch muted wrap-anywhere">
                {underWay.some((other) => sameModel(other, name)) ? 'on the way' : bytes === null ? 'missing' : byteSize(bytes)}
              </span>
            )}
          </li>
        ))}
      </ul>
      {noted.length === 0 ? null : (
        <Fold level={4} title="How the source names them" aside={quantity(noted.length, 'model')}>
          <ul className="bullets wrap-anywhere">
            {noted.map(({ name, called, note }) => (
              <li key={name}>
                <code>
                  <HiddenText text={name} />
                </code>{' '}
                <HiddenText text={called} />
                {note === null ? '' : ': '}
                {note === null ? null : <HiddenText text={note} />}
              </li>
            ))}
          </ul>
        </Fold>
      )}
      <div className="row justify-between gap-6-14">
        <p
          ref={words}
          tabIndex={-1}
          className={missing.fits === false ? 'text-warn wrap-anywhere' : 'max-w-80ch muted wrap-anywhere'}
        >
          {missingText(missing, models.length - installed - left, diskFree)}
        </p>
        {left === 0 ? null : (
          <Button
            icon={Download}
            onPress={() => {
              pressed.current = true;
              if (!fetch.isPending) fetch.mutate();
            }}
            aria-label={left === 1 ? `Fetch it: ${title}` : `Fetch the ${left} missing of ${title}`}
          >
            {left === 1 ? 'Fetch it' : `Fetch the ${left} missing`}
          </Button>
        )}
      </div>
      <FailureNotice error={fetch.error} />
    </article>
  );
}
