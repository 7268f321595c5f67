import { expect, test } from 'vitest';
import type { Cast } from '../../shared/experiment.ts';
import { armSettings, shippedPrompts } from './armSettings.ts';

const about = { arm: 'a', protocol: 'courtroom', version: 1, swap: null };
const member = (model: string, options = {}, backend = 'default') => ({ model, backend, options });
const settingsOf = (cast: Cast, params: object = {}) =>
  armSettings(about, params, {}, { cast, belief: 'verbal', prompts: shippedPrompts, mask: null }).settings;

test('a role that plays like all others is no difference', () => {
  const plain = settingsOf({ '*': member('m') });
  expect(settingsOf({ '*': member('m'), judge: member('m') })).toEqual(plain);
  expect(settingsOf({ judge: member('n'), '*': member('m') })).toMatchObject({ model: 'm, judge n' });
  expect(settingsOf({ '*': member('m'), judge: member('m', { temperature: 0 }) })).toMatchObject({
    model: 'm',
    options: '{}, judge {"temperature":0}',
  });
});

test('roles and keys in another order are the same setting', () => {
  const one = settingsOf({ '*': member('m'), a: member('n'), b: member('o') }, { aliases: { x: 'X', y: 'Y' } });
  const other = settingsOf({ b: member('o'), a: member('n'), '*': member('m') }, { aliases: { y: 'Y', x: 'X' } });
  expect(other).toEqual(one);
  expect(one.aliases).toBe('{"x":"X","y":"Y"}');
});

test('sources of beliefs, servers and variants of prompts are settings too', () => {
  const how = { cast: { '*': member('m', {}, 'gpu') }, belief: { sampled: 5 }, prompts: 'plain-2', mask: null };
  const sampled = armSettings(about, {}, { judges: 3 }, how);
  expect(sampled.settings).toMatchObject({ belief: '{"sampled":5}', backend: 'gpu', prompts: 'plain-2' });
  expect(sampled.defaults).toEqual({ judges: 3, belief: 'verbal', prompts: shippedPrompts, mask: null });
});
