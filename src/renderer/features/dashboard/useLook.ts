import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { type Look, parseLook, toLook } from './look.ts';

/** The look that the address says, and how to change it. */
export function useLook(experiment: string): [Look, (change: Partial<Look>, options?: { replace?: boolean }) => void] {
  // As it stands in the address: the router has undone a part of the escapes.
  const [address] = useHashLocation();
  const [, navigate] = useLocation();
  const look = useMemo(() => {
    const [, , , part, state] = address.split('/');
    return parseLook(part, state);
  }, [address]);
  return [look, (change, options) => navigate(toLook(experiment, { ...look, ...change }), options)];
}
