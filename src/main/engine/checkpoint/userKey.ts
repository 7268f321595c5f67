// The user's signing key: one for all stores and hosts, in the configuration folder.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { badInput } from '../../../shared/errors.ts';
import { attempt } from '../attempt.ts';
import { configurationFolder } from '../store/location.ts';
import { writeWholeFile } from '../wholeFile.ts';

export interface UserKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The file that was made for it just now; absent where the key was there. */
  readonly made?: string;
  /** Ed25519, 64 bytes. */
  sign(bytes: Uint8Array): Uint8Array;
}

/** SHA-256 of a public key, hexadecimal: what people compare. */
export const fingerprintOf = (publicKey: Uint8Array): string => createHash('sha256').update(publicKey).digest('hex');

/** A key that another process has put there meanwhile stays. */
function makeKey(path: string): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  const whole = `${path}.${randomBytes(6).toString('hex')}`;
  writeWholeFile(whole, String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
  try {
    linkSync(whole, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  } finally {
    rmSync(whole, { force: true });
  }
}

function readKey(path: string): KeyObject {
  const stats = statSync(path);
  if (!stats.isFile() || stats.size > 10_000) throw badInput('the signing key is not a file of PKCS#8', { file: path });
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) chmodSync(path, 0o600);
  let key: KeyObject | null = null;
  try {
    key = createPrivateKey(readFileSync(path));
  } catch {
    // Said below, without what is in the file.
  }
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw badInput('the signing key is no Ed25519 key in PKCS#8; restore it from a copy, or move it away to get a new one', {
    file: path,
  });
}

const keyFile = (): string => join(configurationFolder(), 'signing-key.pem');

/** The fingerprint of the user's key; null where there is none, or none that can be read. Makes nothing. */
export const ownFingerprint = (): string | null =>
  attempt(() => (existsSync(keyFile()) ? fingerprintOf(openUserKey().publicKey) : null), null);

/** Opens the key, and makes one where there is none. Throws bad input where it cannot be read or made. */
export function openUserKey(): UserKey {
  const path = keyFile();
  try {
    const made = existsSync(path) ? {} : { made: path };
    if (made.made !== undefined) makeKey(path);
    const key = readKey(path);
    const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
    return { publicKey: Buffer.from(x, 'base64url'), sign: (bytes) => sign(null, bytes, key), ...made };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'syscall' in error)) throw error;
    throw badInput(`the signing key cannot be read or made (${String(error.code)}); check the permissions of its folder`, {
      file: path,
    });
  }
}
