import { moderate, readModeration, refuseForeignPath } from '../../main/engine/engine.ts';
import { badInput } from '../../shared/errors.ts';
import type { Moderation, ModerationReport, WaitingTrial } from '../../shared/moderation.ts';
import { type Command, optionHelp, storeNamed } from '../command.ts';
import { lines, trialsReady } from '../format.ts';

const usage =
  'assize moderate <experiment> (--list | --show | --file ANSWER.json | --accept) [--trial ID] [--store FILE] [--json]';

const actions = ['list', 'show', 'file', 'accept'] as const;

const asked = ({ kind }: WaitingTrial) => (kind === 'subtopics' ? 'its subtopics' : 'a remark, or none');

const lineOf = (trial: WaitingTrial) =>
  `${trial.trial}  ${trial.arm}, case ${trial.case}${trial.replicate === 0 ? '' : `, replicate ${trial.replicate + 1}`}: waits for ${asked(trial)}`;

/** One waiting trial with what can be edited, as an answer file would have it. */
const shown = (trial: WaitingTrial): string =>
  [
    lineOf(trial),
    ...trial.subtopics.flatMap(({ title, scope }, index) => [`  ${index + 1}. ${title}`, `     ${scope}`]),
    '',
    trial.kind === 'subtopics'
      ? 'Accept them with --accept, or give others with --file, as {"action": "subtopics", "subtopics": [{"title": …, "scope": …}]}.'
      : 'Leave it out with --accept, or give one with --file, as {"action": "remark", "to": "agentA", "agentB" or "both", "text": …}.',
  ].join('\n');

function resultText({ answered, waiting, experiment }: ModerationReport, whole: boolean): string {
  return lines(
    answered !== null && `Trial ${answered} is answered; run the experiment again to continue it.`,
    waiting.length === 0 && `No trial of ${experiment} waits for a moderator.`,
    waiting.length > 0 && !whole && `${waiting.length} of ${experiment} wait for a moderator:`,
    waiting.map(whole ? shown : lineOf),
  );
}

export const moderateCommand: Command = {
  name: 'moderate',
  usage,
  summary: 'answers for the moderator whom a trial waits for',
  options: [
    ['<experiment>', 'name of the experiment'],
    ['--list', 'lists the trials that wait'],
    ['--show', 'shows it, with the current subtopics and how to answer'],
    ['--file ANSWER.json', 'answers with a file; docs/experiment-file.md explains its keys'],
    ['--accept', 'lets the trial continue as it is'],
    ['--trial ID', 'the trial that is meant; not needed where one alone waits'],
    optionHelp.store,
    optionHelp.json,
  ],
  async run(words, { progress, signal, say, tell }) {
    const file = words.text('file');
    const given = actions.filter((name) => words.flag(name) || (name === 'file' && file !== undefined));
    if (given.length !== 1) throw badInput(`one of --list, --show, --file and --accept is needed. Usage: ${usage}`);
    const trial = words.text('trial');
    const report = await moderate(
      storeNamed(words.text('store'), say),
      words.positionals[0] ?? '',
      answerOf(file, words.flag('accept'), trial),
      { signal, onPreparing: (done, of) => progress(trialsReady(done, of)) },
    );
    const chosen = ['list', 'show'].includes(given[0] ?? '') && trial !== undefined ? onlyTrial(report, trial) : report;
    tell(chosen, resultText(chosen, given[0] === 'show'));
  },
};

function answerOf(file: string | undefined, accept: boolean, trial: string | undefined) {
  if (file !== undefined) {
    refuseForeignPath(file, '--file');
    return { trial, moderation: readModeration(file) };
  }
  const moderation: Moderation = { action: 'accept' };
  return accept ? { trial, moderation } : null;
}

function onlyTrial(report: ModerationReport, trial: string): ModerationReport {
  const waiting = report.waiting.filter((one) => one.trial === trial);
  if (waiting.length === 0) throw badInput(`trial ${trial} does not wait for a moderator`, '--trial');
  return { ...report, waiting };
}
