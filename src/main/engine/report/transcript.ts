import { draftWords } from '../../../core/figures/debateWords.ts';
import { totalPoints } from '../../../core/figures/panel.ts';
import { lastAttempt } from '../../../core/record/fold.ts';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { TryReport } from '../../../shared/outputs.ts';
import { predictionText } from '../../../shared/predictionText.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { transcriptEntry } from './transcriptEntries.ts';
import { stepOf, subtopicOf, type Told } from './transcriptSteps.ts';
import { trialLines } from './trialLines.ts';

type Entry = TryReport['transcript'][number];

/** Where an imported prediction stood and what stood there. */
function originOf({ line, mapping, value }: Extract<TranscriptEntry, { kind: 'import' }>): string {
  const place = mapping === null ? `line ${line}` : `${mapping.file}, line ${line}, column ${mapping.columns.prediction}`;
  return `Imported from ${place}: ${value === null ? 'the value was erased' : JSON.stringify(value)}`;
}

const sideNames = { agentA: 'agent A', agentB: 'agent B' } as const;

type Of<K extends TranscriptEntry['kind']> = Extract<TranscriptEntry, { kind: K }>;

function proposalText(proposal: Of<'proposal'>['proposal']): string | null {
  if (proposal === null) return null;
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : [title, ...items.map((item) => `- ${item}`)];
  return [
    proposal.proposal,
    ...list('Open questions:', proposal.open_questions),
    ...list('Next steps:', proposal.next_steps),
  ].join('\n');
}

function scoreText({ scores, winner, declared, opinion }: Of<'panel'>): string {
  const { agentA, agentB } = totalPoints(scores);
  const won = winner === null ? 'a tie' : `${sideNames[winner]} leads`;
  const said = declared === null ? 'a tie' : sideNames[declared];
  return `agent A ${agentA}, agent B ${agentB}: ${won}; declared: ${said}${opinion === null ? '' : `\n${opinion.justification}`}`;
}

/** The entry as the command line shows it; null for what it leaves out. */
function shown(entry: TranscriptEntry, told: Told): Entry | null {
  const plain = { turn: null, text: null, private: null, prediction: null, confidence: null };
  const step = stepOf(entry, told);
  if (step !== null) return { ...plain, kind: 'step', role: step.role, turn: step.turn, text: step.lines.join('\n') };
  switch (entry.kind) {
    case 'utterance': {
      const { role, turn, text, plan } = entry;
      const subtopic = subtopicOf(entry, told);
      const about = subtopic === undefined ? {} : { subtopic };
      return { ...plain, kind: 'utterance', role, turn, ...about, text, private: plan };
    }
    case 'recommendations': {
      const listed = entry.recommendations.map(
        ({ kind, text, reason }) => `${kind}: ${text ?? 'erased'} (${reason ?? 'erased'})`,
      );
      return { ...plain, kind: 'utterance', role: entry.role, turn: 'recommendations', text: listed.join('\n') };
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
    case 'proposal': {
      const isDraft = entry.stage === 'draft';
      if (isDraft && told.entries.some((other) => other.kind === 'proposal' && other.stage === 'joint')) return null;
      const text = proposalText(entry.proposal);
      return { ...plain, kind: 'proposal', role: 'agents', text: isDraft && text !== null ? `${draftWords}\n${text}` : text };
    }
    case 'panel':
      return { ...plain, kind: 'score', role: entry.role, turn: `${sideNames[entry.first]} first`, text: scoreText(entry) };
    case 'evaluation':
      return {
        ...plain,
        kind: 'score',
        role: entry.role,
        turn: entry.key.split('/')[0] ?? '',
        text: `G = ${entry.score.toFixed(2)} of 10`,
      };
    default:
      return null;
  }
}

/** What was said, planned and believed in a trial, or in the first one of an experiment. Throws not-found. */
export function transcript(store: Store, experiment: string, trial?: string): TryReport {
  const [line] = trialLines(store, loadFrozen(store, experiment), trial);
  if (line === undefined || line.status === 'queued') {
    throw new AssizeError(
      'not-found',
      `experiment ${JSON.stringify(experiment)} has no record of trial ${trial ?? 'one'}; an export lists its trials`,
      {
        field: '--trial',
      },
    );
  }
  const text = (ref: string) => store.blobs.get(ref) ?? null;
  const events = lastAttempt(parseChain(store.events.chain(line.trial)));
  const entries = events.flatMap((event) => transcriptEntry(event, text) ?? []);
  const told = { entries, isExchanged: line.swap === 'sides' };
  return {
    experiment,
    trial: line.trial,
    store: store.path,
    outcome: line.outcome ?? line.status,
    prediction: line.prediction,
    confidence: line.confidence,
    incomplete: line.incomplete,
    standin: line.standin,
    calls: line.calls,
    head_hash: line.head_hash,
    transcript: entries.flatMap((entry) => shown(entry, told) ?? []),
  };
}
