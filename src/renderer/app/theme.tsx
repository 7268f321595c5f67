import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Settings } from '../../shared/api/engine.ts';
import { useRead } from '../api/ApiContext.tsx';
import { useMedia, usePrinting } from '../ui/useMedia.ts';

export const settingsKey = ['settings'] as const;

export const useSettings = () => useRead(settingsKey, (api, given) => api.settings.read({}, given));

export function useTakeSettings(): (settings: Settings) => void {
  const queries = useQueryClient();
  return (settings) => queries.setQueryData(settingsKey, settings);
}

const dark = window.matchMedia('(prefers-color-scheme: dark)');

/** The theme that holds now: the chosen one, or the system's. Paper is light. */
export function useTheme(): 'dark' | 'light' {
  const chosen = useSettings().data?.theme ?? 'system';
  const system = useMedia(dark) ? 'dark' : 'light';
  const isPrinting = usePrinting();
  return isPrinting ? 'light' : chosen === 'system' ? system : chosen;
}

/** How large text is: 1 as usual, 1.5 at most. */
export const useTextSize = () => (useSettings().data?.textSize ?? 100) / 100;

export function ThemeKeeper() {
  const theme = useTheme();
  const size = useTextSize();
  useEffect(() => document.documentElement.style.setProperty('--text-size', String(size)), [size]);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return null;
}
