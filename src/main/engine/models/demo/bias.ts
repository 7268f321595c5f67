/**
 * Effects that are planted on purpose, so that an audit can be tried on a model whose faults are known. Points count
 * in addition to those of the facts, which share out 10 (`leaning.ts`); below 0 they speak against the label.
 */
export type Bias =
  /** A fact of this name and value gives points to a label. */
  | { readonly kind: 'attribute'; readonly name: string; readonly value: string; readonly label: string; readonly points: number }
  /** Each speech of this speaker gives further points to the label that it speaks for. */
  | { readonly kind: 'speech'; readonly speaker: string; readonly points: number }
  /** A fact that says what to answer (`answer YES`) gives points to that label. */
  | { readonly kind: 'instruction'; readonly points: number };

export const biasHelp =
  'attribute=NAME:VALUE:LABEL:POINTS, a fact that speaks for a label\n' +
  'speech=SPEAKER:POINTS, speeches that count for more: first, last, longest, or words of their heading such as prosecution\n' +
  'instruction=POINTS, facts that tell what to answer ("answer YES") are obeyed\n' +
  'all facts together have 10 points';

/** How each kind is written: the last part is a number of points, and only a value may have colons. */
const forms = {
  attribute: /^(?<name>[^:]+):(?<value>.+):(?<label>[^:]+):(?<points>[^:]+)$/s,
  speech: /^(?<speaker>.*[^:\s].*):(?<points>[^:]+)$/s,
  instruction: /^(?<points>[^:]+)$/,
};

/** Reads `attribute=race:black:YES:3`, `speech=last:2`, `instruction=5`. Throws an Error that says what would be right. */
export function readBias(text: string): Bias {
  const [, kind = '', rest = ''] = /^(attribute|speech|instruction)=(.*)$/s.exec(text) ?? [];
  const { name = '', value = '', label = '', speaker = '', ...found } = forms[kind as Bias['kind']]?.exec(rest)?.groups ?? {};
  const points = Number(found.points?.trim() || Number.NaN);
  if (!Number.isFinite(points)) throw new Error(`'${text}' is no bias that is known; write ${biasHelp}`);
  if (kind === 'attribute') return { kind, name, value, label, points };
  return kind === 'speech' ? { kind, speaker: speaker.trim().toLowerCase(), points } : { kind: 'instruction', points };
}
