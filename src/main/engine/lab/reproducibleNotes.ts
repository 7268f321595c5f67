import type { Experiment } from '../../../shared/experiment.ts';

/** Who answers a run, as far as repeating it goes: our own Ollama in reproducible mode or otherwise, or another's server. */
export type Answerer = 'reproducible' | 'slots' | 'foreign';

const why: Readonly<Record<Exclude<Answerer, 'reproducible'>, string>> = {
  foreign:
    'runtime.reproducible: the server was not started by this program, which cannot know how many calls it answers at once, whether it ' +
    'keeps prompts in memory between trials, and who else asks it. The same answers again are not guaranteed; an Ollama that this ' +
    'program starts in reproducible mode has one slot and keeps none.',
  slots:
    'runtime.reproducible: the Ollama that this program started is not in reproducible mode: it has several slots, or keeps prompts in ' +
    'memory between trials. The same answers again are not guaranteed; turn the mode on in the settings and start it again.',
};

/** What is not guaranteed of a run that is to be repeatable on the same machine; nothing for any other. */
export function reproducibleNotes({ runtime }: Pick<Experiment, 'runtime'>, answerer: Answerer): string[] {
  return runtime.reproducible && answerer !== 'reproducible' ? [why[answerer]] : [];
}
