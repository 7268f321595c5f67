import { useId } from 'react';
import type { Gpu, HardwareSample } from '../../../shared/api/hardware.ts';
import { HiddenText, Outside } from '../../ui/HiddenText.tsx';
import { ShareBar } from '../../ui/ShareBar.tsx';
import { HardwareWarnings } from '../runtime/HardwareSection.tsx';
import { gpuMemory, gpuName, mainMemory, placeText, shareMeasure, withoutGpu } from '../runtime/hardwareText.ts';
import { useHardware, useLiveHardware } from '../runtime/runtimeQueries.ts';
import styles from './Experiment.module.css';

function GpuBars({ gpu }: { gpu: Gpu }) {
  const heading = useId();
  const load = shareMeasure(gpu.utilisation);
  const heat = gpu.temperature === null ? '' : `, ${Math.round(gpu.temperature)} °C`;
  return (
    <fieldset className="unframed stack content-start gap-4 min-w-0" aria-labelledby={heading}>
      <span id={heading} className="text-13 font-600 wrap-anywhere" dir="auto">
        <HiddenText text={gpuName(gpu)} />
        {heat}
      </span>
      <ShareBar label="Its memory" {...gpuMemory(gpu)} />
      <ShareBar label="Its load" {...load} />
    </fieldset>
  );
}

function LoadedModels({ loaded }: Pick<HardwareSample, 'loaded'>) {
  if (loaded.length === 0) return <p className="quiet">No model is in the server’s memory now.</p>;
  return (
    <ul className={styles.bars} aria-label="Models in memory">
      {loaded.map(({ name, gpu_share: share }, index) => {
        const { words, tone } = placeText(share);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two servers can have loaded the same model
          <li key={`${name} ${index}`} className="unframed stack content-start gap-4 min-w-0">
            <Outside className={styles.model} text={name} />
            <ShareBar label="On the GPU" share={share} words={words} tone={tone} />
          </li>
        );
      })}
    </ul>
  );
}

/**
 * How a run under way uses the machine: GPUs, main memory, where its models are, and what is wrong with that.
 * @param invented the demo model answers, which is in no memory
 */
export function HardwareStrip({ invented }: { invented: boolean }) {
  const heading = useId();
  const hardware = useHardware();
  const { sample, warnings } = useLiveHardware();
  // It is not the purpose of the screen: until there is something to show, it takes no room.
  if (sample === null || hardware.data === undefined) return null;
  return (
    <section className="stack gap-12 pt-12 ruled-above" aria-labelledby={heading}>
      <h3 id={heading} className="visually-hidden">
        Machine
      </h3>
      <HardwareWarnings warnings={warnings} />
      {sample.gpus.length === 0 && !invented ? <p className="quiet">{withoutGpu(sample)}</p> : null}
      <div className={styles.bars}>
        {sample.gpus.map((gpu) => (
          <GpuBars key={gpu.id} gpu={gpu} />
        ))}
        <fieldset className="unframed stack content-start gap-4 min-w-0" aria-label="Processor">
          <Outside className="text-13 font-600 wrap-anywhere" text={hardware.data.processor} />
          <ShareBar label="Main memory" {...mainMemory(hardware.data.memory_total, sample)} />
          <ShareBar label="Load of all cores" {...shareMeasure(sample.processor)} />
        </fieldset>
      </div>
      {invented ? null : <LoadedModels loaded={sample.loaded} />}
    </section>
  );
}
