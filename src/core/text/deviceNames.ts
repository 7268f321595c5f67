/** Whether a file of this name is a device on Windows, which no extension changes: `con`, `NUL.md`. */
export const isDeviceName = (name: string): boolean =>
  /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(?=\.|$)/iu.test(name);
