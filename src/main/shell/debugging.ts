import { badInput } from '../../shared/errors.ts';

/** Switches of Chromium and Node that let another program read and steer this one, in each way that Chromium reads them. */
const debuggingSwitch = /^(?:--?|\/)(?:remote-debugging-|remote-allow-origins|inspect|debug-port|js-flags)/i;

/** Throws bad input where the program was started with a switch for debugging. */
export function refuseDebugging(): void {
  const [found] = process.argv.flatMap((word) => (debuggingSwitch.test(word) ? [word.split('=')[0]] : []));
  if (found === undefined) return;
  throw badInput(`the switch ${found} opens the program to others on this machine; start it without`);
}
