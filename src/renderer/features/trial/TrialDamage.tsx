import { Link } from 'wouter';
import { speakerName, turnNames } from '../../../core/figures/speakers.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { toTrialAt } from '../../app/routes.ts';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';

/** What is wrong with the words of a speech. */
export const faultOfSpeech = ({ gone }: { readonly gone: boolean }) => (gone ? 'damaged' : 'changed after it was written');

/** Says that the record of a trial fails its check, which speeches that concerns, and what is missing. */
export function TrialDamage({ view }: { view: TrialView }) {
  const { line, entries, damage, unread, faulty_speeches: faulty } = view;
  const speeches = entries.filter((entry) => entry.kind === 'utterance');
  const turns = turnNames(speeches);
  const isMissing = unread > 0 || faulty.some(({ gone }) => gone);
  const named = faulty.flatMap((fault) => {
    const place = speeches.findIndex(({ seq }) => seq === fault.seq);
    const speech = speeches[place];
    return speech === undefined ? [] : [{ ...fault, place, name: `${speakerName(speech.role)}, ${turns[place]}` }];
  });
  return (
    <Notice tone="bad">
      <p>
        <strong>The record of this trial fails its check. Do not rely on what it says.</strong>{' '}
        {named.length === 0 ? <HiddenText text={`${damage}.`} /> : null}
        {isMissing ? ' What cannot be read is missing here.' : ''}
      </p>
      {named.length === 0 ? null : (
        <ul>
          {named.map((fault) => (
            <li key={fault.seq}>
              <Link href={toTrialAt(line.trial, fault.seq, '')}>
                <Isolated text={fault.name} /> (speech {fault.place + 1})
              </Link>{' '}
              {fault.gone ? 'is' : 'was'} {faultOfSpeech(fault)}.
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
