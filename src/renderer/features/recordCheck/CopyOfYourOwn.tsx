import { commandText } from '../../../core/text/commandText.ts';
import { adoptedWords } from '../../../shared/proved.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { minuteText } from '../../ui/moments.ts';
import styles from './CopyOfYourOwn.module.css';
import { useRecordPlace } from './knownRecord.ts';

/** A command on one line, and a button that copies it. */
function CommandLine({ name, text }: { name: string; text: string }) {
  return (
    <span className={`flex gap-8 ${styles.line}`}>
      <code className={`wrap-anywhere ${styles.command}`}>
        <HiddenText text={text} />
      </code>
      <CopyButton text={text} name={name}>
        Copy
      </CopyButton>
    </span>
  );
}

/** The commands that make a store of the user's own of a record from elsewhere, and open it. */
export function CopyOfYourOwn() {
  const copy = useRecordPlace()?.copy ?? null;
  if (copy === null) return null;
  return (
    <span className="stack gap-4 min-w-0">
      <CommandLine name="Copy the command that makes the copy" text={commandText('adopt', copy.from, '--into', copy.into)} />
      <CommandLine name="Copy the command that opens the copy" text={commandText('web', '--store', copy.into)} />
      <span>
        Run the first while this record is open here. Where Assize was installed from its source, write{' '}
        <code>npx --no assize</code> in its folder for <code>assize</code>.
      </span>
    </span>
  );
}

/** Whose record the open one is a copy of; nothing for one that was made here. */
export function AdoptedNote() {
  const adopted = useRecordPlace()?.adopted ?? null;
  if (adopted === null) return null;
  return (
    <p className="wrap-anywhere">
      <HiddenText text={adoptedWords(adopted, minuteText)} />
    </p>
  );
}
