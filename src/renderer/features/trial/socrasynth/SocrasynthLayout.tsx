import { useMemo } from 'react';
import { debateOf, stopWords } from '../../../../core/figures/debate.ts';
import { HiddenText } from '../../../ui/HiddenText.tsx';
import { Pill } from '../../../ui/Pill.tsx';
import { CallMarks } from '../CallMarks.tsx';
import type { LayoutProperties } from '../layout.ts';
import { Part } from '../parts/Part.tsx';
import parts from '../parts/Parts.module.css';
import { VerdictPart } from '../parts/VerdictPart.tsx';
import { Speech } from '../Speech.tsx';
import styles from './Debate.module.css';
import { ModeratorPanel } from './ModeratorPanel.tsx';
import { ComparisonPart, ProposalPart } from './OutcomeParts.tsx';
import { PanelPart } from './PanelPart.tsx';
import { RoundPart } from './RoundPart.tsx';

type Debate = ReturnType<typeof debateOf>;

/** What is argued about, and what the critic says of it. */
function SubtopicsPart({ debate: { settled, subtopics }, calls, onInspect }: LayoutProperties & { debate: Debate }) {
  if (settled === null) {
    return (
      <Part title="Subtopics">
        <p className={parts.quiet}>The agents have not settled on any yet.</p>
      </Part>
    );
  }
  return (
    <Part
      title="Subtopics"
      aside={
        <>
          {settled.settledBy === 'moderator' ? 'as the moderator left them' : 'as both agents settled them'}{' '}
          <CallMarks calls={calls.get(settled.seq) ?? []} what="the subtopics" onInspect={onInspect} />
        </>
      }
    >
      <ol className={styles.subtopics}>
        {subtopics.map(({ title, scope }) => (
          <li key={title} dir="auto">
            <b>
              <HiddenText text={title} />
            </b>{' '}
            <span className={parts.quiet}>
              <HiddenText text={scope} />
            </span>
          </li>
        ))}
      </ol>
      {settled.balanced === null ? (
        <p className={parts.quiet}>The critic could not be asked whether they are balanced.</p>
      ) : (
        <div>
          <Pill tone={settled.balanced ? 'good' : 'warn'}>{settled.balanced ? 'balanced' : 'not balanced'}</Pill>
          <Speech text={settled.balance} look="private" />
        </div>
      )}
    </Part>
  );
}

/** A debate of SocraSynth: subtopics, rounds with contentiousness and scores, proposal, panel, comparison, verdict. */
export function SocrasynthLayout(properties: LayoutProperties) {
  const { view, state } = properties;
  const { entries, line } = state;
  const debate = useMemo(() => debateOf(entries), [entries]);
  const rounds = debate.rounds.filter(({ name }) => name !== 'closing');
  const closing = debate.rounds.filter(({ name }) => name === 'closing');
  return (
    <>
      {debate.asked === null || line.status !== 'running' ? null : (
        <ModeratorPanel key={debate.asked.seq} trial={line.trial} asked={debate.asked} />
      )}
      <SubtopicsPart debate={debate} {...properties} />
      {rounds.map((round) => (
        <RoundPart key={round.name} round={round} subtopics={debate.subtopics} {...properties} />
      ))}
      {debate.remark === null ? null : (
        <p className={parts.quiet}>
          The moderator to {debate.remark.to === 'both' ? 'both' : debate.remark.to === 'agentA' ? 'agent A' : 'agent B'}:{' '}
          <HiddenText text={debate.remark.text} />
        </p>
      )}
      {debate.stop === null ? null : (
        <p className={parts.quiet}>
          {stopWords[debate.stop.reason]} The rounds ended at a contentiousness of {debate.stop.contentiousness.toFixed(4)}.
        </p>
      )}
      {closing.map((round) => (
        <RoundPart key={round.name} round={round} subtopics={debate.subtopics} {...properties} />
      ))}
      <ProposalPart debate={debate} {...properties} />
      <PanelPart debate={debate} {...properties} />
      <ComparisonPart debate={debate} {...properties} />
      {view.labels.length === 0 ? (
        <Part title="Verdict">
          <p className={parts.quiet}>
            {line.status === 'done' ? 'An open question has no verdict: ' : 'An open question will have no verdict: '}
            what counts is what was argued, proposed and scored.
          </p>
        </Part>
      ) : (
        <VerdictPart line={line} entries={entries} />
      )}
    </>
  );
}
