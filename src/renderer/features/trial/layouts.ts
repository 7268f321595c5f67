import { CourtroomLayout } from './courtroom/CourtroomLayout.tsx';
import { DebateFeedbackLayout } from './debateFeedback/DebateFeedbackLayout.tsx';
import { EvinceLayout } from './evince/EvinceLayout.tsx';
import type { TrialLayout } from './layout.ts';
import { SingleLayout } from './single/SingleLayout.tsx';
import { SocrasynthLayout } from './socrasynth/SocrasynthLayout.tsx';
import { VoteLayout } from './vote/VoteLayout.tsx';

/** Views made for a protocol, by its id; every other one has the transcript alone. */
const layouts: ReadonlyMap<string, TrialLayout> = new Map([
  ['courtroom', { title: 'Hearing', Layout: CourtroomLayout }],
  ['evince', { title: 'Debate', Layout: EvinceLayout }],
  ['debate-feedback', { title: 'Debate', Layout: DebateFeedbackLayout }],
  ['vote', { title: 'Votes', Layout: VoteLayout }],
  ['socrasynth', { title: 'Debate', Layout: SocrasynthLayout }],
  ['single', { title: 'Answer', Layout: SingleLayout }],
]);

export const layoutOf = (protocol: string): TrialLayout | null => layouts.get(protocol) ?? null;
