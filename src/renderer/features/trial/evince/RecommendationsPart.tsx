import { measureWords } from '../../../../core/figures/exchangeMeasures.ts';
import type { Debate } from '../../../../core/figures/exchanges.ts';
import { Fold } from '../../../ui/Fold.tsx';
import { HiddenText } from '../../../ui/HiddenText.tsx';
import { Pill } from '../../../ui/Pill.tsx';
import { Part } from '../parts/Part.tsx';
import parts from '../parts/Parts.module.css';
import { Speech } from '../Speech.tsx';
import styles from './Evince.module.css';

const kindWords = { inquiry: 'ask', test: 'test', fact: 'look up' } as const;
const erased = 'This text was erased from the record.';

/** What both agents recommend to make the verdict surer, or to show that it is wrong. */
export function RecommendationsPart({ debate: { proposal, recommendations }, allOpen }: { debate: Debate; allOpen: boolean }) {
  if (recommendations === null && proposal === null) return null;
  return (
    <Part
      title="Recommendations"
      aside={
        recommendations === null
          ? 'the list of both is not made'
          : `of both agents, at contentiousness ${measureWords(recommendations.contentiousness)}`
      }
    >
      {recommendations === null ? null : (
        <ul className={styles.recommendations}>
          {recommendations.recommendations.map(({ kind, text, reason }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: recommendations never change places
            <li key={index}>
              <span>
                <Pill tone="judge">{kindWords[kind]}</Pill>
              </span>
              <div>
                <p dir="auto">
                  <HiddenText text={text ?? erased} />
                </p>
                <p dir="auto" className={parts.quiet}>
                  <HiddenText text={reason ?? erased} />
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {proposal === null ? null : (
        <Fold key={String(allOpen)} title="What Agent A proposed" defaultExpanded={allOpen}>
          <Speech text={proposal.text} />
        </Fold>
      )}
    </Part>
  );
}
