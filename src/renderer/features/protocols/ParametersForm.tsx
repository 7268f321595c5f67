import { findProtocol } from '../../../core/protocols/index.ts';
import { isTerm } from '../../../shared/glossary.ts';
import { Button } from '../../ui/Button.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { WordNote } from '../../ui/WordNote.tsx';
import { LabelChoices } from './LabelChoices.tsx';
import { PaperNote, PaperReading } from './PaperNote.tsx';
import { ParameterControl } from './ParameterControl.tsx';
import styles from './Protocols.module.css';
import {
  type ParameterField,
  type Parameters,
  paperParameters,
  paperValue,
  parameterFields,
  parametersAside,
  withParameter,
} from './parameters.ts';
import { parameterText, valueAsText } from './words.ts';

interface Properties {
  readonly protocol: string;
  readonly params: Parameters;
  readonly onChange: (params: Record<string, unknown>) => void;
  /** What is wrong with a parameter, by its name. */
  readonly errorOf: (name: string) => string | null;
  /** Candidate labels, for parameters that are labels. */
  readonly labels: readonly string[];
  readonly level?: 3 | 4;
  readonly defaultExpanded?: boolean;
}

/** Default, range and the paper's value of a parameter, as a sentence; null where there is nothing to say. */
function inPaper(field: ParameterField, paper: unknown): string | null {
  const preset = 'preset' in field ? field.preset : null;
  const range = field.kind === 'number' && field.least !== null && field.most !== null ? `${field.least} to ${field.most}. ` : '';
  if (preset === null) return range === '' ? null : range.trim();
  if (paper === undefined) return `${range}Default: ${valueAsText(preset)}.`;
  if (paper === preset) return `${range}Default, and in the preset of the paper: ${valueAsText(preset)}.`;
  return `${range}Default: ${valueAsText(preset)}; in the preset of the paper: ${valueAsText(paper)}.`;
}

/**
 * The parameters of a protocol as folded fields, each with what the paper says of it; what is not set keeps its default.
 * Nothing where the protocol has none.
 */
export function ParametersForm({ protocol, params, onChange, errorOf, labels, level = 3, defaultExpanded = false }: Properties) {
  const { preset, contract = [], paramsSchema = {} } = findProtocol(protocol) ?? {};
  const fields = parameterFields(paramsSchema);
  if (fields.length === 0) return null;
  const named = new Set(fields.map(({ name }) => name));
  const others = contract.filter(({ subject }) => !named.has(subject));
  return (
    <Fold
      level={level}
      title="Parameters"
      aside={parametersAside(fields, params, preset)}
      defaultExpanded={defaultExpanded}
      isFaulty={fields.some(({ name }) => errorOf(name) !== null)}
    >
      <div className="stack gap-14">
        <div className="flex flex-wrap gap-8">
          <Button size="small" onPress={() => onChange(paperParameters(fields, preset))}>
            Set to the paper’s own values
          </Button>
          <Button size="small" look="quiet" onPress={() => onChange({})}>
            Set to the defaults
          </Button>
        </div>
        <div className="fields">
          {fields.map((field) => {
            const { label, note } = parameterText(protocol, field.name);
            const description = [note, inPaper(field, paperValue(preset, field.name))].filter((part) => part !== null).join(' ');
            const words = { label, error: errorOf(field.name), ...(description === '' ? {} : { description }) };
            const entry = contract.find(({ subject }) => subject === field.name);
            const set = (value: unknown) => onChange(withParameter(params, field, value));
            const value = params[field.name];
            if (field.kind === 'words') {
              return (
                <LabelChoices key={field.name} {...words} count={field.count} labels={labels} value={value} onChange={set} />
              );
            }
            return (
              <div key={field.name} className="stack min-w-0 gap-2">
                <ParameterControl
                  protocol={protocol}
                  field={field}
                  words={words}
                  paper={paperValue(preset, field.name)}
                  value={value}
                  onChange={set}
                />
                {entry === undefined && !isTerm(field.name) ? null : (
                  <div className="row gap-6">
                    {isTerm(field.name) ? <WordNote term={field.name} /> : null}
                    {entry === undefined ? null : <PaperNote label={label} entry={entry} />}
                  </div>
                )}
              </div>
            );
          })}
        </div>
        {others.length === 0 ? null : (
          <Fold level={4} title="How the rest of the paper is read" aside={`${others.length} points`}>
            <div className={`stack gap-12 ${styles.readings}`}>
              {others.map((entry) => (
                <div key={entry.subject}>
                  <h5>{entry.subject}</h5>
                  <PaperReading entry={entry} />
                </div>
              ))}
            </div>
          </Fold>
        )}
      </div>
    </Fold>
  );
}
