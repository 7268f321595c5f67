import { type DebateFigure, type PanelRow, sideNames, winnerWords } from '../../../../core/figures/debate.ts';
import { sideOf, speakerName } from '../../../../core/figures/speakers.ts';
import { Fold } from '../../../ui/Fold.tsx';
import { HiddenText } from '../../../ui/HiddenText.tsx';
import { CallMarks } from '../CallMarks.tsx';
import type { LayoutProperties } from '../layout.ts';
import { Part } from '../parts/Part.tsx';
import parts from '../parts/Parts.module.css';
import styles from './Debate.module.css';
import { sides } from './RoundPart.tsx';

const nameOf = ({ sheet }: PanelRow) => `${speakerName(sheet.role)}, ${sideNames[sheet.first]} first`;

function agreementWords({ same, judges }: DebateFigure['agreement']): string | undefined {
  if (judges === 0) return undefined;
  return `both orders agree for ${same} of ${judges} ${judges === 1 ? 'judge' : 'judges'}`;
}

/** Scores of every judge in both orders, with totals, winners, and whom the judges themselves declare. */
export function PanelPart({
  debate: { panel, subtopics, agreement },
  calls,
  allOpen,
  onInspect,
}: LayoutProperties & { debate: DebateFigure }) {
  if (panel.length === 0) return null;
  return (
    <Part title="The panel" aside={agreementWords(agreement)}>
      <div className={styles.scroll}>
        <table className={styles.panel}>
          <caption className={parts.quiet}>Points from 1 to 10 on every subtopic; equal totals are a tie.</caption>
          <thead>
            <tr>
              <th scope="col" rowSpan={2}>
                Subtopic
              </th>
              {panel.map((row) => (
                <th key={row.sheet.seq} scope="colgroup" colSpan={2}>
                  {nameOf(row)}{' '}
                  <CallMarks calls={calls.get(row.sheet.seq) ?? []} what={`the scores of ${nameOf(row)}`} onInspect={onInspect} />
                </th>
              ))}
            </tr>
            <tr>
              {panel.flatMap((row) =>
                sides.map((side) => (
                  <th key={`${row.sheet.seq} ${side}`} scope="col" className={parts[sideOf(side)]}>
                    {side === 'agentA' ? 'A' : 'B'}
                  </th>
                )),
              )}
            </tr>
          </thead>
          <tbody>
            {subtopics.map((subtopic, index) => (
              <tr key={subtopic.title}>
                <th scope="row" dir="auto">
                  <HiddenText text={subtopic.title} />
                </th>
                {panel.flatMap(({ sheet }) =>
                  sides.map((side) => (
                    <td key={`${sheet.seq} ${side}`} className={parts[sideOf(side)]}>
                      {sheet.scores[index]?.[side]}
                    </td>
                  )),
                )}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              {panel.flatMap(({ sheet, totals }) =>
                sides.map((side) => (
                  <td key={`${sheet.seq} ${side}`} className={parts[sideOf(side)]}>
                    <b>{totals[side]}</b>
                  </td>
                )),
              )}
            </tr>
            <tr>
              <th scope="row">Winner by points</th>
              {panel.map(({ sheet }) => (
                <td key={sheet.seq} colSpan={2}>
                  <b>{winnerWords(sheet.winner)}</b>
                </td>
              ))}
            </tr>
            <tr>
              <th scope="row">Declared by the judge</th>
              {panel.map(({ sheet }) => (
                <td key={sheet.seq} colSpan={2} className={sheet.declared === sheet.winner ? undefined : styles.differs}>
                  {winnerWords(sheet.declared)}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
      {panel.map((row) => (
        <Fold key={`${row.sheet.seq} ${allOpen}`} title={`Why: ${nameOf(row)}`} defaultExpanded={allOpen}>
          {row.sheet.opinion === null ? (
            <p className={parts.quiet}>Its text was erased from the store.</p>
          ) : (
            <div className={styles.evaluation}>
              {sides.map((side) => (
                <p key={side}>
                  <b>Claim of {sideNames[side]}:</b>{' '}
                  <span dir="auto">
                    <HiddenText text={row.sheet.opinion?.claims[side] ?? ''} />
                  </span>
                </p>
              ))}
              <p dir="auto">
                <HiddenText text={row.sheet.opinion.justification} />
              </p>
            </div>
          )}
        </Fold>
      ))}
    </Part>
  );
}
