import type { PromptPreview } from '../../../shared/api/experiments.ts';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Isolated, Outside } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import { roleText } from '../protocols/words.ts';
import { sharedPrefix } from './draft.ts';
import styles from './PreviewedCalls.module.css';

type Call = PromptPreview['calls'][number];

/** One call of a dry run: its messages, the answer's form, and the invented answer that later prompts quote. */
function PreviewedCall({ call, before, number }: { call: Call; before: Call | undefined; number: number }) {
  const shared = sharedPrefix(before?.messages ?? [], call.messages);
  const length = call.messages.reduce((sum, { content }) => sum + content.length, 0);
  const alike = shared.reduce((sum, part) => sum + part, 0);
  const share = length === 0 ? 0 : Math.round((100 * alike) / length);
  return (
    <Fold
      title={
        <>
          {number}. {roleText(call.role)} <span className="muted mono-12-5">{call.key}</span>
        </>
      }
      aside={
        <>
          <Isolated text={call.model} />, about {quantity(call.prompt_tokens, 'token')}
          {before === undefined ? '' : `, ${share}% as before`}
        </>
      }
      defaultExpanded={number === 1}
    >
      <div className={`stack gap-10 ${styles.messages}`}>
        {call.messages.map(({ role, content }, index) => {
          const known = shared[index] ?? 0;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the messages of one call never change places
            <div key={index} className="stack gap-2">
              <h4 className="eyebrow">{role}</h4>
              <p dir="auto" className="verbatim">
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
          <pre className="verbatim">{JSON.stringify(call.schema, null, 2)}</pre>
        </Fold>
        <div className="stack gap-2">
          <h4 className="eyebrow">Invented answer, not of a model</h4>
          <Outside as="p" className={`verbatim ${styles.invented}`} text={call.invented} />
        </div>
      </div>
    </Fold>
  );
}

export function PreviewedCalls({ preview }: { preview: PromptPreview }) {
  return (
    <>
      <p className="quiet">
        Case <Isolated text={preview.case} />: {quantity(preview.calls.length, 'call')}, about{' '}
        {quantity(
          preview.calls.reduce((sum, call) => sum + call.prompt_tokens, 0),
          'token',
        )}
        . What an earlier prompt already holds is dimmed: a server need not read it again.{' '}
        <strong>The answers in between are invented; no model was asked.</strong>
      </p>
      <ol className={`stack gap-4 ${styles.calls}`}>
        {preview.calls.map((call, index) => (
          <li key={call.key}>
            <PreviewedCall call={call} before={preview.calls[index - 1]} number={index + 1} />
          </li>
        ))}
      </ol>
    </>
  );
}
