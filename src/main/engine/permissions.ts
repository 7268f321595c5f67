// What the user allows to leave this machine: kept in the configuration folder, never next to a store, which others may have made.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { type Settings, settingsSchema } from '../../shared/api/engine.ts';
import { badInput, systemCode } from '../../shared/errors.ts';
import { configurationFolder } from './store/location.ts';
import { exclusively } from './store/lock.ts';
import { writeWholeFile } from './wholeFile.ts';

/** user: random, of the user who gave the permissions. Hash of user and path of a store -> hosts; -> hash of the addresses in its settings; -> experiment -> when its run continues by itself. continued: stores whose interrupted runs continue. */
const fileSchema = z.strictObject({
  user: z.uuid(),
  stores: z.record(z.string(), settingsSchema.shape.allowedHosts.unwrap()),
  addresses: z.record(z.string(), z.string()).default({}),
  plans: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  continued: z.array(z.string()).default([]),
});

const addressesOf = ({ ollamaUrl, servers }: Settings): string =>
  createHash('sha256')
    .update(JSON.stringify([ollamaUrl, servers]))
    .digest('hex');

/** The servers that are asked where none are set. */
const { ollamaUrl, servers } = settingsSchema.parse({});
const ownAddresses = { ollamaUrl, servers };

function canonical(store: string): string {
  if (existsSync(store)) return realpathSync.native(store);
  const folder = dirname(resolve(store));
  return existsSync(folder) ? join(realpathSync.native(folder), basename(store)) : resolve(store);
}

/** The permissions of this user for the store at a path. What cannot be read allows nothing. */
export function openPermissions(store: string) {
  const path = () => join(configurationFolder(), 'permissions.json');
  const whole = (): z.infer<typeof fileSchema> => {
    try {
      return fileSchema.parse(JSON.parse(readFileSync(path(), 'utf8')));
    } catch {
      return { user: randomUUID(), stores: {}, addresses: {}, plans: {}, continued: [] };
    }
  };
  const keyOf = (user: string): string =>
    createHash('sha256')
      .update(`${user}\n${canonical(store)}`)
      .digest('hex');
  /** Changes the file while no other program does, which could write what it read before. */
  const change = (make: (file: z.infer<typeof fileSchema>) => z.infer<typeof fileSchema>): void => {
    try {
      mkdirSync(configurationFolder(), { recursive: true, mode: 0o700 });
      exclusively(`${path()}.lock`, () => writeWholeFile(path(), `${JSON.stringify(make(whole()), null, 2)}\n`));
    } catch (error) {
      const code = systemCode(error) ?? 'unknown reason';
      throw badInput(
        `the permission cannot be saved (${code}); check the permissions of your configuration folder`,
        'allowedHosts',
      );
    }
  };
  const withoutUnknown = (settings: Settings): Settings => {
    const { user, addresses, continued } = whole();
    const known = [addresses[keyOf(user)], addressesOf({ ...settings, ...ownAddresses })];
    const asked = known.includes(addressesOf(settings)) ? settings : { ...settings, ...ownAddresses };
    return !settings.continueRuns || continued.includes(keyOf(user)) ? asked : { ...asked, continueRuns: false };
  };
  return {
    /** The settings next to the store without servers that this user never set, and runs that continue: another user may have handed the store on. */
    withoutUnknown,
    hosts(): string[] {
      const { user, stores } = whole();
      return stores[keyOf(user)] ?? [];
    },
    allow(hosts: readonly string[]): void {
      change(({ stores, ...others }) => ({ ...others, stores: { ...stores, [keyOf(others.user)]: [...hosts] } }));
    },
    /** Whether this user planned the run of an experiment in this store for a time: no store from someone else starts one. */
    hasPlanned(experiment: string, until: string): boolean {
      const { user, plans } = whole();
      return plans[keyOf(user)]?.[experiment] === until;
    },
    /** Keeps when the run of an experiment continues by itself; null: it no longer does. */
    plan(experiment: string, until: string | null): void {
      const { user, plans: known } = whole();
      if ((known[keyOf(user)]?.[experiment] ?? null) === until) return;
      change(({ plans, ...others }) => {
        const key = keyOf(others.user);
        const { [experiment]: _before, ...rest } = plans[key] ?? {};
        const { [key]: _all, ...stores } = plans;
        const left = until === null ? rest : { ...rest, [experiment]: until };
        return { ...others, plans: Object.keys(left).length === 0 ? stores : { ...stores, [key]: left } };
      });
    },
    /** The servers of these settings count from now on. */
    trust(settings: Settings): void {
      if (withoutUnknown(settings) === settings) return;
      const known = addressesOf(settings);
      change(({ addresses, continued, ...others }) => {
        const key = keyOf(others.user);
        const left = continued.filter((store) => store !== key);
        return {
          ...others,
          addresses: { ...addresses, [key]: known },
          continued: settings.continueRuns ? [...left, key] : left,
        };
      });
    },
  };
}
