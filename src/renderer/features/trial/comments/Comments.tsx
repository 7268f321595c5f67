import { useMutation } from '@tanstack/react-query';
import { MessageSquarePlus } from 'lucide-react';
import { createContext, type ReactNode, use, useMemo, useRef, useState } from 'react';
import { nearest, quoteOf, rangeOfUnits, type TextRange, unitsOfRange } from '../../../../core/review/range.ts';
import { speechesIn } from '../../../../core/telling/blocks.ts';
import type { Comment } from '../../../../shared/reviews.ts';
import type { TrialLine } from '../../../../shared/trialLine.ts';
import { fresh, useApi, useRead, useReread } from '../../../api/ApiContext.tsx';
import { useWritable } from '../../../app/engineStatus.ts';
import { useShortcuts } from '../../../app/Shortcuts.tsx';
import { WritingButton } from '../../../app/Writing.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Isolated, Outside } from '../../../ui/HiddenText.tsx';
import { FailureNotice, Notice } from '../../../ui/Notice.tsx';
import { quantity } from '../../../ui/quantity.ts';
import { TextField } from '../../../ui/TextField.tsx';
import { notify } from '../../../ui/Toasts.tsx';
import { useReviewerName } from '../../review/reviewSession.ts';
import type { CourtItem, TurnItem } from '../courtItems.ts';
import styles from './Comments.module.css';

/** Code units of the text that this shows: a mark counts as what it names, text for screen readers as nothing, and the end of a line as one. */
function unitsIn(node: Node): number {
  if (node instanceof Text) return node.length;
  if (node instanceof HTMLElement) {
    if (node.dataset.standsFor !== undefined) return Number(node.dataset.standsFor);
    if (node.classList.contains('visually-hidden')) return 0;
  }
  const ends = node instanceof HTMLElement && node.dataset.afterLine !== undefined ? 1 : 0;
  return [...node.childNodes].reduce((sum, child) => sum + unitsIn(child), ends);
}

function unitsBefore(root: Node, node: Node, offset: number): number {
  const range = document.createRange();
  range.selectNodeContents(root);
  range.setEnd(node, offset);
  return unitsIn(range.cloneContents());
}

const speechAround = (node: Node) =>
  (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>('[data-utterance]') ?? null;

/** What is selected of an utterance, in code units; what goes beyond its end is left out. Null where nothing is. */
function selectedSpeech(): (TextRange & { readonly utterance: number }) | null {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const root = speechAround(range.startContainer);
  if (root === null) return null;
  const start = unitsBefore(root, range.startContainer, range.startOffset);
  const isWithin = speechAround(range.endContainer) === root;
  const end = isWithin ? unitsBefore(root, range.endContainer, range.endOffset) : unitsIn(root);
  return start < end ? { utterance: Number(root.dataset.utterance), start, end } : null;
}

/** What is to be commented on: an utterance, and code units of its text; all of it where `end` is null. */
interface Draft {
  readonly utterance: number;
  readonly start: number;
  readonly end: number | null;
}

interface Commenting {
  readonly line: TrialLine;
  readonly comments: readonly Comment[];
  readonly draft: Draft | null;
  readonly setDraft: (draft: Draft | null) => void;
  readonly name: string;
  readonly setName: (name: string) => void;
  /** Whether comments can be added and taken back, and not only read. */
  readonly isWritable: boolean;
  readonly isReviewable: boolean;
}

const CommentsContext = createContext<Commenting | null>(null);
const commentsKey = (trial: string) => ['reviews', 'comments', trial] as const;

/** Whether a row of the transcript has what one can comment on: a speech, or a ruling with reasons. */
export const isCommentable = ({ seq, said }: TurnItem): boolean => speechesIn(said).some(({ utterance }) => utterance === seq);

/** What can be commented on within: the speeches and rulings of a trial that has ended. `current`: the row that the keys are for. */
export function WithComments({
  line,
  since,
  current,
  erased,
  children,
}: {
  line: TrialLine;
  erased: boolean;
  /** Place in the chain of the trial where this attempt begins. */
  since: number;
  current: CourtItem | null;
  children: ReactNode;
}) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const [name, setName] = useReviewerName(line.experiment);
  const isOver = line.status === 'done';
  const isWritable = useWritable();
  const isReviewable = isWritable && !erased && typeof line.prediction === 'string';
  const { data, error, refetch } = useRead(
    commentsKey(line.trial),
    (api, given) => api.reviews.comments({ trial: line.trial }, given),
    { enabled: isOver, ...fresh },
  );
  useShortcuts(
    isOver && isWritable
      ? [
          {
            keys: ['m'],
            does: 'Comment on the selected words, or on the speech or ruling in view',
            run: () => {
              const whole = current?.kind === 'turn' && isCommentable(current) ? current.seq : null;
              const found = selectedSpeech() ?? (whole === null ? null : { utterance: whole, start: 0, end: null });
              if (found !== null) setDraft(found);
              else
                notify(`Only speeches, and rulings with reasons, can be commented on.${isReviewable ? ` ${disagreeText}` : ''}`);
            },
          },
        ]
      : [],
  );
  const comments = useMemo(() => data?.filter(({ utterance }) => utterance >= since) ?? [], [data, since]);
  const commenting = useMemo(
    () => ({ line, comments, draft, setDraft, name, setName, isWritable, isReviewable }),
    [line, comments, draft, name, setName, isWritable, isReviewable],
  );
  const earlier = (data?.length ?? 0) - comments.length;
  return (
    <CommentsContext value={isOver ? commenting : null}>
      <FailureNotice error={error} onRetry={refetch} />
      {earlier === 0 ? null : (
        <Notice>{quantity(earlier, 'comment')} on an earlier attempt at this trial: an export of reviews has them.</Notice>
      )}
      {children}
    </CommentsContext>
  );
}

const disagreeText = 'To disagree with the ruling, use “Review this trial”.';

/** How to disagree: a comment counts as no review. */
export function RulingHint() {
  return use(CommentsContext)?.isReviewable === true ? <p className="quiet">{disagreeText}</p> : null;
}

/** Begins a comment on an utterance: on what is selected of it, else on all of it. */
export function CommentButton({ utterance, what }: { utterance: number; what: string }) {
  const commenting = use(CommentsContext);
  // A press takes the selection away.
  const selected = useRef<ReturnType<typeof selectedSpeech>>(null);
  if (commenting?.isWritable !== true) return null;
  return (
    <span onPointerDownCapture={() => (selected.current = selectedSpeech())}>
      <WritingButton
        icon={MessageSquarePlus}
        size="small"
        look="quiet"
        aria-label={`Comment on ${what}`}
        onPress={() => {
          const own = selected.current?.utterance === utterance ? selected.current : null;
          selected.current = null;
          commenting.setDraft(own ?? { utterance, start: 0, end: null });
        }}
      />
    </span>
  );
}

interface OnUtterance {
  readonly utterance: number;
  readonly text: string;
  /** In code units. */
  readonly ranges: readonly TextRange[];
}

/** Where the comments on an utterance are; null if no one can comment. */
export function useCommentsOn(utterance: number | undefined, text: string | null): OnUtterance | null {
  const commenting = use(CommentsContext);
  const comments = commenting?.comments;
  return useMemo(() => {
    if (comments === undefined || utterance === undefined || text === null) return null;
    const ranges = comments.filter((comment) => comment.utterance === utterance).map((comment) => unitsOfRange(text, comment));
    return { utterance, text, ranges };
  }, [comments, utterance, text]);
}

function useComment() {
  const api = useApi();
  const reread = useReread();
  return useMutation({
    mutationFn: (comment: Parameters<typeof api.reviews.comment>[0]) => api.reviews.comment(comment),
    onSuccess: (_seq, { trial }) => reread(commentsKey(trial)),
  });
}

function CommentForm({ draft, text, line, setDraft, name, setName }: Commenting & { draft: Draft; text: string }) {
  const chosen = rangeOfUnits(text, draft.start, draft.end ?? text.length);
  const [words, setWords] = useState(quoteOf(text, chosen) ?? '');
  const [said, setSaid] = useState('');
  const give = useComment();
  const at = nearest(text, words, { start: draft.start, end: draft.end ?? text.length });
  const range = words === quoteOf(text, chosen) ? chosen : at < 0 ? null : rangeOfUnits(text, at, at + words.length);
  const quote = range === null ? null : quoteOf(text, range);
  const close = () => setDraft(null);
  const save = () => {
    if (range === null || quote === null) return;
    const about = { trial: line.trial, utterance: draft.utterance, ...range, quote };
    give.mutate({ ...about, reviewer: name.trim(), comment: said, replaces: null }, { onSuccess: close });
  };
  return (
    <form
      className={`stack gap-10 ${styles.form}`}
      aria-label="Your comment"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => (event.key === 'Escape' ? close() : undefined)}
    >
      <TextField
        label="Words"
        rows={2}
        value={words}
        onChange={setWords}
        {...(quote === null ? { error: 'These words are not in this text.' } : {})}
      />
      <TextField label="Comment" rows={3} value={said} maxLength={4000} autoFocus onChange={setSaid} />
      <TextField label="Your name" value={name} maxLength={120} onChange={setName} />
      <FailureNotice error={give.error} />
      <div className="row gap-8">
        <WritingButton
          type="submit"
          look="primary"
          isDisabled={give.isPending || quote === null || said.trim() === '' || name.trim() === ''}
        >
          Save
        </WritingButton>
        <Button look="quiet" onPress={close}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function Said({ reviewer, quote, comment }: Comment) {
  return (
    <>
      <span className={`clamp-2 muted ${styles.by}`}>
        <b>
          <Isolated text={reviewer} />
        </b>{' '}
        on “<Isolated text={quote ?? ''} />”
      </span>
      <Outside as="p" className="pre-wrap" text={comment ?? ''} />
    </>
  );
}

/** Every comment on a trial, or on one of its utterances, where nobody can add one. */
export function CommentsOfTrial({ trial, utterance }: { trial: string; utterance?: number }) {
  const {
    data = [],
    error,
    refetch,
  } = useRead(commentsKey(trial), (api, given) => api.reviews.comments({ trial }, given), fresh);
  const shown = data.filter((comment) => utterance === undefined || comment.utterance === utterance);
  return (
    <>
      <FailureNotice error={error} onRetry={refetch} />
      {shown.length === 0 ? null : (
        <ul className="stack gap-8" aria-label="All comments">
          {shown.map((comment) => (
            <li key={comment.seq} className="stack gap-4 wrap-anywhere">
              <Said {...comment} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export function CommentsOn({ utterance, text }: OnUtterance) {
  const commenting = use(CommentsContext);
  const give = useComment();
  if (commenting === null) return null;
  const { comments, draft, name, isWritable } = commenting;
  const own = comments.filter((comment) => comment.utterance === utterance);
  const takeBack = ({ seq, trial, reviewer, start, end, quote }: Comment) =>
    give.mutate({ trial, reviewer, utterance, start, end, quote: quote ?? '', comment: null, replaces: seq });
  return (
    <>
      {own.length === 0 ? null : (
        <ul className={`stack gap-8 ${styles.comments}`} aria-label="Comments">
          {own.map((comment) => (
            <li key={comment.seq} className="stack gap-4 wrap-anywhere">
              <Said {...comment} />
              {isWritable && comment.reviewer === name.trim() ? (
                <div>
                  <WritingButton size="small" look="quiet" isDisabled={give.isPending} onPress={() => takeBack(comment)}>
                    Take back
                  </WritingButton>
                </div>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      <FailureNotice error={give.error} />
      {draft?.utterance === utterance ? (
        <CommentForm key={`${draft.start} ${draft.end}`} {...commenting} draft={draft} text={text} />
      ) : null}
    </>
  );
}
