import type { ReactNode } from 'react';
import { capitalized } from '../../../core/text/visible.ts';
import type { ServerReport } from '../../../shared/api/engine.ts';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Paragraph } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { speaking } from '../protocols/backends.ts';
import styles from './Settings.module.css';

const fewModels = 8;

/** What a server said when it was asked: whether it is there, what it is, and its models. */
export function ServerFound({
  report,
  level,
  away = null,
  empty = <p>It lists no models: load one there.</p>,
}: {
  report: Pick<ServerReport, 'state' | 'problem' | 'url' | 'version' | 'models' | 'standin'> &
    Partial<Pick<ServerReport, 'slots'>>;
  level: 3 | 4;
  /** What else to say where nothing answers. */
  away?: ReactNode;
  /** What to say where it has no model. */
  empty?: ReactNode;
}) {
  const { state, problem, url, version, slots, models, standin } = report;
  if (state !== 'ready') {
    return (
      <div className="stack gap-6 wrap-anywhere">
        <p className="text-bad font-600">{state === 'refused' ? 'Refused' : 'Not ready'}</p>
        <Paragraph text={capitalized(problem ?? `Nothing answers at ${url}.`)} />
        {state === 'away' ? away : null}
      </div>
    );
  }
  const silent = models.length - speaking(models.map(({ name }) => name)).length;
  return (
    <div className="stack gap-6 wrap-anywhere">
      <p className="text-good font-600">
        Ready, <HiddenText text={version === null || version === 'unknown' ? 'version unknown' : version} />,{' '}
        {slots ? `${quantity(slots, 'call')} at a time, ` : ''}
        {quantity(models.length, 'model')}
        {silent === 0 ? '' : `, of which ${silent} can play no role (embeddings, cloud)`}
      </p>
      {standin ? (
        <Notice tone="warn">
          <strong>DEMO MODEL</strong> <span>What answers here is a demo model: its answers are invented.</span>
        </Notice>
      ) : null}
      {problem === null ? null : <Paragraph text={capitalized(problem)} />}
      {models.length === 0 ? (
        empty
      ) : (
        <Fold level={level} title="Models" aside={quantity(models.length, 'model')} defaultExpanded={models.length <= fewModels}>
          <ul className={styles.models}>
            {models.map(({ name, context }) => (
              <li key={name} dir="auto">
                <HiddenText text={name} />
                {context === null ? null : <small className="muted">, context {context.toLocaleString('en-GB')}</small>}
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </div>
  );
}
