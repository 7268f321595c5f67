import { ambiguityWords, assignmentWords } from '../../../core/figures/dispute.ts';
import { totalPoints } from '../../../core/figures/panel.ts';
import { cosine, methodOf, shortfallOf } from '../../../core/figures/precedents.ts';
import { speakerName } from '../../../core/figures/speakers.ts';
import { lastAttempt } from '../../../core/record/fold.ts';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { TryReport } from '../../../shared/outputs.ts';
import { predictionText } from '../../../shared/predictionText.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { transcriptEntry } from './transcriptEntries.ts';
import { trialLines } from './trialLines.ts';

type Entry = TryReport['transcript'][number];

/** Where an imported prediction stood and what stood there. */
function originOf({ line, mapping, value }: Extract<TranscriptEntry, { kind: 'import' }>): string {
  const place = mapping === null ? `line ${line}` : `${mapping.file}, line ${line}, column ${mapping.columns.prediction}`;
  return `Imported from ${place}: ${value === null ? 'the value was erased' : JSON.stringify(value)}`;
}

type Step = Extract<TranscriptEntry, { kind: 'sides' | 'precedents' | 'ambiguity' }>;

/** What the court settled or looked up, in lines. */
function linesOf(step: Step): string[] {
  switch (step.kind) {
    case 'sides':
      return [
        `In dispute: ${step.prediction} (most likely) and ${step.alternative}. ${assignmentWords(step)}`,
        ...step.order.map((role) => `${speakerName(role)}: ${step.sides[role] ?? ''}`),
      ];
    case 'ambiguity':
      return [ambiguityWords(step), ...step.labels.map((label, index) => `Fresh hearing ${index + 1}: ${label ?? 'failed'}`)];
    case 'precedents':
      return [
        `${methodOf(step)}${step.model === null ? '' : ` (${step.model})`}.`,
        ...(step.failure === null ? [] : [`They could not be found (${step.failure.replaceAll('_', ' ')}).`]),
        ...[shortfallOf(step) ?? []].flat(),
        ...step.precedents.map(({ label, similarity, facts }, index) => {
          const near = similarity === null ? '' : `, similarity ${cosine(similarity)}`;
          const told = facts === null ? 'erased from the store' : facts.map(({ value }) => value).join(' · ');
          return `Precedent ${index + 1}: ${label}${near}: ${told}`;
        }),
      ];
  }
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
function shown(entry: TranscriptEntry | null): Entry | null {
  const plain = { turn: null, text: null, private: null, prediction: null, confidence: null };
  switch (entry?.kind) {
    case 'utterance':
      return { ...plain, kind: 'utterance', role: entry.role, turn: entry.turn, text: entry.text, private: entry.plan };
    case 'recommendations': {
      const told = entry.recommendations.map(({ kind, text, reason }) => `${kind}: ${text ?? 'erased'} (${reason ?? 'erased'})`);
      return { ...plain, kind: 'utterance', role: entry.role, turn: 'recommendations', text: told.join('\n') };
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
    case 'sides':
    case 'precedents':
    case 'ambiguity':
      return { ...plain, kind: 'step', role: 'court', turn: entry.kind, text: linesOf(entry).join('\n') };
    case 'import': {
      const { system, prediction, confidence } = entry;
      return { ...plain, kind: 'ruling', role: system, text: originOf(entry), prediction, confidence };
    }
    case 'proposal':
      if (entry.stage === 'draft') return null;
      return { ...plain, kind: 'proposal', role: 'agents', text: proposalText(entry.proposal) };
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
    transcript: events.flatMap((event) => shown(transcriptEntry(event, text)) ?? []),
  };
}
