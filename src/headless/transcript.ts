import { certaintyInList, heardInPlace, notHeard, speakerName, theSpeaker } from '../main/engine/engine.ts';
import { predictionText } from '../shared/predictionText.ts';
import type { TryReport } from '../shared/tryOutput.ts';
import { demoBanner } from './format.ts';

const sure = (confidence: number | null, source: TryReport['belief_source']) =>
  confidence === null ? '' : ` ${certaintyInList({ confidence, belief_source: source })}`;

const factLines = ({ facts }: TryReport) =>
  facts.map(({ name, shown = name, value }) => `${shown}: ${value}`.replace(/^/gm, '    '));

/** A trial in words: the case, speeches, beliefs, ruling; with `private` the plans and notes that no one else saw. */
export function transcriptText(report: TryReport, options: { private: boolean }): string {
  const hidden = (text: string | null) => (options.private && text ? `\n${text.replace(/^/gm, '    | ')}` : '');
  const lines = report.transcript.map(
    ({
      kind,
      role,
      turn,
      subtopic,
      unheard = false,
      heard_instead: instead,
      text,
      outside = [],
      private: own,
      prediction,
      confidence,
    }) => {
      const who = speakerName(role);
      const about = subtopic === undefined ? '' : `, on ${subtopic}`;
      const named = outside.map((each) => `\n    From outside the facts, as the speaker says: ${each ?? 'erased'}`).join('');
      if (kind === 'utterance') {
        const heard = instead === undefined ? '' : `\n${who}, ${turn ?? ''}${about} (${heardInPlace})\n${instead}\n`;
        const mark = unheard ? ` (${notHeard})` : '';
        return `${heard}\n${who}, ${turn ?? ''}${about}${mark}${hidden(own)}\n${text ?? '(erased)'}${named}`;
      }
      if (kind === 'belief') return `    [${who} now: ${prediction ?? '-'}${sure(confidence, null)}]${hidden(own)}`;
      if (kind === 'step') return `\n${(turn ?? '').toUpperCase()}\n${(text ?? '').replace(/^/gm, '    ')}`;
      if (kind === 'proposal') return `\nJOINT PROPOSAL\n${text ?? ''}`;
      if (kind === 'score') return `\n${who}, ${turn ?? ''}: ${text ?? ''}`;
      if (kind === 'forfeit') return `\n${who} forfeits ${turn ?? ''} (${text ?? ''})`;
      return `\nRULING of ${theSpeaker(role)}: ${prediction ?? '-'}${sure(confidence, report.belief_source)}\n${text ?? ''}`;
    },
  );
  const verdict =
    report.outcome !== 'decided'
      ? `No verdict: ${report.outcome}`
      : report.prediction === null
        ? `Decided: an open question has no verdict${report.incomplete ? ' (some turns were forfeited)' : ''}`
        : `Verdict: ${predictionText(report.prediction) ?? ''}${sure(report.confidence, report.belief_source)}${report.incomplete ? ' (some turns were forfeited)' : ''}`;
  return [
    ...(report.damage === undefined ? [] : [`*** DAMAGED RECORD: ${report.damage}. Do not rely on what follows. ***`]),
    ...(report.standin ? [demoBanner] : []),
    [`Case ${report.case}`, ...(report.question === null ? [] : [report.question])].join(': '),
    ...factLines(report),
    ...[report.changed, report.unheard].filter((text) => text !== undefined),
    ...lines,
    '',
    verdict,
    ...(report.prompts === undefined ? [] : [`Prompts: variant ${report.prompts.name}, version ${report.prompts.hash}`]),
    `Record: ${report.store}, experiment ${report.experiment}, trial ${report.trial}`,
    '',
  ].join('\n');
}
