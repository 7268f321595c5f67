// Arms that differ in one setting only, and settings in words.
import type { Changed } from '../../shared/api/compared.ts';
import type { ArmSettings, Setting } from '../../shared/api/protocolFigures.ts';

const keyOf = (value: unknown) => JSON.stringify(value);

const has = ({ settings, idle = [] }: ArmSettings, setting: string) =>
  Object.hasOwn(settings, setting) && !idle.includes(setting);

/** All settings but one as a key: arms with the same key differ in that one at most. */
function without(arm: ArmSettings, setting: string): string {
  const others = Object.keys(arm.settings)
    .filter((name) => name !== setting)
    .sort()
    .map((name) => [name, arm.settings[name]]);
  return keyOf([arm.protocol, arm.version, others]);
}

export const settingText = (value: Setting): string => (value === null ? 'none' : String(value));

/** A name from experiment files, in words: `argumentWords` is `argument words`. */
export const settingTitle = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const mostOfSetting = 24;

/** Settings, by name, in which two arms differ; null where an arm lacks one. Lacking one and `none` are no difference. */
export function differingIn(one: Record<string, Setting>, other: Record<string, Setting>): Changed['settings'] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name) => {
    const values = { a: one[name] ?? null, b: other[name] ?? null };
    return settingText(values.a) === settingText(values.b) ? [] : [{ name, ...values }];
  });
}

/** In what two arms differ: `protocol`, `temperature (0.7; 0)`; nothing for one setting, or what only one protocol has. */
export function severalSettings(one: Record<string, Setting>, other: Record<string, Setting>): string[] {
  const all = differingIn(one, other);
  const isOfProtocols = all.some(({ name }) => name === 'protocol');
  const some = isOfProtocols ? all.filter(({ name }) => Object.hasOwn(one, name) && Object.hasOwn(other, name)) : all;
  if (some.length < 2) return [];
  return some.map(({ name, a, b }) => {
    const values = [a, b].map((value) => (value === '{}' ? 'none' : settingText(value)));
    return name === 'protocol' || values.some((value) => value.length > mostOfSetting)
      ? settingTitle(name)
      : `${settingTitle(name)} (${values.join('; ')})`;
  });
}

/** How each group of similar arms differs from the others: settings that vary, and the protocol if it varies. */
export function distinguishing(firsts: readonly ArmSettings[], but: string): string[] {
  const several = new Set(firsts.map(({ protocol }) => protocol)).size > 1;
  const names = [...new Set(firsts.flatMap(({ settings }) => Object.keys(settings)))].filter((name) => name !== but);
  // Between protocols a parameter that only one of them has says nothing that its name does not.
  const varying = names.filter((name) => {
    const having = firsts.filter(({ settings }) => Object.hasOwn(settings, name));
    return new Set(having.map(({ settings }) => keyOf(settings[name]))).size > 1;
  });
  return firsts.map(({ protocol, settings }) =>
    [
      ...(several ? [protocol] : []),
      ...varying.flatMap((name) => {
        const value = settings[name];
        if (value === undefined) return [];
        return typeof value === 'string' ? [value] : [`${settingTitle(name)} ${settingText(value)}`];
      }),
    ].join(', '),
  );
}

function inOrder(values: readonly Setting[]): { values: Setting[]; numeric: boolean } {
  const distinct = [...new Map(values.map((value) => [keyOf(value), value])).values()];
  const numeric = distinct.every((value) => typeof value === 'number');
  return { values: numeric ? distinct.toSorted((one, other) => Number(one) - Number(other)) : distinct, numeric };
}

/**
 * The ablations in an experiment: for each setting the arms that differ in it and in nothing else, a line for each way in
 * which the others are set. Arms with something exchanged are in none; of arms that are alike in all, the first is taken.
 * Settings in the order of their names as the arms have them.
 */
export function ablationsOf(arms: readonly ArmSettings[]) {
  const usual = arms.filter(({ swap }) => swap === null);
  const names = [...new Set(usual.flatMap(({ settings }) => Object.keys(settings)))];
  return names.flatMap((setting) => {
    const having = usual.filter((arm) => has(arm, setting));
    const groups = [...Map.groupBy(having, (arm) => without(arm, setting)).values()]
      .map((group) => [...new Map(group.toReversed().map((arm) => [keyOf(arm.settings[setting]), arm])).values()].toReversed())
      .filter((group) => group.length > 1);
    if (groups.length === 0) return [];
    const { values, numeric } = inOrder(groups.flatMap((group) => group.map(({ settings }) => settings[setting] ?? null)));
    const place = new Map(values.map((value, index) => [keyOf(value), index]));
    const placeOf = (arm: ArmSettings) => place.get(keyOf(arm.settings[setting] ?? null)) ?? 0;
    const titles = distinguishing(
      groups.flatMap((group) => group[0] ?? []),
      setting,
    );
    const lines = groups.map((group, index) => {
      const ordered = group.toSorted((one, other) => placeOf(one) - placeOf(other));
      const isUsual = ({ settings, defaults }: ArmSettings) =>
        Object.hasOwn(defaults, setting) && keyOf(settings[setting]) === keyOf(defaults[setting]);
      return {
        /** What the arms share and other lines do not, in words: `sequential, judges 3`; empty where there is no other line. */
        title: titles[index] ?? '',
        protocol: ordered[0]?.protocol ?? '',
        arms: ordered.map(({ arm, settings }) => ({ arm, value: settings[setting] ?? null })),
        /** The arm that has the protocol's default; null where none has it. */
        usual: ordered.find(isUsual)?.arm ?? null,
      };
    });
    return [{ setting, values, numeric, lines }];
  });
}

/** Every arm with a setting, by its other settings and its value. Null for one row or column; an arm is null where absent. */
export function settingGrid(arms: readonly ArmSettings[], setting: string) {
  const having = arms.filter((arm) => arm.swap === null && has(arm, setting));
  const { values } = inOrder(having.map(({ settings }) => settings[setting] ?? null));
  const groups = [...Map.groupBy(having, (arm) => without(arm, setting)).values()];
  if (values.length < 2 || groups.length < 2) return null;
  const titles = distinguishing(
    groups.flatMap((group) => group[0] ?? []),
    setting,
  );
  const rows = groups.map((group, index) => ({
    title: titles[index] ?? '',
    arms: values.map((value) => group.find(({ settings }) => keyOf(settings[setting]) === keyOf(value))?.arm ?? null),
  }));
  return { values, rows };
}
