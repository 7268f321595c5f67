import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type FigureFormat, mostChunkLetters } from '../../../shared/api/exports.ts';
import { useApi, useHost } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import type { Host } from '../../api/host.ts';
import type { Api } from '../../api/session.ts';
import { Button } from '../../ui/Button.tsx';
import { FormatMenu, type SavedFormat } from '../../ui/FormatMenu.tsx';
import { notify } from '../../ui/Toasts.tsx';
import type { Plot } from './figure.ts';
import { paintFromCss } from './paint.ts';
import { heightAt, optionOf } from './plot.ts';
import { tableCsv } from './tableCells.ts';

/** Pieces of a text, none of which ends within a letter of two code units. */
export function chunksOf(content: string, most = mostChunkLetters): string[] {
  const chunks: string[] = [];
  let from = 0;
  do {
    const end = Math.min(content.length, from + most);
    const inLetter = end < content.length && /[\uD800-\uDBFF]/.test(content.charAt(end - 1));
    chunks.push(content.slice(from, inLetter ? end - 1 : end));
    from = inLetter ? end - 1 : end;
  } while (from < content.length);
  return chunks;
}

/** Hands content to the engine in pieces and saves it. @param content text, or base64 of a `png` @returns its name, or null */
export async function saveFigure(
  api: Pick<Api, 'exports'>,
  host: Pick<Host, 'saveExport'>,
  { experiment, figure, format, content }: { experiment: string; figure: string; format: FigureFormat; content: string },
): Promise<string | null> {
  let file: string | null = null;
  let fileName = '';
  for (const chunk of chunksOf(content)) {
    const kept: { file: string; fileName: string } = await api.exports.figure({ experiment, figure, format, file, chunk });
    ({ file, fileName } = kept);
  }
  return file !== null && (await host.saveExport(file, fileName)) ? fileName : null;
}

const formats: readonly SavedFormat<FigureFormat>[] = [
  { id: 'svg', label: 'Picture as SVG', note: 'sharp at every size' },
  { id: 'png', label: 'Picture as PNG', note: 'twice the pixels of the screen' },
  { id: 'csv', label: 'Numbers as CSV', note: 'what is drawn, for a spreadsheet' },
];

/** Width of a saved picture where the figure is not on the screen. */
const usualWidth = 760;

export function FigureMenu({
  experiment,
  figure,
  plot,
  title,
  caption,
  standin,
  width,
}: {
  experiment: string;
  figure: string;
  /** Null until it is read: the button is there anyway, so that the keyboard finds it. */
  plot: Plot | null;
  title: string;
  caption: string;
  standin: boolean;
  /** Pixels that it takes on the screen now. */
  width(): number | null;
}) {
  const api = useApi();
  const host = useHost();
  const save = useMutation({
    mutationFn: async (format: FigureFormat) => {
      if (plot === null) return null;
      const send = (content: string) => saveFigure(api, host, { experiment, figure, format, content });
      if (format === 'csv') return send(tableCsv(plot.table, standin));
      const [{ pictureSvg }, { picturePng }, { default: css }] = await Promise.all([
        import('./draw.ts'),
        import('./drawPng.ts'),
        import('../../ui/base.css?raw'),
      ]);
      // Of every theme: files are for paper and for other people.
      const paint = paintFromCss(css, 'light');
      const across = width() ?? usualWidth;
      const size = { width: across, height: heightAt(plot, across) };
      const picture = { option: optionOf(plot, paint, size), size, title, caption, standin };
      return send(format === 'svg' ? pictureSvg(picture, paint) : picturePng(picture, paint));
    },
    onSuccess: (fileName) => {
      if (fileName !== null) notify(`Saved as ${fileName}.`);
    },
    onError: (error) => notify(`Nothing was saved: ${failureOf(error).message}`),
  });
  return (
    <FormatMenu
      label="Save the figure"
      formats={formats}
      onSave={(format) => save.mutate(format)}
      button={
        <Button
          icon={Download}
          size="small"
          look="quiet"
          isPending={plot === null || save.isPending}
          aria-label={`Save “${title}”`}
        />
      }
    />
  );
}
