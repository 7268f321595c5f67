// Recognises files that are not text: tables in a container, which are read, and what is not, such as archives.
interface Signature {
  readonly what: string;
  readonly advice: string;
  matches(head: Buffer): boolean;
}

const unpack = 'unpack it and give the data file inside';
const exportTable = 'export the table as CSV (UTF-8)';
const asWorkbook = 'save it as .xlsx';
const saveAsUtf8 = 'save it as UTF-8';

function startsWith(...bytes: readonly number[]): (head: Buffer) => boolean {
  return (head) => bytes.every((byte, index) => head[index] === byte);
}

function startsWithText(text: string): (head: Buffer) => boolean {
  return (head) => head.subarray(0, text.length).toString('latin1') === text;
}

function isZip(head: Buffer): boolean {
  return startsWith(0x50, 0x4b, 0x03, 0x04)(head);
}

const isCompound = startsWith(0xd0, 0xcf, 0x11, 0xe0);

/** The first folder of an Office document that shows its kind, as far as the first bytes go; undefined for other files. */
function officeFolder(head: Buffer): string | undefined {
  for (let at = head.indexOf('PK\x03\x04'); at >= 0; at = head.indexOf('PK\x03\x04', at + 4)) {
    const folder = /^(?:xl|word|ppt)(?=\/)/.exec(head.toString('latin1', at + 30, at + 35))?.[0];
    if (folder !== undefined) return folder;
  }
  return undefined;
}

/** A table that is read, though it is no text; undefined for all else. */
export function tableContainer(head: Buffer): 'parquet' | 'xlsx' | undefined {
  if (/^PAR1[^\t -~]/.test(head.toString('latin1', 0, 5))) return 'parquet';
  if (!isZip(head) || head.includes('xl/workbook.bin')) return undefined;
  const folder = officeFolder(head) ?? (head.includes('[Content_Types].xml') ? 'xl' : undefined);
  return folder === 'xl' ? 'xlsx' : undefined;
}

/** Every second byte of UTF-16 text in a Latin script is zero. */
function looksLikeUtf16(head: Buffer): boolean {
  const probe = head.subarray(0, 64);
  const zeros = [0, 0];
  probe.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const half = Math.floor(probe.length / 2);
  return half >= 2 && zeros.some((count, side) => count > half / 2 && zeros[1 - side] === 0);
}

/** In order: the first that matches is named. */
const signatures: readonly Signature[] = [
  { what: 'a gzip archive', advice: unpack, matches: startsWith(0x1f, 0x8b) },
  { what: 'a binary Excel workbook', advice: asWorkbook, matches: (head) => isZip(head) && head.includes('xl/workbook.bin') },
  {
    what: 'an OpenDocument spreadsheet',
    advice: asWorkbook,
    matches: (head) => isZip(head) && head.includes('application/vnd.oasis.opendocument'),
  },
  {
    what: 'a Word or PowerPoint file',
    advice: 'copy its table into a workbook and save that as .xlsx',
    matches: (head) => isZip(head) && officeFolder(head) !== undefined,
  },
  { what: 'a zip archive', advice: unpack, matches: isZip },
  { what: 'an encrypted Parquet file', advice: 'write it without encryption', matches: startsWithText('PARE') },
  { what: 'an SQLite database', advice: exportTable, matches: startsWithText('SQLite format 3\0') },
  {
    what: 'an Excel workbook with a password',
    advice: 'open it, remove its password and save it again',
    matches: (head) => isCompound(head) && head.includes(Buffer.from('EncryptedPackage', 'utf16le')),
  },
  {
    what: 'an Excel workbook with a password, or in the format before 2007',
    advice: 'open it, remove its password and save it as .xlsx',
    matches: isCompound,
  },
  { what: 'a PDF file', advice: exportTable, matches: startsWithText('%PDF-') },
  { what: 'a bzip2 archive', advice: unpack, matches: (head) => /^BZh[1-9]1AY&SY/.test(head.toString('latin1', 0, 10)) },
  { what: 'an xz archive', advice: unpack, matches: startsWith(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00) },
  { what: 'a Zstandard archive', advice: unpack, matches: startsWith(0x28, 0xb5, 0x2f, 0xfd) },
  { what: 'UTF-32 text', advice: saveAsUtf8, matches: startsWith(0xff, 0xfe, 0x00, 0x00) },
  { what: 'UTF-16 text', advice: saveAsUtf8, matches: startsWith(0xff, 0xfe) },
  { what: 'UTF-16 text', advice: saveAsUtf8, matches: startsWith(0xfe, 0xff) },
  { what: 'UTF-16 text', advice: saveAsUtf8, matches: looksLikeUtf16 },
  { what: 'a binary file', advice: 'give a CSV, TSV, JSON Lines, Parquet or Excel file', matches: (head) => head.includes(0) },
];

/** Says what is wrong with a file that is neither text in UTF-8 nor a table that is read, judged by its first bytes; undefined where nothing is. */
export function foreignFile(head: Buffer): string | undefined {
  const found = signatures.find((signature) => signature.matches(head));
  return (
    found &&
    `this is ${found.what}, not a CSV, TSV or JSON Lines file in UTF-8, a Parquet file or an Excel workbook (.xlsx); ${found.advice}`
  );
}
