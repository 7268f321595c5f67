import { describe, expect, it } from 'vitest';
import { inOwnFolder, outcome, read } from './testing/textData.ts';

inOwnFolder();

describe('groups', () => {
  const rows = (values: readonly string[]) => values.map((value, id) => `${id},${value},${id % 2 ? 'YES' : 'NO'}`);
  const notesOf = async (values: readonly string[], more = {}) =>
    (await read(`id,part,out\n${rows(values).join('\n')}\n`, { ...outcome, groups: ['part'], ...more })).notes;

  it('that are many and small, or spelled in two ways, are warned of with what to do', async () => {
    const ages = Array.from({ length: 38 }, (_none, index) => String(18 + index));
    expect(await notesOf(ages)).toContain(
      '38 of the 38 groups of "part" have too few cases to be compared, fewer than 10: "18" (1), "19" (1), "20" (1), "21" (1), "22" (1), "23" (1), "24" (1), "25" (1) and 30 more; add a column of bins to the file, such as 18–29 and 30–44, and group by it',
    );
    expect(await notesOf(['F', 'f', 'M'])).toEqual([
      'the values "F", "f" of "part" are different groups; if they mean the same, spell them alike in the file',
    ]);
    expect(await notesOf(ages.flatMap((age) => Array.from({ length: 10 }, () => age)))).toEqual([]);
  });

  it('that are few but too small to be compared are named, by the cases on trial', async () => {
    const values = ['north', 'south', 'hill'].flatMap((value, place) =>
      Array.from({ length: [12, 10, 4][place] ?? 0 }, () => value),
    );
    expect(await notesOf(values)).toEqual([
      '1 of the 3 groups of "part" has too few cases to be compared, fewer than 10: "hill" (4)',
    ]);
    expect(await notesOf(values, { sample: { from: 'all', ids: values.slice(0, 21).map((_value, id) => String(id)) } })).toEqual([
      '1 of the 2 groups of "part" has too few cases in the sample to be compared, fewer than 10: "south" (9)',
    ]);
  });
});

describe('notes on the facts of a table', () => {
  const table = 'patient_id,age,job,out\n1,30,a,YES\n2,30,,NO\n3,30, ,NO\n';
  const idNote =
    'column "patient_id" is different in every row and counts as a fact; take it as the id, or leave it out of the facts ("exclude" in a file)';
  const label = { column: 'out' };

  it('says what models read: blanks around a name, and words for cells without a value', async () => {
    const { notes } = await read('id,  prior claims  ,out\n1,NA,YES\n2,n/a,NO\n3,2,NO\n', outcome);
    expect(notes).toEqual([
      expect.stringContaining('models read the blanks around the name of column "  prior claims  "; take them out in the file'),
      expect.stringContaining('models read "NA", "n/a" like any other value; only blank cells count as empty'),
    ]);
  });

  it('names a column that looks like an id, and counts empty cells', async () => {
    expect((await read(table, { label })).notes).toEqual([
      idNote,
      '2 cells of facts are empty in the whole data set: their cases stay, without these facts',
    ]);
    const camel = table.replace('patient_id', 'patientId').replace('2,30,,', '2,30,b,');
    const camelNote = idNote.replace('patient_id', 'patientId');
    expect((await read(camel, { label })).notes).toEqual([
      camelNote,
      '1 cell of facts is empty in the whole data set: its case stays, without this fact',
    ]);
  });

  it('names columns that look personal, as facts and as the id of the cases', async () => {
    const personal = 'mail,dob,out\na@example.org,1990-01-02,YES\nb@example.org,1991-02-03,NO\n';
    const { notes } = await read(personal, { label, id: 'mail' });
    expect(notes.map((note) => note.split(';')[0])).toEqual([
      'column "mail" is the id of the cases and looks personal (e-mail addresses)',
      'column "dob" looks personal (dates of birth)',
    ]);
  });

  it('names columns that may be known only after the decision, by their names', async () => {
    const late = [
      'waited_hours',
      'Outcome date',
      'delay_after',
      'outcomeText',
      'follow-up',
      'treatedAfter',
      'closedAt',
      'ticket_closed',
      ...['closed', 'decided', 'settled', 'paid', 'resolved'].flatMap((done) => [
        ...['at', 'on', 'date'].flatMap((when) => [`${done}_${when}`, `case_${done}_${when}`]),
        `date_${done}`,
        `date ${done} by court`,
      ]),
    ];
    const early = [
      'disclosed',
      'undelayed',
      'rafter',
      'convictedby2002',
      'aftershave',
      'hours',
      'pool_was_closed',
      'closed_eyes',
      'paid_attendance',
      'unpaid_on',
      'undecided_date',
      'paid_by',
    ];
    const names = [...late, ...early];
    const { notes } = await read(
      `${names.join()},out\n${names.map(() => '1,').join('')}YES\n${names.map(() => '2,').join('')}NO\n`,
      { label },
    );
    const said = notes.filter((note) => note.includes('may be known only after the decision'));
    expect(said.map((note) => note.split('"')[1])).toEqual(late);
  });

  it('names a column of labels where no column is the truth', async () => {
    const decided = 'age,bank,out\n1,Granted,\n2,refused,\n3,,\n';
    const labels = ['granted', 'refused', 'withdrawn'];
    expect((await read(decided, { labels })).notes).toContain(
      'column "bank" holds only labels to choose from, so the court may read the answer; if it was filled in after the decision, leave it out of the facts ("exclude" in a file)',
    );
    expect((await read(decided, { labels: ['granted', 'denied'] })).notes.join()).not.toContain('bank');
  });

  it('names none where the id is known, the column excluded or a value occurs twice', async () => {
    const noted = async (text: string, parts: object) =>
      (await read(text, { label, ...parts })).notes.some((note) => note.startsWith('column'));
    expect(await noted(table, {})).toBe(true);
    expect(await noted(table, { id: 'patient_id' })).toBe(false);
    expect(await noted(table, { exclude: ['patient_id'] })).toBe(false);
    expect(await noted(table.replace('3,30', '2,30'), {})).toBe(false);
    expect(await noted(table.replace('patient_id', 'paid'), {})).toBe(false);
  });
});
