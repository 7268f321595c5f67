import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowLeft, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { Link } from 'wouter';
import { z } from 'zod';
import { flagText, methodText } from '../../../core/figures/answerText.ts';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { speakerName } from '../../../core/figures/speakers.ts';
import type { CallView, TrialView } from '../../../shared/api/trials.ts';
import { count } from '../../../shared/sizes.ts';
import { useRead } from '../../api/ApiContext.tsx';
import { toTrial } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { HiddenText, Isolated, Outside } from '../../ui/HiddenText.tsx';
import { secondText } from '../../ui/moments.ts';
import { DemoBanner, Notice, Unread } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import styles from './Inspector.module.css';
import { type ListedCall, mishap } from './trialCalls.ts';
import { elapsed, fieldText } from './words.ts';

function Part({ title, copy, children }: { title: string; copy?: string | null; children: ReactNode }) {
  const id = useId();
  return (
    <section className="stack gap-8 min-w-0" aria-labelledby={id}>
      <div className="justify-between flex gap-8 items-center">
        <h3 id={id} className="title-14">
          {title}
        </h3>
        {copy === undefined || copy === null ? null : <CopyButton text={copy}>Copy</CopyButton>}
      </div>
      {children}
    </section>
  );
}

function Evidence({ text, none }: { text: string | null; none: string }) {
  if (text === null) return <p className="p-14 muted">{none}</p>;
  return <Outside as="pre" className="verbatim" text={text} />;
}

const valueAsText = (value: unknown): string => {
  if (value === null || value === undefined) return 'unknown';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
};

function Rows({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.rows}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt className="muted">{name}</dt>
          <dd dir="auto" className="min-w-0 wrap-anywhere">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function resultOf({ failure, rejected, method, done }: CallView): string {
  if (failure !== null)
    return `no answer: ${outcomeText(failure.kind)}${failure.permanent ? ', asking again would not help' : ''}`;
  if (done === 'loop') return 'answer not taken: it repeated itself and was cut';
  if (rejected !== null) return `answer not taken: ${outcomeText(rejected)}`;
  return `answer taken, read as ${method === null ? 'unknown' : methodText(method)}`;
}

/** What the server need not compute of the prompt. */
const promptCacheText = ({ cachedTokens, promptTokens }: CallView): string =>
  cachedTokens === null
    ? 'unknown: the server did not report it'
    : `the server had ${count(cachedTokens)} of ${quantity(promptTokens, 'token')} from an earlier prompt`;

/** How long it took. What the server counted lies within it: a larger number is not a real time. */
function timeOf({ wallMs, modelMs, loadMs, setup }: CallView): string {
  const all = `${elapsed(wallMs)} in all`;
  if (setup.standin === true) return `${all}; the demo model reports the time of a model that it imitates`;
  if (modelMs > wallMs) return all;
  return `${all}, ${elapsed(modelMs)} by the server's own count, ${elapsed(loadMs)} of it for loading`;
}

type FaultyPart = TrialView['faulty_calls'][number]['texts'][number];

/** Says which of the messages is not as it was sent, and where its words still are. */
function FaultyParts({ faulty }: { faulty: readonly FaultyPart[] }) {
  if (faulty.length === 0) return null;
  return (
    <Notice tone="bad">
      {faulty.map(({ what, gone, answer }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the texts of a call never change places, and two can have one name
        <p key={index} className="wrap-anywhere">
          Part of these messages {gone ? 'is no longer in the record' : 'was changed after the trial'}: <Isolated text={what} />.
          {answer === null ? null : (
            <>
              {' '}
              The answer as it came, at <code>{answer}</code>, still has the words as they were recorded.
            </>
          )}
        </p>
      ))}
    </Notice>
  );
}

function CallDetails({ call, faulty }: { call: CallView; faulty: readonly FaultyPart[] }) {
  const { messages, setup, answer, thinking, failure } = call;
  const asSent = messages.map(({ role, content }) => `${role}:\n${content}`).join('\n\n');
  return (
    <div className="stack content-start min-w-0 gap-22 p-14">
      {setup.standin === true ? <DemoBanner>No model was asked: this answer is made up.</DemoBanner> : null}
      <Rows
        rows={[
          ['Asked as', <bdi key="role">{speakerName(call.role)}</bdi>],
          ...(call.shared ? [['Made', 'once, for every trial that asks the same; it counts in no trial'] as const] : []),
          ...(call.reused === null
            ? []
            : [
                [
                  'Reused',
                  <span key="reused">
                    from <Link href={toTrial(call.reused.trial)}>trial {call.reused.trial}</Link>, call{' '}
                    <code>{call.reused.key}</code>, which sent the same request. Tokens and times are of that call.
                  </span>,
                ] as const,
              ]),
          ['Result', resultOf(call)],
          ...(call.flags.length === 0 ? [] : [['Flagged because', call.flags.map(flagText).join(' ')] as const]),
          ...(failure?.message === null || failure?.message === undefined
            ? []
            : [['What the server said', <HiddenText key="message" text={failure.message} />] as const]),
          ['Tokens', `${count(call.promptTokens)} sent, ${count(call.completionTokens)} written`],
          ['Prompt cache', promptCacheText(call)],
          ['Time', timeOf(call)],
          ['Stopped because', call.done ?? 'unknown'],
          ['Seed', String(call.seed)],
          ['Answered at', secondText(call.at)],
        ]}
      />
      <Part title="Answer, as it came" copy={answer}>
        <Evidence text={answer} none={failure === null ? 'It was erased from the store.' : 'There is none.'} />
      </Part>
      {thinking === null ? null : (
        <Part title="Thinking" copy={thinking}>
          <Evidence text={thinking} none="" />
        </Part>
      )}
      <Part title="Messages, as they were sent" copy={asSent}>
        <FaultyParts faulty={faulty} />
        {messages.map(({ role, content }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a call never change places
          <div key={index} className={styles.message}>
            <h4>{role}</h4>
            <Evidence text={content} none="" />
          </div>
        ))}
      </Part>
      <Part title="Setup" copy={JSON.stringify(setup, null, 2)}>
        <Rows
          rows={Object.entries(setup).map(([name, value]) => [
            fieldText(name),
            typeof value === 'object' && value !== null ? (
              <pre key={name} className="verbatim">
                {valueAsText(value)}
              </pre>
            ) : (
              <HiddenText key={name} text={valueAsText(value)} />
            ),
          ])}
        />
      </Part>
      <Part title="Hash of everything that was sent" copy={call.request}>
        <Evidence text={call.request} none="" />
      </Part>
    </div>
  );
}

const rowHeight = 56;

function readAs({ own, askedAgain }: ListedCall): string {
  if (own !== null) return `read as ${own.method ?? 'unknown'}`;
  return askedAgain ? 'asked again' : 'answer taken';
}

/** Every call in the order of its answers; those that serve other trials too are marked. */
function CallList({
  calls,
  faulty,
  onChoose,
}: {
  calls: readonly ListedCall[];
  faulty: ReadonlySet<string>;
  onChoose: (key: string) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: calls.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => calls[index]?.key ?? index,
    overscan: 8,
  });
  if (calls.length === 0) return <p className="p-14 muted">No call has been answered yet.</p>;
  return (
    <div ref={scroller} className={styles.list}>
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const call = calls[index];
          if (call === undefined) return null;
          const wrong = mishap(call);
          return (
            <li key={key} ref={virtual.measureElement} data-index={index} style={{ transform: `translateY(${start}px)` }}>
              <AriaButton className={`bare ${styles.callRow}`} onPress={() => onChoose(call.key)}>
                <span className="flex flex-wrap min-w-0 wrap-anywhere gap-2-12">
                  <strong>{speakerName(call.role)}</strong>
                  <span>{call.key.replaceAll('-', ' ').replaceAll('/', ', ')}</span>
                </span>
                <span className="text-12-5 text-end">
                  {call.own === null
                    ? 'shared, made once'
                    : `${count(call.own.promptTokens)} + ${count(call.own.completionTokens)} tokens · ${elapsed(call.own.wallMs)}`}
                </span>
                <span className={`whole-row text-12-5 ${wrong === null ? '' : 'font-600 text-bad'}`}>
                  {wrong ?? readAs(call)}
                </span>
                {faulty.has(call.key) ? (
                  <span className="whole-row text-12-5 font-600 text-bad">part of its messages was changed or is missing</span>
                ) : null}
              </AriaButton>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** `list`: all calls of the trial; else the key of one. */
export const inspectedSchema = z.union([
  z.strictObject({ kind: z.literal('list') }),
  z.strictObject({ kind: z.literal('call'), key: z.string() }),
]);
export type Inspected = z.infer<typeof inspectedSchema>;

function OneCall({
  trial,
  callKey,
  attempt,
  faulty,
}: {
  trial: string;
  callKey: string;
  attempt: number;
  faulty: readonly FaultyPart[];
}) {
  const reading = useRead(['trials', 'call', trial, callKey, attempt], (api, given) =>
    api.trials.call({ trial, key: callKey }, given),
  );
  if (reading.data !== undefined) return <CallDetails call={reading.data} faulty={faulty} />;
  return (
    <div className="p-14">
      <Unread of={reading} words="Reading the record…" />
    </div>
  );
}

/** What was sent to a model and what came back, for every call of the trial. */
export function Inspector({
  trial,
  attempt,
  calls,
  faulty,
  inspected,
  onInspect,
  onClose,
}: {
  trial: string;
  attempt: number;
  calls: readonly ListedCall[];
  /** Calls with a text in their messages that is not as it was sent. */
  faulty: TrialView['faulty_calls'];
  inspected: Inspected;
  onInspect: (inspected: Inspected) => void;
  onClose: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const callKey = inspected.kind === 'call' ? inspected.key : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another call is another place to begin reading
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.closest('aside')?.scrollTo({ top: 0 });
  }, [callKey]);
  return (
    <aside
      className={`stack content-start min-w-0 ${styles.panel}`}
      aria-label="Calls of this trial"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        // Nor does it end the play-back.
        event.stopPropagation();
        onClose();
      }}
    >
      <div className={`flex items-center gap-8 ${styles.head}`}>
        {callKey === null ? null : (
          <Button icon={ArrowLeft} size="small" look="quiet" onPress={() => onInspect({ kind: 'list' })}>
            All calls
          </Button>
        )}
        <h2 ref={heading} tabIndex={-1} className="min-w-0 wrap-anywhere">
          {callKey === null ? quantity(calls.length, 'call') : <code>{callKey}</code>}
        </h2>
        <Button icon={X} size="small" look="quiet" aria-label="Close the calls" onPress={onClose} />
      </div>
      {callKey === null ? (
        <CallList
          calls={calls}
          faulty={new Set(faulty.map(({ key }) => key))}
          onChoose={(key) => onInspect({ kind: 'call', key })}
        />
      ) : (
        <OneCall
          trial={trial}
          callKey={callKey}
          attempt={attempt}
          faulty={faulty.find(({ key }) => key === callKey)?.texts ?? []}
        />
      )}
    </aside>
  );
}
