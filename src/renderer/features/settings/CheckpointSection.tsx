import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, FileUp, PenLine } from 'lucide-react';
import type { CheckpointView } from '../../../shared/api/record.ts';
import { madeWords } from '../../../shared/checkpoints.ts';
import { useApi, useHost, useTakeFile } from '../../api/ApiContext.tsx';
import { useWritable } from '../../app/engineStatus.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { minuteText } from '../../ui/moments.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { notify } from '../../ui/Toasts.tsx';
import { WordNote } from '../../ui/WordNote.tsx';
import { checkpointKey, useCheckpoint } from '../recordCheck/knownRecord.ts';
import { SignedElsewhere } from '../recordCheck/Signatures.tsx';

export function CheckpointSection() {
  const api = useApi();
  const host = useHost();
  const queries = useQueryClient();
  const found = useCheckpoint();
  const show = (view: CheckpointView) => queries.setQueryData(checkpointKey, view);
  const sign = useMutation({
    mutationFn: () => api.record.sign({}),
    onSuccess(view) {
      const same = view.checkpoint?.made_at === found.data?.checkpoint?.made_at;
      show(view);
      notify(same ? 'Nothing has ended since the newest checkpoint.' : 'A checkpoint was made.');
    },
  });
  const save = useMutation({
    mutationFn: async () => {
      const { file, fileName } = await api.record.saveCheckpoint({});
      return (await host.saveExport(file, fileName)) ? fileName : null;
    },
    onSuccess: (fileName) => (fileName === null ? undefined : notify(`Saved as ${fileName}.`)),
  });
  const attach = useMutation({
    mutationFn: (upload: string) => api.record.attach({ upload }),
    onSuccess(view) {
      show(view);
      notify('The file was attached to its checkpoint.');
    },
  });
  const file = useTakeFile(({ upload }) => attach.mutate(upload));
  const has = found.data?.checkpoint != null;
  const isEmpty = !has && found.data?.size === 0;
  const isWritable = useWritable();
  return (
    <Section
      title="Checkpoints"
      lead={
        <>
          A checkpoint signs <WordNote term="sign" /> what the record has now. Give it to somebody else: from then on, nobody can
          change or remove what it covers unseen.
          {isWritable ? ' A run that reaches its end makes one; after a run that you stop, make one here.' : null}
        </>
      }
      actions={
        <div className="row gap-8">
          {isWritable ? (
            <Button icon={PenLine} size="small" onPress={() => sign.mutate()} isDisabled={isEmpty || sign.isPending}>
              Make a checkpoint
            </Button>
          ) : null}
          {isWritable || has ? (
            <Button icon={Download} size="small" onPress={() => save.mutate()} isDisabled={!has || save.isPending}>
              Save
            </Button>
          ) : null}
          {isWritable ? (
            <Button icon={FileUp} size="small" onPress={file.choose} isDisabled={!has || file.taking || attach.isPending}>
              Attach a cosigned one
            </Button>
          ) : null}
        </div>
      }
    >
      {[found.error, sign.error, save.error, file.error, attach.error].map((error, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one place for each of five requests
        <FailureNotice key={index} error={error} />
      ))}
      {found.data === undefined ? null : <Newest view={found.data} />}
    </Section>
  );
}

const entries = (number: number) => quantity(number, 'entry', 'entries');

function Newest({ view }: { view: CheckpointView }) {
  const { size, bundle, checkpoint } = view;
  const isWritable = useWritable();
  if (bundle !== null) return <SignedElsewhere view={view} />;
  if (checkpoint === null) {
    return <p className="muted">{size === 0 ? 'Nothing is on the record yet.' : `None yet; ${entries(size)} to sign.`}</p>;
  }
  const { made_at, size: covered, fingerprint, cosigners, time_stamp } = checkpoint;
  const later = size - covered;
  return (
    <dl className="terms">
      <dt>Newest</dt>
      <dd>{madeWords(minuteText(made_at), cosigners)}</dd>
      <dt>Covers</dt>
      <dd>
        {entries(covered)}; {later <= 0 ? 'nothing came since' : `${entries(later)} came since`}
      </dd>
      <dt>Signed by</dt>
      <dd>
        <code>{fingerprint}</code> <CopyButton text={fingerprint}>Copy</CopyButton>
      </dd>
      <dt>Anchored</dt>
      <dd>
        {cosigners.length === 0
          ? `no: only this key signed it.${isWritable ? ' Somebody else can sign the saved file with assize cosign; then attach what they send back.' : ''}`
          : cosigners.map(({ name, fingerprint: witness, at }) => (
              <p key={name}>
                {witness === null ? 'not checked, the key is not known: ' : `by a witness on ${minuteText(at ?? '')}: `}
                <code>{witness ?? name}</code>
              </p>
            ))}
      </dd>
      {time_stamp ? (
        <>
          <dt>Time stamp</dt>
          <dd>attached; not checked</dd>
        </>
      ) : null}
    </dl>
  );
}
