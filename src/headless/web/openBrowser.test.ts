import { expect, test } from 'vitest';
import { openerOf } from './openBrowser.ts';

test.for([
  ['darwin', {}, ['open']],
  ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler']],
  ['linux', { DISPLAY: ':0' }, ['xdg-open']],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open']],
  ['linux', { DISPLAY: '' }, null],
] as const)('on %s with %j the address is opened by %j', ([platform, env, opener]) => {
  expect(openerOf({ platform, env })).toEqual(opener);
});
