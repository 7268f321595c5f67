import { briefly } from '../../../../core/figures/exchangeMeasures.ts';
import { labelDoubt } from '../../../../core/figures/exchanges.ts';
import { percent } from '../../../../core/figures/shares.ts';
import { speakerName } from '../../../../core/figures/speakers.ts';
import type { TranscriptEntry } from '../../../../shared/api/trials.ts';
import type { TrialLine } from '../../../../shared/trialLine.ts';
import { Pill } from '../../../ui/Pill.tsx';
import { Label } from '../parts/Label.tsx';
import { Part } from '../parts/Part.tsx';
import { labelWords } from '../words.ts';

/** How both were weighed, and whether the truth itself is to be doubted. */
export function FoundPart({ line, entries }: { line: TrialLine; entries: readonly TranscriptEntry[] }) {
  const ruling = entries.findLast((entry) => entry.kind === 'ruling');
  const weights = ruling?.grounds?.mixture?.weights;
  if (ruling === undefined || weights === undefined) return null;
  const doubt = labelDoubt(ruling.grounds?.verbal ?? null, line.truth);
  const told = Object.entries(weights).map(([role, weight]) => `${speakerName(role)} ${briefly(weight)}`);
  const isEven = new Set(Object.values(weights)).size === 1;
  return (
    <Part title="How it was found">
      <p>
        The likeliest label of the mixture of what both agents stated last,{' '}
        {isEven ? 'both weighing the same' : 'weighed by CRIT'}: {told.join(', ')}.
      </p>
      {doubt === null ? null : (
        <p>
          <Pill tone="warn">label in doubt</Pill> The true label of the data, <Label text={labelWords(line.truth)} />, has{' '}
          {percent(doubt)} of the mixture. Either both agents are wrong, or the label is: no agent knew it.
        </p>
      )}
    </Part>
  );
}
