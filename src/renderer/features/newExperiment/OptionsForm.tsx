import type { z } from 'zod';
import type { modelOptionsSchema } from '../../../shared/experiment.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import styles from './NewExperiment.module.css';

type Options = z.infer<typeof modelOptionsSchema>;

interface Limits {
  readonly label: string;
  readonly least: number;
  readonly most?: number;
  readonly step: number;
  readonly note?: string;
}

const fields: Readonly<Record<keyof Options, Limits>> = {
  temperature: { label: 'Temperature', least: 0, most: 5, step: 0.1, note: 'In place of the protocol’s own.' },
  topP: { label: 'Top-p', least: 0, most: 1, step: 0.05 },
  topK: { label: 'Top-k', least: 0, step: 1 },
  minP: { label: 'Min-p', least: 0, most: 1, step: 0.01 },
  repeatPenalty: { label: 'Repeat penalty', least: 0, step: 0.1 },
  numCtx: { label: 'Context, tokens', least: 256, step: 256, note: 'Must be the same wherever this model plays.' },
  numPredict: { label: 'Longest answer, tokens', least: 1, step: 64 },
};
const names = Object.keys(fields) as (keyof Options)[];

/** Sampling options of an arm's models; what is left empty is not sent. */
export function OptionsForm({ options, onChange }: { options: Options; onChange: (options: Options) => void }) {
  return (
    <div className={styles.fields}>
      {names.map((name) => {
        const { label, least, most, step, note } = fields[name];
        return (
          <NumberField
            key={name}
            label={label}
            value={options[name] ?? null}
            minValue={least}
            step={step}
            {...(most === undefined ? {} : { maxValue: most })}
            {...(note === undefined ? {} : { description: note })}
            onChange={(value) => {
              const { [name]: _before, ...others } = options;
              onChange(value === null ? others : { ...others, [name]: value });
            }}
          />
        );
      })}
    </div>
  );
}
