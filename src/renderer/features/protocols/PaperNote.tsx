import { BookOpen } from 'lucide-react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import type { PaperContractEntry } from '../../../core/protocols/protocol.ts';
import styles from './Protocols.module.css';

/** Words of the program with names between backticks. */
function Marked({ text }: { text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never change places
  return text.split('`').map((piece, index) => (index % 2 === 1 ? <code key={index}>{piece}</code> : piece));
}

export function PaperReading({ entry: { paper, gap, decision } }: { entry: PaperContractEntry }) {
  return (
    <dl className={styles.reading}>
      <dt>In the paper</dt>
      <dd>
        <Marked text={paper} />
      </dd>
      <dt>What it leaves open</dt>
      <dd>{gap === null ? 'nothing' : <Marked text={gap} />}</dd>
      <dt>What holds here</dt>
      <dd>
        <Marked text={decision} />
      </dd>
    </dl>
  );
}

/** What the paper says of a parameter, where it is silent, and what holds here. */
export function PaperNote({ label, entry }: { label: string; entry: PaperContractEntry }) {
  return (
    <DialogTrigger>
      <Button className={styles.paperButton ?? ''} aria-haspopup="dialog" aria-label={`What the paper says: ${label}`}>
        <BookOpen size={13} aria-hidden="true" /> What the paper says
      </Button>
      <Popover className="card popover" placement="bottom start">
        <Dialog className="stack gap-8 p-14" aria-label={`What the paper says: ${label}`}>
          <h2 className="title-16">{label}</h2>
          <PaperReading entry={entry} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
