import type { TextRange } from '../../../../core/review/range.ts';

/** Code units of the text that this shows: a mark counts as what it names, and text for screen readers as nothing. */
function unitsIn(node: Node): number {
  if (node instanceof Text) return node.length;
  if (node instanceof HTMLElement) {
    if (node.dataset.standsFor !== undefined) return Number(node.dataset.standsFor);
    if (node.classList.contains('visually-hidden')) return 0;
  }
  return [...node.childNodes].reduce((sum, child) => sum + unitsIn(child), 0);
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
export function selectedSpeech(): (TextRange & { readonly utterance: number }) | null {
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
