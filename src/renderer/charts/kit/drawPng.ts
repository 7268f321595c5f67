import { layoutOf, lineHeight, margin, type Picture, titleHeight, whole } from './draw.ts';
import { init } from './echarts.ts';
import type { Paint } from './figure.ts';

const pixelRatio = 2;

/** A whole picture as a PNG of twice the pixels, base64. Needs a page. Throws where the browser can draw none so large. */
export function picturePng(picture: Picture, paint: Paint): string {
  const { titles, lines, top, width, height } = layoutOf(picture);
  const canvas = document.createElement('canvas');
  canvas.width = width * pixelRatio;
  canvas.height = height * pixelRatio;
  const context = canvas.getContext('2d');
  const chart = init(document.createElement('div'), null, { renderer: 'canvas', ...picture.size });
  try {
    if (context === null)
      throw new Error('The browser cannot draw a picture of this size: make the window narrower, or save it as SVG.');
    chart.setOption(whole(picture.option));
    context.scale(pixelRatio, pixelRatio);
    context.fillStyle = paint.colour('panel');
    context.fillRect(0, 0, width, height);
    const drawn = chart.renderToCanvas({ pixelRatio, backgroundColor: paint.colour('panel') });
    context.drawImage(drawn, margin, top, picture.size.width, picture.size.height);
    const write = (texts: readonly string[], from: number, step: number, font: string, colour: string) => {
      context.font = font;
      context.fillStyle = colour;
      texts.forEach((text, index) => {
        context.fillText(text, margin, from + index * step);
      });
    };
    write(titles, margin + 14, titleHeight, `600 16px ${paint.colour('serif')}`, paint.colour('ink'));
    write(lines, top + picture.size.height + 12, lineHeight, `12px ${paint.colour('sans')}`, paint.colour('muted'));
    const url = canvas.toDataURL('image/png');
    return url.slice(url.indexOf(',') + 1);
  } finally {
    chart.dispose();
  }
}
