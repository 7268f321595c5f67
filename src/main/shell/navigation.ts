export interface Preventable {
  preventDefault(): void;
}

export const deniedNavigations = ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'] as const;

export interface GuardedContents {
  on(event: (typeof deniedNavigations)[number], listener: (event: Preventable) => void): unknown;
  setWindowOpenHandler(handler: () => { action: 'deny' }): void;
}

/** Denies all by which a page could become another. The shell's loading, and moves within a page, raise none of these events. */
export function guardNavigation(contents: GuardedContents): void {
  for (const event of deniedNavigations) contents.on(event, (denied) => denied.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}
