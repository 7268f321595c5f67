import { useId } from 'react';
import type { Gpu, Hardware, HardwareSample, HardwareWarning } from '../../../shared/api/hardware.ts';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Outside, Paragraph } from '../../ui/HiddenText.tsx';
import { FailureNotice, Notice, Unread } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { ShareBar } from '../../ui/ShareBar.tsx';
import { gpuFacts, gpuMemory, gpuName, machineFacts, mainMemory, shareMeasure, withoutGpu } from './hardwareText.ts';
import styles from './Models.module.css';
import { useHardware } from './runtimeQueries.ts';

/** What makes runs slow or wrong now. */
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
  const heading = useId();
  const gpus = sample?.gpus ?? hardware.gpus;
  const memory = mainMemory(hardware.memory_total, sample);
  const load = shareMeasure(sample?.processor ?? null);
  return (
    <div className="stack gap-14">
      {gpus.length === 0 ? <p>{withoutGpu(sample ?? { loaded: [] })}</p> : gpus.map((gpu) => <GpuPart key={gpu.id} gpu={gpu} />)}
      <fieldset className="unframed stack gap-4 min-w-0" aria-labelledby={heading}>
        <Outside as="h3" className="title-14 wrap-anywhere" id={heading} text={hardware.processor} />
        <p className="max-w-80ch muted wrap-anywhere">{machineFacts(hardware)}</p>
        <div className={styles.bars}>
          <ShareBar label="Main memory" share={memory.share} words={memory.words} />
          <ShareBar label="Load of all cores" share={load.share} words={load.words} />
        </div>
      </fieldset>
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

function GpuPart({ gpu }: { gpu: Gpu }) {
  const heading = useId();
  const memory = gpuMemory(gpu);
  const load = shareMeasure(gpu.utilisation);
  return (
    <fieldset className="unframed stack gap-4 min-w-0" aria-labelledby={heading}>
      <Outside as="h3" className="title-14 wrap-anywhere" id={heading} text={gpuName(gpu)} />
      <Paragraph className="max-w-80ch muted wrap-anywhere" text={gpuFacts(gpu)} />
      <div className={styles.bars}>
        <ShareBar label="Memory of the GPU" share={memory.share} words={memory.words} />
        <ShareBar label="Load of the GPU" share={load.share} words={load.words} />
      </div>
    </fieldset>
  );
}
