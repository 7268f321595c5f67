import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RecordCheck } from '../../../shared/api/record.ts';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { forgetWords, openKnownFaults } from './knownFaults.ts';

const room = openFolder('known-faults');

const [one, other] = ['0123456789abcdef', 'fedcba9876543210'];
const use = { arm: 'court', case: '1', seq: 4, kind: 'utterance-make', field: 'text', role: 'defense', phase: 'opening' };

/** A check that ended at a text of two trials, or found nothing. */
const check = (result: 'intact' | 'tampered') =>
  ({
    result,
    first_bad:
      result === 'intact'
        ? null
        : {
            ...{ trial: null, seq: null, kind: 'text', problem: 'text x: it is missing' },
            uses: [one, other].map((trial) => ({ ...use, trial, experiment: 'rain', number: 1, times: 1, what: 'speech 1' })),
          },
  }) as RecordCheck;

function open() {
  const store = room.path('some.db');
  writeFileSync(store, 'first');
  return { store, known: openKnownFaults(store, () => 1_700_000_000_000) };
}

test('what a check found is known by trial until a check finds nothing, and it says when the store has changed since', () => {
  const { store, known } = open();
  expect(known.read()).toEqual({ last: null, faults: [] });
  known.checking()(check('tampered'));
  const at = '2023-11-14T22:13:20.000Z';
  expect(known.read().last).toEqual({ at, result: 'tampered', changed_since: false });
  expect(known.read().faults.map(({ experiment, trial, by }) => [experiment, trial, by])).toEqual([
    ['rain', one, 'check'],
    ['rain', other, 'check'],
  ]);
  // Of a trial that is sound again, the check of this trial says so; to open it is not enough, for that checks less.
  known.trial('trial', 'rain', one, null);
  expect(known.read().faults).toHaveLength(2);
  known.trial('trial-check', 'rain', one, null);
  expect(known.read().faults).toMatchObject([{ trial: other }]);
  writeFileSync(store, 'and more');
  expect(known.read().last?.changed_since).toBe(true);
  known.checking()(check('intact'));
  expect(known.read()).toMatchObject({ last: { result: 'intact', changed_since: false }, faults: [] });
});

test('what was found is known after a restart and after writes, until a check finds the whole record intact', () => {
  const { store } = open();
  const start = () => openKnownFaults(store, () => 1_700_000_000_000, room.path('kept'));
  const known = start();
  known.trial('replay', 'rain', other, 'its replay differs');
  known.checking()(check('tampered'));
  const found = known.read();
  expect(found.faults).toHaveLength(3);
  expect(start().read()).toEqual(found);
  writeFileSync(store, 'put back from a copy');
  expect(start().read()).toEqual({ last: { ...found.last, changed_since: true }, faults: found.faults });
  start().checking()(check('intact'));
  expect(start().read()).toMatchObject({ last: { result: 'intact' }, faults: [{ by: 'replay' }] });
  // Only this user can have stored something.
  const [file = ''] = readdirSync(room.path('kept'));
  const path = join(room.path('kept'), file);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('intact', 'tampered'));
  expect(start().read().last).toBeNull();
});

test('programs that have the same store open learn from each other what was found, and what was found gone', () => {
  const { store } = open();
  const [screen, command] = [1, 2].map(() => openKnownFaults(store, () => 1_700_000_000_000, room.path('shared')));
  if (screen === undefined || command === undefined) throw new Error('two were opened');
  expect(screen.read().faults).toEqual([]);
  const done = screen.checking();
  command.checking()(check('tampered'));
  expect(screen.read()).toEqual(command.read());
  screen.refused('snow', { trial: one, problem: 'a text is missing' });
  expect(command.read().faults).toHaveLength(3);
  // What was found while a check ran may be newer than what the check read.
  done(check('intact'));
  expect(screen.read().faults).toHaveLength(3);
  command.checking()(check('intact'));
  expect(screen.read()).toEqual({ ...command.read(), faults: [] });
});

test('an erasure forgets what was found, but not that something was', () => {
  const { store } = open();
  const known = openKnownFaults(store, () => 1_700_000_000_000, room.path('erased'));
  known.trial('replay', 'rain', other, 'its replay differs');
  forgetWords(room.path('erased'));
  expect(known.read().faults).toEqual([]);
  known.refused('snow', { trial: one, problem: 'a text is missing' });
  forgetWords(room.path('erased'));
  const problem = 'it was damaged before something was erased';
  expect(known.read().faults).toMatchObject([{ experiment: null, trial: null, problem }]);
  known.checking()(check('intact'));
  expect(known.read().faults).toEqual([]);
});

test('lists, trials and refused exports add what they find; a list takes back only what it found', () => {
  const { known } = open();
  const bad = { trial: one, seq: null, kind: 'trials', problem: 'the row is another' };
  known.listed('rain', { trials: 2, damaged: 1, first: [bad] });
  known.trial('trial', 'rain', other, 'event 3: a text is missing');
  known.refused('snow', { trial: one, problem: `${one}, event 4, ruling-give: a text is missing` });
  expect(known.read().faults.map(({ experiment, trial, problem, by }) => [experiment, trial, problem, by])).toEqual([
    ['rain', one, 'the row is another', 'list'],
    ['rain', other, 'event 3: a text is missing', 'trial'],
    ['snow', one, `${one}, event 4, ruling-give: a text is missing`, 'export'],
  ]);
  known.listed('rain', { trials: 2, damaged: 0, first: [] });
  known.trial('trial', 'rain', other, null);
  expect(known.read().faults).toMatchObject([{ experiment: 'snow' }]);
});

test('what is written while a check runs counts as written since; an empty log next to the store does not', () => {
  const { store, known } = open();
  const done = known.checking();
  writeFileSync(store, 'written meanwhile');
  done(check('intact'));
  expect(known.read().last?.changed_since).toBe(true);
  known.checking()(check('intact'));
  writeFileSync(`${store}-wal`, '');
  expect(known.read().last?.changed_since).toBe(false);
});

test('a check of the record takes back what the check of a trial found in its chain, and only a replay what a replay found', () => {
  const { known } = open();
  known.trial('trial-check', 'rain', one, 'event 3: a text is missing');
  known.trial('replay', 'rain', one, 'its replay differs');
  known.trial('trial', 'rain', one, null);
  expect(known.read().faults).toHaveLength(2);
  known.checking()(check('intact'));
  const found = [{ experiment: 'rain', trial: one, problem: 'its replay differs', by: 'replay' }];
  expect(known.read().faults).toMatchObject(found);
  known.trial('trial-check', 'rain', one, null);
  expect(known.read().faults).toMatchObject(found);
  known.trial('replay', 'rain', one, null);
  expect(known.read().faults).toEqual([]);
});

test('each chain that trials share has its own fault', () => {
  const { known } = open();
  const first = ['experiment/rain', 'preparation/rain', 'review/rain'].map((trial) => ({
    ...{ trial, seq: 1, kind: 'chain', problem: 'an event is missing' },
  }));
  known.listed('rain', { trials: 2, damaged: 3, first });
  expect(known.read().faults).toHaveLength(3);
});
