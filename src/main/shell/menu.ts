import type { MenuItemConstructorOptions } from 'electron';

/** The menu: standard roles with their standard keys. What shows or reloads the page's insides is for development only. */
export function menuTemplate(platform: NodeJS.Platform, packaged: boolean): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin';
  const development: MenuItemConstructorOptions[] = [{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }];
  return [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    { label: '&File', submenu: [mac ? { role: 'close' } : { role: 'quit' }] },
    {
      label: '&Edit',
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        { type: 'separator' },
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
      ],
    },
    {
      label: '&View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...(packaged ? [] : development),
      ],
    },
    { label: '&Window', submenu: [{ role: 'minimize' }, ...(mac ? [{ role: 'zoom' } as const] : [{ role: 'close' } as const])] },
    ...(mac ? [] : [{ label: '&Help', submenu: [{ role: 'about' } as const] }]),
  ];
}
