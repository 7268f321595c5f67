import type { PromptPreview } from '../../../shared/api/experiments.ts';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Isolated, Outside } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import { roleWords } from '../protocols/words.ts';
import { sharedPrefix } from './draft.ts';
import styles from './NewExperiment.module.css';

type Call = PromptPreview['calls'][number];

/** One call of a rehearsal: its messages, the answer's form, and the invented answer that later prompts quote. */
export function PreviewedCall({ call, before, number }: { call: Call; before: Call | undefined; number: number }) {
  const shared = sharedPrefix(before?.messages ?? [], call.messages);
  const length = call.messages.reduce((sum, { content }) => sum + content.length, 0);
  const alike = shared.reduce((sum, part) => sum + part, 0);
  const share = length === 0 ? 0 : Math.round((100 * alike) / length);
  return (
    <Fold
      title={
        <>
          {number}. {roleWords(call.role)} <span className={styles.key}>{call.key}</span>
        </>
      }
      aside={
        <>
          <Isolated text={call.model} />, about {quantity(call.prompt_tokens, 'token')}
          {before === undefined ? '' : `, ${share} % as before`}
        </>
      }
      defaultExpanded={number === 1}
    >
      <div className={styles.messages}>
        {call.messages.map(({ role, content }, index) => {
          const known = shared[index] ?? 0;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the messages of one call never change places
            <div key={index} className={styles.message}>
              <h4>{role}</h4>
              <p dir="auto">
                {known === 0 ? null : (
                  <span className="muted">
                    <HiddenText text={content.slice(0, known)} />
                  </span>
                )}
                <HiddenText text={content.slice(known)} />
              </p>
            </div>
          );
        })}
        <Fold level={4} title="Form of the answer" aside="JSON Schema">
          <pre className={styles.code}>{JSON.stringify(call.schema, null, 2)}</pre>
        </Fold>
        <div className={styles.invented}>
          <h4>Invented answer, not of a model</h4>
          <Outside as="p" text={call.invented} />
        </div>
      </div>
    </Fold>
  );
}
