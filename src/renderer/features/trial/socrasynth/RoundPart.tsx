import { type DebateRound, type RoundSide, sideNames } from '../../../../core/figures/debate.ts';
import type { PanelSide } from '../../../../core/figures/panel.ts';
import { percent } from '../../../../core/figures/shares.ts';
import { sideOf } from '../../../../core/figures/speakers.ts';
import type { Subtopic } from '../../../../shared/moderation.ts';
import { HiddenText } from '../../../ui/HiddenText.tsx';
import { CallMarks } from '../CallMarks.tsx';
import type { LayoutProperties } from '../layout.ts';
import { InProgress } from '../parts/InProgress.tsx';
import { Label } from '../parts/Label.tsx';
import { Part } from '../parts/Part.tsx';
import parts from '../parts/Parts.module.css';
import { Speech } from '../Speech.tsx';
import { failureWords, labelWords } from '../words.ts';
import styles from './Debate.module.css';
import { EvaluationFold } from './EvaluationFold.tsx';

export const sides: readonly PanelSide[] = ['agentA', 'agentB'];

function Heading({ side, found, round, calls, onInspect }: LayoutProperties & Cell) {
  const entry = found.speeches.find((speech) => speech !== null) ?? found.forfeit;
  const { belief } = found;
  return (
    <>
      {sideNames[side]}{' '}
      {entry == null ? null : (
        <CallMarks
          calls={calls.get(entry.seq) ?? []}
          what={`${round.title.toLowerCase()} of ${sideNames[side]}`}
          onInspect={onInspect}
        />
      )}
      {belief === null ? null : (
        <span className={styles.predicts}>
          predicts <Label text={labelWords(belief.prediction)} />
          {belief.confidence === null ? '' : `, ${percent(belief.confidence)}`}
        </span>
      )}
    </>
  );
}

interface Cell {
  readonly round: DebateRound;
  readonly side: PanelSide;
  readonly found: RoundSide;
}

function Argument({ round, side, found, index, state, view }: LayoutProperties & Cell & { index: number }) {
  const speech = found.speeches[index] ?? null;
  if (speech !== null) return <Speech text={speech.text} facts={view.facts} />;
  if (found.forfeit !== null) return <p className={parts.bad}>{failureWords[found.forfeit.failure]}</p>;
  return <InProgress writing={state.writing} step={`${round.name}/${side}`} fields={[`topic_${index + 1}`]} />;
}

/** One round: subtopics as rows, what each side argues on them, how contentious it was to be, and the critic's score. */
export function RoundPart({
  round,
  subtopics,
  ...rest
}: LayoutProperties & { round: DebateRound; subtopics: readonly Subtopic[] }) {
  const { title, contentiousness } = round;
  return (
    <Part title={title} aside={contentiousness === null ? undefined : `contentiousness ${contentiousness.toFixed(2)} of 1`}>
      <div className={styles.scroll}>
        <table className={styles.round}>
          <thead>
            <tr>
              <th scope="col">Subtopic</th>
              {sides.map((side) => (
                <th key={side} scope="col" className={parts[sideOf(side)]}>
                  <Heading round={round} side={side} found={round.sides[side]} {...rest} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {subtopics.map((subtopic, index) => (
              <tr key={subtopic.title}>
                <th scope="row" dir="auto">
                  <HiddenText text={subtopic.title} />
                </th>
                {sides.map((side) => (
                  <td key={side} className={parts[sideOf(side)]}>
                    <Argument round={round} side={side} found={round.sides[side]} index={index} {...rest} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <EvaluationFold round={round} {...rest} />
    </Part>
  );
}
