import { expect, test } from 'vitest';
import { networkDrive } from './networkDrive.ts';

test.each([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xff534d42 | 0, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
])('file system %i is refused as %s', (type, kind) => {
  expect(networkDrive('linux', type)).toBe(kind);
});

test.each([
  ['ext4', 0xef53],
  ['tmpfs', 0x01021994],
  ['btrfs', 0x9123683e],
  ['xfs', 0x58465342],
  ['overlay', 0x794c7630],
  ['zfs', 0x2fc12fc1],
  ['fuse', 0x65735546],
])('%s is local', (_name, type) => {
  expect(networkDrive('linux', type)).toBeNull();
});

test('the numbers mean something else on other systems', () => {
  for (const platform of ['darwin', 'win32'] as const) expect(networkDrive(platform, 0x6969)).toBeNull();
});
