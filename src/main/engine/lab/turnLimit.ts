// Lets only a few answers continue in one turn of the event loop.

/**
 * A gate that lets so many callers through in one turn of the event loop and the rest in the turns that follow, in the order in
 * which they came. Requests leave at the end of a turn. If a turn took all answers that are there, servers would get the next
 * requests together, be idle until then, and answer together again.
 */
export function turnLimit(most: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let left = most;
  const pass = (go: () => void) => {
    if (left === most) setImmediate(endTurn);
    left -= 1;
    go();
  };
  const endTurn = () => {
    left = most;
    for (const go of waiting.splice(0, most)) pass(go);
  };
  return () =>
    new Promise((resolve) => {
      if (left > 0) pass(resolve);
      else waiting.push(resolve);
    });
}
