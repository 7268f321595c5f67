import { type FigureFormat, mostChunkLetters } from '../../../shared/api/figureFiles.ts';
import type { Host } from '../../api/host.ts';
import type { Api } from '../../api/session.ts';

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

/**
 * Hands a file's content to the engine piece by piece, and has it saved under the name that it was given.
 * @param content text, or base64 of a `png`
 * @returns the name; null where the user chose no place
 */
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
