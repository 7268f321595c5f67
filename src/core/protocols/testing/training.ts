import { refOf } from '../../record/hash.ts';

/** Texts of the training cases that scripted precedents name, by ref. */
export const trainingTexts = new Map<string, string>();

/** Ref of a training case with a label, whose facts differ from those of the case on trial. */
export function trainingRef(label: string, number: number): string {
  const facts = [{ name: 'example', value: `known example number ${number}` }];
  const text = JSON.stringify({ id: `training ${number}`, facts, question: null, truth: label, groups: {} });
  const ref = refOf(new Uint8Array(32).fill(5), text);
  trainingTexts.set(ref, text);
  return ref;
}
