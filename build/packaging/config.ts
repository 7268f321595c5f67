import type { Configuration } from 'electron-builder';
import manifest from '../../package.json' with { type: 'json' };

/** Packages that the bundles leave outside, with what of them is needed to run. */
const runtimePackages = () =>
  [
    // Of the binaries only that of the system for which is packed.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: electron-builder fills these in
    { name: 'better-sqlite3', filter: ['package.json', 'LICENSE', 'lib/**', 'prebuilds/${platform}-${arch}.node'] },
    { name: 'piscina', filter: ['package.json', 'LICENSE', 'dist/**/*.js', 'dist/**/*.mjs'] },
  ].map(({ name, filter }) => ({ from: `node_modules/${name}`, to: `node_modules/${name}`, filter }));

/** Switches in Electron's executable, which no one can turn without changing it. */
export const fuses = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
} as const;

/**
 * What electron-builder makes of the program; a new object each time, for electron-builder writes into it. No
 * publishing and no updater: nothing asks the network.
 * @param built folder of the bundles
 */
export const packaging = (built: string): Configuration => ({
  appId: 'org.assize.desktop',
  productName: manifest.productName,
  copyright: 'MIT licence',
  electronVersion: manifest.devDependencies.electron,
  directories: { output: 'out/packages', buildResources: 'build/icons' },
  files: [
    'package.json',
    'LICENSE',
    'resources/**',
    'build/icons/icon.png',
    { from: built, to: 'out', filter: ['main/**', 'preload/**', 'renderer/**'] },
    ...runtimePackages(),
  ],
  asar: true,
  // Binaries have to be files for the system's loader; samples are streamed from plain files.
  asarUnpack: ['node_modules/better-sqlite3/prebuilds/**', 'resources/**'],
  // Nothing is rebuilt, and of the installed packages nothing but `runtimePackages` is taken along.
  beforeBuild: () => Promise.resolve(false),
  publish: null,
  electronFuses: fuses,
  electronLanguages: ['en-US'],
  icon: 'build/icons/icon.png',
  // A deb package must name a home page and an address, of which there are none.
  linux: { target: ['AppImage', 'tar.gz'], category: 'Science', executableName: 'assize' },
  win: { target: ['nsis'] },
  nsis: { oneClick: false, allowToChangeInstallationDirectory: true },
  mac: { target: ['dmg'], category: 'public.app-category.education' },
});
