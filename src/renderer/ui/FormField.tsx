import type { ReactNode } from 'react';
import { FieldError, Label, Text } from 'react-aria-components';
import { HiddenText } from './HiddenText.tsx';

export interface Choice<Id extends string = string> {
  readonly id: Id;
  readonly label: string;
  readonly note?: string | undefined;
  readonly disabled?: boolean;
}

export interface FieldText {
  readonly label: string;
  /** Read out by screen readers and not shown, where the surroundings already say it. */
  readonly labelHidden?: boolean;
  readonly description?: ReactNode;
  /** What is wrong with the value and what would be right; null or absent where nothing is. */
  readonly error?: string | null | undefined;
}

/** The words of a field and what its widget takes, except the value and what every field does the same way. */
export type FieldOf<Widget> = FieldText &
  Omit<Widget, 'className' | 'style' | 'children' | 'isInvalid' | 'render' | 'value' | 'onChange'>;

export function FieldLabel({ label, labelHidden = false }: FieldText) {
  return (
    <Label className={labelHidden ? 'visually-hidden' : 'font-550'}>
      <HiddenText text={label} />
    </Label>
  );
}

export function FieldDescription({ description }: FieldText) {
  return description === undefined ? null : (
    <Text slot="description" className="quiet">
      {description}
    </Text>
  );
}

export function FieldFault({ error }: FieldText) {
  return <FieldError className="text-bad text-13 wrap-anywhere">{error}</FieldError>;
}

export function FieldNotes(words: FieldText) {
  return (
    <>
      <FieldDescription {...words} />
      <FieldFault {...words} />
    </>
  );
}

/** The words of a field, and what its widget takes: all that is no word. */
export function fieldParts<Properties extends FieldText>(properties: Properties) {
  const { label, labelHidden = false, description, error, ...rest } = properties;
  const isInvalid = error !== undefined && error !== null;
  const widget = { validationBehavior: 'aria', ...rest, isInvalid, className: 'stack gap-4 content-start min-w-0' } as const;
  return { words: { label, labelHidden, description, error }, widget };
}

/** Ties a field to the value of that name in a form: `<TextField label="Name" {...at('name')} />`. */
export const bindFields =
  <Form extends object, Part extends string>(
    form: Form,
    onChange: (part: Partial<Form>) => void,
    errorAt: (part: Part) => string | null = () => null,
  ) =>
  <Name extends keyof Form & Part>(name: Name) => ({
    value: form[name],
    error: errorAt(name),
    onChange: (value: Form[Name]) => onChange({ [name]: value } as unknown as Partial<Form>),
  });
