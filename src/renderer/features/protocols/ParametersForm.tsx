import { BookOpen } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { findProtocol } from '../../../core/protocols/index.ts';
import type { PaperContractEntry } from '../../../core/protocols/protocol.ts';
import { isTerm } from '../../../shared/glossary.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Fold } from '../../ui/Fold.tsx';
import type { FieldText } from '../../ui/FormField.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { WordNote } from '../../ui/WordNote.tsx';
import styles from './Protocols.module.css';
import type { Scalar } from './parameters.ts';
import {
  isChanged,
  type ParameterField,
  type Parameters,
  paperParameters,
  paperValue,
  parameterFields,
  parametersAside,
  withParameter,
} from './parameters.ts';
import { choiceText, parameterText, valueAsText } from './words.ts';

/** Some labels out of all, none twice; nothing is set until all of them are chosen. */
function LabelChoices({
  label,
  description,
  error,
  count,
  labels,
  value,
  onChange,
}: {
  label: string;
  description?: string;
  error: string | null;
  count: number;
  labels: readonly string[];
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  if (labels.length <= count) return null;
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <fieldset className={`unframed stack gap-8 min-w-0 ${styles.group}`}>
      <legend>{label}</legend>
      {Array.from({ length: count }, (_none, place) => place).map((place) => {
        const current = chosen[place];
        return (
          <Select
            key={place}
            label={`Label ${place + 1}`}
            error={place === 0 ? error : null}
            {...(description === undefined || place > 0 ? {} : { description })}
            value={typeof current === 'string' ? current : ''}
            choices={[
              { id: '', label: 'none chosen' },
              ...labels.map((id) => ({ id, label: id, disabled: chosen.includes(id) && current !== id })),
            ]}
            onChange={(picked) => {
              const next = Array.from({ length: count }, (_nothing, index) => (index === place ? picked : (chosen[index] ?? '')));
              onChange(next.every((entry) => entry === '') ? undefined : next);
            }}
          />
        );
      })}
    </fieldset>
  );
}

/** Words of the program with names between backticks. */
function Marked({ text }: { text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never change places
  return text.split('`').map((piece, index) => (index % 2 === 1 ? <code key={index}>{piece}</code> : piece));
}

function PaperReading({ entry: { paper, gap, decision } }: { entry: PaperContractEntry }) {
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

function PaperNote({ label, entry }: { label: string; entry: PaperContractEntry }) {
  return (
    <DialogTrigger>
      <AriaButton className={styles.paperButton ?? ''} aria-haspopup="dialog" aria-label={`What the paper says: ${label}`}>
        <BookOpen size={13} aria-hidden="true" /> What the paper says
      </AriaButton>
      <Popover className="card popover" placement="bottom start">
        <Dialog className="stack gap-8 p-14" aria-label={`What the paper says: ${label}`}>
          <h2 className="title-16">{label}</h2>
          <PaperReading entry={entry} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

interface Properties {
  readonly protocol: string;
  readonly params: Parameters;
  readonly onChange: (params: Record<string, unknown>) => void;
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

/** Parameters that nothing is made of with the values of others; none while the values do not fit. */
function unusedOf(protocol: string, params: Parameters): readonly string[] {
  try {
    return findProtocol(protocol)?.bind(params).unused ?? [];
  } catch {
    return [];
  }
}

/** A protocol's parameters as folded fields with what the paper says; unset ones keep their default. Nothing without any. */
export function ParametersForm({ protocol, params, onChange, errorOf, labels, level = 3, defaultExpanded = false }: Properties) {
  const { preset, contract = [], paramsSchema = {} } = findProtocol(protocol) ?? {};
  const unused = unusedOf(protocol, params);
  const fields = parameterFields(paramsSchema).filter((field) => !unused.includes(field.name) || isChanged(field, params));
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

function JsonField({ value, onChange, error, ...words }: FieldText & { value: unknown; onChange: (value: unknown) => void }) {
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value)));
  const [broken, setBroken] = useState(false);
  return (
    <TextField
      {...words}
      look="mono"
      error={broken ? 'This is not JSON yet; write text in double quotes and lists in square brackets.' : error}
      value={text}
      onChange={(typed) => {
        setText(typed);
        try {
          onChange(typed.trim() === '' ? undefined : JSON.parse(typed));
          setBroken(false);
        } catch {
          setBroken(true);
        }
      }}
    />
  );
}

interface ControlProperties {
  readonly protocol: string;
  readonly field: Exclude<ParameterField, { kind: 'words' }>;
  readonly words: Omit<FieldText, 'description'> & { readonly description?: string };
  /** The paper's own value; undefined where it has none. */
  readonly paper: unknown;
  /** Undefined: not set. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** Means that no choice is made; no value of a parameter is an empty text. */
const notSet = '';

function ChoiceControl({ protocol, field, words, paper, value, onChange }: ControlProperties & { field: { kind: 'choice' } }) {
  const { name, choices, preset } = field;
  const chosen = choices.find((choice) => choice === value) ?? preset;
  const noteOf = (choice: Scalar) => {
    const marks = [choice === preset ? 'default' : null, choice === paper ? 'the paper’s own' : null];
    return marks.filter((mark) => mark !== null).join(', ') || undefined;
  };
  return (
    <Select
      {...words}
      value={chosen === null ? notSet : String(chosen)}
      choices={[
        ...(preset === null ? [{ id: notSet, label: 'not set' }] : []),
        ...choices.map((choice) => ({
          id: String(choice),
          label: choiceText(protocol, name, choice),
          note: noteOf(choice),
        })),
      ]}
      onChange={(id) => onChange(choices.find((choice) => String(choice) === id))}
    />
  );
}

/** One parameter as the field that fits its type; what fits none is written as JSON. */
function ParameterControl(properties: ControlProperties) {
  const { field, words, value, onChange } = properties;
  switch (field.kind) {
    case 'choice':
      return <ChoiceControl {...properties} field={field} />;
    case 'switch':
      return (
        <Checkbox
          isSelected={typeof value === 'boolean' ? value : field.preset}
          onChange={onChange}
          {...(words.description === undefined ? {} : { note: words.description })}
        >
          {words.label}
        </Checkbox>
      );
    case 'number':
      return (
        <NumberField
          {...words}
          value={typeof value === 'number' ? value : field.preset}
          onChange={onChange}
          step={field.whole ? 1 : 0.1}
          {...(field.preset === null ? { placeholder: 'not set' } : {})}
          {...(field.least === null ? {} : { minValue: field.least })}
          {...(field.most === null ? {} : { maxValue: field.most })}
        />
      );
    case 'text':
      return (
        <TextField
          {...words}
          value={typeof value === 'string' ? value : (field.preset ?? '')}
          placeholder="not set"
          onChange={(text) => onChange(text === '' ? undefined : text)}
        />
      );
    case 'json':
      return <JsonField {...words} value={value} onChange={onChange} />;
  }
}
