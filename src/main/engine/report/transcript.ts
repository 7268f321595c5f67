// The transcript of a trial as data.

import { shownFacts } from '../../../core/cases/columnNames.ts';
import { beliefChanges, statements, tiedLabels } from '../../../core/figures/beliefChanges.ts';
import { drawnLabel } from '../../../core/figures/swapText.ts';
import { lastAttempt } from '../../../core/record/fold.ts';
import { linesOf } from '../../../core/telling/blocks.ts';
import { changesText } from '../../../core/telling/movers.ts';
import { toldRows } from '../../../core/telling/rows.ts';
import { type Around, stepOf, subtopicOf } from '../../../core/telling/steps.ts';
import { changedTrialText, heardInsteadOf, unheardText } from '../../../core/telling/unheard.ts';
import { capitalized } from '../../../core/text/visible.ts';
import { stepsOf } from '../../../core/trajectory/trajectory.ts';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import type { TryReport } from '../../../shared/commandOutputs.ts';
import { labelNoun, rightnessText } from '../../../shared/decidedBy.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { predictionText } from '../../../shared/predictionText.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { damageOf, faultText, trialFault } from '../audit/damage.ts';
import { erasureOfTrial } from '../lab/erasedData.ts';
import { caseAsRead, columnTermsOf, loadFrozen } from '../lab/frozen.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { claimsIn, primaryNow } from './statistics.ts';
import { transcriptEntry } from './transcriptEntries.ts';
import { trialLines } from './trialLines.ts';

type Entry = TryReport['transcript'][number];

/** Where an imported prediction was in its file, and its cells. */
function originOf({ line, mapping, value, probabilities = [] }: Extract<TranscriptEntry, { kind: 'import' }>): string {
  if (mapping === null) return `Imported from line ${line}: the value was erased`;
  const { prediction, probabilities: stated } = mapping.columns;
  const said = prediction === null ? [] : [[prediction, value] as const];
  const cells = [...said, ...stated.map(([, column], place) => [column, probabilities[place] ?? null] as const)];
  const quoted = cells.map(
    ([column, cell]) => `column ${column}: ${cell === null ? 'the value was erased' : JSON.stringify(cell)}`,
  );
  return `Imported from ${mapping.file}, line ${line}, ${quoted.join(', ')}`;
}

/** The entry as the command line shows it; null for what it leaves out. @param claims role -> label that it argues for */
function shown(entry: TranscriptEntry, around: Around, claims: Readonly<Record<string, string>>): Entry | null {
  const plain = { turn: null, text: null, private: null, prediction: null, confidence: null };
  const step = stepOf(entry, around);
  if (step !== null) {
    const { kind, role, turn, blocks } = step;
    return { ...plain, kind, role, turn, text: kind === 'proposal' && blocks.length === 0 ? null : linesOf(blocks).join('\n') };
  }
  switch (entry.kind) {
    case 'utterance': {
      const { role, turn, text, plan, outside, concedes } = entry;
      const subtopic = subtopicOf(entry, around);
      const about = subtopic === undefined ? {} : { subtopic };
      const claim = claims[role];
      const own = {
        ...(claim === undefined ? {} : { argues_for: claim }),
        ...(outside === undefined ? {} : { outside }),
        ...(concedes === true ? { concedes } : {}),
      };
      const uttered = around.entries.filter(({ kind }) => kind === 'utterance');
      const instead = heardInsteadOf(entry, around.change, uttered);
      const mark = instead === undefined ? {} : { unheard: true, ...(instead === null ? {} : { heard_instead: instead }) };
      return { ...plain, kind: 'utterance', role, turn, ...about, ...mark, text, ...own, private: plan };
    }
    case 'belief': {
      const { role, moment, notes, prediction, confidence } = entry;
      return { ...plain, kind: 'belief', role, turn: moment, private: notes, prediction: predictionText(prediction), confidence };
    }
    case 'forfeit':
      return { ...plain, kind: 'forfeit', role: entry.role, turn: entry.key, text: entry.failure };
    case 'ruling': {
      const { role, opinion, prediction, confidence } = entry;
      return {
        ...plain,
        kind: 'ruling',
        role,
        text: opinion === '' ? null : opinion,
        prediction: predictionText(prediction),
        confidence,
      };
    }
    case 'import': {
      const { system, prediction, confidence } = entry;
      return { ...plain, kind: 'ruling', role: system, text: originOf(entry), prediction, confidence };
    }
    default:
      return null;
  }
}

/** What is known of the label; undefined where nothing is, and where results are hidden until their planned end. */
function knownText(store: Store, line: TrialLine): string | undefined {
  const { experiment, truth, correct } = line;
  if (truth === null || primaryNow(store, experiment)?.primary?.final === false) return undefined;
  const label = `${capitalized(labelNoun(line))} in the data: ${predictionText(truth)}.`;
  return correct === null ? label : `${label} ${rightnessText(line)}`;
}

/** What was said, planned and believed in a trial, or in the first one of an experiment. Throws not-found. */
export function transcript(store: Store, experiment: string, trial?: string): TryReport {
  const frozen = loadFrozen(store, experiment);
  const [line] = trialLines(store, frozen, trial);
  if (line === undefined || line.status === 'queued') {
    throw new AssizeError(
      'not-found',
      `experiment ${JSON.stringify(experiment)} has no record of trial ${trial ?? 'one'}; an export lists its trials`,
      '--trial',
    );
  }
  const chain = store.events.chain(line.trial);
  const fault =
    damageOf(store, experiment).first.find((each) => each.trial === line.trial || each.trial === null) ??
    trialFault(store, experiment, chain);
  const text = (ref: string) => store.blobs.get(ref) ?? null;
  const events = lastAttempt(parseChain(chain));
  const entries = events.flatMap((event) => transcriptEntry(event, text) ?? []);
  const around = { entries, isCounterbalanced: line.swap === 'sides', change: line.change };
  const [changed, unheard] = [changedTrialText(line), unheardText(line.change, entries)];
  const stored = store.datasets.caseOfId(frozen.dataset.id, line.case);
  const erased = erasureOfTrial(store, events);
  const known = knownText(store, line);
  const tied = tiedLabels(line.belief ?? {}, line.prediction)?.filter((label) => label !== line.prediction);
  const claims = { ...claimsIn(frozen)(line.arm), ...entries.findLast((entry) => entry.kind === 'sides')?.sides };
  const kase = stored === undefined ? null : caseAsRead(frozen, line.arm, store.datasets.outline(stored.ref));
  const beliefs = beliefChanges(statements(stepsOf(entries)), drawnLabel(claims, kase?.positive ?? null));
  const ruledBy = entries.find(({ kind }) => kind === 'ruling')?.role ?? null;
  const moved = changesText(beliefs, toldRows(entries), ruledBy);
  return {
    experiment,
    trial: line.trial,
    case: line.case,
    question: kase?.question ?? null,
    facts: shownFacts(kase?.facts ?? [], columnTermsOf(store, frozen)),
    store: store.path,
    ...(fault === null ? {} : { damage: faultText(fault) }),
    ...(erased === null ? {} : { erased }),
    ...(changed === null ? {} : { changed }),
    ...(unheard === null ? {} : { unheard }),
    ...(known === undefined ? {} : { known }),
    outcome: line.outcome ?? line.status,
    prediction: line.prediction,
    confidence: line.confidence,
    ...(tied === undefined ? {} : { tied_with: tied }),
    ...(moved === null ? {} : { moved }),
    belief_source: line.belief_source,
    incomplete: line.incomplete,
    standin: line.standin,
    calls: line.calls,
    head_hash: line.head_hash,
    ...(line.prompts === undefined ? {} : { prompts: line.prompts }),
    transcript: entries.flatMap((entry) => shown(entry, around, claims) ?? []),
  };
}
