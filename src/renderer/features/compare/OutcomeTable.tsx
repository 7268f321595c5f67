import type { Compared, Standing } from '../../../shared/api/compared.ts';
import { Button } from '../../ui/Button.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import styles from './Compare.module.css';
import { standingWords } from './compareWords.ts';
import type { Pair } from './pair.ts';

/** McNemar's table: on how many cases both, one or none is right. Each count leads to its cases. */
export function OutcomeTable({
  pair,
  compared,
  onShow,
}: {
  pair: Pair;
  compared: Compared;
  onShow: (standing: Standing) => void;
}) {
  const { counts, replicated } = compared;
  const cell = (standing: Standing) => (
    <td className={standing === 'a_only' || standing === 'b_only' ? styles.discordant : undefined}>
      {counts[standing] === 0 ? (
        <span className="muted">0</span>
      ) : (
        <Button
          size="small"
          onPress={() => onShow(standing)}
          aria-label={`${quantity(counts[standing], 'case')}: ${standingWords(standing, pair, replicated)}; list them`}
        >
          {counts[standing]}
        </Button>
      )}
    </td>
  );
  const name = (text: string) => <Isolated text={text} />;
  return (
    <>
      <table className={styles.outcomes}>
        <caption>Cases by who is right{replicated ? ' more often' : ''}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">{name(pair.b)} right</th>
            <th scope="col">{name(pair.b)} not right</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{name(pair.a)} right</th>
            {cell('both_right')}
            {cell('a_only')}
          </tr>
          <tr>
            <th scope="row">{name(pair.a)} not right</th>
            {cell('b_only')}
            {cell('both_wrong')}
          </tr>
        </tbody>
      </table>
      {counts.equally === 0 ? null : (
        <p className={styles.note}>
          {quantity(counts.equally, 'further case')} on which both are right equally often, though not always.{' '}
          <Button size="small" onPress={() => onShow('equally')}>
            List them
          </Button>
        </p>
      )}
    </>
  );
}
