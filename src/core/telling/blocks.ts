// What a protocol has to tell of a trial, in the few forms that every report and every screen can draw, and as lines of text.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import type { Belief, FailureOutcome, Prediction, ShownFact } from '../../shared/domain.ts';
import { predictionText } from '../../shared/predictionText.ts';
import type { TrialLine } from '../../shared/trialLine.ts';
import type { Side } from '../figures/speakers.ts';

export type Tone = 'plain' | 'good' | 'bad' | 'warn' | 'judge';

/** Words of the program as a string; what comes from outside is a name, and is shown in its own direction. */
export type Span =
  | string
  /** `each`: of several labels as one set, those that are joined in it. */
  | { readonly name: string; readonly each?: readonly string[] }
  /** `full`: what screen readers and tooltips say. */
  | { readonly strong: Words; readonly tone?: 'good' | 'bad'; readonly full?: string }
  | { readonly quiet: Words }
  | { readonly pill: Words; readonly tone: Tone }
  /** A key of the record, or text from a file. */
  | { readonly code: string }
  /** Where a screen opens the calls behind an entry. `what` they led to: `the joint proposal`. */
  | { readonly callsOf: number; readonly what: string };
export type Words = Span | readonly Span[];

/** A text of the record; null where it was erased. */
export interface SpeechBlock {
  readonly kind: 'speech';
  readonly text: string | null;
  /** Read by no other role. */
  readonly isPrivate?: boolean;
  /** A structured answer: each line is a field or an item of a list. */
  readonly hasFields?: boolean;
  /** Where it mentions facts of the case, that is marked. */
  readonly ofCase?: boolean;
  /** Place of the utterance or ruling that it is, in the chain of its trial. */
  readonly utterance?: number;
  /** Place of the event that has it, where it is no utterance and the row that shows it begins with another event. */
  readonly seq?: number;
}

export interface Card {
  readonly title: Words;
  /** As a screen reader names it. */
  readonly name: string;
  readonly side: Side | 'judge';
  readonly lost?: boolean;
  readonly blocks: readonly Block[];
}

export interface Cell {
  readonly blocks: readonly Block[];
  readonly side?: Side;
  readonly isNumber?: boolean;
  /** Columns, and rows; absent: 1. */
  readonly columns?: number;
  readonly rows?: number;
}

export interface TableBlock {
  readonly kind: 'table';
  /** What it is of, for screen readers; no other table of the trial has this name. */
  readonly name: string;
  readonly caption?: Words;
  /** Columns of long texts, of equal width. */
  readonly isWide?: boolean;
  readonly head: readonly (readonly Cell[])[];
  /** The first cell of a row is its head. */
  readonly rows: readonly (readonly Cell[])[];
  readonly foot?: readonly (readonly Cell[])[];
}

export interface ChartBlock {
  readonly kind: 'chart';
  readonly title: Words;
  readonly aside?: string;
  /** All of it in words. */
  readonly label: string;
  /** Names of the rounds. */
  readonly at: readonly string[];
  readonly lines: readonly {
    readonly of: 'first' | 'second' | 'both' | 'other';
    /** At its end; empty: none. */
    readonly letter: string;
    readonly values: readonly (number | null)[];
  }[];
  readonly range: readonly [low: number, high: number];
  readonly unit: 'percent' | 'number';
}

export interface RetrievalBlock {
  readonly kind: 'retrieval';
  readonly cases: readonly {
    readonly title: Words;
    /** Null where it was erased. */
    readonly case: { readonly experiment: string; readonly id: string } | null;
    /** Cosine in words, or the method of search. */
    readonly near: string;
    readonly facts: readonly ShownFact[] | null;
    readonly blocks: readonly Block[];
  }[];
}

interface WordsBlock {
  readonly kind: 'words';
  readonly words: Words;
  readonly look?: 'quiet' | 'bad' | 'warn' | 'verdict' | 'title';
}

interface FoldBlock<Inner> {
  readonly kind: 'fold';
  readonly title: Words;
  readonly aside?: string;
  /** It holds what no other role got to read. */
  readonly isSealed?: boolean;
  readonly blocks: readonly Inner[];
}

interface ListBlock<Inner> {
  readonly kind: 'list';
  readonly isNumbered?: boolean;
  readonly items: readonly (readonly Inner[])[];
}

export type LineBlock = WordsBlock | SpeechBlock | FoldBlock<LineBlock> | ListBlock<LineBlock>;

export type Block =
  | WordsBlock
  | { readonly kind: 'failure'; readonly failure: FailureOutcome; readonly result: string }
  | SpeechBlock
  | FoldBlock<Block>
  | ListBlock<Block>
  /** Next to each other as far as there is room, the first as wide as can be. */
  | { readonly kind: 'row'; readonly blocks: readonly Block[] }
  | { readonly kind: 'columns'; readonly columns: readonly (readonly Block[])[] }
  | { readonly kind: 'part'; readonly title: string; readonly aside?: Words; readonly blocks: readonly Block[] }
  | { readonly kind: 'cards'; readonly as: 'pair' | 'seats' | 'chain'; readonly cards: readonly Card[] }
  /** Changes as bars with their numbers. `share`: of the greatest, -1 to 1, from the middle where they are directed. */
  | {
      readonly kind: 'changes';
      readonly isDirected: boolean;
      readonly rows: readonly { readonly words: Words; readonly share: number; readonly told: Words }[];
    }
  /** What belongs to each name. */
  | { readonly kind: 'keys'; readonly rows: readonly { readonly name: Words; readonly words: Words }[] }
  | { readonly kind: 'pairs'; readonly rows: readonly { readonly side: Side; readonly name: Words; readonly words: Words }[] }
  | TableBlock
  | { readonly kind: 'distribution'; readonly title: string; readonly belief: Belief }
  /** A number from 0 to 1, and what it is compared with. */
  | { readonly kind: 'measure'; readonly name: string; readonly value: number; readonly threshold?: number }
  | { readonly kind: 'charts'; readonly hasLegend: boolean; readonly charts: readonly ChartBlock[] }
  | RetrievalBlock
  /** Text that a screen offers to copy. */
  | { readonly kind: 'copy'; readonly title: string; readonly text: string }
  /** Something that is not on the record: `step` is the key that its call will have, `fields` what it says aloud. */
  | { readonly kind: 'awaited'; readonly step: string; readonly fields: readonly string[] };

export type BlockKind = Block['kind'];

export interface Section {
  /** Unique in a trial; letters and hyphens. */
  readonly id: string;
  readonly title: string;
  readonly aside?: Words;
  readonly blocks: readonly Block[];
}

export interface ToldTrial {
  readonly line: Pick<
    TrialLine,
    | 'experiment'
    | 'status'
    | 'outcome'
    | 'prediction'
    | 'confidence'
    | 'truth'
    | 'correct'
    | 'decided_by'
    | 'swap'
    | 'protocol'
    | 'standin'
  >;
  readonly entries: readonly TranscriptEntry[];
  readonly labels: readonly string[];
  readonly positive: string | null;
  readonly writing: readonly { readonly key: string }[];
}

/** What a protocol shows of its trials in addition to the transcript. */
export interface Telling<P> {
  /** Of the view, in a word. */
  readonly title: string;
  readonly tell: (trial: ToldTrial, params: P) => readonly Section[];
}

export const words = (text: Words, look?: WordsBlock['look']): WordsBlock => ({
  kind: 'words',
  words: text,
  ...(look === undefined ? {} : { look }),
});

export const speech = (text: string | null, about: Omit<SpeechBlock, 'kind' | 'text'> = {}): SpeechBlock => ({
  kind: 'speech',
  text,
  ...about,
});

export const cell = (text: Words, about: Omit<Cell, 'blocks'> = {}): Cell => ({ blocks: [words(text)], ...about });

/** A name or title with where the calls behind its entry are opened, if there is one. */
export const withCalls = (title: string, entry: { readonly seq: number } | null, what: string): Words =>
  entry === null ? title : [`${title} `, { callsOf: entry.seq, what }];

export const labelName = (prediction: Prediction): Span => ({
  name: predictionText(prediction) ?? 'none',
  ...(Array.isArray(prediction) && prediction.length > 1 ? { each: prediction } : {}),
});

export const joined = (parts: readonly Words[], between: string): Span[] =>
  parts.flatMap((part, index) => [...(index === 0 ? [] : [between]), ...spansOf(part)]);

export const spansOf = (text: Words): readonly Span[] => (isSpans(text) ? text : [text]);

const isSpans = (text: Words): text is readonly Span[] => Array.isArray(text);

/** The words alone, without what only a screen has. */
export function plainAsText(text: Words): string {
  return spansOf(text)
    .map((span) => {
      if (typeof span === 'string') return span;
      if ('name' in span) return span.name;
      if ('strong' in span) return plainAsText(span.strong);
      if ('quiet' in span) return plainAsText(span.quiet);
      if ('code' in span) return span.code;
      return 'pill' in span ? plainAsText(span.pill) : '';
    })
    .join('');
}

export const failureText: Readonly<Record<FailureOutcome, string>> = {
  undecided: 'The model openly declined to decide.',
  malformed: 'The answer could not be read, also when it was asked for again.',
  invalid_label: 'The model answered with something that is not one of the possible answers.',
  truncated: 'The answer was cut off: it reached the token limit or repeated itself.',
  overflow: 'The prompt was longer than the context of the model.',
  timeout: 'The model did not answer in time.',
  backend_error: 'The server failed to give an answer.',
  cancelled: 'The call was cancelled.',
};

function linesIn(block: LineBlock): string[] {
  switch (block.kind) {
    case 'words':
      return [plainAsText(block.words).trimEnd()];
    case 'speech':
      return [block.text ?? 'erased from the store.'];
    case 'list':
      return block.items.flatMap(linesOf);
    case 'fold':
      return [`${plainAsText(block.title)}: ${linesOf(block.blocks).join(' ')}`];
  }
}

/** The blocks of a step as lines of text; what only a screen has is left out. */
export const linesOf = (blocks: readonly LineBlock[]): string[] => blocks.flatMap(linesIn);

type AwaitedBlock = Extract<Block, { kind: 'awaited' }>;

/** What blocks wait for, at any depth. */
export function awaitedIn(blocks: readonly Block[]): AwaitedBlock[] {
  return blocks.flatMap((block) => {
    switch (block.kind) {
      case 'awaited':
        return [block];
      case 'fold':
      case 'row':
      case 'part':
        return awaitedIn(block.blocks);
      case 'list':
        return block.items.flatMap(awaitedIn);
      case 'columns':
        return block.columns.flatMap(awaitedIn);
      case 'cards':
        return block.cards.flatMap((card) => awaitedIn(card.blocks));
      default:
        return [];
    }
  });
}

export const speechesIn = (blocks: readonly Block[]): SpeechBlock[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'speech') return [block];
    return block.kind === 'fold' || block.kind === 'row' ? speechesIn(block.blocks) : [];
  });
