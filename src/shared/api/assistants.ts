import type { TrainReport } from '../assistants.ts';
import type { EventPayload } from '../events.ts';
/** The trained assistants of an experiment's data set, and whether the experiment has debates to learn from. */
export interface AssistantsView {
  /** Some arm is of debates without an assistant. */
  readonly trainable: boolean;
  /** The embedding model that such an arm has cast; null where none has. */
  readonly embedder: string | null;
  /** The newest first. */
  readonly versions: readonly Pick<
    EventPayload<'assistant-train'>,
    'version' | 'at' | 'experiment' | 'embedder' | 'training' | 'holdout' | 'standin'
  >[];
}

/** How far a training is, a few times a second, and its result at the end; the store's file name replaces its path. */
export type TrainFrame =
  | { readonly kind: 'progress'; readonly phase: 'vectors' | 'fit'; readonly done: number; readonly of: number }
  | { readonly kind: 'done'; readonly report: TrainReport };
