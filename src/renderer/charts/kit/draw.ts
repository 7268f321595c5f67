import { brokenLines, shownName } from './axes.ts';
import { type EChartsCoreOption, init } from './echarts.ts';
import type { FigureSize, Paint } from './figure.ts';
import { seriesIn } from './linkedMarks.ts';

/** A drawing with the text that goes with it when it leaves the program. */
export interface Picture {
  readonly option: EChartsCoreOption;
  readonly size: FigureSize;
  readonly title: string;
  readonly caption: string;
  /** Some numbers came from the demo model and from no model: the picture says so first. */
  readonly standin: boolean;
}

export const margin = 16;
export const titleHeight = 24;
export const lineHeight = 17;
/** Mean width of a letter at 12 pixels; captions are broken by it, so that a picture is the same on every machine. */
const letterWidth = 6.3;

/** The same of a title, at 16 pixels and bold, also in the wide serif that is there where the program's own is not. */
const titleLetterWidth = 9.5;

const brokenInto = (text: string, width: number, letter = letterWidth) =>
  brokenLines(shownName(text), Math.max(10, Math.floor(width / letter)));

const standinText = 'DEMO MODEL: no model was asked, these numbers are made up';

export const layoutOf = ({ size, title, caption, standin }: Picture) => {
  const titles = [...(standin ? [standinText] : []), title].flatMap((text) => brokenInto(text, size.width, titleLetterWidth));
  const lines = brokenInto(caption, size.width);
  const top = margin + titles.length * titleHeight;
  return {
    titles,
    lines,
    top,
    width: size.width + 2 * margin,
    height: top + size.height + lines.length * lineHeight + margin,
  };
};

/** Draws everything at once: a picture has no later moment at which the rest could come. */
export const whole = (option: EChartsCoreOption): EChartsCoreOption => ({
  ...option,
  animation: false,
  series: seriesIn(option).map((series) => ({ ...series, progressive: 0 })),
});

/** Without what only a page would use (styles under the pointer), and without ids that count the charts drawn before. */
const still = (svg: string) =>
  svg
    .replaceAll(/<style[^>]*>[\s\S]*?<\/style>/g, '')
    .replaceAll(/ (?:class="zr[^"]*"|ecmeta_\w+="[^"]*"|pointer-events="[^"]*")/g, '')
    .replaceAll(/\bzr\d+-/g, 'zr-');

/** The chart alone as SVG. The same option gives the same text. */
export function chartSvg(option: EChartsCoreOption, { width, height }: FigureSize): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(whole(option));
    return still(chart.renderToSVGString());
  } finally {
    chart.dispose();
  }
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export function pictureSvg(picture: Picture, paint: Paint): string {
  const { titles, lines, top, width, height } = layoutOf(picture);
  const words = (texts: readonly string[], from: number, step: number, look: string) =>
    texts.map((text, index) => `<text x="${margin}" y="${from + index * step}" ${look}>${escaped(text)}</text>`).join('');
  const face = (token: string) => `font-family="${escaped(paint.colour(token))}"`;
  const under = top + picture.size.height + 12;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img"><title>${escaped(shownName(picture.title))}</title><desc>${escaped(shownName(picture.caption))}</desc><rect width="${width}" height="${height}" fill="${paint.colour('panel')}"/>${words(titles, margin + 14, titleHeight, `${face('serif')} font-size="16" font-weight="600" fill="${paint.colour('ink')}"`)}<g transform="translate(${margin} ${top})">${chartSvg(picture.option, picture.size)}</g>${words(lines, under, lineHeight, `${face('sans')} font-size="12" fill="${paint.colour('muted')}"`)}</svg>\n`;
}
