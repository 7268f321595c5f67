import { readFileSync } from 'node:fs';
import * as engine from '../../main/engine/engine.ts';
import type { RunLogReport, TryReport } from '../../shared/commandOutputs.ts';
import { demoTieText } from '../../shared/demoModel.ts';
import { erasedText } from '../../shared/erasure.ts';
import { badInput, exitCode } from '../../shared/errors.ts';
import { predictionText } from '../../shared/predictionText.ts';
import { type Command, optionHelp, type Surroundings, serverWords, storeNamed } from '../command.ts';
import { amount, count, demoBanner, lines } from '../format.ts';
import { followRun } from '../liveRun.ts';

async function readFacts(path: string, { readInput }: Surroundings): Promise<string> {
  if (path === '-') return readInput();
  engine.refuseForeignPath(path, '--facts');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof TypeError)
      throw badInput('the file is not valid UTF-8; save it as UTF-8', { file: path, field: '--facts' });
    throw badInput('this file cannot be read; check its name and permissions', { file: path, field: '--facts' });
  }
}

export const tryCommand: Command = {
  name: 'try',
  usage:
    'assize try --protocol P --model M --question Q [--facts FILE|-] [--labels A,B] [--num-ctx N] [--store FILE] [--ollama URL] [--allow-host HOST]… [--start-ollama] [--json]',
  summary: 'puts one case on trial that you describe in words',
  options: [
    ['--protocol P', 'the protocol, such as standard, agentic-sim or, for an open question, socrasynth'],
    ['--model M', 'the model that plays every role'],
    ['--question Q', 'what is to be decided'],
    ['--facts FILE|-', 'a text file with what is known of the case; - is stdin; an open question may do without'],
    ['--labels A,B', 'the possible answers; of two, the second is the positive one. Without them the question is open'],
    ['--num-ctx N', 'context in tokens, prompt and answer together; 8192 without it'],
    optionHelp.store,
    [
      '--ollama URL',
      `the server, ${engine.usualOllamaUrl} without it (OLLAMA_HOST does not count here); http://127.0.0.1:11435 is the demo model`,
    ],
    optionHelp.startOllama,
    optionHelp.allowHost,
    optionHelp.json,
  ],
  async run(words, surroundings) {
    const { signal, say, live, tell } = surroundings;
    const [labels, facts] = [words.text('labels'), words.text('facts')];
    const { url = engine.usualOllamaUrl, allowedHosts } = serverWords(words, say);
    const request = {
      protocol: words.need('protocol'),
      model: words.need('model'),
      question: words.need('question'),
      labels: labels === undefined ? [] : labels.split(',').map((label) => label.trim()),
      facts: labels === undefined && facts === undefined ? '' : await readFacts(words.need('facts'), surroundings),
      url,
      numCtx: words.whole('num-ctx', 256),
    };
    const followed = followRun();
    live(followed.text);
    const report = await engine.tryCase(request, {
      store: storeNamed(words.text('store'), say),
      allowedHosts,
      signal,
      startOllama: words.flag('start-ollama') ? { say } : undefined,
      onProgress: followed.onProgress,
      onCall: followed.onCall,
      onPreparing: followed.onPreparing,
    });
    tell(report, transcriptText(report, { private: false }));
    return report.outcome === 'decided' ? exitCode.ok : exitCode.failedTrials;
  },
};

export const showCommand: Command = {
  name: 'show',
  usage: 'assize show <experiment> [--trial ID] [--store FILE] [--json]',
  summary: 'prints the log of the runs of an experiment, or the transcript of a trial, with private plans and notes',
  options: [
    ['<experiment>', 'without --trial, when its runs began, waited for a server, were paused and ended; or the ID of a trial'],
    ['--trial ID', 'the trial; an export lists them. It needs no <experiment>'],
    optionHelp.store,
    optionHelp.json,
  ],
  positionals: () => ['[experiment]'],
  async run(words, { say, tell }) {
    const [[named = ''], path] = [words.positionals, storeNamed(words.text('store'), say)];
    const { experiment, trial } = await engine.withRecord(path, (store) => engine.shownOf(store, named, words.text('trial')));
    if (trial === undefined) {
      const report = { ...(await engine.withRecord(path, (store) => engine.showRuns(store, experiment))), store: path };
      return tell(report, runLogText(report));
    }
    const report = { ...(await engine.withRecord(path, (store) => engine.show(store, experiment, trial))), store: path };
    tell(report, transcriptText(report, { private: true }));
  },
};

const runStates = {
  ...{ running: 'another program is running this', paused: 'paused', interrupted: 'interrupted' },
  ended: 'no run is under way',
};

function runLogText({ experiment, log, imported = [], energy, now }: RunLogReport): string {
  const imports = imported.map(
    ({ arm, system, predictions, at }) =>
      `${at}  ${amount(predictions, 'prediction')} of ${JSON.stringify(system)} imported from a file, as arm ${arm}`,
  );
  if (log.length === 0 && imports.length > 0)
    return lines(
      `Log of ${experiment}, times in UTC. Its predictions were imported; no run of it is in the log of this record.`,
      imports,
      'With --trial ID, show prints one of them, with its file line; an export of trials lists their IDs.',
    );
  if (log.length === 0)
    return lines(
      `No run of ${experiment} is in the log of this record.`,
      'A store logs only the runs that it makes itself: copies, joined stores and bundles leave the log behind.',
      `${engine.ownCall} verify says which stores a copy or a joined store comes from.`,
      'With --trial ID, show prints the transcript of a trial; an export of trials lists their IDs.',
    );
  const ends = engine.lostEnds(log);
  return lines(
    `History of the runs of ${experiment}, times in UTC. It is a note, which no hash covers.`,
    imports,
    log.flatMap(({ at, event, detail }, place) => {
      const end = ends.get(place);
      const more = engine.detailText({ event, detail }, (until) => until);
      return [
        `${at}  ${engine.eventText(event, detail)}${more && `: ${more}`}`,
        ...(end === 'broke' ? [`after that time  ${engine.lostEndText}`] : []),
      ];
    }),
    energy !== undefined && `GPU energy of all runs: ${engine.energyWords(energy)}.`,
    now === undefined ? [] : `now  ${count(now.done)} of ${amount(now.planned, 'trial')} done; ${runStates[now.state]}`,
  );
}

const sure = (confidence: number | null, source: TryReport['belief_source']) =>
  confidence === null ? '' : ` ${engine.certaintyText({ confidence, belief_source: source })}`;

/** A trial in words: the case, speeches, beliefs, ruling; with `private` the plans and notes that no one else saw. */
export function transcriptText(report: TryReport, options: { private: boolean }): string {
  const hidden = (text: string | null) => (options.private && text ? `\n${text.replace(/^/gm, '    | ')}` : '');
  const spoken = report.transcript.map((entry) => {
    const { kind, role, turn, subtopic, text, prediction, confidence, private: own } = entry;
    const { unheard = false, heard_instead: instead, outside = [], concedes, argues_for: claim } = entry;
    const who = engine.speakerName(role);
    const about = subtopic === undefined ? '' : `, on ${subtopic}`;
    const side = claim === undefined ? '' : `, for ${claim}`;
    const named = outside.map((each) => `\n    From outside the facts, as the speaker says: ${each ?? 'erased'}`).join('');
    const conceded = concedes ? '\n    Says that the others have convinced it' : '';
    if (kind === 'utterance') {
      const heard = instead === undefined ? '' : `\n${who}, ${turn ?? ''}${about} (${engine.heardInPlace})\n${instead}\n`;
      const mark = unheard ? ` (${engine.notHeard})` : '';
      return `${heard}\n${who}, ${turn ?? ''}${about}${side}${mark}${hidden(own)}\n${text ?? '(erased)'}${conceded}${named}`;
    }
    if (kind === 'belief') return `    [${who} now: ${prediction ?? '-'}${sure(confidence, null)}]${hidden(own)}`;
    if (kind === 'step') return `\n${(turn ?? '').toUpperCase()}\n${(text ?? '').replace(/^/gm, '    ')}`;
    if (kind === 'proposal') return `\nJOINT PROPOSAL\n${text ?? ''}`;
    if (kind === 'score') return `\n${who}, ${turn ?? ''}: ${text ?? ''}`;
    if (kind === 'forfeit') return `\n${who} forfeits ${turn ?? ''} (${text ?? ''})`;
    return `\nRULING of ${engine.theSpeaker(role)}: ${prediction ?? '-'}${sure(confidence, report.belief_source)}\n${text ?? ''}`;
  });
  const verdict =
    report.outcome !== 'decided'
      ? `No verdict: ${report.outcome}`
      : report.prediction === null
        ? `Decided: an open question has no verdict${report.incomplete ? ' (some turns were forfeited)' : ''}`
        : `Verdict: ${predictionText(report.prediction) ?? ''}${sure(report.confidence, report.belief_source)}${report.tied_with === undefined ? '' : ` (a tie with ${report.tied_with.join(', ')})`}${report.incomplete ? ' (some turns were forfeited)' : ''}`;
  return lines(
    report.damage !== undefined && `*** DAMAGED RECORD: ${report.damage}. Do not rely on what follows. ***`,
    report.standin && demoBanner,
    [`Case ${report.case}`, ...(report.question === null ? [] : [report.question])].join(': '),
    report.facts.map(({ name, shown = name, value }) => `${shown}: ${value}`.replace(/^/gm, '    ')),
    report.erased && `*** Erased from this trial on ${report.erased.at.slice(0, 10)}: ${erasedText(report.erased)} ***`,
    report.changed,
    report.unheard,
    spoken,
    '',
    verdict,
    report.tied_with && demoTieText(report),
    report.moved,
    report.known,
    report.prompts && `Prompts: variant ${report.prompts.name}, version ${report.prompts.hash}`,
    `Record: ${report.store}, experiment ${report.experiment}, trial ${report.trial}`,
  );
}
