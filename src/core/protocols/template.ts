/** Fills each `{{slot}}`. Throws on a slot that has no value, so that no prompt goes out with a hole. */
export function fillTemplate(template: string, slots: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_match, slot: string) => {
    const value = slots[slot];
    if (value === undefined) throw new Error(`template slot {{${slot}}} has no value`);
    return value;
  });
}
