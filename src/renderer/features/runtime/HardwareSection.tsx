import { type ReactNode, useId } from 'react';
import type { Hardware, HardwareSample, HardwareWarning } from '../../../shared/api/hardware.ts';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Outside, Paragraph } from '../../ui/HiddenText.tsx';
import { FailureNotice, Notice, Unread } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { ShareBar } from '../../ui/ShareBar.tsx';
import { gpuFacts, gpuMemory, gpuName, machineFacts, mainMemory, shareMeasure, withoutGpu } from './hardwareText.ts';
import styles from './Models.module.css';
import { useHardware } from './runtimeQueries.ts';

export function HardwareWarnings({ warnings }: { warnings: readonly HardwareWarning[] }) {
  return warnings.map(({ at, kind, model, sentence: words }) => (
    <Notice key={`${at} ${kind} ${model}`} tone="warn">
      <Outside text={words} />
    </Notice>
  ));
}

export function HardwareSection({ sample, failure }: { sample: HardwareSample | null; failure: unknown }) {
  const hardware = useHardware();
  return (
    <Section title="This machine" lead="The machine that runs Assize. A server elsewhere has its own.">
      {hardware.isError ? null : <FailureNotice error={failure} />}
      {hardware.data === undefined ? (
        <Unread of={hardware} words="Looking at the machine…" />
      ) : (
        <Machine hardware={hardware.data} sample={sample} />
      )}
    </Section>
  );
}

function Machine({ hardware, sample }: { hardware: Hardware; sample: HardwareSample | null }) {
  return (
    <div className="stack gap-14">
      {(sample?.gpus ?? hardware.gpus).length === 0 ? <p>{withoutGpu(sample ?? { loaded: [] })}</p> : null}
      <MachineParts hardware={hardware} sample={sample} />
      {hardware.notes.length === 0 ? null : (
        <Fold title="What could not be read" aside={quantity(hardware.notes.length, 'note')}>
          <ul className="bullets wrap-anywhere">
            {hardware.notes.map((note) => (
              <li key={note}>
                <HiddenText text={note} />
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </div>
  );
}

/** The GPUs and the processor, with what is known of each and how it is used now. */
export function MachineParts({ hardware, sample }: { hardware: Hardware; sample: HardwareSample | null }) {
  return (
    <>
      {(sample?.gpus ?? hardware.gpus).map((gpu) => (
        <MachinePart key={gpu.id} name={gpuName(gpu)} facts={gpuFacts(gpu)}>
          <ShareBar label="Memory of the GPU" {...gpuMemory(gpu)} />
          <ShareBar label="Load of the GPU" {...shareMeasure(gpu.utilisation)} />
        </MachinePart>
      ))}
      <MachinePart name={hardware.processor} facts={machineFacts(hardware)}>
        <ShareBar label="Main memory" {...mainMemory(hardware.memory_total, sample)} />
        <ShareBar label="Load of all cores" {...shareMeasure(sample?.processor ?? null)} />
      </MachinePart>
    </>
  );
}

function MachinePart({ name, facts, children }: { name: string; facts: string; children: ReactNode }) {
  const heading = useId();
  return (
    <fieldset className="unframed stack content-start gap-4 min-w-0" aria-labelledby={heading}>
      <Outside as="h3" className="title-14 wrap-anywhere" id={heading} text={name} />
      <Paragraph className="max-w-80ch muted wrap-anywhere" text={facts} />
      <div className={styles.bars}>{children}</div>
    </fieldset>
  );
}
