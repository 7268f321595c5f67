import { type ReactNode, useEffect, useRef } from 'react';
import type { ToldStep } from '../../../core/telling/steps.ts';
import { patternOf } from './finding.ts';
import styles from './Transcript.module.css';
import { Blocks } from './telling/Blocks.tsx';
import { useDrawing } from './telling/drawing.ts';
import { Calls } from './telling/TextOf.tsx';

// Marks words in text that the page has already drawn, whatever elements it is in.

/** Names of the marks, as the style sheet has them. */
const [ordinary, current] = ['found', 'found-here'];

const marksOf = (name: string): Highlight => {
  const marks = CSS.highlights.get(name) ?? new Highlight();
  CSS.highlights.set(name, marks);
  return marks;
};

/** @param words as sought @param here which of the places is the current one, from 0; -1: none @returns what removes the marks */
function markWords(element: HTMLElement, words: string, here: number): () => void {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: { node: Node; start: number }[] = [];
  let text = '';
  while (walker.nextNode() !== null) {
    nodes.push({ node: walker.currentNode, start: text.length });
    text += walker.currentNode.nodeValue ?? '';
  }
  /** A place of the text in its node; the end of one node is not the start of the next. */
  const placeOf = (at: number, isEnd: boolean) => {
    const found = nodes.findLast(({ start }) => (isEnd ? start < at : start <= at));
    return found === undefined ? null : ([found.node, at - found.start] as const);
  };
  const drawn = [...text.matchAll(patternOf(words))].flatMap(({ 0: found, index }, place) => {
    const [from, to] = [placeOf(index, false), placeOf(index + found.length, true)];
    if (from === null || to === null) return [];
    const range = new StaticRange({
      startContainer: from[0],
      startOffset: from[1],
      endContainer: to[0],
      endOffset: to[1],
    });
    return [{ range, marks: marksOf(place === here ? current : ordinary) }];
  });
  for (const { range, marks } of drawn) marks.add(range);
  return () => {
    for (const { range, marks } of drawn) marks.delete(range);
  };
}

/** What the court settled or looked up between the speeches, or a score of a speech; what was found in it is marked. */
export function StepNote({
  step,
  note,
  children,
}: {
  step: ToldStep;
  /** Comes after the title. */
  note?: string;
  /** In place of what it says. */
  children?: ReactNode;
}) {
  const { found, here } = useDrawing();
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    const own = found.filter(({ part }) => part === step);
    return element.current === null || own.length === 0
      ? undefined
      : markWords(element.current, own[0]?.words ?? '', here === null ? -1 : own.indexOf(here));
  }, [found, here, step]);
  return (
    <section
      ref={element}
      className={`muted wrap-anywhere ${styles.step} ${found.some(({ part }) => part === step) ? styles.found : ''}`}
      aria-label={step.title}
      data-here={here?.part === step || undefined}
    >
      <div className="row justify-between gap-8">
        <p className="font-600">
          {step.title}
          {note === undefined ? null : <span className="quiet"> · {note}</span>}
        </p>
        <Calls of={step.seq} what={step.title} />
      </div>
      {children ?? <Blocks blocks={step.blocks} level={3} name={`step ${step.seq}`} />}
    </section>
  );
}

export const StepNotes = ({ steps }: { steps: readonly ToldStep[] }) =>
  steps.map((step) => <StepNote key={step.seq} step={step} />);
