// The options by which a command runs experiments: those of one, and those of a study.
import type { RunOptions, RunProgress } from '../main/engine/engine.ts';
import { failureOutcomes, type Outcome } from '../shared/domain.ts';
import { badInput } from '../shared/errors.ts';
import { betweenSchema, hoursWords } from '../shared/hours.ts';
import { partWords } from '../shared/part.ts';
import { restWords } from '../shared/rest.ts';
import { type Command, optionHelp, type Surroundings, serverWords, storeNamed, type Words } from './command.ts';
import { amount, count } from './format.ts';
import { followRun } from './liveRun.ts';

export const runOptionHelp: Command['options'] = [
  [
    '--ollama URL',
    'an Ollama server instead of the one in the file, for the only backend or the one named "default"\n' +
      'http://127.0.0.1:11435 is the demo model',
  ],
  optionHelp.startOllama,
  optionHelp.allowHost,
  [
    '--concurrency N',
    'how many trials run at once at a server for which the file gives no concurrency; without this option, one for each\nslot of the server, or 1 if it does not report slots; always 1 if runtime.reproducible is true. More are open\nwhere models take turns in memory (docs/scale.md)\ncalls at once: one for each slot; N if the server does not report slots',
  ],
  [
    '--between HH:MM-HH:MM',
    'asks the models only in these hours of each day, such as 22:00-07:00, by the clock of this machine: waits for them,\nand for those of the next day, until the run is done',
  ],
  [
    '--retry KIND[,KIND]',
    `gives finished trials with such an outcome a further attempt; the earlier one stays in the record\nkinds: ${failureOutcomes.join(', ')}`,
  ],
];

type Before = Parameters<NonNullable<RunOptions['onBegin']>>[0];

function retryKinds(text: string | undefined): Outcome[] {
  if (text === undefined) return [];
  return text.split(',').map((kind) => {
    const known = failureOutcomes.find((outcome) => outcome === kind.trim());
    if (known === undefined)
      throw badInput(`there is no outcome ${JSON.stringify(kind)}; there are ${failureOutcomes.join(', ')}`, '--retry');
    return known;
  });
}

function pauseTeller(say: (line: string) => void): (state: RunProgress) => void {
  let said: string | null = null;
  return ({ paused }) => {
    const now = paused === null ? null : paused.backend;
    if (now === said) return;
    say(
      paused === null
        ? 'The backend answers again; the run continues.'
        : `Paused: the run waits for backend ${paused.backend} (${paused.reason}). It tries again for up to ${amount(paused.minutes, 'minute')} (runtime.waitMinutes).`,
    );
    said = now;
  };
}

function continuesText({ planned, done, begun, wanted, part, rest }: Before): string | null {
  if (done === planned || wanted === 0) return null;
  const of = part === undefined ? '' : `, ${partWords(part)}`;
  const now = wanted < planned - done ? `, at most ${count(wanted)} of them now` : '';
  if (done + begun === 0) return `Started${of}: ${amount(planned, 'trial')} to run${now}.`;
  const under =
    begun === 0
      ? ''
      : `, ${count(begun)} ${begun === 1 ? 'is begun and continues' : 'are begun and continue'} after the last answer on the record`;
  return `Continues${of}: ${count(done)} of ${amount(planned, 'trial')} ${done === 1 ? 'is' : 'are'} done${under}, ${count(planned - done - begun)} ${planned - done - begun === 1 ? 'has' : 'have'} not begun${now}.${rest === undefined ? '' : ` Left: ${restWords(rest)}.`}`;
}

function hoursNamed(text: string | undefined): string | undefined {
  const { error } = betweenSchema.optional().safeParse(text);
  if (error !== undefined) throw badInput(error.issues[0]?.message ?? 'give hours as 22:00-07:00', '--between');
  return text;
}

/** What the words ask of a run, and how it is followed on the terminal. Throws bad input. */
export function runRequest(words: Words, { signal, say }: Pick<Surroundings, 'signal' | 'say'>) {
  const tellPauses = pauseTeller(say);
  const followed = followRun();
  const between = hoursNamed(words.text('between'));
  const request = {
    store: storeNamed(words.text('store'), say),
    ...serverWords(words, say),
    concurrency: words.whole('concurrency', 1) ?? null,
    retry: retryKinds(words.text('retry')),
    signal,
    startOllama: words.flag('start-ollama') ? { say } : undefined,
    onProgress: (state: RunProgress) => {
      tellPauses(state);
      followed.onProgress(state);
    },
    whyEnded: () => 'user' as const,
    between,
    onHours: (until: string | null) =>
      say(
        until === null
          ? 'Its hours have begun: the run continues.'
          : `Waits until ${new Date(until).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' })}: it runs every day from ${hoursWords(between ?? '')}. Calls that are under way are finished. Leave this command running.`,
      ),
    onBegin(before: Before) {
      const sentence = continuesText(before);
      if (sentence !== null) say(sentence);
    },
    onCall: followed.onCall,
    onPreparing: followed.onPreparing,
    onWarning: (sentence: string) => say(`WARNING: ${sentence}`),
  };
  return { request, followed };
}
