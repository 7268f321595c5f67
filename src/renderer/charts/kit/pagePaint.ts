import type { Paint } from './figure.ts';
import { paintOf } from './paint.ts';
import type { Theme } from './palette.ts';

export function pagePaint(theme: Theme): Paint {
  const style = getComputedStyle(document.documentElement);
  return paintOf(theme, (token) => style.getPropertyValue(`--${token}`).trim());
}
