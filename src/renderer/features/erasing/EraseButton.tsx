import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Eraser } from 'lucide-react';
import { useState } from 'react';
import { type EraseReport, type EraseTarget, untriedWords } from '../../../shared/erasure.ts';
import { useApi, useRead } from '../../api/ApiContext.tsx';
import { useWritable, useWrittenElsewhere } from '../../app/engineStatus.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { clearAllSessionState } from '../../ui/sessionState.ts';
import { notify } from '../../ui/Toasts.tsx';

export interface Erasable {
  readonly label: string;
  readonly note: string;
  readonly target: EraseTarget;
}

/** Ids and options of a command are not broken at their hyphens; longer words, such as paths, can be. */
const UnbrokenIds = ({ text }: { text: string }) =>
  text.split(/(\S*-\S*)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never change places
    <span key={index} className={index % 2 === 1 && part.length < 30 ? 'unbroken' : undefined}>
      <HiddenText text={part} />
    </span>
  ));

function Preview({ report, ofCase }: { report: Omit<EraseReport, 'store'>; ofCase: boolean }) {
  const { texts, trials, trials_beside, cases, cases_not_tried: notTried = 0, experiments, files, stays } = report;
  return (
    <>
      {experiments.length === 0 && files.length === 0 ? null : (
        <p className="font-600">
          {files.length === 0 ? null : (
            <>
              This takes {files.length === 1 ? 'the whole data set' : 'these whole data sets'} off the list:{' '}
              <Isolated text={files.join(', ')} />.{' '}
            </>
          )}
          {experiments.length === 0 ? null : (
            <>
              After it, {experiments.length === 1 ? 'this experiment' : 'these experiments'} cannot be run further:{' '}
              <Isolated text={experiments.join(', ')} />.{ofCase ? ' Trials of other cases stay, and can be read.' : null}
            </>
          )}
        </p>
      )}
      <div className="stack gap-4">
        <h3 className="eyebrow">What goes</h3>
        <ul className="stack gap-4">
          <li>
            {quantity(texts, 'different text')}
            {trials === 0 ? '' : ` of ${quantity(trials, 'trial')}, such as prompts, answers, plans and speeches`}
            {trials_beside === 0
              ? ''
              : `. Of these trials, ${trials_beside} ${trials_beside === 1 ? 'is' : 'are'} on other cases, with an erased case as a precedent or an example`}
          </li>
          {cases === 0 ? null : (
            <li>
              {ofCase && cases > 1
                ? `what the record has of the case, which is in ${cases} data sets: facts, question, groups`
                : `what the record has of ${quantity(cases, 'case')}: facts, question, groups`}
              {notTried === 0 ? '' : `. ${untriedWords(cases, notTried)}`}
            </li>
          )}
          {files.map((name) => (
            <li key={name}>
              Assize’s own copy of the data set <Isolated text={name} />. To continue with other cases, import a file without the
              erased ones
            </li>
          ))}
        </ul>
      </div>
      <div className="stack gap-4">
        <h3 className="eyebrow">What stays</h3>
        <ul className="stack gap-4">
          {stays.map((sentence) => (
            <li key={sentence}>
              <UnbrokenIds text={sentence} />
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function EraseDialog({
  choices,
  onClose,
  onErased,
}: {
  choices: readonly Erasable[];
  onClose: () => void;
  onErased: () => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const [chosen, choose] = useState('0');
  const [sure, setSure] = useState(false);
  const target = (choices[Number(chosen)] ?? choices[0])?.target;
  const preview = useRead(
    ['erase', target],
    (asked) => (target === undefined ? Promise.resolve(null) : asked.record.erase({ target, confirmed: false })),
    { gcTime: 0, retry: false },
  );
  const erase = useMutation({
    mutationFn: () => (target === undefined ? Promise.resolve(null) : api.record.erase({ target, confirmed: true })),
    onSuccess: async (report) => {
      if (report !== null) notify(`${quantity(report.texts, 'text')} erased for good.`);
      onClose();
      onErased();
      clearAllSessionState();
      await queries.invalidateQueries();
    },
  });
  const report = preview.data ?? null;
  const writtenElsewhere = useWrittenElsewhere();
  return (
    <ModalDialog
      title="Erase for good"
      onClose={erase.isPending ? () => undefined : onClose}
      actions={
        <>
          <Button
            look="danger"
            isDisabled={!sure || report === null || erase.isPending || writtenElsewhere}
            onPress={() => erase.mutate()}
          >
            {erase.isPending ? 'Erasing…' : 'Erase'}
          </Button>
          <Button isDisabled={erase.isPending} onPress={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      {choices.length < 2 ? (
        choices.map(({ label }) => (
          <p key={label} className="font-600">
            <Isolated text={label} />
          </p>
        ))
      ) : (
        <RadioCards
          label="What to erase"
          choices={choices.map(({ label, note }, index) => ({ id: String(index), label, note }))}
          value={chosen}
          isDisabled={erase.isPending}
          onChange={(id) => {
            choose(id);
            setSure(false);
          }}
        />
      )}
      {choices.some(({ target }) => target.kind === 'case') ? null : (
        <p className="quiet">
          To erase one case only, open a trial of it and press <em>Erase…</em> there.
        </p>
      )}
      {preview.isPending ? <p role="status">Reading what this would erase…</p> : null}
      <FailureNotice error={preview.error ?? erase.error} />
      {report === null ? null : <Preview report={report} ofCase={target?.kind === 'case'} />}
      {report === null ? null : (
        <Notice tone="warn">
          <p>The chains of the record stay valid and say that these texts were erased. The texts cannot be brought back.</p>
        </Notice>
      )}
      {writtenElsewhere ? (
        <Notice tone="warn">
          <p>Another program is writing to this record, so nothing can be erased now. This is what would go once it has ended.</p>
        </Notice>
      ) : null}
      {preview.isError ? null : (
        <Checkbox isSelected={sure} onChange={setSure} isDisabled={report === null || erase.isPending}>
          I want to erase this for good
        </Checkbox>
      )}
    </ModalDialog>
  );
}

/** Opens what can be erased here; nothing where the record can only be read, or no choice is left. */
export function EraseButton({ choices, onErased = () => undefined }: { choices: readonly Erasable[]; onErased?: () => void }) {
  const [open, setOpen] = useState(false);
  const isWritable = useWritable();
  if (!isWritable || choices.length === 0) return null;
  return (
    <>
      <Button icon={Eraser} onPress={() => setOpen(true)}>
        Erase…
      </Button>
      {open ? <EraseDialog choices={choices} onClose={() => setOpen(false)} onErased={onErased} /> : null}
    </>
  );
}
