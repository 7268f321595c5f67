/** What file systems refuse, path separators, and what cannot be seen or turns the direction of reading. */
const forbidden = /[<>:"/\\|?*\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu;
/** Names of devices on Windows, with any extension. */
const devices = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(?=\.|$)/iu;

/** Bytes of UTF-8. Most file systems take 255 for a whole name; a browser may add to it. */
const mostExperimentBytes = 110;
const mostCaseBytes = 60;

/** As many whole characters, as a reader counts them, as fit. */
function cut(text: string, mostBytes: number): string {
  let bytes = 0;
  let kept = '';
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > mostBytes) break;
    kept += segment;
  }
  return kept;
}

function safePart(text: string, mostBytes: number): string {
  const visible = text.toWellFormed().normalize('NFC').replace(forbidden, '-').replace(/\s+/gu, ' ');
  // A dot at the start hides a file, a dash is an option to programs, and Windows drops dots and spaces at the end.
  return cut(visible.replace(/^[\s.-]+/u, ''), mostBytes).replace(/[\s.-]+$/u, '');
}

/** A file name that every file system takes: of an experiment, or of one of its cases. @param extension without a dot */
export function exportName(experiment: string, caseId: string | null, extension: string): string {
  const parts = [safePart(experiment, mostExperimentBytes), ...(caseId === null ? [] : [safePart(caseId, mostCaseBytes)])];
  const stem = parts.filter((part) => part !== '').join('-') || 'experiment';
  return `${devices.test(stem) ? `_${stem}` : stem}.${extension}`;
}
