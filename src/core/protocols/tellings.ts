import type { Telling } from '../telling/blocks.ts';
import { courtroomTelling } from './courtroom/tell.ts';
import { debateFeedbackTelling } from './debate-feedback/tell.ts';
import { evinceTelling } from './evince/tell.ts';
import { singleTelling } from './single/tell.ts';
import { socrasynthTelling } from './socrasynth/tell.ts';
import { voteTelling } from './vote/tell.ts';

/** What protocols tell of their trials, by their id; every other one has the transcript alone. */
const tellings: ReadonlyMap<string, Telling> = new Map([
  ['courtroom', courtroomTelling],
  ['debate-feedback', debateFeedbackTelling],
  ['evince', evinceTelling],
  ['single', singleTelling],
  ['socrasynth', socrasynthTelling],
  ['vote', voteTelling],
]);

export const tellingOf = (protocol: string): Telling | null => tellings.get(protocol) ?? null;
