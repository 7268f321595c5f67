/** Linux file-system types of network drives, where SQLite's locks cannot be trusted. */
const networkFileSystems = new Map<number, string>([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
]);

/** The kind of network drive, or null for a local one. @param type `f_type` of statfs, signed or not by machine */
export function networkDrive(platform: NodeJS.Platform, type: number): string | null {
  return platform === 'linux' ? (networkFileSystems.get(type >>> 0) ?? null) : null;
}
