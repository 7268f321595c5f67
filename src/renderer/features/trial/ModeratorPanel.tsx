import { useMutation } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import { type Moderation, mostSubtopics, remarkAddressees, type Subtopic, subtopicSchema } from '../../../shared/moderation.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import styles from './Trial.module.css';

type Asked = Extract<TranscriptEntry, { kind: 'moderation' }>;

interface Row extends Subtopic {
  readonly id: number;
}

interface Answering {
  readonly pending: boolean;
  readonly answer: (moderation: Moderation) => void;
}

const moved = (rows: readonly Row[], from: number, to: number): Row[] => {
  const [row] = rows.slice(from, from + 1);
  const rest = rows.toSpliced(from, 1);
  return row === undefined ? [...rows] : rest.toSpliced(to, 0, row);
};

const problemOf = (part: 'title' | 'scope', text: string): string | null => {
  const longest = part === 'title' ? 120 : 300;
  if (text.trim() === '') return part === 'title' ? 'Give it a title' : 'Say what it covers';
  return subtopicSchema.shape[part].safeParse(text).success ? null : `At most ${longest} characters`;
};

/** The subtopics of a trial that waits, to be changed, moved, removed or added to. */
function SubtopicForm({ subtopics, pending, answer }: Answering & { subtopics: readonly Subtopic[] }) {
  const [rows, setRows] = useState<readonly Row[]>(() => subtopics.map((subtopic, id) => ({ ...subtopic, id })));
  const change = (id: number, part: Partial<Subtopic>) => setRows(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  const add = () => setRows([...rows, { title: '', scope: '', id: Math.max(-1, ...rows.map(({ id }) => id)) + 1 }]);
  const ready = rows.length > 0 && rows.every((row) => subtopicSchema.safeParse({ title: row.title, scope: row.scope }).success);
  return (
    <form
      className="stack gap-10"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) answer({ action: 'subtopics', subtopics: rows.map(({ title, scope }) => ({ title, scope })) });
      }}
    >
      <ol className={`numbered stack gap-10 ${styles.editable}`}>
        {rows.map(({ id, title, scope }, index) => (
          <li key={id} className="stack gap-10">
            <TextField
              label={`Subtopic ${index + 1}`}
              value={title}
              error={problemOf('title', title)}
              onChange={(value) => change(id, { title: value })}
            />
            <TextField
              label={`Scope of subtopic ${index + 1}`}
              rows={2}
              value={scope}
              error={problemOf('scope', scope)}
              onChange={(value) => change(id, { scope: value })}
            />
            <div className="flex flex-wrap gap-8">
              <Button
                icon={ArrowUp}
                size="small"
                aria-label={`Move subtopic ${index + 1} up`}
                isDisabled={index === 0}
                onPress={() => setRows(moved(rows, index, index - 1))}
              />
              <Button
                icon={ArrowDown}
                size="small"
                aria-label={`Move subtopic ${index + 1} down`}
                isDisabled={index === rows.length - 1}
                onPress={() => setRows(moved(rows, index, index + 1))}
              />
              <Button
                icon={Trash2}
                size="small"
                aria-label={`Remove subtopic ${index + 1}`}
                isDisabled={rows.length === 1}
                onPress={() => setRows(rows.filter((row) => row.id !== id))}
              />
            </div>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-8">
        <Button type="submit" look="primary" isDisabled={!ready || pending}>
          Continue with these
        </Button>
        <Button isDisabled={pending} onPress={() => answer({ action: 'accept' })}>
          Accept as the agents have them
        </Button>
        <Button icon={Plus} look="quiet" isDisabled={rows.length >= mostSubtopics} onPress={add}>
          Add a subtopic
        </Button>
      </div>
    </form>
  );
}

const addressees = { agentA: 'Agent A', agentB: 'Agent B', both: 'Both agents' } as const;

function RemarkForm({ pending, answer }: Answering) {
  const [to, setTo] = useState<(typeof remarkAddressees)[number]>('both');
  const [text, setText] = useState('');
  const ready = text.trim() !== '' && text.trim().length <= 2000;
  return (
    <form
      className="stack gap-10"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) answer({ action: 'remark', to, text });
      }}
    >
      <Select label="To" choices={remarkAddressees.map((id) => ({ id, label: addressees[id] }))} value={to} onChange={setTo} />
      <TextField
        label="Remark"
        description="Only the sides that you address read it, in their next turns."
        rows={3}
        value={text}
        onChange={setText}
      />
      <div className="flex flex-wrap gap-8">
        <Button type="submit" look="primary" isDisabled={!ready || pending}>
          Send the remark
        </Button>
        <Button isDisabled={pending} onPress={() => answer({ action: 'accept' })}>
          Continue without one
        </Button>
      </div>
    </form>
  );
}

export function ModeratorPanel({ trial, asked }: { trial: string; asked: Asked }) {
  const api = useApi();
  const send = useMutation({ mutationFn: (moderation: Moderation) => api.trials.moderate({ trial, moderation }) });
  const answering: Answering = { pending: send.isPending || send.isSuccess, answer: send.mutate };
  return (
    <section className={`card stack gap-12 ${styles.moderator}`} aria-label="Moderator">
      <Notice tone="warn">
        {asked.asks === 'subtopics'
          ? 'The trial waits for you, its moderator: accept the subtopics, or change them. Other trials continue meanwhile.'
          : 'The trial waits for you, its moderator: say something to the agents, or let them continue. Other trials continue meanwhile.'}
      </Notice>
      {asked.asks === 'remark' ? (
        <RemarkForm {...answering} />
      ) : (
        <SubtopicForm key={asked.seq} subtopics={asked.subtopics ?? []} {...answering} />
      )}
      <FailureNotice error={send.error} />
    </section>
  );
}
