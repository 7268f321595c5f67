// Who signed a record, as its check found it.
import type { CheckpointView } from '../../../shared/api/record.ts';
import {
  type LogReport,
  logWords,
  noSignatureWords,
  noSignerWords,
  otherHash,
  ownKeyWords,
  signedUseWords,
  signedWhenWords,
  unsignedWords,
  whoseKeyWords,
} from '../../../shared/checkpoints.ts';
import { Isolated } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { WordNote } from '../../ui/WordNote.tsx';
import { useCheckpoint } from './knownRecord.ts';

/** Where the signatures of a record are that was unpacked from a bundle. */
export const SignedElsewhere = ({ view: { bundle, bundle_signers: signers, bundle_signed_at: at } }: { view: CheckpointView }) =>
  signers.length === 0 ? (
    <p>
      {noSignerWords} It came from the file <Isolated text={bundle ?? ''} />.
    </p>
  ) : (
    <p>
      The signatures of this record are in the file that it came from, <Isolated text={bundle ?? ''} />. The check of that file
      found the key <code className="wrap-anywhere">{signers.join(', ')}</code>. {signedWhenWords(at)}
    </p>
  );

interface Properties {
  readonly log: LogReport | null;
  /** Root of the record. */
  readonly root: string | null;
  /** Fingerprint of the key that should have signed it; null where none is entered. */
  readonly expected: string | null;
  /** The open record, not a file that somebody gave to the user. */
  readonly isOpen: boolean;
}

const thatIsRoot = 'That is the root of this record, not a key. Enter it in the field for the root.';

/** The signed part of the log, by which keys, and whether the key that was entered is one of them. */
export function Signatures({ log, root, expected, isOpen }: Properties) {
  const { data } = useCheckpoint();
  // Until it is known, nothing false is said.
  if (isOpen && data === undefined) return null;
  if (isOpen && data !== undefined && data.bundle !== null)
    return (
      <>
        <SignedElsewhere view={data} />
        {expected === null ? null : data.bundle_signers.includes(expected) ? (
          <p className="text-good">The key that you entered signed it, as the check of the file found when it was opened.</p>
        ) : (
          <Notice tone="bad">
            {expected === root
              ? thatIsRoot
              : 'The key that you entered did not sign this record. If it is a log root, it says nothing of who signed.'}
          </Notice>
        )}
      </>
    );
  const signers = log?.signers ?? [];
  return (
    <>
      {log === null || log.size === 0 ? null : <p>{logWords(log)}</p>}
      {signers.map((signer) => (
        <p key={signer.fingerprint}>
          Signed by <code>{signer.fingerprint}</code>, {ownKeyWords(signer, expected)}. <WordNote term="sign" />
        </p>
      ))}
      {signers.length === 0 || (log?.time_stamps ?? 0) > 0 ? null : (
        <p className="muted">{signedWhenWords(log?.made_at ?? null)}</p>
      )}
      {!isOpen && signers.length === 0 ? <p>{noSignerWords}</p> : null}
      {expected !== null ? <Expected log={log} root={root} expected={expected} /> : null}
      {!isOpen && signers.filter(({ own }) => !own).length > (expected === null ? 0 : 1) ? (
        <p className="muted">
          {expected === null
            ? `${whoseKeyWords} Then enter it above, and this check says whether it is that key.`
            : 'Other keys signed this record too. Ask each signer for the fingerprint in another way, and check one key at a time.'}
        </p>
      ) : null}
    </>
  );
}

/** Whose signatures fit the events of a damaged record, and what the key that was entered says of it. */
export function SignerOfDamaged({
  log,
  expected,
  isOtherRoot,
}: {
  log: LogReport | null;
  expected: string | null;
  /** Whether a root was entered that the events do not have. */
  isOtherRoot: boolean;
}) {
  const found = log?.signers.find(({ fingerprint }) => fingerprint === expected);
  if (log === null) return expected === null ? null : <p>{noSignatureWords}</p>;
  return (
    <>
      {log.signers.map((signer) => (
        <p key={signer.fingerprint} className="wrap-anywhere">
          The events, not the fault above, are signed by <code>{signer.fingerprint}</code>, {ownKeyWords(signer, expected)}.{' '}
          {signedWhenWords(log.made_at)}
          {expected === null && !signer.own ? ` ${whoseKeyWords}` : ''}
        </p>
      ))}
      {expected === null ? null : (
        <p>
          {found === undefined
            ? `The key that you entered did not sign this record. ${log.signers.length === 0 ? 'Nobody did.' : 'Another key did.'}`
            : `The key that you entered signed ${found.signed >= log.size ? 'the log' : `the first ${quantity(found.signed, 'entry', 'entries')} of the log of ${log.size}`}, and the events still fit it: what the signature covers was not changed. It does not cover the fault above.${isOtherRoot ? '' : ` ${signedUseWords}`}`}
        </p>
      )}
    </>
  );
}

function Expected({ log, root, expected }: Pick<Properties, 'log' | 'root'> & { expected: string }) {
  const { signers = [], size = 0 } = log ?? {};
  const found = signers.find(({ fingerprint }) => fingerprint === expected);
  if (found === undefined)
    return (
      <Notice tone="bad">
        {otherHash(log, expected)?.of === 'log'
          ? 'That is a log root, not a key. Enter the fingerprint of the signer’s key here.'
          : expected === root
            ? thatIsRoot
            : signers.length === 0
              ? 'The key that you entered did not sign this record: nobody did.'
              : 'Another key signed this record, not the one that you entered.'}
      </Notice>
    );
  return (
    <p className="text-good">
      The key that you entered signed{' '}
      {found.signed >= size
        ? 'the log of this record.'
        : `the first ${quantity(found.signed, 'entry', 'entries')} of its log of ${size}, and no more.`}{' '}
      {log === null ? null : unsignedWords(log)}
    </p>
  );
}
