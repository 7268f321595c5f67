import type { AnswerFailureKind, ParseMethod } from '../answer.ts';
import { canonical } from '../canonical.ts';
import { readAnswer } from '../read.ts';
import { labels } from './labels.fixture.ts';
import { numbers } from './numbers.fixture.ts';
import { otherNames } from './otherNames.fixture.ts';
import { rivals } from './rivals.fixture.ts';
import { scales } from './scales.fixture.ts';
import { sentences } from './sentences.fixture.ts';
import { slips } from './slips.fixture.ts';
import type { CorpusPart, Row } from './specs.fixture.ts';
import { thoughts } from './thinking.fixture.ts';
import { wholeObjects } from './wholeObjects.fixture.ts';
import { words } from './words.fixture.ts';

/** Raw answers written by hand, in the ways in which small models fail. */
export const corpus: readonly CorpusPart[] = [
  ...wholeObjects,
  ...slips,
  ...words,
  ...numbers,
  ...labels,
  ...rivals,
  ...sentences,
  ...scales,
  ...thoughts,
  ...otherNames,
];

export interface RowReading {
  readonly read: ParseMethod | AnswerFailureKind;
  /** Undefined where nothing was read. */
  readonly value: unknown;
  /** A value was read that the text does not say. */
  readonly wrong: boolean;
}

/** Reads a row of the corpus as a complete answer, which is the hardest for the reader. */
export function readRow({ spec }: CorpusPart, [raw, means]: Row): RowReading {
  const reading = readAnswer(spec, raw, true);
  if (!reading.ok) return { read: reading.kind, value: undefined, wrong: false };
  return { read: reading.method, value: reading.value, wrong: canonical(reading.value) !== canonical(means) };
}
