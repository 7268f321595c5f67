// Marks words in text that the page has already drawn, whatever elements it is in.
import { patternOf } from './finding.ts';

/** Names of the marks, as the style sheet has them. */
const [ordinary, current] = ['found', 'found-here'];

const marksOf = (name: string): Highlight => {
  const marks = CSS.highlights.get(name) ?? new Highlight();
  CSS.highlights.set(name, marks);
  return marks;
};

/**
 * @param words as they were sought
 * @param here which of the places is the current one, from 0; -1: none
 * @returns what takes the marks away
 */
export function markWords(element: HTMLElement, words: string, here: number): () => void {
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
