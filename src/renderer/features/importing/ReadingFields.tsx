import type { FileReading, Inspection } from '../../../shared/api/dataFiles.ts';
import type { Delimiter, Encoding } from '../../../shared/experiment.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Select } from '../../ui/Select.tsx';

const betweenCells: readonly { id: Delimiter; label: string }[] = [
  { id: ',', label: 'commas' },
  { id: ';', label: 'semicolons' },
  { id: '\t', label: 'tabs' },
  { id: '|', label: 'vertical bars' },
];
const encodingChoices: readonly { id: Encoding; label: string; note?: string }[] = [
  { id: 'utf-8', label: 'UTF-8', note: 'What nearly all programs write today.' },
  { id: 'windows-1252', label: 'Windows-1252', note: 'Older Windows programs of Western Europe; Latin-1 is a part of it.' },
];

/**
 * How the bytes of a table become cells: as detected from the file, or as the user says.
 * @param inspection the result; null where the file could not be read this way
 */
export function ReadingFields({
  inspection,
  reading,
  onChange,
}: {
  inspection: Inspection | null;
  reading: FileReading;
  onChange: (reading: FileReading) => void;
}) {
  const encoding = inspection?.guess.encoding ?? reading.encoding ?? 'utf-8';
  const delimiter = inspection?.guess.delimiter ?? reading.delimiter ?? ',';
  const guessed = inspection !== null && encoding !== 'utf-8' && reading.encoding === undefined;
  const { sheets = [], format, guess } = inspection ?? {};
  if (format === 'parquet') return null;
  if (format === 'xlsx') {
    return sheets.length < 2 ? null : (
      <div className="fields">
        <Select
          label="Sheet"
          value={guess?.sheet ?? null}
          choices={sheets.map((id) => ({ id, label: id }))}
          onChange={(sheet) => onChange({ sheet })}
        />
      </div>
    );
  }
  return (
    <>
      <div className="fields">
        {inspection !== null && format !== 'csv' ? null : (
          <Select
            label="Column separator"
            value={delimiter}
            choices={betweenCells}
            onChange={(chosen) => onChange({ ...reading, delimiter: chosen })}
          />
        )}
        <Select
          label="Encoding"
          value={encoding}
          choices={encodingChoices}
          onChange={(chosen) => onChange({ ...reading, encoding: chosen })}
        />
      </div>
      {guessed ? (
        <Notice tone="warn">
          <span>
            <strong>The file is not in UTF-8</strong> and was read as Windows-1252. Look at letters with accents, quotation marks
            and currency signs: if they are wrong, save the file as UTF-8 in the program that it comes from.
          </span>
        </Notice>
      ) : null}
    </>
  );
}
