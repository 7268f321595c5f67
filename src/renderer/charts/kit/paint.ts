import type { Paint } from './figure.ts';
import { seriesMark, type Theme } from './palette.ts';

/** @param read value of a token of `base.css`, by its name without dashes; empty where there is none */
export function paintOf(theme: Theme, read: (token: string) => string): Paint {
  // Names of fonts are in double quotes, which would end the attribute that they are drawn into.
  return { colour: (token) => read(token).replaceAll('"', "'"), series: (index) => seriesMark(theme, index) };
}

const block = (css: string, head: string): Map<string, string> => {
  const from = css.indexOf(`${head} {`);
  const body = from < 0 ? '' : css.slice(from, css.indexOf('}', from));
  return new Map([...body.matchAll(/--([a-z-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value.trim()]));
};

/** The same without a page, from the text of `base.css`: for pictures in files. */
export function paintFromCss(css: string, theme: Theme): Paint {
  const tokens = new Map([...block(css, ':root'), ...(theme === 'dark' ? block(css, ':root[data-theme="dark"]') : [])]);
  return paintOf(theme, (token) => tokens.get(token) ?? '');
}
