import { Link } from 'wouter';
import { certaintyInList } from '../../../core/figures/certainty.ts';
import { answerText } from '../../../core/figures/outcomeText.ts';
import { isCorrect } from '../../../core/statistics/accuracy.ts';
import type { CaseAnswer } from '../../../shared/api/caseTable.ts';
import type { Truth } from '../../../shared/domain.ts';
import { toTrial } from '../../app/routes.ts';
import { Isolated } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import table from './TrialTable.module.css';

/** Pixels of a row, by how many lines its answers may take. */
export const rowHeights = { 2: 44, 3: 62 } as const;
type Lines = keyof typeof rowHeights;
/** Rows are of one height: of an arm with more answers, the rest is counted. */
const mostAnswers = 4;

/** The answers of an arm to a case. */
export function CaseAnswers({
  answers,
  truth,
  right,
  lines,
  index,
  onOpen,
}: {
  answers: readonly CaseAnswer[];
  /** Null where it is not known, or not to be shown yet. */
  truth: Truth;
  /** What an answer that is the label is called. */
  right: string;
  lines: Lines;
  index: number | undefined;
  onOpen: () => void;
}) {
  const more = answers.length - mostAnswers;
  return (
    <span className={`clamp-2 text-13 wrap-anywhere ${table.clamped}`} style={{ WebkitLineClamp: lines }}>
      {answers.length === 0 ? <span className="muted">–</span> : null}
      {answers.slice(0, mostAnswers).map((answer, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a link that has the focus keeps it while another page is read
        <span key={place}>
          {place === 0 ? '' : ', '}
          <Link href={toTrial(answer.trial)} onClick={onOpen} data-index={place === 0 ? index : undefined}>
            <Isolated text={answerText(answer)} />
          </Link>
          {truth !== null && answer.prediction !== null && isCorrect(truth, answer.prediction) ? (
            <span title={right}>
              {' '}
              <span aria-hidden="true">✓</span>
              <span className="visually-hidden">{right}</span>
            </span>
          ) : null}
          <span className="muted">
            {answers.length > 1 || answer.trials > 1 ? ` ×\u00a0${answer.trials}` : ` ${certaintyInList(answer)}`}
          </span>
        </span>
      ))}
      {more > 0 ? <span className="muted">, {quantity(more, 'other answer')}</span> : null}
    </span>
  );
}
