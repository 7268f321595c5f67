import type { DebateFigure } from '../../../../core/figures/debate.ts';
import { speakerName } from '../../../../core/figures/speakers.ts';
import { Fold } from '../../../ui/Fold.tsx';
import { HiddenText } from '../../../ui/HiddenText.tsx';
import { CallMarks } from '../CallMarks.tsx';
import type { LayoutProperties } from '../layout.ts';
import { Part } from '../parts/Part.tsx';
import parts from '../parts/Parts.module.css';
import { Speech } from '../Speech.tsx';
import styles from './Debate.module.css';

function List({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <div>
      <p className={parts.small}>{title}</p>
      <ul className={styles.reasons}>
        {items.map((item) => (
          <li key={item} dir="auto">
            <HiddenText text={item} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What both agents propose together after the debate. */
export function ProposalPart({ debate: { proposal }, calls, onInspect }: LayoutProperties & { debate: DebateFigure }) {
  if (proposal === null) return null;
  const { seq, stage, proposal: text } = proposal;
  return (
    <Part
      title="Joint proposal"
      aside={<CallMarks calls={calls.get(seq) ?? []} what="the joint proposal" onInspect={onInspect} />}
    >
      {stage === 'draft' ? <p className={parts.bad}>Agent B gave no revision: this is the draft of agent A.</p> : null}
      <Speech text={text?.proposal ?? null} />
      {text === null ? null : (
        <div className={parts.columns}>
          <List title="Open questions" items={text.open_questions} />
          <List title="Next steps" items={text.next_steps} />
        </div>
      )}
    </Part>
  );
}

const betterWords = { debate: 'the debate informs better', answer: 'the plain answer informs better', tie: 'a tie' } as const;

/** The debate beside an answer to the same question by a single model. */
export function ComparisonPart({
  debate: { answer, comparisons, subtopics },
  calls,
  allOpen,
  onInspect,
}: LayoutProperties & { debate: DebateFigure }) {
  if (answer === null) return null;
  return (
    <Part title="Debate and plain answer" aside="depth and quality, from 1 to 10">
      {comparisons.map(({ seq, role, scores, better, justification }) => (
        <div key={seq} className={styles.scroll}>
          <table className={styles.panel}>
            <caption>
              {speakerName(role)}: <b>{betterWords[better]}</b>{' '}
              <CallMarks calls={calls.get(seq) ?? []} what={`the comparison of ${speakerName(role)}`} onInspect={onInspect} />
            </caption>
            <thead>
              <tr>
                <th scope="col">Subtopic</th>
                <th scope="col">Debate: depth</th>
                <th scope="col">quality</th>
                <th scope="col">Answer: depth</th>
                <th scope="col">quality</th>
              </tr>
            </thead>
            <tbody>
              {subtopics.map((subtopic, index) => (
                <tr key={subtopic.title}>
                  <th scope="row" dir="auto">
                    <HiddenText text={subtopic.title} />
                  </th>
                  <td>{scores[index]?.debate.depth}</td>
                  <td>{scores[index]?.debate.quality}</td>
                  <td>{scores[index]?.answer.depth}</td>
                  <td>{scores[index]?.answer.quality}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <Speech text={justification} />
        </div>
      ))}
      <Fold
        key={String(allOpen)}
        title="The plain answer"
        aside="by the model of agent A, without any debate"
        defaultExpanded={allOpen}
      >
        <Speech text={answer.answer} />
      </Fold>
    </Part>
  );
}
