import { z } from 'zod';

/** base64url SHA-256 of a stored text; see docs/record-format.md. */
export const ref = z.string().length(43);

/** Version of a payload. */
export const version = z.literal(1);

/** Wall time, ISO 8601. Information only: order is the sequence number. */
export const at = z.string();
