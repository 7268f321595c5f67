import { Link } from 'wouter';
import { capitalized } from '../../../core/text/visible.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { toTrialAt } from '../../app/routes.ts';
import { Isolated } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { CheckLink, MachineText } from '../recordCheck/KnownFaults.tsx';

/** What is wrong with a text. */
export const faultOfText = ({ gone }: { readonly gone: boolean }) => (gone ? 'damaged' : 'changed after it was written');

/** What has a place in the transcript. */
const shown: ReadonlySet<string> = new Set<TrialView['entries'][number]['kind']>(['utterance', 'belief', 'ruling']);

/** Says that the record of a trial fails its check, which texts that concerns, what it means and what to do. */
export function TrialDamage({ view }: { view: TrialView }) {
  const { line, entries, damage, damage_means: means, unread, faulty_texts: faulty } = view;
  const isMissing = unread > 0 || faulty.some(({ gone }) => gone);
  const places = new Set(entries.filter(({ kind }) => shown.has(kind)).map(({ seq }) => seq));
  return (
    <Notice tone="bad">
      <p>
        <strong>The record of this trial fails its check. Do not rely on what it says.</strong>
        {isMissing ? ' What cannot be read is missing here.' : ''}
      </p>
      {faulty.length === 0 ? null : (
        <ul>
          {faulty.map((fault) => (
            <li key={`${fault.seq} ${fault.field}`}>
              {places.has(fault.seq) ? (
                <Link href={toTrialAt(line.trial, fault.seq, '')}>
                  <Isolated text={capitalized(fault.what)} />
                </Link>
              ) : (
                <Isolated text={capitalized(fault.what)} />
              )}
              : {faultOfText(fault)}
            </li>
          ))}
        </ul>
      )}
      {means === null ? null : <p>{means}</p>}
      <p>
        <CheckLink /> looks at all of it. Then put back an earlier copy of the store, from before the change.
      </p>
      <MachineText text={damage ?? ''} />
    </Notice>
  );
}
