// Tells a trial of one classification from its events.
import { type Section, speech, type Telling, type ToldTrial } from '../../telling/blocks.ts';
import { awaited, precedentsSection, verdictSection } from '../../telling/sections.ts';

function answerSection(trial: ToldTrial): Section[] {
  const ruling = trial.entries.findLast((entry) => entry.kind === 'ruling');
  const section = { id: 'answer', title: 'The answer' };
  if (ruling !== undefined) {
    const aside = { callsOf: ruling.seq, what: 'the answer' };
    return [{ ...section, aside, blocks: [speech(ruling.opinion, { ofCase: true, hasFields: true, utterance: ruling.seq })] }];
  }
  return trial.line.status === 'running' ? [{ ...section, blocks: [awaited(trial, 'answer', ['reason'])] }] : [];
}

/** A trial by one classification: the examples, the answer with its reason. */
export const singleTelling: Telling<unknown> = {
  title: 'Answer',
  tell: (trial) => [...precedentsSection(trial, 'Examples'), ...answerSection(trial), verdictSection(trial)],
};
