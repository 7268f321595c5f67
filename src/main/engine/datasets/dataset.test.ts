import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOwnFolder, outcome, people, read } from './testing/textData.ts';

inOwnFolder();

describe('a split in time', () => {
  const by = { ...outcome, split: { test: 0.5, train: 0.5, by: 'on' } };
  const dated = (...cells: string[]) =>
    `id,on,out\n${cells.map((cell, index) => `${index},${cell},${index % 2 ? 'YES' : 'NO'}`).join('\n')}\n`;

  it('trains on the earlier and tests on the later cases, and leaves equal times together', async () => {
    const { splits, sample } = await read(
      dated('2014-03-01', '2013-12-31', '2014-01-05', '2014-01-05T08:00:00+01:00', '2015-01-01'),
      by,
    );
    expect(Object.fromEntries(splits)).toEqual({ 0: 'test', 1: 'train', 2: 'train', 3: 'test', 4: 'test' });
    expect(sample.toSorted()).toEqual(['0', '3', '4']);
    const tied = await read(dated('10', '9', '10', '10', '11.5'), by);
    expect(Object.fromEntries(tied.splits)).toEqual({ 0: 'train', 1: 'train', 2: 'train', 3: 'train', 4: 'test' });
  });

  it('refuses a cell without such a date, with its line', async () => {
    await expect(read(dated('2014-03-01', '2014-02-30'), by)).rejects.toMatchObject({
      message: expect.stringContaining('"2014-02-30" cannot be split by; as in the rows before, each case needs a date'),
      place: { line: 3, field: 'on' },
    });
    await expect(read(dated('', '2014-02-03'), by)).rejects.toMatchObject({ place: { line: 2, field: 'on' } });
    await expect(read('id,out\n1,YES\n', by)).rejects.toThrow(/no column "on", which "split.by" names/);
  });
});

it('a sampling weight is no fact, and must be a number above 0', async () => {
  const { cases } = await read('id,w,age,out\n1,2.5,30,YES\n2,1,31,NO\n', { ...outcome, weight: 'w' });
  expect(cases[0]).toMatchObject({ weight: 2.5, facts: [{ name: 'age', value: '30' }] });
  await expect(read('id,w,out\n1,1,YES\n2,0,NO\n', { ...outcome, weight: 'w' })).rejects.toMatchObject({
    message: expect.stringContaining('"0" is no sampling weight'),
    place: { line: 3, field: 'w' },
  });
});

describe('names and units of columns', () => {
  const named = { ...outcome, names: { age: 'Age at arrest' }, units: { age: 'years' } };
  const firstFact = async (definition: object) =>
    (await read(people, definition)).cases[0]?.facts.find(({ value }) => value === '31');

  it('are only for people, unless models should read them too', async () => {
    expect(await read(people, named)).toEqual(await read(people, outcome));
    expect(await firstFact({ ...named, namesInPrompts: true })).toEqual({ name: 'Age at arrest (years)', value: '31' });
  });

  it('belong to columns of the file, and none is the name of another', async () => {
    await expect(read(people, { ...named, names: { aeg: 'Age' } })).rejects.toThrow(/no column "aeg", which "names" names/);
    for (const names of [{ age: 'job' }, { age: 'job', job: 'work' }, { age: 'work', job: 'work' }]) {
      await expect(read(people, { ...named, names, units: {} })).rejects.toMatchObject({
        message: expect.stringMatching(/"age" would be shown as "(job|work)", which is the name of another column/),
        place: { field: 'dataset.names' },
      });
    }
  });
});

describe('tables', () => {
  it('makes a fact of every column but the id, the label and what is excluded', async () => {
    const { cases } = await read(people, { ...outcome, groups: ['sex', 'job'], exclude: ['sex'] });
    expect(cases).toEqual([
      { id: '7', facts: [{ name: 'age', value: '31' }], question: null, truth: 'YES', groups: { sex: 'f', job: '' } },
      {
        id: '8',
        facts: [
          { name: 'age', value: '22' },
          { name: 'job', value: 'smith, black' },
        ],
        question: null,
        truth: 'NO',
        groups: { sex: 'm', job: 'smith, black' },
      },
      {
        id: '9',
        facts: [
          { name: 'age', value: '40' },
          { name: 'job', value: 'say "hi"' },
        ],
        question: null,
        truth: 'NO',
        groups: { sex: 'f', job: 'say "hi"' },
      },
    ]);
  });

  it('never makes a fact of the label, and does so of groups', async () => {
    const { cases } = await read(people, { ...outcome, groups: ['sex'] });
    expect(cases[0]?.facts.map(({ name }) => name)).toEqual(['sex', 'age']);
  });

  it('numbers the cases where there are no ids', async () => {
    const { cases } = await read(people, { label: { column: 'out' }, exclude: ['id'] });
    expect(cases.map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  it('reads TSV by its header and by declaration', async () => {
    const text = 'id\ta,b\tout\n1\tx\tA\n2\ty\tB\n';
    for (const format of [undefined, 'tsv']) {
      const { cases } = await read(text, { ...outcome, format });
      expect(cases[1]?.facts).toEqual([{ name: 'a,b', value: 'y' }]);
    }
  });

  it('takes column names that look like the first bytes of other formats', async () => {
    const { cases } = await read('PAR1,BZh1,out\n1,2,A\n3,4,B\n', { label: { column: 'out' } });
    expect(cases[0]?.facts.map(({ name }) => name)).toEqual(['PAR1', 'BZh1']);
  });

  it('accepts a byte order mark, all line ends, blank lines and no line end', async () => {
    const text = '\ufeffid,note,out\r\n\r\n1,"two\r\nlines",A\n2,b,B\r3,c,A\r\n\r\n  \n\n4,d,B';
    const { cases } = await read(text, outcome);
    expect(cases.map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
    expect(cases[0]?.facts).toEqual([{ name: 'note', value: 'two\r\nlines' }]);
  });

  it('passes over empty cells that spreadsheets write after and below a table', async () => {
    const { cases } = await read(',,,\nid,x,out,\n1,a,A,\n2,b,B,\n,, ,\n', outcome);
    expect(cases.map(({ id, facts }) => [id, facts])).toEqual([
      ['1', [{ name: 'x', value: 'a' }]],
      ['2', [{ name: 'x', value: 'b' }]],
    ]);
  });

  it('gives back every cell of a quoted table', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', ',', ';', '\n', '\r\n', '\t', ' ', '=', "'") });
    const table = fc
      .integer({ min: 2, max: 4 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom('\n', '\r\n'), fc.boolean(), async (rows, end, last) => {
        const quote = (value: string): string => `"${value.replaceAll('"', '""')}"`;
        const names = rows[0]?.map((_, index) => `c${index}`) ?? [];
        const full = names.map(() => 'a');
        const lines = [names, full, ...rows].map((cells) => cells.map(quote).join(','));
        const { cases } = await read(lines.join(end) + (last ? end : ''), { labels: ['A', 'B'] });
        expect(cases.map(({ facts }) => facts)).toEqual(
          [full, ...rows].flatMap((cells) => {
            const facts = cells.flatMap((value, index) => (value.trim() === '' ? [] : [{ name: `c${index}`, value }]));
            return facts.length === 0 ? [] : [facts];
          }),
        );
      }),
    );
  });

  it('reads a file of many chunks, with characters across their borders', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `${index},${'é😀'.repeat(1 + (index % 7))},${index % 2}`);
    const { cases, labels } = await read(`id,text,out\n${rows.join('\n')}\n`, outcome);
    expect(cases).toHaveLength(20_000);
    expect(cases.every(({ facts }, index) => facts[0]?.value === 'é😀'.repeat(1 + (index % 7)))).toBe(true);
    expect(labels).toEqual(['0', '1']);
  });
});

describe('JSON Lines', () => {
  it('takes text as it is and other values as they are spelled', async () => {
    const text =
      '\ufeff{"id": 12345678901234567890, "size": 1.0, "ok": true, "name": "x\\ny", "none": null, "out": 1}\r\n\n' +
      '{"out": 0, "id": "b", "extra": "  ", "name": "z", "__proto__": "p"}';
    const { cases, labels } = await read(text, { ...outcome, groups: ['size', '__proto__'] });
    expect(cases.map(({ id }) => id)).toEqual(['12345678901234567890', 'b']);
    expect(cases[0]?.facts).toEqual([
      { name: 'size', value: '1.0' },
      { name: 'ok', value: 'true' },
      { name: 'name', value: 'x\ny' },
    ]);
    expect(cases[1]?.facts).toEqual([
      { name: 'name', value: 'z' },
      { name: '__proto__', value: 'p' },
    ]);
    expect(Object.entries(cases[1]?.groups ?? {})).toEqual([
      ['size', ''],
      ['__proto__', 'p'],
    ]);
    expect(labels).toEqual(['0', '1']);
  });

  it('takes several labels from a list', async () => {
    const text = '{"id":"a","out":["z","x","z"]}\n{"id":"b","out":[]}\n{"id":"c"}\n{"id":"d","out":[1, "x"]}\n';
    const { cases, labels, multiLabel, notes } = await read(text, { id: 'id', label: { column: 'out', multiple: 'json' } });
    expect(labels).toEqual(['1', 'x', 'z']);
    expect(multiLabel).toBe(true);
    expect(cases.map(({ truth }) => truth)).toEqual([['x', 'z'], [], null, ['1', 'x']]);
    expect(notes).toContain('1 case has no label (c)');
  });
});

describe('kinds', () => {
  it('reads texts', async () => {
    const text = 'id,tweet,out,other\n1,hello,A,x\n2,,B,y\n';
    const { cases, notes } = await read(text, { ...outcome, kind: 'text', columns: { text: 'tweet' } });
    expect(cases.map(({ facts }) => facts)).toEqual([[{ name: 'text', value: 'hello' }], []]);
    expect(notes).toEqual(['1 case has no facts (2)']);
  });

  it.each([
    ['premise', 'hypothesis'],
    ['question', 'passage'],
  ])('reads pairs of %s and %s', async (first, second) => {
    const rows = `1,one,two,A\n2,three,,B\n`;
    const facts = [
      [
        { name: first, value: 'one' },
        { name: second, value: 'two' },
      ],
      [{ name: first, value: 'three' }],
    ];
    const found = await read(`id,${first},${second},out\n${rows}`, { ...outcome, kind: 'pair' });
    expect(found.cases.map((each) => each.facts)).toEqual(facts);
    expect(found.notes).toEqual([`1 case has no "${second}" (2)`]);
    const renamed = { ...outcome, kind: 'pair', columns: { [first]: 's1', [second]: 's2' } };
    expect((await read(`id,s1,s2,out\n${rows}`, renamed)).cases.map((each) => each.facts)).toEqual(facts);
    const lines = `{"id":1,"out":"A","${first}":"one"}\n{"id":2,"out":"B","${second}":"two","${first}":"x"}`;
    const json = await read(lines, { ...outcome, kind: 'pair' });
    expect(json.cases[0]?.facts).toEqual([{ name: first, value: 'one' }]);
  });

  it('reads sections in the order of the definition', async () => {
    const text = 'id,claim,background,out\n1,c,b,A\n2,,b,B\n';
    const { cases } = await read(text, { ...outcome, kind: 'sections', sections: ['background', 'claim'] });
    expect(cases[0]?.facts).toEqual([
      { name: 'background', value: 'b' },
      { name: 'claim', value: 'c' },
    ]);
  });

  it('reads open questions', async () => {
    const text = 'id,question,topic\n1,Why?,x\n2,How?,y\n';
    const found = await read(text, { kind: 'open', id: 'id', groups: ['topic'], question: undefined });
    expect(found.cases[1]).toEqual({ id: '2', facts: [], question: 'How?', truth: null, groups: { topic: 'y' } });
    expect(found).toMatchObject({ labels: [], positive: null, multiLabel: false, notes: [] });
  });
});

describe('labels', () => {
  const table = (...values: string[]): string => `id,x,out\n${values.map((value, index) => `${index},1,${value}\n`).join('')}`;

  it('maps the values of the source', async () => {
    const map = { True: 'YES', False: 'NO' };
    const { cases, labels, positive } = await read(table('True', 'False', ''), { id: 'id', label: { column: 'out', map } });
    expect(labels).toEqual(['NO', 'YES']);
    expect(positive).toBe('YES');
    expect(cases.map(({ truth }) => truth)).toEqual(['YES', 'NO', null]);
  });

  it('can map an empty cell', async () => {
    const map = { '1': 'YES', '': 'NO' };
    const { cases, notes } = await read(table('1', ''), { id: 'id', label: { column: 'out', map } });
    expect(cases.map(({ truth }) => truth)).toEqual(['YES', 'NO']);
    expect(notes).toEqual([]);
  });

  it('sorts labels by number where all are numbers', async () => {
    expect((await read(table('10', '9', '-1', '1.5'), outcome)).labels).toEqual(['-1', '1.5', '9', '10']);
    expect((await read(table('10', '9', 'x'), outcome)).labels).toEqual(['10', '9', 'x']);
  });

  it('keeps the order of the definition, with labels that no case has', async () => {
    const found = await read(table('good', 'bad'), { ...outcome, labels: ['good', 'fair', 'bad'], positive: 'fair' });
    expect(found).toMatchObject({ labels: ['good', 'fair', 'bad'], positive: 'fair' });
    expect((await read(table('b', 'c', 'a'), outcome)).positive).toBeNull();
  });

  it('splits a cell with several labels, in the order of the labels', async () => {
    const label = { column: 'out', multiple: '|' };
    const found = await read(table('b | a', 'b', '', '|'), { id: 'id', label, labels: ['b', 'a'] });
    expect(found.cases.map(({ truth }) => truth)).toEqual([['b', 'a'], ['b'], null, []]);
    expect(found).toMatchObject({ multiLabel: true, positive: null });
  });

  it('takes cases without known truth', async () => {
    const { cases, labels, notes } = await read('id,x\n1,2\n', { id: 'id', labels: ['A', 'B'] });
    expect(cases[0]?.truth).toBeNull();
    expect(labels).toEqual(['A', 'B']);
    expect(notes).toEqual([]);
  });

  it('notes labels that look alike, and counts missing ones', async () => {
    const { notes } = await read(table('yes', 'Yes ', '', ' ', 'no'), outcome);
    const alike = (values: string) =>
      `the values ${values} are different labels; if they mean the same, spell them alike in the file`;
    expect(notes).toEqual(['2 cases have no label (2, 3)', alike('"Yes ", "yes"')]);
    expect((await read(table('1', '0', '1.0', 'no\u200b', 'no'), outcome)).notes).toEqual([
      alike('"1", "1.0"'),
      alike(String.raw`"no", "no\u200b"`),
    ]);
    expect((await read(table('a b', 'a\u00a0b', 'n\u00e9', 'ne\u0301'), outcome)).notes).toEqual([
      alike(String.raw`"a b", "a\u00a0b"`),
      alike(String.raw`"ne\u0301", "né"`),
    ]);
    const drawn = (ids: string[]) => read(table('yes', '', 'no'), { ...outcome, sample: { from: 'all', ids } });
    expect((await drawn(['0'])).notes).toContain('1 case has no label (1); the sample has all its labels');
    expect((await drawn(['0', '1'])).notes).toContain('1 case has no label (1); the sample lacks the label of 1 of 2 cases: 1');
  });
});

describe('objects and lists in JSON Lines', () => {
  const nested = '"meta":{"a":[1]},"tags":["x"]';
  const rows = (fields: string) => `{"id":1,${fields},${nested},"out":"A"}\n{"id":2,${nested},${fields},"out":"B"}\n`;

  it.each<[string, object]>([
    ['"text":"t"', { kind: 'text' }],
    ['"premise":"p","hypothesis":"h"', { kind: 'pair' }],
    ['"x":"t"', { kind: 'sections', sections: ['x'] }],
    ['"x":"t"', { exclude: ['meta', 'tags'] }],
  ])('are passed over in fields without use: %s', async (fields, parts) => {
    const { cases } = await read(rows(fields), { ...outcome, ...parts });
    expect(cases.map(({ id, truth }) => [id, truth])).toEqual([
      ['1', 'A'],
      ['2', 'B'],
    ]);
    expect(cases[1]?.facts).toEqual(cases[0]?.facts);
    expect(JSON.stringify(cases)).not.toMatch(/meta|tags/);
  });

  it('are skipped where there is an open question', async () => {
    const { cases } = await read(`{"question":"Why?",${nested}}\n`, { kind: 'open', question: undefined });
    expect(cases[0]).toMatchObject({ question: 'Why?', facts: [] });
  });
});

describe('splits and samples', () => {
  const text = `id,x,out\n${Array.from({ length: 1412 }, (_, index) => `${index},1,${index % 2}\n`).join('')}`;
  const split = { test: 0.6, train: 0.2, validation: 0.2 };

  it('deals every case and draws from the split that is asked for', async () => {
    const { splits, sample, cases } = await read(text, { ...outcome, split, sample: { from: 'train', n: 20 } });
    const sizes = Map.groupBy(splits.values(), (name) => name);
    expect([sizes.get('test')?.length, sizes.get('train')?.length, sizes.get('validation')?.length]).toEqual([847, 282, 283]);
    expect([...splits.keys()].toSorted()).toEqual(cases.map(({ id }) => id).toSorted());
    expect(sample).toHaveLength(20);
    expect(sample.every((id) => splits.get(id) === 'train')).toBe(true);
  });

  it('extends a sample, and changes it with the seed only', async () => {
    const small = await read(text, { ...outcome, split, sample: { n: 20 } });
    const large = await read(text, { ...outcome, split, sample: { n: 100 } });
    const other = await read(text, { ...outcome, split, sample: { n: 20 } }, 43);
    expect(large.sample.slice(0, 20)).toEqual(small.sample);
    expect(other.sample).not.toEqual(small.sample);
    expect((await read(text, { ...outcome, sample: { from: 'all' } })).sample).toHaveLength(1412);
  });

  it('hashes the bytes of the file', async () => {
    const { fileHash } = await read(text, outcome);
    expect(fileHash).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it.each([
    [{ split, sample: { n: 848 } }, 'dataset.sample.n', /848 cases are asked for, but the test split has 847/],
    [{ sample: { from: 'all', n: 2000 } }, 'dataset.sample.n', /the data set has 1412/],
    [{ sample: { from: 'train' } }, 'dataset.sample.from', /the train split is empty .*train 0.*1412 cases/],
  ])('refuses a sample that cannot be drawn: %j', async (parts, field, message) => {
    const failing = read(text, { ...outcome, ...parts });
    await expect(failing).rejects.toThrow(message);
    await expect(failing).rejects.toMatchObject({ code: 'bad-input', place: { field } });
  });
});
