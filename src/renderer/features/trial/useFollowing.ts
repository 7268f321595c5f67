import { type RefObject, useEffect, useRef, useState } from 'react';

/** Room below the view in which it still counts as at the end. Pixels. */
const nearEnd = 80;

/** Keeps a growing list at its end until the reader scrolls up. @param growth changes with all that may lengthen the list */
export function useFollowing(scroller: RefObject<HTMLElement | null>, live: boolean, growth: unknown) {
  const [following, setFollowing] = useState(live);
  const last = useRef({ top: 0, height: 0 });

  const toEnd = () => {
    const element = scroller.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: growth is what it waits for
  useEffect(() => {
    if (live && following) toEnd();
  }, [live, following, growth]);

  const onScroll = () => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop: top, scrollHeight: height, clientHeight } = element;
    const byReader = top < last.current.top - 2 && height >= last.current.height;
    if (height - top - clientHeight < nearEnd) setFollowing(true);
    else if (byReader) setFollowing(false);
    last.current = { top, height };
  };
  return {
    following,
    onScroll,
    follow() {
      setFollowing(true);
      toEnd();
    },
    leave: () => setFollowing(false),
  };
}
