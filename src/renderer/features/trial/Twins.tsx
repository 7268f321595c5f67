import { ArrowLeftRight } from 'lucide-react';
import { Link } from 'wouter';
import { swapTitles } from '../../../core/figures/swapWords.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { toTrial } from '../../app/routes.ts';
import { Pill } from '../../ui/Pill.tsx';

/** What is exchanged in a trial, and the way to the trials that differ from it in that alone. */
export function Twins({ view: { line, others } }: { view: Pick<TrialView, 'line' | 'others'> }) {
  if (line.swap !== null) {
    const usual = others.find(({ arm }) => arm === line.base_arm);
    return (
      <Pill tone="judge">
        <ArrowLeftRight size={13} aria-hidden="true" /> {swapTitles[line.swap]}
        {usual === undefined ? null : (
          <>
            {' · '}
            <Link href={toTrial(usual.trial)}>the usual trial</Link>
          </>
        )}
      </Pill>
    );
  }
  const twins = others.filter(({ base_arm }) => base_arm === line.arm);
  if (twins.length === 0) return null;
  return (
    <Pill>
      <ArrowLeftRight size={13} aria-hidden="true" />{' '}
      {twins.map(({ trial, swap }, index) => (
        <span key={trial}>
          {index === 0 ? '' : ' · '}
          <Link href={toTrial(trial)}>{swap === null ? '' : swapTitles[swap]}</Link>
        </span>
      ))}
    </Pill>
  );
}
