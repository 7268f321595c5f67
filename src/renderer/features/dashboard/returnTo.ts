/** What a person does who moves on. */
const moves = ['wheel', 'pointerdown', 'touchmove', 'keydown'] as const;
/** So long nothing may change its size, and nothing be read, until the page counts as drawn. */
const quietMs = 1000;
/** So long the figure is held in view at most. */
const mostMs = 20_000;

const isInView = (target: HTMLElement): boolean => {
  const { top, bottom } = target.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
};

/**
 * Shows an element and gives it the focus. What is drawn above it would push it away: until the sections are drawn it is brought
 * back when it is pushed out of sight, for `mostMs` at most. It ends at once if the user moves on, by a key, a pointer, the
 * focus, or a scroll without any of these, as assistive technology does.
 * @param sections whose sizes change while they are drawn; one that is read has a part with `aria-busy`
 * @returns ends it
 */
export function returnTo(target: HTMLElement, sections: readonly Element[]): () => void {
  let quiet: number | undefined;
  const observer = new ResizeObserver(() => {
    if (!isInView(target)) target.scrollIntoView({ block: 'center' });
    wait();
  });
  const limit = window.setTimeout(stop, mostMs);
  const endIfDrawn = () => (sections.some((section) => section.querySelector('[aria-busy="true"]') !== null) ? wait() : stop());
  function wait() {
    window.clearTimeout(quiet);
    quiet = window.setTimeout(endIfDrawn, quietMs);
  }
  const onFocus = ({ target: focused }: FocusEvent) => {
    if (!(focused instanceof Node && target.contains(focused))) stop();
  };
  // A scroll of ours leaves it in sight, and so does the browser's own, which keeps in place what is read.
  const onScroll = () => {
    if (!isInView(target)) stop();
  };
  function stop() {
    window.clearTimeout(quiet);
    window.clearTimeout(limit);
    observer.disconnect();
    for (const move of moves) window.removeEventListener(move, stop);
    window.removeEventListener('focusin', onFocus);
    window.removeEventListener('scroll', onScroll, true);
  }
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: 'center' });
  for (const section of sections) observer.observe(section);
  for (const move of moves) window.addEventListener(move, stop, { passive: true });
  window.addEventListener('focusin', onFocus);
  window.addEventListener('scroll', onScroll, { capture: true, passive: true });
  wait();
  return stop;
}
