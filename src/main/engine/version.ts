import manifest from '../../../package.json' with { type: 'json' };

/** Version of the program, as recorded and as `assize --version` prints it. */
export const programVersion: string = manifest.version;
