/** What a check of a bundle found. `problem` names the first fault; the other fields are there where it is intact. */
export interface BundleCheck {
  readonly result: 'intact' | 'tampered' | 'unreadable';
  readonly problem?: string;
  readonly experiment?: string;
  readonly redacted?: boolean;
  readonly chains?: number;
  readonly trials?: number;
  readonly events?: number;
  readonly texts?: number;
  /** Texts that events name and a redacted bundle leaves out. */
  readonly leftOut?: number;
  /** Hexadecimal. */
  readonly root?: string;
}

export function verifyBundle(zip: Uint8Array): Promise<BundleCheck>;
export function sentences(report: BundleCheck): string[];
