import { describe, expect, it } from 'vitest';
import { type Brief, readBrief } from './brief.ts';

function read(user: readonly string[], system = 'This is a court of reason.', labels: readonly string[] = []): Brief {
  return readBrief(
    [
      { role: 'system', content: system },
      { role: 'user', content: user.join('\n\n') },
    ],
    labels,
  );
}

const names = ({ facts }: Brief): string[] => facts.map(({ name }) => name);
const values = ({ facts }: Brief): string[] => facts.map(({ value }) => value);

describe('the reading of a prompt', () => {
  it('takes the row under its heading for the facts, and no example or precedent', () => {
    const brief = read([
      'Here are 2 earlier cases whose outcome is known. Study how their facts went together with the outcome.',
      'Known case 1: age is 50; occupation is baker; debts are high\nWhat turned out to be true: YES',
      'Precedent 2: age is 60; occupation is smith; debts is low\nIt was decided: NO',
      'The case before you:\nage is 22; occupation is roofer; schooling is none; not enrolled; debts is low',
      'Pause first. Go through the facts of the case one after the other: age is a fact; each is one.',
      'Reply with one JSON object and nothing else:\n{"prediction": one of YES, NO}',
    ]);
    expect(names(brief)).toEqual(['age', 'occupation', 'schooling', 'debts']);
    expect(values(brief)).toEqual(['22', 'roofer', 'none; not enrolled', 'low']);
  });

  it('takes a text of several paragraphs up to the next heading or instruction', () => {
    const text = [
      'The parcel came late.\nThe vase was broken.',
      'Now the shop refuses to pay.',
      'The clerk had packed it badly.',
    ];
    const ends = [
      'What has been said in open court, in order:',
      'Nobody has spoken yet.',
      'Fields:\n{"utterance": text}',
      'You are the judge. Weigh it.',
      "The clerk's report:",
      'Agent A, round 1:',
      'Pause first. Go through the facts.',
    ];
    for (const heading of ['Facts of the case:', 'Case:', 'The case before you:', 'Case facts']) {
      for (const end of ends) {
        const brief = read([`${heading}\n${text[0]}`, ...text.slice(1), end, 'It is late. Answer with one JSON object.']);
        const wanted = ['The parcel came late', 'The vase was broken', 'The clerk had packed it badly'];
        expect(values(brief), `${heading} ${end}`).toEqual(expect.arrayContaining(wanted));
        expect(values(brief).join(' ')).not.toMatch(/late\. Answer|JSON|Go through|round|report/);
      }
    }
  });

  it('takes named parts for the facts, also where a part is called like a heading or a side', () => {
    const brief = read([
      'Facts of the case:\nbackground: The tenant left in May.',
      'facts: Photographs show the scratches. They are dated.',
      "plaintiff's claim: The landlord owes the deposit.",
      'colour: red',
      'What has been said in open court, in order:',
      'Defense, opening:',
      'The case for the tenant is a plain one: nothing is owed to anyone here.',
      'You are the judge.',
    ]);
    expect(names(brief)).toEqual(['background', 'facts', 'facts', "plaintiff's claim", 'colour']);
    expect(brief.facts.map(({ passage }) => passage)).toEqual([true, true, true, true, false]);
    expect(brief.speeches).toEqual([
      { side: 'defense', speaker: 'defense', text: 'The case for the tenant is a plain one: nothing is owed to anyone here.' },
    ]);
  });

  it('tells speeches from notes, headings and what is asked', () => {
    const brief = read([
      'Facts of the case:\nage is 22; occupation is roofer; debts is low',
      'What has been said in open court, in order:',
      'Prosecution, opening:',
      'You are asked to look at the debts.',
      'There is more.',
      'Defense, opening:',
      'Consider the age.',
      'You are the judge. You have listened in silence.',
      'Your own notes so far, which nobody else reads:',
      'After Prosecution, opening you noted:',
      '{"reasoning": "The prosecution did well.", "prediction": "YES"}',
      'The last speech has just ended. Note for yourself where you stand now.',
      'Fields:\n{"prediction": "YES" or "NO"}',
    ]);
    expect(brief.speeches.map(({ side, text }) => [side, text])).toEqual([
      ['prosecution', 'You are asked to look at the debts. There is more.'],
      ['defense', 'Consider the age.'],
    ]);
    expect(names(brief)).toEqual(['age', 'occupation', 'debts']);
    expect(brief.side).toBe('judge');
    expect(brief.assigned).toBeNull();
  });

  it('knows agents and debaters by their names', () => {
    const brief = read([
      'Case:\nfever is high; rash is True; cough is False',
      'Agent A, round 1:',
      'I think of the fever first.',
      'Debater 2 (reply):',
      'The rash tells more.',
      'You are Agent B. Contentiousness: 0.7. Give your distribution over the labels.',
    ]);
    expect(brief.speeches.map(({ speaker }) => speaker)).toEqual(['agent a', 'debater 2']);
    expect(brief.speaker).toBe('agent b');
    expect(brief.contentiousness).toBe(0.7);
    expect(names(brief)).toEqual(['fever', 'rash', 'cough']);
  });

  it('finds the labels, the claims of both sides and the label to argue for', () => {
    const rules =
      'The prosecution holds that the answer is owed, in part. The defense holds that the answer is NO. No other answer is possible.\nAn advocate has no help and may argue about what facts mean.';
    const asked = (side: string): Brief => read(['Case:\nThe tenant left.', side], rules);
    const prosecutor = asked(
      'You are the prosecutor. You argue that the answer is owed, in part, with the facts and in good faith.',
    );
    expect(prosecutor.labels).toEqual(['owed, in part', 'NO']);
    expect(prosecutor.claims).toEqual({ prosecution: 'owed, in part', defense: 'NO' });
    expect(prosecutor).toMatchObject({ side: 'prosecution', assigned: 'owed, in part' });
    const defender = asked(
      'You are the advocate of the defense. You argue that the answer is NO, with the facts and in good faith.',
    );
    expect(defender).toMatchObject({ side: 'defense', assigned: 'NO' });
    expect(asked('You are the judge. Say no more than you must.')).toMatchObject({ side: 'judge', assigned: null });
    expect(read(['Case:\nThe tenant left.'], 'The only possible answers: dengue, malaria, typhoid.').labels).toHaveLength(3);
  });

  it('knows which speech is due', () => {
    const due = (task: string): string => read(['Case:\nThe tenant left.', task]).turn;
    expect(due('It is your turn: the opening. Set out your view.')).toBe('opening');
    expect(due('It is your turn: a rebuttal. Answer the other side.')).toBe('rebuttal');
    expect(due('It is your turn: the closing, your last words.')).toBe('closing');
    expect(due('Write something.')).toBe('opening');
  });

  it('finds a case without any heading, and none where there is none', () => {
    expect(names(read(['age is 22; occupation is roofer; debts is low', 'You are the judge. Answer in JSON.']))).toHaveLength(3);
    expect(values(read(['A farmer found that the bridge was closed.', 'You are the judge. Answer in JSON.']))).toHaveLength(1);
    expect(read(['Case:', 'You are the judge. Answer in JSON.']).facts).toEqual([]);
    expect(readBrief([{ role: 'user', content: '' }], []).facts).toEqual([]);
  });
});
